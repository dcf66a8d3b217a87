/** Magic's orders: text to values, as pbem/rulesets/magic/orders.py reads them after sign-up (M8). */

import { CannotRead, nearest, quoted } from "../../script/sheet.js";

const ORDERS = ["move", "charge", "shoot", "use", "speak", "chord", "meditate", "spin", "prepare", "spring", "defend", "fight", "hold"];
const SILENT = new Set(["at", "on", "onto", "the"]);
const MOST = 1e9;

/**
 * @typedef {import("./geometry.js").Point} Point
 * @typedef {{
 *   reserved: string[], skills: string[], words: string[], glamours: string[], illusions: string[],
 *   times: string[], weapons: string[], on_things: string[],
 * }} Grammar
 * @typedef {{
 *   verb: string, who: string, phase: string, to?: Point | string, rate?: string, target?: string, weapon?: string,
 *   skill?: string, thing?: string, show?: boolean, word?: string, timed?: string, glamour?: string, at?: Point,
 *   illusion?: string, targets?: string[],
 * }} MagicOrder
 * @typedef {{ what: string, name: string, reach: number }} MagicCondition
 */

/**
 * Millimetres as orders write centimetres.
 * @param {number} length
 */
export function centimetres(length) {
  const tenths = Math.abs(length) % 10;
  return `${length < 0 ? "-" : ""}${Math.floor(Math.abs(length) / 10)}${tenths ? `.${tenths}` : ""}`;
}

/**
 * A place as orders write it: `34.5,56`.
 * @param {Point} place
 */
export function placeText([x, y]) {
  return `${centimetres(x)},${centimetres(y)}`;
}

/**
 * All sides of a line belong to one phase, and are for one figure or unit (M8.3).
 * @param {MagicOrder[]} sides
 */
export function oneFigure(sides) {
  if (new Set(sides.map(({ phase }) => phase)).size > 1) throw new CannotRead("all sides of an `else` belong to one phase");
  if (new Set(sides.map(({ who }) => who)).size > 1) throw new CannotRead("all sides of an `else` are for one figure or unit");
}

/**
 * An order in its canonical form.
 * @param {MagicOrder} order
 */
function orderText(order) {
  const { verb, who, target, targets, word, timed, glamour, at, illusion, skill, thing, show, weapon, rate, to } = order;
  switch (verb) {
    case "move":
      return `${who} move to ${typeof to === "string" ? to : placeText(to ?? [0, 0])} ${rate}`;
    case "charge":
    case "spin":
      return `${who} ${verb} ${target}`;
    case "shoot":
      return `${who} shoot ${target}${weapon ? ` with ${weapon}` : ""}`;
    case "use":
      return `${who} use ${skill}${show ? " or show" : ""}${thing ? ` on ${thing}` : ""}`;
    case "speak":
      return `${who} speak ${word} to ${target} timed ${timed}`;
    case "chord":
      return `${who} chord timed ${timed}`;
    case "meditate":
      return `${who} meditate ${glamour}${at ? ` ${placeText(at)}` : target ? ` ${target}` : ""}`;
    case "prepare":
      return `${who} prepare ${illusion}`;
    case "fight":
      return `${who} fight ${(targets ?? []).join(" ")}`;
    default:
      return `${who} ${verb}`.trim();
  }
}

/**
 * A line in its canonical form.
 * @param {import("../../script/sheet.js").OrderLine<MagicOrder, MagicCondition>} line
 */
export function lineText({ text, sides }) {
  const written = sides.map(({ order, guards }) => {
    const conditions = guards.map(({ condition: { what, name, reach }, negated }) => `if ${negated ? "not " : ""}${what} ${name}${what === "near" ? ` ${centimetres(reach)}` : ""}:`);
    return [...conditions, orderText(order)].join(" ");
  });
  return (/^standing\s*:/i.test(text) ? "standing: " : "") + written.join(" else ");
}

/**
 * A name of several words with blanks, hyphens, `!` and `the` left out.
 * @param {string} text
 */
function squeezed(text) {
  return text.split(/[\s!-]+/).filter((part) => part !== "the").join("");
}

/** Reads orders and conditions of turns after sign-up. */
export class MagicReader {
  /** @param {Grammar} grammar */
  constructor(grammar) {
    this.grammar = grammar;
    this.reserved = new Set(grammar.reserved);
  }

  /**
   * @param {string} text
   * @returns {MagicOrder}
   */
  order(text) {
    const tokens = this.tokens(text.replace(/:/g, " : "));
    if (!tokens.length) throw new CannotRead("an order is expected here");
    if (tokens.length === 1 && tokens[0] === "hold") return { verb: "hold", who: "", phase: "fight" };
    if (tokens[0] === "declare" || tokens[0] === "skills") {
      throw new CannotRead(`\`${tokens[0]}\` is a sign-up order, for turn 0 alone`);
    }
    const who = this.name(tokens[0], "the name of a figure or unit");
    if (tokens.length < 2) throw new CannotRead(`after ${who} an order is expected: ${ORDERS.join(", ")}`);
    const [, verb, ...rest] = tokens;
    if (verb === "ambush") throw new CannotRead("`ambush` is a sign-up order, for turn 0 alone");
    if (!ORDERS.includes(verb)) {
      throw new CannotRead(`after ${who} an order is expected, not ${quoted(verb)}${nearest(verb, ORDERS)}`);
    }
    return this.verb(verb, who, rest);
  }

  /**
   * @param {string} verb
   * @param {string} who
   * @param {string[]} rest
   * @returns {MagicOrder}
   */
  verb(verb, who, rest) {
    switch (verb) {
      case "move":
        return this.move(who, rest);
      case "charge":
        return { verb, who, phase: "move", target: this.oneName(rest, "the name of an enemy") };
      case "shoot":
        return this.shoot(who, rest);
      case "use":
        return this.use(who, rest);
      case "speak":
        return this.speak(who, rest);
      case "chord":
        return this.chord(who, rest);
      case "meditate":
        return this.meditate(who, rest);
      case "spin":
        return { verb, who, phase: "glamours", target: this.oneName(rest, "the name of a Noman") };
      case "prepare":
        return { verb, who, phase: "declare", illusion: this.known(rest, this.grammar.illusions, "an illusion") };
      case "fight":
        return this.fight(who, rest);
      default:
        if (rest.length) throw new CannotRead(`after \`${verb}\` nothing more is expected, not ${quoted(rest.join(" "))}`);
        return { verb, who, phase: verb === "spring" ? "start" : "fight" };
    }
  }

  /** @param {string} text */
  tokens(text) {
    const spaced = text.toLowerCase().replace(/(?<=[0-9])\s*,\s*(?=-?[0-9])/g, " ");
    return spaced.replace(/,/g, " , ").split(/\s+/).filter((token) => token && !SILENT.has(token));
  }

  /**
   * @param {string} token
   * @param {string} what
   */
  name(token, what) {
    if (!/^\p{L}/u.test(token)) {
      throw new CannotRead(`${what} is expected, and ${quoted(token)} is no name; names begin with a letter`);
    }
    if (this.reserved.has(token)) throw new CannotRead(`${what} is expected, and \`${token}\` is a word of the orders`);
    return token;
  }

  /**
   * @param {string[]} tokens
   * @param {string} what
   */
  oneName(tokens, what) {
    if (tokens.length !== 1) {
      throw new CannotRead(`${what} is expected, one name${tokens.length ? `, not ${quoted(tokens.join(" "))}` : ""}`);
    }
    return this.name(tokens[0], what);
  }

  /** @param {string} token */
  number(token) {
    const found = /^(-?)([0-9]+)(?:\.([0-9]+))?$/.exec(token);
    if (!found) throw new CannotRead(`a number of centimetres is expected, not ${quoted(token)}`);
    const [, sign, whole, part = "0"] = found;
    const tenths = Number(whole) * 10 + Number(part[0]);
    if (/[1-9]/.test(part.slice(1)) || tenths >= MOST) {
      throw new CannotRead(`the number must be centimetres with at most one decimal, not ${token}`);
    }
    return sign && tenths ? -tenths : tenths;
  }

  /**
   * @param {string[]} tokens
   * @returns {Point}
   */
  place(tokens) {
    if (tokens.length !== 2) {
      throw new CannotRead(`a place in centimetres such as 34.5,56 is expected, not ${quoted(tokens.join(" "))}`);
    }
    return [this.number(tokens[0]), this.number(tokens[1])];
  }

  /**
   * @param {string[]} tokens
   * @param {string[]} names
   * @param {string} what
   */
  known(tokens, names, what) {
    const text = tokens.join(" ");
    const found = this.spelling(text, names);
    if (!found) throw new CannotRead(`${what} is expected, not ${quoted(text)}${nearest(text, names)}`);
    return found;
  }

  /**
   * @param {string} text
   * @param {string[]} names
   */
  spelling(text, names) {
    const short = squeezed(text);
    if (names === this.grammar.words && short === "sieze") return "seize";
    return names.find((name) => squeezed(name) === short);
  }

  /**
   * The longest name at the head of the tokens, and the rest.
   * @param {string[]} tokens
   * @param {string[]} names
   * @param {string} what
   * @returns {[string, string[]]}
   */
  leading(tokens, names, what) {
    const longest = Math.max(...names.map((name) => name.length));
    let [found, taken, head] = ["", 0, ""];
    for (const [index, token] of tokens.entries()) {
      head += squeezed(token);
      if (head.length > longest) break;
      const name = this.spelling(head, names);
      if (name) [found, taken] = [name, index + 1];
    }
    if (found) return [found, tokens.slice(taken)];
    const text = tokens.join(" ");
    throw new CannotRead(`${what} is expected, not ${quoted(text)}${nearest(text, names)}`);
  }

  /**
   * @param {string} who
   * @param {string[]} written
   * @returns {MagicOrder}
   */
  move(who, written) {
    let rest = written[0] === "to" ? written.slice(1) : written;
    let rate = "walk";
    const last = rest[rest.length - 1];
    if (last === "walk" || last === "run") {
      rate = last;
      rest = rest.slice(0, -1);
    }
    const base = { verb: "move", who, phase: "move", rate };
    if (rest.length && /^[\p{Nd}\p{No}.+-]/u.test(rest[0])) return { ...base, to: this.place(rest) };
    if (!rest.length) throw new CannotRead("after `move to` a place such as 34.5,56 or a figure's name is expected");
    if (rest.length > 1) {
      const end = rest[rest.length - 1];
      throw new CannotRead(`after the place a rate is expected, walk or run, not ${quoted(end)}${nearest(end, ["walk", "run"])}`);
    }
    return { ...base, to: this.name(rest[0], "a place or the name of a figure") };
  }

  /**
   * @param {string} who
   * @param {string[]} written
   * @returns {MagicOrder}
   */
  shoot(who, written) {
    const { weapons } = this.grammar;
    const place = written.indexOf("with");
    const given = place < 0 ? [] : written.slice(place + 1);
    if (place >= 0 && (given.length !== 1 || !weapons.includes(given[0]))) {
      const shown = given.join(" ");
      throw new CannotRead(`after \`with\` a weapon that shoots is expected, not ${quoted(shown)}${nearest(shown, weapons)}`);
    }
    const rest = place < 0 ? written : written.slice(0, place);
    return { verb: "shoot", who, phase: "shoot", target: this.oneName(rest, "the name of a target"), weapon: given[0] ?? "" };
  }

  /**
   * @param {string} who
   * @param {string[]} rest
   * @returns {MagicOrder}
   */
  use(who, rest) {
    if (!rest.length) throw new CannotRead("after `use` a skill is expected");
    const [skill, after] = this.leading(rest, this.grammar.skills, "a skill");
    const base = { verb: "use", who, phase: "declare", skill };
    if (skill === "stealth" && after.join(" ") === "or show" && after.length === 2) return { ...base, show: true };
    if (!after.length) return base;
    if (this.grammar.on_things.includes(skill)) return { ...base, thing: this.oneName(after, "the name of a thing") };
    throw new CannotRead(`after \`use ${skill}\` nothing more is expected, not ${quoted(after.join(" "))}`);
  }

  /**
   * What stands before `timed PHASE`, and the phase.
   * @param {string[]} rest
   * @returns {[string[], string]}
   */
  timed(rest) {
    const { times } = this.grammar;
    const place = rest.indexOf("timed");
    if (place < 0) return [rest, "start"];
    const given = rest.slice(place + 1);
    if (given.length !== 1 || !times.includes(given[0])) {
      const shown = given.join(" ");
      throw new CannotRead(`after \`timed\` a phase is expected: ${times.join(", ")}, not ${quoted(shown)}${nearest(shown, times)}`);
    }
    return [rest.slice(0, place), given[0]];
  }

  /**
   * @param {string} who
   * @param {string[]} written
   * @returns {MagicOrder}
   */
  speak(who, written) {
    const [rest, timed] = this.timed(written);
    if (!rest.length) throw new CannotRead("after `speak` a Word of Power is expected");
    const [word, behind] = this.leading(rest, this.grammar.words, "a Word of Power");
    const after = behind.filter((token) => /[^!]/.test(token));
    const target = this.oneName(after[0] === "to" ? after.slice(1) : after, "the name of a figure");
    return { verb: "speak", who, phase: `timed ${timed}`, word, target, timed };
  }

  /**
   * @param {string} who
   * @param {string[]} written
   * @returns {MagicOrder}
   */
  chord(who, written) {
    const [rest, timed] = this.timed(written);
    if (rest.length) throw new CannotRead(`after \`chord\` only \`timed PHASE\` is expected, not ${quoted(rest.join(" "))}`);
    return { verb: "chord", who, phase: `timed ${timed}`, timed };
  }

  /**
   * @param {string} who
   * @param {string[]} rest
   * @returns {MagicOrder}
   */
  meditate(who, rest) {
    if (!rest.length) throw new CannotRead("after `meditate` a glamour is expected");
    const [glamour, after] = this.leading(rest, this.grammar.glamours, "a glamour");
    const base = { verb: "meditate", who, phase: "declare", glamour };
    if (glamour === "roadblock") return { ...base, at: this.place(after) };
    if (glamour === "take steps") return { ...base, target: this.oneName(after, "the name of a Noman") };
    if (after.length) {
      const later = glamour === "spinning around" ? "; its target is named next turn, with `spin NAME`" : "";
      throw new CannotRead(`after \`meditate ${glamour}\` nothing more is expected${later}`);
    }
    return base;
  }

  /**
   * @param {string} who
   * @param {string[]} rest
   * @returns {MagicOrder}
   */
  fight(who, rest) {
    const targets = rest.filter((word) => word !== ",").map((word) => this.name(word, "the name of an enemy"));
    if (!targets.length) throw new CannotRead("after `fight` the name of an enemy is expected");
    return { verb: "fight", who, phase: "fight", targets };
  }

  /**
   * @param {string} text
   * @returns {MagicCondition}
   */
  condition(text) {
    const tokens = this.tokens(text);
    const [what, name, number] = tokens;
    if (what === "alive" && tokens.length === 2) return { what, name: this.name(name, "the name of a figure"), reach: 0 };
    if (what === "near" && tokens.length === 3) {
      return { what, name: this.name(name, "the name of a figure"), reach: this.number(number) };
    }
    throw new CannotRead(`\`alive NAME\` or \`near NAME CM\` is expected, not ${quoted(text)}${nearest(what ?? "", ["alive", "near"])}`);
  }
}
