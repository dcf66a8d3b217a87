/** What the order composer asks of Flux: who and what there is to order, where it may go, what a text would do. */

import { has, pressLines, readOrders, readSheet } from "../../script/sheet.js";
import { Board, Position, WIZARD } from "./board.js";
import { FluxReader, MAX_NUMBER, onePhase } from "./orders.js";
import { Turn } from "./rules.js";

/**
 * @typedef {import("../../script/compose.js").Target} Target
 * @typedef {import("../../script/compose.js").Subject} Subject
 * @typedef {import("../../script/compose.js").Action} Action
 * @typedef {import("../../script/compose.js").Game} Game
 */

/**
 * @param {import("./board.js").FluxData} data
 * @returns {Game}
 */
export function fluxComposer(data) {
  const board = new Board(data.board);
  const place = data.order.indexOf(data.hue);
  const before = data.order.slice(0, place);
  const who = before.length ? ` ${before.join(", ")} will have played before you, and can change it.` : "";
  return {
    title: "Piece or spell",
    promise: `What is offered holds for the board as it stands now, were it your turn and did every cast succeed at once.${who} Fights are left out.`,
    view: [-36 * board.radius - 36, -42 * board.radius - 34, 72 * board.radius + 72, 84 * board.radius + 68],
    without: ["m-marks", "m-over"],
    shape: (hex) => hexagon(board, hex),
    read: (text) => new FluxReading(data, board, text),
  };
}

/**
 * A hex of the map as a polygon, in the map's units.
 * @param {Board} board
 * @param {string} hex
 */
function hexagon(board, hex) {
  const [q, r] = board.axial(hex);
  const offsets = [[2, -1], [1, 1], [-1, 2], [-2, 1], [-1, -1], [1, -2]];
  const points = offsets.map(([dx, dy]) => {
    const x = 3 * q + dx;
    return `${12 * x},${14 * (3 * r + dy) + 7 * x}`;
  });
  return { points: points.join(" "), x: 36 * q, y: 42 * r + 21 * q };
}

/** One text as it stands, and what could be added to it. */
class FluxReading {
  /**
   * @param {import("./board.js").FluxData} data
   * @param {Board} board
   * @param {string} text
   */
  constructor(data, board, text) {
    const sheet = readSheet(text);
    const reader = new FluxReader(data, board);
    this.orders = readOrders(sheet, (order) => reader.order(order), (condition) => reader.condition(condition), onePhase);
    this.data = data;
    this.board = board;
    this.press = pressLines(sheet, data.hues);
    /** @type {Record<string, Turn>} */
    this.turns = {};
    const told = this.after("destroy").forecast();
    this.lines = this.orders
      .map(({ number, text: written, problem }) => ({ number, text: written, reads: !problem, message: problem || (told.get(number) ?? "") }))
      .concat(this.press.map(({ number, text: written, problem }) => ({ number, text: written, reads: !problem, message: problem || "press, printed with the turn" })))
      .sort((one, other) => one.number - other.number);
  }

  /**
   * The turn up to the end of a phase, as the text has it.
   * @param {string} phase
   */
  after(phase) {
    this.turns[phase] ??= this.played(phase, true);
    return this.turns[phase];
  }

  /**
   * @param {string} phase
   * @param {boolean} lucky
   */
  played(phase, lucky) {
    return new Turn(new Position(this.data, this.board), this.data.hue, this.orders, lucky).play(phase);
  }

  get status() {
    const { hue, wizards } = this.data;
    const left = this.after("destroy").position.wizards[hue].reserve;
    const worst = this.played("destroy", false).position.wizards[hue].reserve;
    return [
      { label: "Reserve now", value: String(wizards[hue].reserve) },
      { label: "after one try of each cast", value: String(left) },
      { label: "if every try fails", value: String(worst) },
    ];
  }

  /** @returns {Subject[]} */
  get subjects() {
    const { hue, earths, pieces } = this.data;
    const moved = this.after("move");
    const cast = this.after("cast");
    const standing = moved.position.standing(hue).map(([name, hex]) => ({
      id: `piece ${name}`,
      label: `${name} ${hex}, ${moved.left(name)} of ${moved.position.move(name)} left`,
      group: "Your pieces, and how far they may still go",
      spot: hex,
    }));
    const fresh = cast.position.standing(hue).filter(([name]) => cast.fresh.has(name));
    const spells = [...Object.keys(earths), ...pieces].map((spell) => {
      const stock = cast.position.stock(hue, spell);
      const left = has(earths, spell) ? `${stock} left` : stock ? "1 left" : "on the board";
      return { id: `spell ${spell}`, label: `${spell} ${cast.position.cost(spell)}, ${left}`, group: "Your spells, their cost, and your stock", spot: "" };
    });
    const arrivals = fresh.map(([name, hex]) => ({ id: `piece ${name}`, label: `${name} ${hex}, cast this turn`, group: "Your pieces, and how far they may still go", spot: hex }));
    return [...standing, ...arrivals.filter(({ id }) => !standing.some((each) => each.id === id)), ...spells];
  }

  /**
   * @param {string} subject
   * @returns {Action[]}
   */
  actions(subject) {
    const [kind, name] = parted(subject);
    if (kind === "spell") {
      const limits = [
        { id: "times", label: "Tries at most", min: 1, max: MAX_NUMBER },
        { id: "keep", label: "Keep so much flux", min: 0, max: MAX_NUMBER },
      ];
      return [{ id: "cast", label: `cast ${name}`, where: has(this.data.earths, name) ? "First hex" : "Hex", second: "Second hex", extras: limits }];
    }
    const destruction = this.after("destroy").destruction(name);
    const move = { id: "move", label: "move", where: "Hex" };
    if (!destruction || name === WIZARD) return [move];
    return [move, { id: "destroy", label: `destroy ${destruction.owner}'s ${destruction.earth}`, where: "Earth" }];
  }

  /**
   * @param {string} subject
   * @param {string} action
   * @returns {Target[]}
   */
  targets(subject, action) {
    const [, name] = parted(subject);
    if (action === "move") return this.moveTargets(name);
    if (action === "cast") return has(this.data.earths, name) ? this.earthTargets(name) : this.animateTargets(name);
    const found = this.after("destroy").destruction(name);
    const where = found ? found.hexes.join("-") : "";
    return found ? [{ id: where, label: `${where}: succeeds on ${found.chance} or less`, short: String(found.chance), spots: found.hexes, line: `destroy with ${name}` }] : [];
  }

  /**
   * @param {string} piece
   * @returns {Target[]}
   */
  moveTargets(piece) {
    const { hue } = this.data;
    const turn = this.after("move");
    return turn.moves(piece).map(({ hex, steps }) => {
      const met = turn.position.enemiesAt(hue, hex).map((enemy) => `${enemy.hue}'s ${enemy.name}`);
      const fight = met.length ? `, and fights ${met.join(" and ")}` : "";
      const label = `${hex}: ${steps === 1 ? "1 hex" : `${steps} hexes`}${fight}`;
      return { id: hex, label, short: String(steps), spots: [hex], line: `move ${piece} to ${hex}` };
    });
  }

  /**
   * @param {string} spell
   * @returns {Target[]}
   */
  animateTargets(spell) {
    const cost = this.after("cast").position.cost(spell);
    return byDistance(this.after("cast").casts(spell)).map(({ hexes: [hex], distance, chance }) => ({
      id: hex,
      label: `${hex}: ${distance} away, succeeds on ${chance} or less, costs ${cost} a try`,
      short: String(chance),
      spots: [hex],
      line: `cast ${spell} at ${hex}`,
    }));
  }

  /**
   * An earth's first hexes, each with the second ones that go with it.
   * @param {string} spell
   * @returns {Target[]}
   */
  earthTargets(spell) {
    const cost = this.after("cast").position.cost(spell);
    const { hue } = this.data;
    const at = this.after("cast").position.wizards[hue].at ?? "";
    /** @type {Map<string, Target[]>} */
    const found = new Map();
    for (const { hexes, distance, chance } of byDistance(this.after("cast").casts(spell))) {
      for (const [hex, other] of [hexes, [...hexes].reverse()]) {
        const label = `${other}: ${distance} away, succeeds on ${chance} or less, costs ${cost} a try`;
        const target = { id: other, label, short: String(chance), spots: [other], line: `cast ${spell} at ${hex}-${other}` };
        found.set(hex, [...(found.get(hex) ?? []), target]);
      }
    }
    return [...found].map(([hex, next]) => {
      const distance = this.board.distance(at, hex);
      const label = `${hex}: ${distance} away, beside ${next.map(({ id }) => id).join(", ")}`;
      return { id: hex, label, short: next[0].short, spots: [hex], line: "", next };
    });
  }

  /**
   * The line of a target with what was asked beside it.
   * @param {Target} target
   * @param {Record<string, string>} extras
   */
  line(target, extras) {
    const limits = ["times", "keep"].filter((word) => extras[word]).map((word) => ` ${word} ${extras[word]}`);
    return target.line + limits.join("");
  }
}

/**
 * `piece great dragon` as its kind and its name.
 * @param {string} subject
 */
function parted(subject) {
  const blank = subject.indexOf(" ");
  return [subject.slice(0, blank), subject.slice(blank + 1)];
}

/**
 * @template {{ distance: number }} T
 * @param {T[]} casts
 */
function byDistance(casts) {
  return [...casts].sort((one, other) => one.distance - other.distance);
}
