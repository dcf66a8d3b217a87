/** Flux orders: text to values, as pbem/rulesets/flux/orders.py reads them (F9). */

import { CannotRead, nearest } from "../../script/sheet.js";
import { WIZARD } from "./board.js";

const VERBS = ["move", "cast", "destroy", "hold"];
const CONDITIONS = ["enemy", "own", "free", "earth", "flux", "alive"];
export const MAX_NUMBER = 999999;

/**
 * @typedef {{ verb: "move", piece: string, to: string, via: string[] | null }} Move
 * @typedef {{ verb: "cast", spell: string, hexes: string[], times: number | null, keep: number | null }} Cast
 * @typedef {{ verb: "destroy", piece: string }} Destroy
 * @typedef {{ verb: "hold" }} Hold
 * @typedef {Move | Cast | Destroy | Hold} Order
 * @typedef {{ what: string, hex: string, amount: number, hue: string }} Condition
 */

/**
 * All sides of a line belong to one phase (F9.3).
 * @param {Order[]} orders
 */
export function onePhase(orders) {
  if (new Set(orders.map(({ verb }) => verb).filter((verb) => verb !== "hold")).size > 1) {
    throw new CannotRead("all sides of an `else` must belong to one phase: moves, casts or destructions");
  }
}

/**
 * The verb that tells the phase of a line; lines that only hold come with the moves.
 * @param {Order[]} orders
 */
export function phaseOf(orders) {
  return orders.map(({ verb }) => verb).find((verb) => verb !== "hold") ?? "move";
}

/** The words of one order or condition, taken from the left; hyphens and commas are words. */
class FluxWords {
  /** @param {string} text */
  constructor(text) {
    /** @type {string[]} */
    const words = text.match(/[^\s,\-]+|[,\-]/g) ?? [];
    this.words = words.map((word) => (/^[\x00-\x7f]*$/.test(word) ? word.toLowerCase() : word));
    this.next = 0;
  }

  peek(ahead = 0) {
    return this.words[this.next + ahead] ?? "";
  }

  take() {
    this.next += 1;
    return this.words[this.next - 1] ?? "";
  }

  done() {
    if (this.peek()) throw new CannotRead(`here the order should end, but there is \`${this.peek()}\``);
  }
}

/** Reads orders and conditions in one game. */
export class FluxReader {
  /**
   * @param {import("./board.js").FluxData} data
   * @param {import("./board.js").Board} board
   */
  constructor(data, board) {
    this.board = board;
    this.hues = data.hues;
    this.everyHue = data.all_hues;
    this.earths = Object.keys(data.earths);
    this.pieces = data.pieces;
  }

  /**
   * @param {string} text
   * @returns {Order}
   */
  order(text) {
    const words = new FluxWords(text);
    const order = this.verb(words, words.take());
    words.done();
    return order;
  }

  /**
   * @param {FluxWords} words
   * @param {string} verb
   * @returns {Order}
   */
  verb(words, verb) {
    switch (verb) {
      case "move":
        return this.move(words);
      case "cast":
        return this.cast(words);
      case "destroy":
        if (words.peek() !== "with") {
          throw new CannotRead("after `destroy` the word `with` and a piece are expected");
        }
        words.take();
        return { verb: "destroy", piece: this.name(words, [WIZARD, ...this.pieces], "a piece") };
      case "hold":
        return { verb: "hold" };
      default:
        throw new CannotRead(`an order begins with move, cast, destroy or hold, not with \`${verb}\`${nearest(verb, VERBS)}`);
    }
  }

  /**
   * @param {FluxWords} words
   * @returns {Move}
   */
  move(words) {
    const piece = this.name(words, [WIZARD, ...this.pieces], "a piece");
    if (words.peek() === "via") {
      words.take();
      const via = this.hexes(words);
      return { verb: "move", piece, to: via[via.length - 1], via };
    }
    if (words.peek() === "to") words.take();
    return { verb: "move", piece, to: this.hex(words), via: null };
  }

  /**
   * @param {FluxWords} words
   * @returns {Cast}
   */
  cast(words) {
    const spell = this.name(words, [...this.earths, ...this.pieces], "an earth or an animate");
    const hexes = this.hexes(words);
    const wanted = this.earths.includes(spell) ? 2 : 1;
    if (hexes.length !== wanted) {
      const what = wanted === 2 ? "an earth covers two hexes" : "an animate stands on one hex";
      throw new CannotRead(`${what}, and here ${hexes.length === 1 ? "is" : "are"} ${hexes.length}`);
    }
    /** @type {Record<string, number>} */
    const limits = {};
    while (words.peek() === "times" || words.peek() === "keep") {
      const word = words.take();
      if (word in limits) throw new CannotRead(`\`${word}\` stands twice; leave one of them`);
      limits[word] = this.number(words, word);
    }
    if (limits.times === 0) throw new CannotRead("after `times` a number of 1 or more is expected");
    return { verb: "cast", spell, hexes, times: limits.times ?? null, keep: limits.keep ?? null };
  }

  /**
   * @param {string} text
   * @returns {Condition}
   */
  condition(text) {
    const words = new FluxWords(text);
    const what = words.take();
    const condition = { what, hex: "", amount: 0, hue: "" };
    if (["enemy", "own", "free", "earth"].includes(what)) condition.hex = this.hex(words);
    else if (what === "flux") condition.amount = this.number(words, "flux");
    else if (what === "alive") condition.hue = this.hue(words.take());
    else {
      throw new CannotRead(`after \`if\` one of ${CONDITIONS.join(", ")} is expected, not \`${what}\`${nearest(what, CONDITIONS)}`);
    }
    words.done();
    return condition;
  }

  /** @param {string} hue */
  hue(hue) {
    if (this.hues.includes(hue)) return hue;
    const written = hue ? `, not \`${hue}\`` : "";
    const near = nearest(hue, this.everyHue.filter((each) => this.hues.includes(each)));
    throw new CannotRead(`after \`alive\` a hue of this game is expected (${this.hues.join(", ")})${written}${near}`);
  }

  /**
   * The longest known name that the next words spell, hyphens inside it allowed.
   * @param {FluxWords} words
   * @param {string[]} known
   * @param {string} wanted
   */
  name(words, known, wanted) {
    for (const name of [...known, "dragon"].sort((one, other) => other.length - one.length)) {
      const taken = this.spelt(words, name.split(" "));
      const full = known.includes(name) ? name : "great dragon";
      if (taken && known.includes(full)) {
        words.next += taken;
        return full;
      }
    }
    const word = words.peek();
    throw new CannotRead(`${wanted} is expected${word ? `, not \`${word}\`` : ""}${nearest(word, known)}`);
  }

  /**
   * How many of the next words spell a name; 0 if they do not.
   * @param {FluxWords} words
   * @param {string[]} parts
   */
  spelt(words, parts) {
    let taken = 0;
    for (const [index, part] of parts.entries()) {
      if (index && words.peek(taken) === "-") taken += 1;
      if (words.peek(taken) !== part) return 0;
      taken += 1;
    }
    return taken;
  }

  /** @param {FluxWords} words */
  hexes(words) {
    const found = [this.hex(words)];
    for (;;) {
      if (words.peek() === "," || words.peek() === "-") words.take();
      else if (["", "times", "keep"].includes(words.peek())) return found;
      found.push(this.hex(words));
    }
  }

  /** @param {FluxWords} words */
  hex(words) {
    const word = words.take();
    const label = this.board.find(word);
    if (label) return label;
    const n = this.board.radius;
    const range = `${this.board.label(-n, 0)} to ${this.board.label(n, 0)}`;
    throw new CannotRead(`a hex of this map (${range}) is expected${word ? `, not \`${word}\`` : ""}`);
  }

  /**
   * @param {FluxWords} words
   * @param {string} after
   */
  number(words, after) {
    const word = words.take();
    if (/^[0-9]{1,6}$/.test(word)) return Number(word);
    throw new CannotRead(`after \`${after}\` a number up to ${String(MAX_NUMBER).replace("999", "999,")} is expected${word ? `, not \`${word}\`` : ""}`);
  }
}

/**
 * A condition as refusals name it.
 * @param {{ condition: Condition, negated: boolean }} guard
 */
export function guardText({ condition: { what, hex, amount, hue }, negated }) {
  const said = what === "flux" ? amount : what === "alive" ? hue : what === "free" ? hex : `at ${hex}`;
  return `${negated ? "not " : ""}${what} ${said}`;
}
