/** What the order composer asks of Magic: who there is to order, what he may do to whom, what a text would do. */

import { has, pressLines, readOrders, readSheet } from "../../script/sheet.js";
import { distanceOf, onTable } from "./geometry.js";
import { MagicReader, centimetres, oneFigure, placeText } from "./orders.js";
import { Table, sentence } from "./rules.js";

const NO = "would be ";

/**
 * @typedef {import("../../script/compose.js").Target} Target
 * @typedef {import("../../script/compose.js").Subject} Subject
 * @typedef {import("../../script/compose.js").Action} Action
 * @typedef {import("../../script/compose.js").Ring} Ring
 * @typedef {import("../../script/compose.js").Game} Game
 * @typedef {import("./geometry.js").Point} Point
 * @typedef {import("./rules.js").MagicData} MagicData
 */

/**
 * @param {MagicData & { view: number[] }} data
 * @returns {Game}
 */
export function magicComposer(data) {
  const height = data.size[1];
  return {
    title: "Figure or unit",
    promise:
      "What is offered holds for the table as you know it now, each line by itself. Throws, the other side and your own other lines can change it; so can who is hidden.",
    view: data.view,
    shape: (name) => ({ points: "", x: data.figures[name].at[0], y: height - data.figures[name].at[1] }),
    without: ["m-moves", "m-shots"],
    placeAt: (x, y) => {
      /** @type {Point} */
      const place = [Math.round(x), Math.round(height - y)];
      return onTable(place, data.size) ? placeText(place) : "";
    },
    pointOf: (place) => {
      const found = placeWritten(place);
      return found && onTable(found, data.size) ? { x: found[0], y: height - found[1] } : null;
    },
    read: (text) => new MagicReading(data, text),
  };
}

/** One text as it stands, and what could be added to it. */
class MagicReading {
  /**
   * @param {MagicData} data
   * @param {string} text
   */
  constructor(data, text) {
    this.data = data;
    this.table = new Table(data);
    this.table.durations();
    const sheet = readSheet(text);
    this.press = pressLines(sheet, data.sides);
    this.lines = this.orders(sheet)
      .map((line) => ({ number: line.number, text: line.text, reads: !line.problem, message: line.problem || sentence(data, line) }))
      .concat(this.press.map(({ number, text: written, problem }) => ({ number, text: written, reads: !problem, message: problem || "press, printed with the turn" })))
      .sort((one, other) => one.number - other.number);
    /** @type {{ label: string, value: string }[]} */
    this.status = [];
  }

  /** @param {import("../../script/sheet.js").Sheet} sheet */
  orders(sheet) {
    const reader = new MagicReader(this.data.grammar);
    return readOrders(sheet, (order) => reader.order(order), (condition) => reader.condition(condition), oneFigure);
  }

  /**
   * What one line would do now.
   * @param {string} written
   */
  told(written) {
    const [line] = this.orders(readSheet(written));
    return line.problem || sentence(this.data, line);
  }

  /** @returns {Subject[]} */
  get subjects() {
    const { side, units, figures } = this.data;
    const mine = Object.keys(figures).filter((name) => this.table.ordered(name).length);
    const people = mine.map((name) => ({ id: name, label: `${name}${this.said(name)}`, group: "Your figures", spot: name }));
    const groups = Object.keys(units)
      .filter((name) => units[name].side === side && !has(figures, name) && this.table.ordered(name).length > 1)
      .map((name) => ({ id: name, label: `${name}, all ${this.table.ordered(name).length}`, group: "Your units, each member for itself", spot: "" }));
    return [...people, ...groups];
  }

  /**
   * The states of a figure, in words.
   * @param {string} name
   */
  said(name) {
    const { priest, states, engaged } = this.table.figures[name];
    const parts = [...(priest && priest !== name ? [priest] : []), ...Object.keys(states), ...(engaged.length ? [`engaged with ${engaged.join(" and ")}`] : [])];
    return parts.length ? `: ${parts.join(", ")}` : "";
  }

  /**
   * @param {string} subject
   * @returns {Action[]}
   */
  actions(subject) {
    const members = this.table.ordered(subject).map((name) => this.table.figures[name]);
    const first = members[0];
    if (!first) return [];
    const { grammar } = this.data;
    const alone = has(this.table.figures, subject);
    const weapons = grammar.weapons.filter((weapon) => members.some((figure) => figure.weapons.includes(weapon)));
    const skills = grammar.skills.filter((skill) => skill !== "flatulence" && members.some((figure) => figure.skills.includes(skill)));
    return [
      ...["walk", "run"].map((rate) => ({ id: rate, label: `move, ${rate}`, where: "Whereto", place: true })),
      { id: "charge", label: "charge", where: "Whom" },
      ...weapons.map((weapon) => ({ id: `with ${weapon}`, label: `shoot with ${weapon}`, where: "At whom" })),
      ...skills.map((skill) => ({ id: `use ${skill}`, label: `use ${skill}`, where: "How" })),
      ...(alone ? this.magicActions(first) : []),
      ...(alone && first.engaged.length ? [{ id: "fight", label: "fight only", where: "Whom" }] : []),
      ...(members.some(({ states }) => "ambush" in states) ? [{ id: "spring", label: "spring the ambush", where: "How" }] : []),
      { id: "defend", label: "defend", where: "How" },
      { id: "hold", label: "hold", where: "How" },
    ];
  }

  /**
   * @param {import("./rules.js").Figure} figure
   * @returns {Action[]}
   */
  magicActions({ priest, declared, used }) {
    const { words, times, illusions, glamours } = this.data.grammar;
    const extras = [{ id: "timed", label: "At the beginning of", choices: times }];
    const left = declared.filter((what) => !(what in used));
    if (priest === "schtuck") {
      const reaches = this.data.core.words.bands.map((band) => `to ${centimetres(this.table.reach(band))} cm`);
      const group = `Say a Word: its chances ${reaches.join(" and ")}`;
      return words.map((word) => ({ id: `speak ${word}`, label: `${word} ${this.data.core.words.chances[word].join(", ")}`, group, where: "To whom", extras }));
    }
    if (priest === "wasserpferd") {
      return left.filter((what) => illusions.includes(what)).map((what) => ({ id: `prepare ${what}`, label: `prepare ${what}`, where: "How" }));
    }
    if (priest !== "achtung") return [];
    return [
      { id: "chord", label: "play the Power Chord", where: "How", extras },
      ...left.filter((what) => glamours.includes(what)).map((what) => ({ id: `meditate ${what}`, label: `meditate ${what}`, where: what === "roadblock" ? "Its middle" : "How", place: what === "roadblock" })),
      ...(this.spins() ? [{ id: "spin", label: "name whom Spinning Around takes", where: "Whom" }] : []),
    ];
  }

  /** Whether Spinning Around comes into force this turn (M6.3). */
  spins() {
    const meditation = this.table.effects.meditation;
    return Boolean(meditation && meditation.glamour === "spinning around" && meditation.turn < this.data.turn);
  }

  /**
   * How far an action reaches, as circles on the map.
   * @param {string} subject
   * @param {string} action
   * @returns {Ring[]}
   */
  rings(subject, action) {
    if (!has(this.table.figures, subject)) return [];
    const figure = this.table.figures[subject];
    const { core, size } = this.data;
    const around = (/** @type {number} */ radius) => ({ x: figure.at[0], y: size[1] - figure.at[1], radius });
    const [verb, what] = verbAnd(action);
    if (["walk", "run", "charge"].includes(action)) return [around(this.table.ownRate(figure, action)[1])];
    if (verb === "speak") return core.words.bands.map((band) => around(this.table.reach(band)));
    if (verb === "with") return core.shooting.columns.slice(0, core.shooting.chances[what].length).map(around);
    if (action === "chord") return core.chord.rings.map((ring) => around(this.table.reach(ring)));
    if (verb === "meditate") return [around(this.table.reach(core.glamours[what]))];
    return action === "spin" ? [around(this.table.reach(core.glamours["spinning around"]))] : [];
  }

  /**
   * @param {string} subject
   * @param {string} action
   * @returns {Target[]}
   */
  targets(subject, action) {
    const found = this.candidates(subject, action).map(({ id, line }) => {
      const message = this.told(line);
      const chance = /on (\d+) or less/.exec(message);
      return { id, label: id ? `${id}: ${message}` : message, short: chance ? chance[1] : "", spots: has(this.table.figures, id) ? [id] : [], line, message };
    });
    const allowed = found.filter(({ message }) => !message.includes(NO));
    const why = found.length && !allowed.length ? found[0].message : "";
    return allowed.map(({ message: _, ...target }) => target).concat(why ? [{ id: "", label: why, short: "", spots: [], line: "" }] : []);
  }

  /**
   * The orders that an action could be, allowed or not; `id` is whom they name.
   * @param {string} subject
   * @param {string} action
   * @returns {{ id: string, line: string }[]}
   */
  candidates(subject, action) {
    const { figures } = this.table;
    const side = this.data.side;
    const others = this.table.living.filter((name) => name !== subject);
    const foes = others.filter((name) => this.table.commander(figures[name]) !== side);
    const nomans = this.table.living.filter((name) => figures[name].side === "noman");
    const [verb, what] = verbAnd(action);
    const each = (/** @type {string[]} */ names, /** @type {(name: string) => string} */ line) => names.map((id) => ({ id, line: `${subject} ${line(id)}` }));
    const one = (/** @type {string} */ line) => [{ id: "", line: `${subject} ${line}` }];
    if (action === "walk" || action === "run") return each(others, (name) => `move to ${name} ${action}`);
    if (action === "charge") return each(foes, (name) => `charge ${name}`);
    if (verb === "with") return each(foes, (name) => `shoot ${name} with ${what}`);
    if (verb === "use") return this.useCandidates(subject, what);
    if (verb === "speak") return each(others, (name) => `speak ${what} to ${name}`);
    if (action === "meditate roadblock") return [];
    if (action === "meditate take steps") return each(nomans, (name) => `meditate take steps ${name}`);
    if (action === "spin") return each(nomans, (name) => `spin ${name}`);
    if (action === "fight") return each(figures[subject].engaged, (name) => `fight ${name}`);
    return one(action);
  }

  /**
   * @param {string} subject
   * @param {string} skill
   */
  useCandidates(subject, skill) {
    const plainly = { id: "", line: `${subject} use ${skill}` };
    if (skill === "stealth") return [plainly, { id: "or show", line: `${subject} use stealth or show` }];
    if (!this.data.grammar.on_things.includes(skill)) return [plainly];
    const things = Object.keys(this.data.things).filter((name) => (skill === "unlock door") !== (this.data.things[name] === "fuel"));
    return [plainly, ...things.map((name) => ({ id: name, line: `${subject} use ${skill} on ${name}` }))];
  }

  /**
   * The order that an action becomes at a place as orders write it.
   * @param {string} subject
   * @param {string} action
   * @param {string} place
   * @returns {Target}
   */
  place(subject, action, place) {
    const written = place.trim();
    const line = action === "meditate roadblock" ? `${subject} meditate roadblock ${written}` : `${subject} move to ${written} ${action}`;
    const message = this.told(line);
    const far = this.far(subject, action, written);
    const allowed = placeWritten(written) && !message.includes(NO) && !this.orders(readSheet(line))[0].problem;
    return { id: written, label: `${message}${far}`, short: "", spots: [], line: allowed ? line : "" };
  }

  /**
   * How far off a roadblock's middle is, and whether that is in range now.
   * @param {string} subject
   * @param {string} action
   * @param {string} place
   */
  far(subject, action, place) {
    const middle = placeWritten(place);
    if (action !== "meditate roadblock" || !middle) return "";
    const gap = distanceOf(this.table.figures[subject].at, middle);
    const range = this.table.reach(this.data.core.glamours.roadblock);
    return `; ${centimetres(gap)} cm away, ${gap <= range ? "within" : "beyond"} its ${centimetres(range)} cm as you stand now`;
  }

  /**
   * The line of a target with what was asked beside it.
   * @param {Target} target
   * @param {Record<string, string>} extras
   */
  line(target, extras) {
    return extras.timed && extras.timed !== "start" ? `${target.line} timed ${extras.timed}` : target.line;
  }
}

/**
 * A place that somebody types, `34.5,56`, in millimetres; null for anything else.
 * @param {string} text
 * @returns {Point | null}
 */
function placeWritten(text) {
  const found = /^\s*(\d{1,6})(?:\.(\d))?\s*,\s*(\d{1,6})(?:\.(\d))?\s*$/.exec(text);
  return found && [Number(found[1] + (found[2] ?? "0")), Number(found[3] + (found[4] ?? "0"))];
}

/**
 * `speak roll over` as its verb and what follows.
 * @param {string} action
 */
function verbAnd(action) {
  const blank = action.indexOf(" ");
  return blank < 0 ? [action, ""] : [action.slice(0, blank), action.slice(blank + 1)];
}
