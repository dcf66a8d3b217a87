// The checks of `pbem audit` a second time, from docs/formats.md alone, in another language.
//
//     node tests/audit.mjs reports/            all turns below a folder
//
// Prints one line of counts and leaves with 0, or prints every fault and leaves with 1. It needs the public
// files only: turn-N.json, and the page and map beside it.

import { createHash, createHmac } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

const sha256 = (data) => createHash("sha256").update(data).digest("hex");
const hmac = (key, data) => createHmac("sha256", key).update(data).digest();
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

function throwOf(seed, key, sides) {
    const limit = 65536 - (65536 % sides);
    for (let block = hmac(seed, key); ; block = hmac(seed, block))
        for (let at = 0; at < 32; at += 2)
            if (block.readUInt16BE(at) < limit) return (block.readUInt16BE(at) % sides) + 1;
}

function* turnFiles(folder) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) yield* turnFiles(path);
        else if (/^turn-\d+\.json$/.test(entry.name)) yield path;
    }
}

const faults = [];
const counts = { files: 0, rows: 0, commitments: 0, seeds: 0, throws: 0 };
const check = (fits, path, what) => fits || faults.push(`${path}: ${what}`);

function read(path) {
    const bytes = readFileSync(path);
    const end = bytes.lastIndexOf('"sha256":');
    let turn;
    try {
        turn = JSON.parse(bytes.toString("utf8"));
    } catch {
        return check(false, path, "is no JSON"), null;
    }
    check(sha256(bytes.subarray(0, Math.max(end, 0))) === turn.sha256, path, "its last line is not its digest");
    for (const [name, digest] of Object.entries(turn.files ?? {})) {
        const beside = join(dirname(path), name);
        if (existsSync(beside)) check(sha256(readFileSync(beside)) === digest, beside, "is not what was written");
    }
    counts.files += 1;
    return { path, ...turn };
}

function checkDice({ path, turn, dice }) {
    const seed = Buffer.from(dice.seed, "hex");
    check(sha256(seed) === dice.commitment, path, `the seed of turn ${turn} was not committed to`);
    const inUse = dice.beacon === null ? seed : hmac(seed, `beacon ${dice.beacon}`);
    for (const { key, sides, value } of dice.throws)
        check(throwOf(inUse, key, sides) === value, path, `the throw ${key} is not ${value}`);
    if (dice.secret !== null) {
        const secret = Buffer.from(dice.secret, "hex");
        check(sha256(secret) === dice.secret_hash, path, "the secret is another");
        check(hmac(secret, `turn ${turn} ${dice.attempt}`).equals(seed), path, "the seed is not the secret's");
    }
    counts.seeds += 1;
    counts.throws += dice.throws.length;
}

function checkRows({ path, game, log, rows, dice, events, closed_at }) {
    for (const row of rows) {
        const { prev, version, turn, kind, schema, at, digest, hash, salt, data } = row;
        const public_ = JSON.stringify([prev, game, version, turn, kind, schema, at, digest]);
        check(sha256(public_) === hash, path, `row ${version} does not have its hash`);
        if (data !== undefined) {
            check(sha256(salt + data) === digest, path, `row ${version} does not have its digest`);
            if (dice.secret !== null)
                check(hmac(Buffer.from(dice.secret, "hex"), `salt ${version}`).toString("hex") === salt, path,
                    `row ${version} has another salt`);
        }
        counts.rows += 1;
    }
    const last = rows.at(-1);
    check(last.hash === log.hash && last.version === log.version, path, "its last row is not the log's");
    check(last.at === closed_at, path, "it was closed at another time");
    const known = rows.filter((row) => row.data !== undefined).map((row) => [row.kind, JSON.parse(row.data)]);
    const closed = known.findLast(([kind]) => kind === "turn_closed")[1];
    for (const name of ["attempt", "seed", "beacon", "beacon_rule", "next_commitment"])
        check(dice[name] === closed[name], path, `its ${name} is not that of its rows`);
    check(dice.first_seed === (closed.seed_0 ?? null), path, "its first_seed is not that of its rows");
    const told = known.filter(([, data]) => "rules" in data).map(([kind, data]) => ({ kind, ...data }));
    check(same(told, events), path, "its events are not those of its rows");
    check(same(told.flatMap((event) => event.dice ?? []), dice.throws), path, "its throws are not its rows'");
}

const turns = [...turnFiles(process.argv[2])].map(read).filter((turn) => turn !== null);
for (const turn of turns) checkDice(turn), checkRows(turn);
turns.sort((one, other) => one.rows[0].version - other.rows[0].version);

let prev = "0".repeat(64), version = 0;
const promised = new Map();
for (const { path, turn, game, rows, dice } of turns) {
    for (const row of rows) {
        check(row.prev === prev && row.version === version + 1, path, `row ${row.version} does not follow`);
        [prev, version] = [row.hash, row.version];
        const data = row.data === undefined ? {} : JSON.parse(row.data);
        if (row.kind === "game_created") promised.set(0, data.commitment);
        if (row.kind === "turn_reopened") promised.set(data.turn, data.commitment);
    }
    check(promised.get(turn) === dice.commitment, path, "its commitment was not the one published before");
    check(game === turns[0].game && dice.secret_hash === turns[0].dice.secret_hash, path, "is another game's");
    promised.set(turn + 1, dice.next_commitment);
    counts.commitments += 1;
}

console.log(faults.length ? faults.join("\n") : `All agree: ${JSON.stringify(counts)}`);
process.exit(faults.length ? 1 : 0);
