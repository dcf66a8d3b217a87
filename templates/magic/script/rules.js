/**
 * What an order line would do now: the rules asked on the position as its side knows it, as
 * pbem/rulesets/magic/forecast.py asks them. Every throw is a 1, and what others do first is left out.
 */

import { UP, distanceOf, goWay, onTable, squareOf, touches, within } from "./geometry.js";
import { has } from "../../script/sheet.js";
import { centimetres, lineText, placeText } from "./orders.js";

/**
 * @typedef {import("./geometry.js").Point} Point
 * @typedef {import("./orders.js").MagicOrder} MagicOrder
 * @typedef {import("./orders.js").MagicCondition} MagicCondition
 * @typedef {import("../../script/sheet.js").OrderLine<MagicOrder, MagicCondition>} Line
 * @typedef {{
 *   side: string, at: Point, alive: boolean, priest: string | null, weapons: string[], states: Record<string, number | null>,
 *   engaged: string[], skills: string[], declared: string[], used: Record<string, number[]>,
 * }} Figure
 * @typedef {{ turn: number, until: number | null, glamour: string | null, spared: string[] }} Effect
 * @typedef {{
 *   contact: number, rates: Record<string, Record<string, number>>, berserk_rate: number,
 *   movement: Record<string, number>, stealth: { near: number, closest: number, uses: number, turns: number },
 *   ears: number, belly: number, pile: Record<string, number>,
 *   shooting: { die: number, columns: number[], chances: Record<string, number[]> },
 *   words: { die: number, bands: number[], chances: Record<string, number[]>, good_boy: number, way_out: number },
 *   standard: { reach: number, words: number }, together: { reach: number, words: number, ranges: number },
 *   chord: { rings: number[], results: number[][] }, glamours: Record<string, number>, radius: number,
 * }} Core
 * @typedef {{
 *   side: string, sides: string[], turn: number, size: Point, weather: string,
 *   terrain: { points: Point[], sight: boolean, movement: boolean }[], things: Record<string, string>, open: string[],
 *   standard: Point | null, units: Record<string, { side: string, members: string[] }>,
 *   figures: Record<string, Figure>, effects: Record<string, Effect>, core: Core,
 *   grammar: import("./orders.js").Grammar,
 * }} MagicData
 * @typedef {[unknown, string, string]} Check whether something forbids it, why, and the ruling
 */

const NOBODY = "nobody of that name is yours to order, or on the table and seen";
const SHOWN = 3;
const BARRING = ["out of action", "freeze", "rout", "flee"];
const BARRED = ["is out of action", "is frozen", "routs", "flees"];
/** @type {Record<string, string>} */
const MOMENTS = { glamours: "as glamours come into force at START", start: "at START", fight: "in FIGHT" };
/**
 * What the chord's results begin (M6.1).
 * @type {Record<number, string>}
 */
const CHORD_STATES = { 2: "flee", 3: "out of action", 4: "freeze", 5: "freeze", 6: "rout" };
/**
 * What a Word begins (M5); Good Boy ends states instead.
 * @type {Record<string, string>}
 */
const WORD_STATES = {
  stay: "freeze",
  "roll over": "out of action",
  gercha: "flee",
  heel: "compelled",
  away: "compelled",
  "come by": "compelled",
  fetch: "compelled",
};

/** An order is refused; `unnamed`: for the sake of a name. */
class Refused extends Error {
  /**
   * @param {string} reason
   * @param {string[]} rulings
   * @param {boolean} unnamed
   */
  constructor(reason, rulings, unnamed = false) {
    super(reason);
    this.rulings = rulings;
    this.unnamed = unnamed;
  }
}

/**
 * Refuses the order if anything forbids it: all reasons, and every ruling that does.
 * @param {Check[]} checks
 */
function forbid(checks) {
  const found = checks.filter(([bad]) => bad);
  if (found.length) {
    throw new Refused([...new Set(found.map(([, reason]) => reason))].join("; "), [...new Set(found.map(([, , ruling]) => ruling))]);
  }
}

/**
 * What a line would do now, by itself.
 * @param {MagicData} data
 * @param {Line} line
 */
export function sentence(data, line) {
  const { phase, verb, who } = line.sides[0].order;
  const table = new Table(data);
  // First: who spins around no longer is his owner's again (M2.1, M6.3).
  table.durations();
  const members = table.ordered(who);
  if (verb === "hold") return "holds";
  if (!members.length) return `would be refused: ${NOBODY} (M1.5)`;
  const strangers = members.filter((name) => {
    const { side, skills } = table.figures[name];
    return side !== data.side && line.sides.some(({ order }) => order.verb === "use" && !skills.includes(order.skill ?? ""));
  });
  if (strangers.length) return `is tried in MOVE: whether ${strangers.join(" and ")} has that skill is not yours to know`;
  if (phase in MOMENTS) return `is tried ${MOMENTS[phase]}: ${lineText(line)}`;
  for (const name of members.slice(0, SHOWN)) table.member(line, name);
  const more = members.length > SHOWN ? [`and so for ${members.length - SHOWN} more`] : [];
  return [...new Set(table.said), ...more].join("; ") || "nothing";
}

/** The table while one line is carried out; made anew for every line. */
export class Table {
  /** @param {MagicData} data */
  constructor(data) {
    this.data = data;
    this.core = data.core;
    this.turn = data.turn;
    /** @type {Record<string, Figure>} */
    this.figures = {};
    for (const [name, figure] of Object.entries(data.figures)) this.figures[name] = { ...figure, states: { ...figure.states } };
    this.effects = { ...data.effects };
    /** @type {string[]} */
    this.said = [];
    /** @type {Map<string, string>} */
    this.skill = new Map();
    /** @type {Set<string>} */
    this.spoken = new Set();
    /** @type {Set<string>} */
    this.shot = new Set();
    /** @type {Set<string>} */
    this.marched = new Set();
    /** @type {Set<number>} */
    this.told = new Set();
  }

  /**
   * Whose orders a figure carries out (M6.3).
   * @param {Figure} figure
   */
  commander({ side, states }) {
    return "spinning around" in states ? "boche" : side;
  }

  /** The names of the living, in order. */
  get living() {
    return Object.keys(this.figures).filter((name) => this.figures[name].alive).sort(byCodePoints);
  }

  /**
   * The figures that this side orders by a name.
   * @param {string} who
   */
  ordered(who) {
    const { side } = this.data;
    const mine = (/** @type {string} */ name) => this.figures[name].alive && this.commander(this.figures[name]) === side;
    if (has(this.figures, who)) return mine(who) ? [who] : [];
    const unit = has(this.data.units, who) ? this.data.units[who] : null;
    return unit && unit.side === side ? unit.members.filter(mine) : [];
  }

  /**
   * The figure that an order names, if it is on the table and seen.
   * @param {string} name
   * @param {string | undefined} target
   */
  find(name, target = "") {
    const figure = has(this.figures, target) ? this.figures[target] : null;
    if (!figure || !figure.alive || !this.seen(figure, this.commander(this.figures[name]))) {
      throw new Refused(NOBODY, ["M1.5"], true);
    }
    return figure;
  }

  /**
   * @param {Figure} figure
   * @param {string} side
   */
  seen(figure, side) {
    if (this.commander(figure) === side) return true;
    if ("ambush" in figure.states) return false;
    if (!("stealth" in figure.states) && !("hiding" in figure.states)) return true;
    return [...this.skill].some(([name, skill]) => {
      const ears = this.figures[name];
      return skill === "elf ears" && this.commander(ears) === side && ears.alive && within(ears.at, figure.at, this.core.ears);
    });
  }

  /**
   * The living enemies of a figure that its side sees, by name.
   * @param {string} name
   */
  seenEnemies(name) {
    const side = this.commander(this.figures[name]);
    return this.living.filter((other) => {
      const figure = this.figures[other];
      return this.commander(figure) !== side && this.seen(figure, side);
    });
  }

  /** @param {number | null} until a last turn */
  past(until) {
    return until !== null && until < this.turn;
  }

  /** States and effects whose last turn is over end at START (M2.8). */
  durations() {
    for (const name of this.living) {
      const figure = this.figures[name];
      const before = { ...figure.states };
      let sobering = false;
      for (const state of Object.keys(before).sort(byCodePoints)) {
        // Out of action may have been begun again by the end of a Berserk (M2.8).
        const renewed = state === "out of action" && sobering;
        if (["stealth", "hiding"].includes(state) || renewed || !this.past(before[state])) continue;
        this.end(name, state);
        if (state !== "berserk") continue;
        this.begin(name, "out of action", null);
        sobering = true;
      }
    }
    for (const [name, effect] of Object.entries(this.effects)) if (this.past(effect.until)) delete this.effects[name];
  }

  /**
   * @param {string} name
   * @param {string} state
   * @param {number | null} until
   */
  begin(name, state, until = this.turn) {
    this.figures[name].states[state] = until;
  }

  /**
   * @param {string} name
   * @param {string} state
   */
  end(name, state) {
    const figure = this.figures[name];
    delete figure.states[state];
    if (state !== "spinning around") return;
    for (const other of figure.engaged) {
      if (this.commander(this.figures[other]) !== this.commander(figure)) continue;
      figure.engaged = figure.engaged.filter((each) => each !== other);
      this.figures[other].engaged = this.figures[other].engaged.filter((each) => each !== name);
    }
  }

  /**
   * The states that let a figure carry out no order now (M2.9).
   * @param {string} name
   * @returns {[string, string][]}
   */
  bars(name) {
    const { states } = this.figures[name];
    /** @type {[string, string][]} */
    const found = [];
    BARRING.forEach((state, index) => {
      if (state in states) found.push([`${name} ${BARRED[index]}`, "M2.9"]);
    });
    if ("ambush" in states) found.push([`${name} lies in ambush, and springs it first`, "M3"]);
    if ("hiding" in states && !this.past(states.hiding)) found.push([`${name} hides`, "M4"]);
    if ("preparing berserk" in states) found.push([`${name} is getting madder and madder, and only defends`, "M4"]);
    return found;
  }

  /**
   * What forbids any order; `rulings` are cited beside M2.9.
   * @param {string} name
   * @param {...string} rulings
   * @returns {Check[]}
   */
  barred(name, ...rulings) {
    const bars = this.bars(name);
    /** @type {Check[]} */
    const found = bars.map(([reason, ruling]) => [true, reason, ruling]);
    for (const [reason, cited] of bars) {
      if (cited === "M2.9") for (const ruling of rulings) found.push([true, reason, ruling]);
    }
    found.push([this.skill.get(name) === "light witch-fire", `${name} lights witch-fire, and does nothing else this turn`, "M4"]);
    return found;
  }

  /** Whether the three priests are near one another and free to act (M3). */
  together() {
    const three = ["schtuck", "achtung", "wasserpferd"].map((role) => Object.keys(this.figures).find((name) => this.figures[name].priest === role));
    const found = three.flatMap((name) => (name !== undefined && this.figures[name].alive ? [name] : []));
    const { reach } = this.core.together;
    return (
      found.length === 3 &&
      found.every((name) => !this.bars(name).length) &&
      found.every((one) => found.every((other) => within(this.figures[one].at, this.figures[other].at, reach)))
    );
  }

  /**
   * A range counted from a priest, longer while the three are together (M3).
   * @param {number} length
   */
  reach(length) {
    return this.together() ? Math.floor((length * this.core.together.ranges) / 100) : length;
  }

  /** @param {Figure} figure */
  piledFor(figure) {
    const pile = this.effects.pile;
    return pile !== undefined && !pile.spared.some((name) => this.figures[name] === figure);
  }

  /**
   * What is left of a rate for a move of a figure's own (M2.11).
   * @param {Figure} figure
   * @param {number} base
   */
  rate(figure, base) {
    let perCent = 100;
    if (this.piledFor(figure) && figure.side === "noman") perCent += this.core.pile.movement;
    if ("bloated belly" in figure.states) perCent += this.core.belly;
    return Math.floor((base * Math.max(0, perCent)) / 100);
  }

  /**
   * @param {Point} one
   * @param {Point} other
   */
  inSight(one, other) {
    return !this.data.terrain.some(({ sight, points }) => sight && touches(one, other, points));
  }

  /**
   * A line for one figure: its sides in turn until one is done.
   * @param {Line} line
   * @param {string} name
   */
  member({ sides }, name) {
    for (const [index, { order, guards }] of sides.entries()) {
      if (!guards.every(({ condition, negated }) => this.holds(condition, name) !== negated)) {
        this.said.push(`${name} would be skipped: its condition does not hold`);
        continue;
      }
      if (order.verb === "hold") return;
      try {
        if (this.perform(name, order)) return;
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (error.unnamed && this.told.has(index)) continue;
        if (error.unnamed) this.told.add(index);
        this.said.push(`would be refused: ${error.message} (${error.rulings.join(", ")})`);
      }
    }
  }

  /**
   * @param {MagicCondition} condition
   * @param {string} name
   */
  holds({ what, name: other, reach }, name) {
    const figure = has(this.figures, other) ? this.figures[other] : null;
    if (!figure || !figure.alive || !this.seen(figure, this.data.side)) return false;
    return what === "alive" || within(this.figures[name].at, figure.at, reach);
  }

  /**
   * @param {string} name
   * @param {MagicOrder} order
   */
  perform(name, order) {
    switch (order.verb) {
      case "move":
        return this.move(name, order);
      case "charge":
        return this.charge(name, order);
      case "shoot":
        return this.shoot(name, order);
      case "use":
        return this.use(name, order);
      case "speak":
        return this.speak(name, order);
      case "chord":
        return this.chord(name);
      case "meditate":
        return this.meditate(name, order);
      default:
        return this.prepare(name, order);
    }
  }

  /**
   * @param {string} name
   * @returns {Check[]}
   */
  marchChecks(name) {
    const { states, engaged } = this.figures[name];
    return [
      ...this.barred(name),
      ["compelled" in states, `${name} is compelled by a Word`, "M2.9"],
      [engaged.length, `${name} is engaged`, "M1.3"],
      [this.marched.has(name), `${name} has moved this turn`, "M2.2"],
    ];
  }

  /**
   * The rate of an own move or charge and the length it gives; a Berserk has his own (M4).
   * @param {Figure} figure
   * @param {string} rate
   * @returns {[string, number]}
   */
  ownRate(figure, rate) {
    const rates = this.core.rates[figure.side];
    if (!("berserk" in figure.states)) return [rate, this.rate(figure, rates[rate])];
    return ["berserk", this.rate(figure, Math.floor((rates.charge * this.core.berserk_rate) / 100))];
  }

  /**
   * @param {string} name
   * @returns {import("./geometry.js").Limits}
   */
  limits(name) {
    const { states, at } = this.figures[name];
    const walls = this.data.terrain.filter(({ movement }) => movement).map(({ points }) => points);
    const closest = this.core.stealth.closest ** 2;
    /** @type {[Point, number][]} */
    const shyOf = "stealth" in states ? this.seenEnemies(name).map((enemy) => [this.figures[enemy].at, Math.min(closest, squareOf(at, this.figures[enemy].at))]) : [];
    return { size: this.data.size, walls, shyOf };
  }

  /**
   * @param {string} name
   * @param {Point} goal
   * @param {number} length
   * @param {string} rate
   * @param {boolean} contact
   */
  travel(name, goal, length, rate, contact) {
    const figure = this.figures[name];
    const { at } = figure;
    /** @type {Point} */
    const towards = [goal[0] - at[0], goal[1] - at[1]];
    const { end } = goWay(at, towards, length, this.limits(name), { whole: true, contact: contact ? [goal, this.core.contact] : null });
    this.said.push(`${name} moves ${centimetres(distanceOf(at, end))} cm to ${placeText(end)} (${rate})`);
    figure.at = end;
  }

  /**
   * @param {string} name
   * @param {MagicOrder} order
   */
  move(name, { to = "", rate: wanted = "walk" }) {
    const figure = this.figures[name];
    const target = typeof to === "string" ? this.find(name, to) : null;
    const checks = this.marchChecks(name);
    if (typeof to !== "string") checks.push([!onTable(to, this.data.size), `${placeText(to)} is off the table`, "M1.1"]);
    forbid(checks);
    const [rate, length] = this.ownRate(figure, wanted);
    this.marched.add(name);
    this.travel(name, target ? target.at : /** @type {Point} */ (to), length, rate, target !== null);
    return true;
  }

  /**
   * @param {string} name
   * @param {MagicOrder} order
   */
  charge(name, { target: named }) {
    const target = this.find(name, named);
    const figure = this.figures[name];
    forbid([
      ...this.marchChecks(name),
      [this.commander(target) === this.commander(figure), `${named} is no enemy of ${name}'s`, "M3"],
      ["bloated belly" in figure.states, `${name}'s belly is bloated`, "M7.3"],
    ]);
    const [rate, length] = this.ownRate(figure, "charge");
    this.marched.add(name);
    this.travel(name, target.at, length, rate, true);
    return true;
  }

  /**
   * @param {string} name
   * @param {MagicOrder} order
   */
  shoot(name, { target: named, weapon: wanted }) {
    const target = this.find(name, named);
    const figure = this.figures[name];
    const { die, columns, chances } = this.core.shooting;
    const weapon = wanted || (figure.weapons.find((held) => this.data.grammar.weapons.includes(held)) ?? "");
    const gap = squareOf(figure.at, target.at);
    const column = columns.findIndex((far) => gap <= far * far);
    const chance = weapon && column >= 0 ? (chances[weapon] ?? [])[column] : undefined;
    forbid([
      ...this.barred(name),
      ["berserk" in figure.states, `${name} is berserk`, "M4"],
      ["bloated belly" in figure.states, `${name}'s belly is bloated`, "M7.3"],
      [this.shot.has(name), `${name} has shot this turn`, "M3"],
      [this.commander(target) === this.commander(figure), `${named} is no enemy of ${name}'s`, "M3"],
      [!weapon, `${name} has nothing to shoot with`, "M3"],
      [weapon && !figure.weapons.includes(weapon), `${name} has no ${weapon}`, "M3"],
      [figure.engaged.length, `${name} is engaged`, "M3"],
      [target.engaged.length, `${named} is engaged`, "M3"],
      [weapon && chance === undefined, `${named} is out of range`, "M3"],
      [!this.inSight(figure.at, target.at), `${named} is out of sight`, "M1.4"],
    ]);
    const pile = this.piledFor(figure) ? this.core.pile[figure.side] : 0;
    const final = Math.max(0, Math.min(die, (chance ?? 0) + pile));
    this.shot.add(name);
    this.said.push(`${name} shoots ${named} with ${weapon}, ${centimetres(distanceOf(figure.at, target.at))} cm away: hits on ${final} or less`);
    this.end(name, "hiding");
    this.end(name, "stealth");
    return final >= 1;
  }

  /**
   * @param {string} name
   * @param {MagicOrder} order
   */
  use(name, { skill = "", thing, show }) {
    const figure = this.figures[name];
    /** @type {Check[]} */
    const checks = [
      ...this.barred(name, "M4.2"),
      [this.skill.has(name), `${name} uses ${this.skill.get(name)} this turn`, "M4.2"],
      [!figure.skills.includes(skill), `${name} has not the skill ${skill}`, "M4"],
      [figure.engaged.length, `${name} is in hand-to-hand combat`, skill === "berserk" ? "M4" : "M4.2"],
      [skill === "flatulence", "flatulence comes of itself, and is not to be ordered", "M4"],
      ...(skill === "stealth" ? this.stealthChecks(name) : []),
    ];
    if (skill === "berserk") checks.push(["berserk" in figure.used, `${name} has been berserk in this game`, "M4"]);
    if (skill === "light fire") checks.push([this.data.weather === "wet", "the weather is wet", "M4"]);
    if (thing !== undefined) checks.push(...this.thingChecks(skill, thing));
    forbid(checks);
    this.skill.set(name, skill);
    const movement = this.core.movement[skill];
    const pace = movement ? `, ${movement < 0 ? "\u2212" : "+"}${Math.abs(movement)} % movement` : "";
    this.said.push(`${name} uses ${skill}${pace}`);
    if (skill === "stealth") this.begin(name, "stealth");
    else {
      this.end(name, "hiding");
      this.end(name, "stealth");
    }
    if (skill === "berserk") this.begin(name, "preparing berserk");
    return Boolean(show) || true;
  }

  /**
   * @param {string} name
   * @returns {Check[]}
   */
  stealthChecks(name) {
    const figure = this.figures[name];
    const { near, uses, turns } = this.core.stealth;
    const recent = (figure.used.stealth ?? []).filter((turn) => turn > this.turn - turns);
    const close = this.seenEnemies(name).filter((enemy) => within(this.figures[enemy].at, figure.at, near));
    return [
      [close.length, `${close.join(" and ")} is too near to ${name}`, "M4"],
      [recent.length >= uses, `${name} has used stealth ${recent.length} times in ten turns`, "M4"],
    ];
  }

  /**
   * @param {string} skill
   * @param {string} thing
   * @returns {Check[]}
   */
  thingChecks(skill, thing) {
    const kind = has(this.data.things, thing) ? this.data.things[thing] : null;
    if (kind === null) return [[true, `there is no ${thing} on the table`, "M4"]];
    if (skill !== "unlock door") return [[kind !== "fuel", `${thing} is nothing to light`, "M4"]];
    return [
      [kind === "fuel", `${thing} is neither door nor lock`, "M4"],
      [this.data.open.includes(thing), `${thing} is open`, "M4"],
    ];
  }

  /**
   * @param {string} name
   * @param {MagicOrder} order
   */
  speak(name, { word = "", target: named = "" }) {
    const target = this.find(name, named);
    const figure = this.figures[name];
    const { die, bands, chances } = this.core.words;
    const reaches = bands.map((band) => this.reach(band));
    const gap = squareOf(figure.at, target.at);
    const band = reaches.findIndex((far) => gap <= far * far);
    forbid([
      ...this.barred(name, "M5"),
      [figure.priest !== "schtuck", `${name} is not Schtuck, and has no Words of Power`, "M5"],
      [this.spoken.has(name), `${name} has spoken this turn`, "M5"],
      [named === name, `${name} speaks to nobody who is himself`, "M5"],
      [band < 0, `${named} is farther than ${reaches[reaches.length - 1]} mm away`, "M5"],
    ]);
    const { standard, together } = this.core;
    const near = this.data.standard !== null && within(this.data.standard, target.at, standard.reach);
    const modified = chances[word][band] + (near ? standard.words : 0) + (this.together() ? together.words : 0);
    const chance = Math.max(0, Math.min(die, modified));
    this.spoken.add(name);
    this.said.push(`${name} says ${word} to ${named}, ${centimetres(distanceOf(figure.at, target.at))} cm away: heeded on ${chance} or less`);
    if (chance >= 1) this.heed(name, word, named);
    return chance >= 1;
  }

  /**
   * What a Word does to whom it reached, as far as others of the caster's unit could be told of it (M5).
   * @param {string} caster
   * @param {string} word
   * @param {string} target
   */
  heed(caster, word, target) {
    const figure = this.figures[target];
    if (word in WORD_STATES) this.begin(target, WORD_STATES[word]);
    else if (word === "good boy") {
      const side = this.commander(figure);
      for (const name of this.living) {
        const friend = this.figures[name];
        if (this.commander(friend) !== side || !within(friend.at, figure.at, this.core.words.good_boy)) continue;
        this.end(name, "flee");
        this.end(name, "rout");
      }
    } else if (word === "leave it" && figure.engaged.length && this.wayOut(caster, target)) this.begin(target, "flee");
  }

  /**
   * Whether no terrain stops the flight at once (M5.8).
   * @param {string} caster
   * @param {string} target
   */
  wayOut(caster, target) {
    const { at } = this.figures[target];
    const from = this.figures[caster].at;
    /** @type {Point} */
    const away = squareOf(at, from) ? [at[0] - from[0], at[1] - from[1]] : UP;
    const way = goWay(at, away, this.core.words.way_out, { ...this.limits(target), shyOf: [] });
    return !way.barred || way.off;
  }

  /** @param {string} name */
  chord(name) {
    const figure = this.figures[name];
    forbid([
      ...this.barred(name, "M6.2"),
      [figure.priest !== "achtung", `${name} is not Achtung, and has no lyre`, "M6.1"],
      ["chord" in this.effects, `${name} recovers from the chord`, "M6.2"],
    ]);
    const rings = this.core.chord.rings.map((ring) => this.reach(ring));
    this.said.push(`${name} plays the Power Chord, ${centimetres(rings[rings.length - 1])} cm to every side`);
    this.effects.chord = { turn: this.turn, until: null, glamour: null, spared: [] };
    for (const other of this.living) {
      const gap = squareOf(figure.at, this.figures[other].at);
      const ring = rings.findIndex((far) => gap <= far * far);
      if (ring < 0 || this.figures[other].priest !== null) continue;
      const state = CHORD_STATES[this.core.chord.results[ring][0]];
      if (state) this.begin(other, state, null);
    }
    return true;
  }

  /**
   * @param {string} name
   * @param {MagicOrder} order
   */
  meditate(name, { glamour = "", at, target: named }) {
    const target = named === undefined ? null : this.find(name, named);
    const figure = this.figures[name];
    /** @type {Check[]} */
    const checks = [
      ...this.barred(name, "M6.3"),
      [figure.priest !== "achtung", `${name} is not Achtung, and has no glamours`, "M6.3"],
      [!figure.declared.includes(glamour), `${glamour} was not declared at sign-up`, "M6.3"],
      [glamour in figure.used, `${glamour} has been used`, "M6.3"],
      [figure.engaged.length, `${name} is engaged`, "M6.3"],
      ["meditation" in this.effects, `${name} meditates already`, "M6.3"],
      ["chord" in this.effects, `${name} recovers from the chord`, "M6.2"],
    ];
    if (at) checks.push([!onTable(at, this.data.size), `${placeText(at)} is off the table`, "M1.1"]);
    if (target) checks.push([target.side !== "noman", `${named} is no Noman`, "M6.3"]);
    forbid(checks);
    this.said.push(`${name} begins ${glamour}`);
    this.effects.meditation = { turn: this.turn, until: null, glamour, spared: [] };
    return true;
  }

  /**
   * @param {string} name
   * @param {MagicOrder} order
   */
  prepare(name, { illusion = "" }) {
    const figure = this.figures[name];
    forbid([
      ...this.barred(name, "M7"),
      [figure.priest !== "wasserpferd", `${name} is not Wasserpferd, and has no illusions`, "M7"],
      [!figure.declared.includes(illusion), `${illusion} was not declared at sign-up`, "M7"],
      [illusion in figure.used, `${illusion} has been used`, "M7"],
      [figure.engaged.length, `${name} is engaged`, "M7"],
      ["preparation" in this.effects, `${name} prepares already`, "M7"],
    ]);
    this.said.push(`${name} begins ${illusion}`);
    this.effects.preparation = { turn: this.turn, until: null, glamour: null, spared: [] };
    return true;
  }
}

/**
 * As Python sorts texts.
 * @param {string} one
 * @param {string} other
 */
function byCodePoints(one, other) {
  const [a, b] = [Array.from(one), Array.from(other)];
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    if (a[index] !== b[index]) return (a[index].codePointAt(0) ?? 0) - (b[index].codePointAt(0) ?? 0);
  }
  return a.length - b.length;
}
