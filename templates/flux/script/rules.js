/** What forbids an order, and what the lines of a text would do now: refusals.py and decide.py over again (F4, F5, F7). */

import { has } from "../../script/sheet.js";
import { WIZARD } from "./board.js";
import { guardText, phaseOf } from "./orders.js";

/**
 * @typedef {import("./board.js").Position} Position
 * @typedef {import("./orders.js").Move} Move
 * @typedef {import("./orders.js").Order} Order
 * @typedef {import("./orders.js").Condition} Condition
 * @typedef {import("../../script/sheet.js").OrderLine<Order, Condition>} Line
 * @typedef {[string, string][]} Refusals
 * @typedef {{ line: number, text: string }} Said
 */

const PHASES = ["move", "cast", "destroy"];

/**
 * The hexes that a piece can reach in so many steps at most, each with the steps that it takes.
 * @param {Position} position
 * @param {string} hue
 * @param {string} piece
 * @param {string} start
 * @param {string | null} end a hex that counts as allowed, so that a refusal can name what is wrong there
 * @returns {Map<string, { steps: number, from: string }>}
 */
function ways(position, hue, piece, start, end) {
  const { board } = position;
  const barred = barredFor(position, hue, piece, start);
  const enemies = new Set(
    position.data.hues.filter((other) => other !== hue).flatMap((other) => position.standing(other).map(([, hex]) => hex)),
  );
  const found = new Map([[start, { steps: 0, from: start }]]);
  const queue = [start];
  for (const here of queue) {
    if (here === end) break;
    if (enemies.has(here) && here !== start) continue;
    for (const near of board.near.get(here) ?? []) {
      if (found.has(near) || (barred.has(near) && near !== end)) continue;
      found.set(near, { steps: (found.get(here)?.steps ?? 0) + 1, from: here });
      queue.push(near);
    }
  }
  return found;
}

/**
 * @param {Position} position
 * @param {string} hue
 * @param {string} piece
 * @param {string} start
 */
function barredFor(position, hue, piece, start) {
  const barred = new Set(position.standing(hue).map(([, hex]) => hex).filter((hex) => hex !== start));
  if (position.flies(piece)) return barred;
  for (const lake of position.board.lakes) barred.add(lake);
  const forbidden = position.barred(piece);
  for (const other of position.data.hues) {
    for (const { earth, hexes } of position.wizards[other].earths) {
      if (forbidden.includes(earth)) hexes.forEach((hex) => barred.add(hex));
    }
  }
  return barred;
}

/**
 * The steps of the shortest allowed way, the start left out; null where there is none (F4.5).
 * @param {Position} position
 * @param {string} hue
 * @param {string} piece
 * @param {string} start
 * @param {string} end
 */
function shortestWay(position, hue, piece, start, end) {
  const found = ways(position, hue, piece, start, end);
  /** @type {string[]} */
  const way = [];
  for (let here = end; here !== start; here = found.get(here)?.from ?? start) {
    if (!found.has(here)) return null;
    way.unshift(here);
  }
  return way;
}

/**
 * @param {Position} position
 * @param {string} piece
 * @param {string} hex
 */
function landFaults(position, piece, hex) {
  if (position.flies(piece)) return [];
  const faults = position.board.lakes.has(hex) ? [`${hex} is a lake, and only what flies may enter it`] : [];
  const earth = position.earthAt(hex)?.earth;
  if (earth && position.barred(piece).includes(earth)) faults.push(`${hex} is ${earth}, which the ${piece} may not enter`);
  return faults;
}

/**
 * Why a piece with `left` hexes of its move may not make this move (F4).
 * @param {Position} position
 * @param {string} hue
 * @param {Move} order
 * @param {number} left
 * @param {boolean} stopped
 * @returns {Refusals}
 */
export function moveRefusals(position, hue, { piece, to, via }, left, stopped) {
  const start = position.where(hue, piece);
  if (start === null) return [["F3.6", `the ${piece} is not on the board`]];
  /** @type {Refusals} */
  const found = [];
  if (stopped) found.push(["F4.4", `the ${piece} has entered an enemy's hex, which ends its movement`]);
  if (to === start) found.push(["F4.5", `the ${piece} stands at ${to} already`]);
  for (const hex of new Set(via ?? (to === start ? [] : [to]))) {
    for (const fault of landFaults(position, piece, hex)) found.push(["F4.2", fault]);
    const mine = position.pieceAt(hue, hex);
    if (mine && hex !== start) found.push(["F4.3", `your ${mine} stands at ${hex}`]);
  }
  let steps;
  if (via) {
    found.push(...viaRefusals(position, hue, via, start));
    steps = via.length;
  } else {
    const way = shortestWay(position, hue, piece, start, to);
    steps = way ? way.length : position.board.distance(to, start);
    if (!way) found.push(["F4.5", `no way that the ${piece} may take leads to ${to}`]);
  }
  if (steps > left) found.push(["F4.1", `it is ${steps} hexes and the ${piece} may still move ${left}`]);
  return found;
}

/**
 * @param {Position} position
 * @param {string} hue
 * @param {string[]} via
 * @param {string} start
 * @returns {Refusals}
 */
function viaRefusals(position, hue, via, start) {
  /** @type {Refusals} */
  const found = [];
  let before = start;
  for (const hex of via) {
    if (position.board.distance(hex, before) !== 1) found.push(["F4.5", `${before} and ${hex} are not adjacent`]);
    before = hex;
  }
  for (const hex of new Set(via.slice(0, -1))) {
    if (position.enemiesAt(hue, hex).length) found.push(["F4.4", `an enemy stands at ${hex}, and nothing passes him`]);
  }
  return found;
}

/**
 * Why an attempt cannot be paid for (F5.3, F5.6).
 * @param {Position} position
 * @param {string} hue
 * @param {string} spell
 * @param {number | null} keep
 * @returns {Refusals}
 */
function attemptRefusals(position, hue, spell, keep) {
  const { reserve } = position.wizards[hue];
  const cost = position.cost(spell);
  /** @type {Refusals} */
  const found = [];
  if (reserve < cost) found.push(["F5.3", `it costs ${cost} and your reserve is ${reserve}`]);
  if (keep !== null && reserve - cost < keep) {
    found.push(["F5.6", `it costs ${cost} of your ${reserve} flux, and you keep ${keep}`]);
  }
  return found;
}

/**
 * Why a spell may not be cast there now (F5); the hexes ascend.
 * @param {Position} position
 * @param {string} hue
 * @param {string} spell
 * @param {string[]} hexes
 * @param {number | null} keep
 * @returns {Refusals}
 */
export function castRefusals(position, hue, spell, hexes, keep) {
  const { board, data } = position;
  const { at } = position.wizards[hue];
  if (at === null) return [["F5.1", "your wizard is not on the board to cast it"]];
  /** @type {Refusals} */
  const found = [];
  const distances = hexes.map((hex) => board.distance(at, hex));
  if (distances.some((distance) => position.chance(distance) === null)) {
    const reach = Math.max(...data.casting.map(([upTo]) => upTo));
    found.push(["F5.1", `it is ${Math.max(...distances)} hexes from your wizard, and spells reach ${reach}`]);
  }
  const bands = distances.map((distance) => data.casting.filter(([upTo]) => distance > upTo).length);
  const earth = hexes.length === 2;
  if (earth && bands[0] !== bands[1]) {
    found.push(["F5.2", `its hexes are ${distances[0]} and ${distances[1]} away, in two bands of distance`]);
  }
  if (position.stock(hue, spell) < 1) {
    found.push(["F5.3", earth ? `no ${spell} counter is left in your stock` : `your ${spell} is on the board`]);
  }
  found.push(...attemptRefusals(position, hue, spell, keep));
  found.push(...(earth ? earthFaults(position, spell, hexes) : animateFaults(position, hue, spell, hexes[0])));
  return found;
}

/**
 * @param {Position} position
 * @param {string} spell
 * @param {string[]} hexes
 * @returns {Refusals}
 */
function earthFaults(position, spell, [one, other]) {
  const { board, data } = position;
  const row = data.earths[spell];
  /** @type {string[]} */
  const faults = [];
  if (board.distance(one, other) !== 1) faults.push(`${one} and ${other} are not two adjacent hexes`);
  const hexes = one === other ? [one] : [one, other];
  for (const hex of hexes) {
    if (!board.isFull(hex)) faults.push(`${hex} is a part hex`);
    if (board.globes.has(hex)) faults.push(`a globe lies at ${hex}`);
    if (board.lakes.has(hex) && !row.lake) faults.push(`${hex} is a lake`);
  }
  if (!row.river && board.rivers.has(`${one} ${other}`)) faults.push(`a river runs between ${one} and ${other}`);
  if (row.water && !board.touchesWater(one) && !board.touchesWater(other)) {
    faults.push(`neither ${one} nor ${other} touches water`);
  }
  for (const hex of hexes) {
    const under = position.earthAt(hex);
    if (under) faults.push(`${under.owner}'s ${under.earth} lies on ${hex}`);
    for (const hue of data.hues) {
      const piece = position.pieceAt(hue, hex);
      if (piece) faults.push(`${hue}'s ${piece} stands at ${hex}`);
    }
  }
  return faults.map((fault) => ["F5.4", fault]);
}

/**
 * @param {Position} position
 * @param {string} hue
 * @param {string} spell
 * @param {string} hex
 * @returns {Refusals}
 */
function animateFaults(position, hue, spell, hex) {
  /** @type {Refusals} */
  const found = [];
  if (position.board.globes.has(hex)) found.push(["F5.5", `a globe lies at ${hex}`]);
  if (position.board.lakes.has(hex) && !position.flies(spell)) {
    found.push(["F5.5", `${hex} is a lake, and a ${spell} does not fly`]);
  }
  const mine = position.pieceAt(hue, hex);
  if (mine) found.push(["F5.5", `your ${mine} stands at ${hex}`], ["F4.3", `your ${mine} stands at ${hex}`]);
  return found;
}

/**
 * Why a piece may not try to destroy the earth it stands on (F7).
 * @param {Position} position
 * @param {string} hue
 * @param {string} piece
 * @param {boolean} fresh whether it was cast this turn
 * @param {boolean} tried
 * @returns {Refusals}
 */
export function destroyRefusals(position, hue, piece, fresh, tried) {
  const place = position.where(hue, piece);
  if (place === null) return [["F3.6", `the ${piece} is not on the board`]];
  /** @type {Refusals} */
  const found = [];
  if (tried) found.push(["F7.1", `the ${piece} has tried already this turn`]);
  if (fresh) found.push(["F7.2", `the ${piece} was cast this turn`]);
  const under = position.earthAt(place);
  const row = piece === WIZARD ? {} : position.row(piece).destroys;
  if (!under) {
    found.push(["F7.2", `the ${piece} stands on no earth`]);
    if (!Object.keys(row).length) found.push(["F7.1", `the ${piece} destroys no earth`]);
    return found;
  }
  if (!(under.earth in row)) found.push(["F7.1", `the ${piece} does not destroy ${under.earth}`]);
  for (const spot of under.hexes) {
    for (const enemy of position.enemiesAt(hue, spot)) {
      found.push(["F7.3", `${enemy.hue}'s ${enemy.name} stands at ${spot}`]);
    }
  }
  return found;
}

/**
 * The sentence of a refusal.
 * @param {Refusals} refusals
 */
function refusal(refusals) {
  const reasons = [...new Set(refusals.map(([, reason]) => reason))].join("; ");
  const rulings = [...new Set(refusals.map(([ruling]) => ruling))].sort().join(", ");
  return `would be refused: ${reasons} (${rulings})`;
}

/**
 * A wizard's turn as his text has it, were it his turn now: every cast and every attempt to destroy
 * comes off on a throw of 1, or, for what it may cost at worst, fails as often as it is tried.
 */
export class Turn {
  /**
   * @param {Position} position
   * @param {string} hue
   * @param {Line[]} lines
   * @param {boolean} lucky
   */
  constructor(position, hue, lines, lucky = true) {
    this.position = position;
    this.hue = hue;
    this.lines = lines;
    this.throw = lucky ? 1 : position.data.die;
    /** @type {Map<string, number>} */
    this.steps = new Map();
    /** @type {Set<string>} */
    this.stopped = new Set();
    /** @type {Set<string>} */
    this.fresh = new Set();
    /** @type {Set<string>} */
    this.tried = new Set();
    /** @type {Said[]} */
    this.said = [];
    const wizard = position.wizards[hue];
    if (wizard.at === null) {
      const here = position.pieceAt(hue, wizard.corner);
      if (here) delete wizard.pieces[here];
      wizard.at = wizard.corner;
    }
  }

  /**
   * Carries out all phases up to and including one; gives itself.
   * @param {string} last
   */
  play(last = "destroy") {
    for (const phase of PHASES.slice(0, PHASES.indexOf(last) + 1)) {
      for (const line of this.lines) {
        if (!line.problem && phaseOf(line.sides.map(({ order }) => order)) === phase) this.line(line);
      }
    }
    return this;
  }

  /** What each readable line would do, by its number. */
  forecast() {
    /** @type {Map<number, string[]>} */
    const told = new Map(this.lines.filter(({ problem }) => !problem).map(({ number }) => [number, []]));
    for (const { line, text } of this.said) told.get(line)?.push(text);
    return new Map([...told].map(([number, texts]) => [number, texts.join("; ") || "nothing"]));
  }

  /** @param {Line} line */
  line({ number, sides }) {
    for (const side of sides) {
      const fault = side.guards.find((guard) => this.holds(guard.condition) === guard.negated);
      if (fault) this.say(number, `would be skipped: its condition does not hold: ${guardText(fault)}`);
      else if (this.carryOut(number, side.order)) return;
    }
  }

  /**
   * @param {number} line
   * @param {string} text
   */
  say(line, text) {
    this.said.push({ line, text });
  }

  /** @param {Condition} condition */
  holds({ what, hex, amount, hue }) {
    const { position } = this;
    if (what === "flux") return position.wizards[this.hue].reserve >= amount;
    if (what === "alive") return position.wizards[hue].at !== null;
    if (what === "enemy") return position.enemiesAt(this.hue, hex).length > 0;
    if (what === "own") return position.pieceAt(this.hue, hex) !== null;
    if (what === "earth") return position.earthAt(hex) !== null;
    return position.isFree(hex);
  }

  /**
   * @param {number} line
   * @param {Order} order
   */
  carryOut(line, order) {
    if (order.verb === "move") return this.move(line, order);
    if (order.verb === "cast") return this.cast(line, order);
    if (order.verb === "destroy") return this.destroy(line, order.piece);
    return true;
  }

  /** @param {string} piece */
  left(piece) {
    return this.position.move(piece) - (this.steps.get(piece) ?? 0);
  }

  /**
   * @param {number} line
   * @param {Move} order
   */
  move(line, order) {
    const { position, hue } = this;
    const { piece, to } = order;
    const refusals = moveRefusals(position, hue, order, this.left(piece), this.stopped.has(piece));
    const start = position.where(hue, piece);
    if (refusals.length || start === null) {
      this.say(line, refusal(refusals));
      return false;
    }
    const steps = (order.via ?? shortestWay(position, hue, piece, start, to) ?? []).length;
    this.steps.set(piece, (this.steps.get(piece) ?? 0) + steps);
    if (position.enemiesAt(hue, to).length) this.stopped.add(piece);
    const wizard = position.wizards[hue];
    if (piece === WIZARD) wizard.at = to;
    else wizard.pieces[piece] = to;
    this.say(line, `moves ${piece} ${start} to ${to}, ${steps === 1 ? "1 hex" : `${steps} hexes`} of ${position.move(piece)}`);
    return true;
  }

  /**
   * @param {number} line
   * @param {import("./orders.js").Cast} order
   */
  cast(line, { spell, hexes: written, times, keep }) {
    const { position, hue } = this;
    const hexes = position.board.sorted(written);
    const refusals = castRefusals(position, hue, spell, hexes, keep);
    if (refusals.length) {
      this.say(line, refusal(refusals));
      return false;
    }
    const wizard = position.wizards[hue];
    const cost = position.cost(spell);
    const distance = Math.max(...hexes.map((hex) => position.board.distance(wizard.at ?? hex, hex)));
    const chance = position.chance(distance) ?? 0;
    for (let attempt = 0; attempt < (times ?? 1); attempt += 1) {
      if (attempt && attemptRefusals(position, hue, spell, keep).length) return false;
      wizard.reserve -= cost;
      this.say(line, `casts ${spell} at ${hexes.join("-")}, ${distance} away: succeeds on ${chance} or less, costs ${cost} a try, ${wizard.reserve} left after one`);
      if (this.throw <= chance) {
        if (hexes.length === 2) wizard.earths.push({ earth: spell, hexes: [hexes[0], hexes[1]] });
        else {
          wizard.pieces[spell] = hexes[0];
          this.fresh.add(spell);
        }
        return true;
      }
    }
    return false;
  }

  /**
   * @param {number} line
   * @param {string} piece
   */
  destroy(line, piece) {
    const { position, hue } = this;
    const refusals = destroyRefusals(position, hue, piece, this.fresh.has(piece), this.tried.has(piece));
    const under = refusals.length ? null : position.earthAt(position.where(hue, piece) ?? "");
    if (!under) {
      this.say(line, refusal(refusals));
      return false;
    }
    this.tried.add(piece);
    const chance = position.row(piece).destroys[under.earth];
    this.say(line, `tries to destroy ${under.owner}'s ${under.earth} with ${piece}: succeeds on ${chance} or less`);
    if (this.throw > chance) return false;
    const { earths } = position.wizards[under.owner];
    earths.splice(earths.findIndex((each) => each.hexes[0] === under.hexes[0]), 1);
    return true;
  }

  /**
   * Where a piece may go from where it stands now, each with its steps.
   * @param {string} piece
   * @returns {{ hex: string, steps: number }[]}
   */
  moves(piece) {
    const { position, hue } = this;
    const start = position.where(hue, piece);
    const left = this.left(piece);
    if (start === null || this.stopped.has(piece)) return [];
    return [...ways(position, hue, piece, start, null)]
      .filter(([hex, { steps }]) => hex !== start && steps <= left)
      .map(([hex, { steps }]) => ({ hex, steps }));
  }

  /**
   * Where a spell may be cast now, at what chance; an earth's hexes in their order.
   * @param {string} spell
   * @returns {{ hexes: string[], distance: number, chance: number }[]}
   */
  casts(spell) {
    const { position, hue } = this;
    const { board, data } = position;
    const { at } = position.wizards[hue];
    if (at === null) return [];
    const near = [...board.places.keys()].filter((hex) => position.chance(board.distance(at, hex)) !== null);
    const grounds =
      has(data.earths, spell)
        ? near.flatMap((one) => (board.near.get(one) ?? []).map((other) => board.sorted([one, other])).filter(([first]) => first === one))
        : near.map((hex) => [hex]);
    return grounds
      .filter((hexes) => !castRefusals(position, hue, spell, hexes, null).length)
      .map((hexes) => {
        const distance = Math.max(...hexes.map((hex) => board.distance(at, hex)));
        return { hexes, distance, chance: position.chance(distance) ?? 0 };
      });
  }

  /**
   * The earth that a piece may try to destroy now, and the throw that does it.
   * @param {string} piece
   */
  destruction(piece) {
    const { position, hue } = this;
    const refusals = destroyRefusals(position, hue, piece, this.fresh.has(piece), this.tried.has(piece));
    const under = refusals.length ? null : position.earthAt(position.where(hue, piece) ?? "");
    return under && { ...under, chance: position.row(piece).destroys[under.earth] };
  }
}
