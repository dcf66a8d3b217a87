// The pages' own dice under node: node throws.mjs MODULE < {"seed": HEX, "throws": [[KEY, SIDES], …]}
// prints the values found by each way of hashing.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

// Node 18 keeps it in a module.
globalThis.crypto ??= (await import("node:crypto")).webcrypto;
const { OWN, bytesOf, hashes, throwOf } = await import(pathToFileURL(process.argv[2]).href);
const { seed, throws } = JSON.parse(readFileSync(0, "utf8"));
const ways = [OWN, hashes()];
const found = {};
for (const by of ways) {
  found[by.name] = [];
  for (const [key, sides] of throws) found[by.name].push((await throwOf(by, bytesOf(seed), key, sides)).value);
}
console.log(JSON.stringify(found));
