-- The tables of pbem in PostgreSQL, in the first schema of the search path. pbem makes them itself when
-- the first game comes here and its role may make tables; who may use them says store_postgres_roles.sql.

CREATE TABLE pbem_tables (version integer NOT NULL);
INSERT INTO pbem_tables VALUES (1);

-- One row a game. Whoever appends to a game's log holds its row; id is the number of its advisory lock.
CREATE TABLE games (
    game text PRIMARY KEY,
    id integer GENERATED ALWAYS AS IDENTITY UNIQUE,
    -- When `pbem tick` has to look at it next, if nothing happens before: until then the game rests, and
    -- whatever is appended wakes it. Costs only time if it is lost: UPDATE games SET wake = '-infinity'.
    wake timestamptz NOT NULL DEFAULT '-infinity',
    -- Where the game was moved: its log is closed here. Empty while it is on its way here.
    moved_to text
);
CREATE INDEX games_wake ON games (wake, id) WHERE moved_to IS NULL;

-- The log: docs/formats.md. The same columns and the same guarantees as in SQLite.
CREATE TABLE events (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    game text NOT NULL,
    version integer NOT NULL,
    turn integer NOT NULL,
    kind text NOT NULL,
    schema integer NOT NULL,
    data text NOT NULL,
    at text NOT NULL,
    salt text NOT NULL,
    prev text NOT NULL,
    hash text NOT NULL,
    CONSTRAINT events_game_version UNIQUE (game, version)
);
CREATE FUNCTION events_refused() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the event log is append-only' USING ERRCODE = 'integrity_constraint_violation';
END
$$;
CREATE TRIGGER events_change_refused BEFORE UPDATE OR DELETE OR TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION events_refused();
-- Also where a replica or a loader has set the ordinary triggers aside.
ALTER TABLE events ENABLE ALWAYS TRIGGER events_change_refused;

-- The dice secrets, 64 hex digits each: who reads this knows every throw and every key to come.
CREATE TABLE secrets (
    game text PRIMARY KEY REFERENCES games,
    secret text NOT NULL
);

-- game.toml as its GM wrote it: who plays, with names and addresses, and how the game is run.
CREATE TABLE settings (
    game text PRIMARY KEY REFERENCES games,
    toml text NOT NULL
);

-- By what mail is known to be a game's while the game rests: hashes of its keys and of its players'
-- addresses. More may stand here than is true, since only the game itself tells whose a message is, but
-- nothing may be missing. If it was lost: DELETE FROM mailboxes, and wake all games.
CREATE TABLE marks (
    mark bytea NOT NULL,
    game text NOT NULL REFERENCES games,
    PRIMARY KEY (mark, game)
);

-- From which mailbox a game that rests has its mail; empty if from none. And how many marks it has left, in
-- which order as a hash: a game that grows older adds to them, and those are not written again.
CREATE TABLE mailboxes (
    game text PRIMARY KEY REFERENCES games,
    incoming text NOT NULL,
    password_env text NOT NULL,
    marked integer NOT NULL,
    digest bytea NOT NULL
);
CREATE INDEX mailboxes_incoming ON mailboxes (incoming, password_env, game) WHERE incoming <> '';

-- Kept mail, byte for byte. `room` is the game whose mailbox it came to, or empty for the one of all
-- games. What was too large to be read has only its header here, and the whole of it in `pieces`.
CREATE TABLE messages (
    room text NOT NULL,
    name text NOT NULL,
    arrived bigint GENERATED ALWAYS AS IDENTITY,
    header_only boolean NOT NULL DEFAULT false,
    message bytea NOT NULL,
    -- Whether the journal has it; and for which game it waits, since that could not be read.
    judged boolean NOT NULL DEFAULT false,
    waits_for text,
    PRIMARY KEY (room, name)
);
CREATE INDEX messages_name ON messages (name);
CREATE INDEX messages_unjudged ON messages (room, arrived) WHERE NOT judged AND NOT header_only;
CREATE TABLE pieces (
    room text NOT NULL,
    name text NOT NULL,
    part bigint GENERATED ALWAYS AS IDENTITY,
    piece bytea NOT NULL,
    PRIMARY KEY (room, name, part)
);

-- What became of each message: a line of the journal as JSON, and what is looked for in it.
CREATE TABLE journal (
    room text NOT NULL,
    name text NOT NULL,
    place bigint GENERATED ALWAYS AS IDENTITY,
    entry text NOT NULL,
    game text,
    sent text,
    answered text,
    PRIMARY KEY (room, name)
);
CREATE INDEX journal_name ON journal (name);
CREATE INDEX journal_game ON journal (game);
CREATE INDEX journal_sent ON journal (room, sent);
CREATE INDEX journal_answered ON journal (room, answered);

-- Messages to send. The row stays when the message has gone, so that none goes twice.
CREATE TABLE outbox (
    game text NOT NULL REFERENCES games,
    identity text NOT NULL,
    place bigint GENERATED ALWAYS AS IDENTITY,
    -- waiting, sent, refused, or noted: no message, but something that was done for good.
    state text NOT NULL,
    message bytea,
    PRIMARY KEY (game, identity)
);
CREATE INDEX outbox_waiting ON outbox (game, place) WHERE state = 'waiting';
