/** SHA-256 and HMAC by the book (FIPS 180-4, RFC 2104), for browsers that keep theirs from files. */

const ROUNDS = 64;
const BLOCK = 64;

/**
 * The first 32 bits of the fractions of a power of the first primes: the standard's constants.
 * @param {number} count
 * @param {number} power
 */
function fractions(count, power) {
  const found = [];
  for (let prime = 2; found.length < count; prime += 1) {
    let divisor = 2;
    while (prime % divisor) divisor += 1;
    if (divisor === prime) found.push(((prime ** power % 1) * 2 ** 32) | 0);
  }
  return found;
}

const START = fractions(8, 1 / 2);
const CONSTANTS = fractions(ROUNDS, 1 / 3);

/**
 * @param {number} word
 * @param {number} by
 */
function turned(word, by) {
  return (word >>> by) | (word << (32 - by));
}

/**
 * @param {Uint8Array} bytes
 * @returns {Uint8Array}
 */
export function ownSha256(bytes) {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  const sum = Int32Array.from(START);
  const words = new Int32Array(ROUNDS);
  for (let at = 0; at < padded.length; at += BLOCK) {
    for (let i = 0; i < ROUNDS; i += 1) {
      if (i < 16) {
        words[i] = view.getInt32(at + 4 * i);
      } else {
        const early = words[i - 15];
        const late = words[i - 2];
        const one = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
        const two = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
        words[i] = words[i - 16] + one + words[i - 7] + two;
      }
    }
    let [a, b, c, d, e, f, g, h] = sum;
    for (let i = 0; i < ROUNDS; i += 1) {
      const choice = (e & f) ^ (~e & g);
      const most = (a & b) ^ (a & c) ^ (b & c);
      const one = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + CONSTANTS[i] + words[i];
      const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + most;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => {
      sum[i] += word;
    });
  }
  const out = new DataView(new ArrayBuffer(32));
  sum.forEach((word, i) => out.setInt32(4 * i, word));
  return new Uint8Array(out.buffer);
}

/**
 * @param {Uint8Array} key
 * @param {Uint8Array} message
 */
export function ownHmac(key, message) {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? ownSha256(key) : key);
  return ownSha256(both(block.map((byte) => byte ^ 0x5c), ownSha256(both(block.map((byte) => byte ^ 0x36), message))));
}

/**
 * @param {Uint8Array} one
 * @param {Uint8Array} other
 */
function both(one, other) {
  const out = new Uint8Array(one.length + other.length);
  out.set(one);
  out.set(other, one.length);
  return out;
}
