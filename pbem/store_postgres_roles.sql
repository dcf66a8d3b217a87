-- Who may do what with pbem's tables: three roles that nobody logs in as, to be granted to those who do.
-- Run once, by the owner of the tables and with the right to make roles:  psql -f store_postgres_roles.sql URL
--
--   pbem_events   reads the log and nothing else: for statistics, archives and whoever checks a game.
--                 The log gives no key, no dice secret, no name and no address away.
--   pbem_players  reads and mends game.toml, with names and addresses, and sees no game.
--   pbem_host     serves games: what `pbem` does on any machine. It can change no event, and drop nothing.

DO $$
DECLARE
    role text;
BEGIN
    FOREACH role IN ARRAY ARRAY['pbem_events', 'pbem_players', 'pbem_host'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
            EXECUTE format('CREATE ROLE %I NOLOGIN', role);
        END IF;
    END LOOP;
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO pbem_events, pbem_players, pbem_host', current_schema());
END
$$;

REVOKE ALL ON pbem_tables, games, events, secrets, settings, marks, mailboxes, messages, pieces, journal, outbox FROM PUBLIC;

GRANT SELECT ON pbem_tables, games, events TO pbem_events;

GRANT SELECT ON pbem_tables, games TO pbem_players;
GRANT SELECT, UPDATE (toml) ON settings TO pbem_players;
GRANT UPDATE (wake) ON games TO pbem_players;

GRANT SELECT ON pbem_tables, games, events, secrets, settings, marks, mailboxes, messages, pieces, journal, outbox TO pbem_host;
GRANT INSERT ON games, events, secrets, settings, marks, mailboxes, messages, pieces, journal, outbox TO pbem_host;
GRANT UPDATE (wake, moved_to) ON games TO pbem_host;
GRANT UPDATE (toml) ON settings TO pbem_host;
GRANT UPDATE (incoming, password_env, marked, digest) ON mailboxes TO pbem_host;
GRANT UPDATE (judged, waits_for) ON messages TO pbem_host;
GRANT UPDATE (state, message) ON outbox TO pbem_host;
