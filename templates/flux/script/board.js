/** The plains and the position, from what Python put into the page; hexes are their labels (F1, F2). */

/**
 * @typedef {[number, number]} Axial
 * @typedef {{ cost: number, counters: number, lake: boolean, river: boolean, water: boolean }} EarthRow
 * @typedef {{ cost: number, move: number, flies: boolean, barred: string[], destroys: Record<string, number> }} PieceRow
 * @typedef {{ earth: string, hexes: [string, string] }} Earth
 * @typedef {{ corner: string, at: string | null, reserve: number, earths: Earth[], pieces: Record<string, string> }} Wizard
 * @typedef {{
 *   hue: string, hues: string[], all_hues: string[], round: number, order: string[],
 *   board: { radius: number, globes: string[], lakes: string[], rivers: [string, string][] },
 *   casting: [number, number][], die: number, wizard: { move: number, barred: string[] },
 *   earths: Record<string, EarthRow>, animates: Record<string, PieceRow>, pieces: string[],
 *   wizards: Record<string, Wizard>,
 * }} FluxData
 */

import { has } from "../../script/sheet.js";

export const WIZARD = "wizard";
/**
 * N, NE, SE, S, SW, NW (F4.5).
 * @type {Axial[]}
 */
const AROUND = [[0, -1], [1, -1], [1, 0], [0, 1], [-1, 1], [-1, 0]];
const LABEL = /^([A-Z]{1,2})([1-9][0-9]{0,2})$/;

/** The board of a game: hexes and their neighbours by label. */
export class Board {
  /** @param {FluxData["board"]} data */
  constructor({ radius, globes, lakes, rivers }) {
    this.radius = radius;
    /** @type {Map<string, Axial>} */
    this.places = new Map();
    for (let q = -radius; q <= radius; q += 1) {
      for (let r = Math.max(-radius, -q - radius); r <= Math.min(radius, radius - q); r += 1) {
        this.places.set(this.label(q, r), [q, r]);
      }
    }
    const n = radius;
    /** @type {Axial[]} */
    const corners = [[0, -n], [n, -n], [n, 0], [0, n], [-n, n], [-n, 0]];
    this.globes = new Set([...globes, ...corners.map(([q, r]) => this.label(q, r))]);
    this.lakes = new Set(lakes);
    this.rivers = new Set(rivers.flatMap(([one, other]) => [`${one} ${other}`, `${other} ${one}`]));
    /** @type {Map<string, string[]>} */
    this.near = new Map();
    for (const [name, [q, r]] of this.places) {
      const found = AROUND.map(([dq, dr]) => this.label(q + dq, r + dr));
      this.near.set(name, found.filter((near) => this.places.has(near)));
    }
  }

  /**
   * @param {number} q
   * @param {number} r
   */
  label(q, r) {
    const column = q + this.radius;
    const row = r + this.radius + 1;
    const letter = String.fromCharCode(65 + (column % 26));
    return (column < 26 ? letter : String.fromCharCode(64 + Math.floor(column / 26)) + letter) + row;
  }

  /**
   * The label of a hex of this board in either case, or null.
   * @param {string} word
   */
  find(word) {
    // What is not ASCII stays as it is: a Kelvin sign is no K.
    const label = /^[\x00-\x7f]*$/.test(word) ? word.toUpperCase() : "";
    return LABEL.test(label) && this.places.has(label) ? label : null;
  }

  /** @param {string} label */
  axial(label) {
    const place = this.places.get(label);
    if (!place) throw new Error(`no hex ${label}`);
    return place;
  }

  /**
   * @param {string} one
   * @param {string} other
   */
  distance(one, other) {
    const [q, r] = this.axial(one);
    const [p, s] = this.axial(other);
    return (Math.abs(q - p) + Math.abs(r - s) + Math.abs(q - p + r - s)) / 2;
  }

  /** @param {string} label */
  isFull(label) {
    const [q, r] = this.axial(label);
    return (Math.abs(q) + Math.abs(r) + Math.abs(q + r)) / 2 < this.radius;
  }

  /** @param {string} label */
  touchesWater(label) {
    const beside = this.near.get(label) ?? [];
    return beside.some((near) => this.lakes.has(near) || this.rivers.has(`${label} ${near}`));
  }

  /**
   * Ascending by (q, r).
   * @param {readonly string[]} labels
   */
  sorted(labels) {
    return [...labels].sort((one, other) => {
      const [q, r] = this.axial(one);
      const [p, s] = this.axial(other);
      return q - p || r - s;
    });
  }
}

/** A position that orders change; made anew from the data for every reading of the text. */
export class Position {
  /**
   * @param {FluxData} data
   * @param {Board} board
   */
  constructor(data, board) {
    this.data = data;
    this.board = board;
    /** @type {Record<string, Wizard>} */
    this.wizards = {};
    for (const [hue, wizard] of Object.entries(data.wizards)) {
      this.wizards[hue] = { ...wizard, earths: [...wizard.earths], pieces: { ...wizard.pieces } };
    }
  }

  /**
   * @param {string} hue
   * @returns {[string, string][]}
   */
  standing(hue) {
    const { at, pieces } = this.wizards[hue];
    return [...(at === null ? [] : [/** @type {[string, string]} */ ([WIZARD, at])]), ...Object.entries(pieces)];
  }

  /**
   * @param {string} hue
   * @param {string} hex
   */
  pieceAt(hue, hex) {
    return this.standing(hue).find(([, place]) => place === hex)?.[0] ?? null;
  }

  /**
   * The pieces of others on a hex, in seat order.
   * @param {string} hue
   * @param {string} hex
   */
  enemiesAt(hue, hex) {
    return this.data.hues
      .filter((other) => other !== hue)
      .map((other) => ({ hue: other, name: this.pieceAt(other, hex) }))
      .filter(({ name }) => name !== null);
  }

  /** @param {string} hex */
  earthAt(hex) {
    for (const hue of this.data.hues) {
      for (const { earth, hexes } of this.wizards[hue].earths) {
        if (hexes.includes(hex)) return { owner: hue, earth, hexes };
      }
    }
    return null;
  }

  /** @param {string} hex */
  isFree(hex) {
    const pieces = this.data.hues.some((hue) => this.pieceAt(hue, hex));
    return !(this.board.globes.has(hex) || this.earthAt(hex) || pieces);
  }

  /**
   * @param {string} hue
   * @param {string} piece
   */
  where(hue, piece) {
    const wizard = this.wizards[hue];
    return piece === WIZARD ? wizard.at : has(wizard.pieces, piece) ? wizard.pieces[piece] : null;
  }

  /**
   * How many counters of this kind are off the board (F5.7).
   * @param {string} hue
   * @param {string} spell
   */
  stock(hue, spell) {
    const { earths, pieces } = this.wizards[hue];
    if (!has(this.data.earths, spell)) return has(pieces, spell) ? 0 : 1;
    return this.data.earths[spell].counters - earths.filter(({ earth }) => earth === spell).length;
  }

  /**
   * The row of a piece: `troll 2` has that of `troll`.
   * @param {string} piece
   */
  row(piece) {
    return this.data.animates[piece.replace(/[0-9 ]+$/, "")];
  }

  /** @param {string} spell */
  cost(spell) {
    return (has(this.data.earths, spell) ? this.data.earths[spell] : this.row(spell)).cost;
  }

  /** @param {string} piece */
  move(piece) {
    return (piece === WIZARD ? this.data.wizard : this.row(piece)).move;
  }

  /** @param {string} piece */
  flies(piece) {
    return piece !== WIZARD && this.row(piece).flies;
  }

  /** @param {string} piece */
  barred(piece) {
    return (piece === WIZARD ? this.data.wizard : this.row(piece)).barred;
  }

  /**
   * The throw on or below which a cast so far away succeeds; null where it is too far (F5.1).
   * @param {number} distance
   */
  chance(distance) {
    return this.data.casting.find(([upTo]) => distance <= upTo)?.[1] ?? null;
  }
}
