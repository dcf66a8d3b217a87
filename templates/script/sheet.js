/**
 * The grammar that all games share, as pbem/sheet.py reads it: lines, comments, `if`, `else`, `standing:`.
 *
 * It reads and says what Python's parser reads and says; tests/test_composer_orders.py holds them together.
 */

const MAX_BYTES = 64 * 1024;
const MAX_ORDER_LINES = 500;
const MAX_PRESS = 2000;
const HEADER = /^(game|turn|player|key)\s*:(.*)$/i;
// What a lookahead has taken is not given back: else many blanks would take the square of their number.
const PRESS = /^press(?:\s+to(?=(\s+))\1(?=([^:\s]*))\2)?\s*:(.*)$/i;
const STANDING = /^standing\s*:(.*)$/i;
const GUARD = /\s*if\b(\s+not\b)?([^:]*)(:?)/iy;
// Blanks are looked at from where they begin, for the same reason.
const ELSE = /(?:^|(?<!\s)\s+)else(?=\s|$)/i;
const NOISE = /(?<![^\s:,])(?:at|on|onto|the)(?![^\s:,])/gi;
const BLANKS = /[\t\v\f\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/g;
const INVISIBLE = /[\u200b-\u200f\u2060\ufeff\u00ad]/g;
const CONTROL = /[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f]/;
const CUTOFF = 0.6;

/**
 * @typedef {{ number: number, text: string, order: string }} SheetLine
 * @typedef {{ number: number, to: string | null, text: string, raw: string }} PressLine
 * @typedef {{ header: Record<string, string>, lines: SheetLine[], press: PressLine[], stop: number }} Sheet
 */

/** A line that cannot be read: what was expected there. */
export class CannotRead extends Error {}

/** A text that cannot be taken at all. */
export class BadSheet extends Error {}

/**
 * Typographic characters made plain.
 * @param {string} text
 */
export function plain(text) {
  return text
    .replace(INVISIBLE, "")
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\u2018\u2019\u201a\u201b\u2039\u203a]/g, "'")
    .replace(/[\u201c-\u201f\u00ab\u00bb]/g, '"')
    .replace(BLANKS, " ")
    .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0));
}

/**
 * `BadSheet` if a text is larger than an order file may be.
 * @param {string} text
 */
export function checkSize(text) {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > MAX_BYTES) {
    throw new BadSheet(`it has ${thousands(bytes)} bytes of orders; at most ${thousands(MAX_BYTES)} are taken; send fewer orders`);
  }
}

/**
 * Header, order lines and press of one order text; `BadSheet` where the whole cannot be taken. `stop` is the
 * number of the line behind which nothing is read, `end` or a signature's `--`; 0 where there is none.
 * @param {string} text
 * @param {Record<string, string>} [before] the header that the text will be sent with
 * @returns {Sheet}
 */
export function readSheet(text, before = {}) {
  checkSize(text);
  const bad = CONTROL.exec(text);
  if (bad) {
    const line = text.slice(0, bad.index).split(/\r\n|\r|\n/).length;
    throw new BadSheet(`line ${line} holds a control character, so this is no plain text; save it as UTF-8 text`);
  }
  /** @type {Sheet} */
  const sheet = { header: { ...before }, lines: [], press: [], stop: 0 };
  let inHeader = true;
  const asTyped = text.split(/\r\n|\r|\n/);
  let number = 0;
  for (const raw of plain(text).split(/\r\n|\r|\n/)) {
    number += 1;
    if (raw.trimEnd() === "--") {
      sheet.stop = number;
      break;
    }
    const written = raw.split("#", 1)[0].trim();
    const press = PRESS.exec(raw.trim());
    if (press) {
      inHeader = false;
      sheet.press.push({ number, to: press[2] ?? null, text: press[3].trim(), raw: asTyped[number - 1].trim() });
      continue;
    }
    if (!written) continue;
    const header = inHeader ? HEADER.exec(written) : null;
    if (header) {
      const word = header[1].toLowerCase();
      const value = header[2].trim();
      const first = sheet.header[word] ?? value;
      if (first.toLowerCase() !== value.toLowerCase()) {
        const mend = word in before ? `but these orders are sent with ${word}: ${first}; leave that line out` : `but an earlier line says ${word}: ${first}; leave one of them`;
        throw new BadSheet(`line ${number} says ${word}: ${value}, ${mend}`);
      }
      sheet.header[word] = first;
      continue;
    }
    inHeader = false;
    if (written.toLowerCase() === "end") {
      sheet.stop = number;
      break;
    }
    const standing = STANDING.exec(written);
    sheet.lines.push({ number, text: written, order: standing ? standing[1].trim() : written });
  }
  if (sheet.lines.length > MAX_ORDER_LINES) {
    throw new BadSheet(`it has ${sheet.lines.length} order lines; at most ${MAX_ORDER_LINES} are taken; send fewer`);
  }
  return sheet;
}

/**
 * @template O, C
 * @typedef {{ text: string, order: O, guards: { condition: C, negated: boolean }[] }} Side
 */
/**
 * @template O, C
 * @typedef {{ number: number, text: string, sides: Side<O, C>[], problem: string }} OrderLine
 */

/**
 * Every line of a sheet, with its sides or with the problem that makes it unreadable.
 * @template O, C
 * @param {Sheet} sheet
 * @param {(text: string) => O} readOrder
 * @param {(text: string) => C} readCondition
 * @param {(orders: O[]) => void} checkSides
 * @returns {OrderLine<O, C>[]}
 */
export function readOrders(sheet, readOrder, readCondition, checkSides) {
  return sheet.lines.map(({ number, text, order }) => {
    try {
      if (!order) throw new CannotRead("after `standing:` an order is expected");
      const sides = order.split(ELSE).map((part) => readSide(part, readOrder, readCondition));
      checkSides(sides.map((side) => side.order));
      return { number, text, sides, problem: "" };
    } catch (error) {
      if (!(error instanceof CannotRead)) throw error;
      return { number, text, sides: [], problem: error.message };
    }
  });
}

/**
 * @template O, C
 * @param {string} text
 * @param {(text: string) => O} readOrder
 * @param {(text: string) => C} readCondition
 * @returns {Side<O, C>}
 */
function readSide(text, readOrder, readCondition) {
  /** @type {{ condition: C, negated: boolean }[]} */
  const guards = [];
  const line = text.replace(NOISE, " ").trim();
  GUARD.lastIndex = 0;
  let end = 0;
  for (let found = GUARD.exec(line); found; found = GUARD.exec(line)) {
    const condition = found[2].trim();
    if (!condition) throw new CannotRead("after `if` a condition is expected");
    if (!found[3]) {
      throw new CannotRead(`after the condition \`${condition.split(/ +/).join(" ")}\` a colon is expected`);
    }
    guards.push({ condition: readCondition(condition), negated: found[1] !== undefined });
    end = GUARD.lastIndex;
  }
  const rest = line.slice(end).trim();
  if (!rest) {
    const where = guards.length ? "after the colon" : text.trim() ? "here" : "on either side of `else`";
    throw new CannotRead(`${where} an order is expected`);
  }
  return { text: text.trim(), order: readOrder(rest), guards };
}

/**
 * Press that would not be printed: past the limit of a turn, or to a seat that does not play.
 * @param {Sheet} sheet
 * @param {string[]} seats
 * @returns {{ number: number, text: string, problem: string }[]}
 */
export function pressLines(sheet, seats) {
  let used = 0;
  return sheet.press.map(({ number, to, text, raw }) => {
    const length = Array.from(text).length;
    let problem = "";
    if (to !== null && !seats.includes(to.toLowerCase())) {
      problem = `press to ${to || "nobody"}: no such seat plays; the seats are ${seats.join(", ")}`;
    } else if (used + length > MAX_PRESS) {
      problem = `press of ${thousands(length)} characters; of ${thousands(MAX_PRESS)} a turn ${thousands(MAX_PRESS - used)} are left`;
    } else used += length;
    return { number, text: raw, problem };
  });
}

/**
 * Whether a record has this name of its own: `constructor` is nobody's.
 * @param {object} record
 * @param {string} name
 */
export function has(record, name) {
  return Object.prototype.hasOwnProperty.call(record, name);
}

/**
 * A number with its thousands parted.
 * @param {number} number
 */
function thousands(number) {
  return String(number).replace(/(?<=\d)(?=(\d{3})+$)/g, ",");
}

/**
 * A hint at the end of a message, or nothing: the known word that is most like the one written.
 * @param {string} word
 * @param {readonly string[]} known
 */
export function nearest(word, known) {
  const written = Array.from(word.toLowerCase());
  let best = "";
  let score = 0;
  for (const name of known) {
    const letters = Array.from(name);
    const total = letters.length + written.length;
    // No more letters can be in common than the shorter has.
    if (2 * Math.min(letters.length, written.length) < CUTOFF * total) continue;
    const matches = matching(letters, written, 0, letters.length, 0, written.length);
    const ratio = total ? (2 * matches) / total : 1;
    if (ratio >= CUTOFF && (ratio > score || (ratio === score && name > best))) {
      best = name;
      score = ratio;
    }
  }
  return best ? `; nearest known word: ${best}` : "";
}

/**
 * How many letters two words have in common, run by run, the longest run first (difflib's count).
 * @param {string[]} one
 * @param {string[]} other
 * @param {number} low
 * @param {number} high
 * @param {number} from
 * @param {number} to
 * @returns {number}
 */
function matching(one, other, low, high, from, to) {
  let length = 0;
  let place = low;
  let there = from;
  /** @type {number[]} */
  let before = [];
  for (let i = low; i < high; i += 1) {
    /** @type {number[]} */
    const now = [];
    for (let j = from; j < to; j += 1) {
      if (one[i] !== other[j]) continue;
      now[j] = (before[j - 1] ?? 0) + 1;
      if (now[j] > length) {
        length = now[j];
        place = i - length + 1;
        there = j - length + 1;
      }
    }
    before = now;
  }
  if (!length) return 0;
  return (
    length +
    matching(one, other, low, place, from, there) +
    matching(one, other, place + length, high, there + length, to)
  );
}

/**
 * A text in quotes, as Python writes it.
 * @param {string} text
 */
export function quoted(text) {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inside = text.replace(/\\/g, "\\\\");
  return mark + (mark === "'" ? inside.replace(/'/g, "\\'") : inside) + mark;
}
