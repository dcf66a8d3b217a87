/** The throws of pbem/dice.py: everything follows from a turn's seed by HMAC-SHA-256. */

import { ownHmac, ownSha256 } from "./sha256.js";

/**
 * @typedef {object} Hashes
 * @property {string} name
 * @property {(bytes: Uint8Array) => Promise<Uint8Array>} sha256
 * @property {(key: Uint8Array, message: Uint8Array) => Promise<Uint8Array>} hmac
 */

/**
 * A throw with the way to it: the digest that decided it, and the numbers passed over before.
 * @typedef {object} Found
 * @property {number} value
 * @property {string} digest
 * @property {number} number
 * @property {number} passed
 */

/** @type {Hashes} */
export const OWN = {
  name: "this page’s own SHA-256",
  sha256: async (bytes) => ownSha256(bytes),
  hmac: async (key, message) => ownHmac(key, message),
};

/**
 * The browser's own hashes where it lends them to this page, else ours.
 * @returns {Hashes}
 */
export function hashes() {
  const subtle = globalThis.crypto && crypto.subtle;
  if (!subtle) return OWN;
  return {
    name: "the browser’s WebCrypto",
    sha256: async (bytes) => new Uint8Array(await subtle.digest("SHA-256", bytes)),
    hmac: async (key, message) => {
      const held = await subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
      return new Uint8Array(await subtle.sign("HMAC", held, message));
    },
  };
}

/**
 * The bytes of 64 hex digits, null for anything else.
 * @param {string} hex
 */
export function bytesOf(hex) {
  if (!/^[0-9a-f]{64}$/i.test(hex)) return null;
  return Uint8Array.from(hex.match(/../g) || [], (pair) => parseInt(pair, 16));
}

/** @param {Uint8Array} bytes */
export function hexOf(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} text */
export function utf8(text) {
  return new TextEncoder().encode(text);
}

/**
 * The seed in use where a public number, agreed on beforehand, is mixed in.
 * @param {Hashes} by
 * @param {Uint8Array} seed
 * @param {string | null} beacon
 */
export async function seedInUse(by, seed, beacon) {
  return beacon === null ? seed : by.hmac(seed, utf8(`beacon ${beacon}`));
}

/** @param {number} sides */
export function isDie(sides) {
  return Number.isInteger(sides) && sides >= 1 && sides <= 65536;
}

/**
 * The throw of a die of 1 to 65,536 sides: rejection sampling, so that no face is favoured.
 * @param {Hashes} by
 * @param {Uint8Array} seed
 * @param {string} key
 * @param {number} sides
 * @returns {Promise<Found>}
 */
export async function throwOf(by, seed, key, sides) {
  if (!isDie(sides)) throw new RangeError(`a die of ${sides} sides`);
  const limit = 65536 - (65536 % sides);
  let block = await by.hmac(seed, utf8(key));
  for (let passed = 0; ; ) {
    const view = new DataView(block.buffer, block.byteOffset);
    for (let at = 0; at < 32; at += 2) {
      const number = view.getUint16(at);
      if (number < limit) return { value: (number % sides) + 1, digest: hexOf(block), number, passed };
      passed += 1;
    }
    block = await by.hmac(seed, block);
  }
}

/**
 * The commitment to a turn's seed in what somebody kept: the page, text or JSON of the turn before, or
 * the bare digits. `of` is the turn whose seed it is for; null if there is no commitment in it.
 * @param {string} kept
 * @param {number} turn
 * @returns {{ of: number, digits: string } | null}
 */
export function committed(kept, turn) {
  if (kept.trimStart().startsWith("{")) {
    try {
      const data = JSON.parse(kept);
      return { of: Number(data.turn) + 1, digits: String(data.dice.next_commitment).toLowerCase() };
    } catch {
      return null;
    }
  }
  const text = kept.replace(/<[^<>]*>/g, " ");
  const named = /Commitment (?:to the seed of turn |of turn-)(\d{1,6})[:\s]+([0-9a-f]{64})\b/gi;
  const all = Array.from(text.matchAll(named), (found) => ({ of: Number(found[1]), digits: found[2].toLowerCase() }));
  const bare = text.match(/\b[0-9a-f]{64}\b/gi) || [];
  if (!all.length && bare.length === 1) return { of: turn, digits: bare[0].toLowerCase() };
  return all.find((each) => each.of === turn) || all[0] || null;
}
