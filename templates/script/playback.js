/** The turn played back on the map, in the order in which it happened and in the words of the report. */

import { button, make } from "./dom.js";

/**
 * A change is `[id]`, `[id, 0]` or `[id, x, y, …]`: shown as drawn, gone, or moved through these places.
 * @typedef {[string, ...number[]]} Change
 * @typedef {{ start: Change[], ghosts: [string, string, number, number, string][], steps: Change[][] }} Course
 */

const PREFIX = "m-";
const SVG = "http://www.w3.org/2000/svg";
const MOVING = 700;

/**
 * How long a step is read, in milliseconds.
 * @param {string} text
 */
function reading(text) {
  return Math.min(7000, 1400 + 35 * text.length);
}

export class Playback {
  /**
   * @param {Course} course
   * @param {Element[]} rows the rows of the report, one for each step
   */
  constructor(course, rows) {
    this.course = course;
    this.rows = rows;
    this.last = course.steps.length;
    this.at = this.last;
    /** @type {number | undefined} */
    this.timer = undefined;
    this.frame = 0;
    // Until somebody wants to see the turn, nothing is said of it.
    this.used = false;
    /** @type {Map<string, { shape: Element, drawn: string, ghost: boolean }>} */
    this.shapes = new Map();
    for (const [id, of, x, y, layer] of course.ghosts) {
      const home = document.getElementById(PREFIX + layer);
      const shape = document.createElementNS(SVG, "use");
      shape.setAttribute("href", `#${PREFIX}${of}`);
      shape.setAttribute("class", "off");
      const drawn = `translate(${x} ${y})`;
      shape.setAttribute("transform", drawn);
      if (home) home.append(shape);
      this.shapes.set(id, { shape, drawn, ghost: true });
    }
    for (const [id] of course.start.concat(...course.steps)) {
      const shape = document.getElementById(PREFIX + id);
      if (shape && !this.shapes.has(id)) {
        this.shapes.set(id, { shape, drawn: shape.getAttribute("transform") || "", ghost: false });
      }
    }
    this.play = button("Play the turn", () => this.toggle(), { class: "tool" });
    this.back = button("◂", () => this.step(-1), { class: "tool", "aria-label": "One step back", title: "One step back" });
    this.on = button("▸", () => this.step(1), { class: "tool", "aria-label": "One step on", title: "One step on" });
    this.slider = make("input", { type: "range", min: "0", max: String(this.last), "aria-label": "Step of the turn" });
    this.slider.addEventListener("input", () => this.stop(Number(this.slider.value)));
    this.told = make("p", { class: "told", "aria-live": "polite" });
    this.show(this.last);
  }

  controls() {
    return [make("div", { class: "tools" }, this.play, this.back, this.on, this.slider), this.told];
  }

  toggle() {
    if (this.timer !== undefined) {
      this.stop(this.at);
      return;
    }
    this.go(this.at === this.last ? 0 : this.at);
  }

  /**
   * Go on by itself from here.
   * @param {number} at
   */
  go(at) {
    this.show(at);
    this.timer = at < this.last ? window.setTimeout(() => this.go(at + 1), at ? reading(this.told.textContent || "") : 900) : undefined;
    this.label();
  }

  /**
   * Stop, and show a step.
   * @param {number} at
   */
  stop(at) {
    window.clearTimeout(this.timer);
    this.timer = undefined;
    this.show(at);
    this.label();
  }

  /** @param {number} by */
  step(by) {
    this.stop(Math.max(0, Math.min(this.last, this.at + by)));
  }

  label() {
    this.play.textContent = this.timer === undefined ? "Play the turn" : "Pause";
  }

  /**
   * The words of a step as the report has them: what players wrote stays apart from its neighbours.
   * @param {number} at
   * @returns {(Node | string)[]}
   */
  words(at) {
    const row = this.rows[at - 1];
    const text = row?.children[1]?.cloneNode(true);
    if (!(text instanceof Element)) return ["Before the turn"];
    for (const part of text.querySelectorAll(".proof, .thrown, .att")) part.remove();
    return [`${row.closest("article")?.querySelector("h3")?.textContent}: `, ...text.childNodes];
  }

  /**
   * The map and the words of a step: 0 is before the turn, the last one as the map is drawn.
   * @param {number} at
   */
  show(at) {
    const forth = at === this.at + 1;
    this.at = at;
    cancelAnimationFrame(this.frame);
    /** @type {Map<string, number[]>} */
    const states = new Map();
    const done = at === this.last ? [] : this.course.start.concat(...this.course.steps.slice(0, at));
    for (const [id, ...way] of done) states.set(id, way);
    const now = at ? this.course.steps[at - 1] : [];
    for (const [id, each] of this.shapes) {
      const way = states.get(id) || (each.ghost ? [0] : []);
      each.shape.classList.toggle("off", way.length === 1);
      each.shape.classList.toggle("now", at < this.last && now.some((change) => change[0] === id));
      this.put(each, way.slice(-2));
    }
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (forth && !still) this.move(now, performance.now());
    this.rows.forEach((row, number) => row.classList.toggle("now", at < this.last && number === at - 1));
    this.slider.value = String(at);
    this.slider.setAttribute("aria-valuetext", at ? `step ${at} of ${this.last}` : "before the turn");
    if (this.used) this.told.replaceChildren(...this.words(at));
    this.used = true;
    this.back.disabled = at === 0;
    this.on.disabled = at === this.last;
  }

  /**
   * @param {{ shape: Element, drawn: string }} each
   * @param {number[]} by
   */
  put({ shape, drawn }, by) {
    const whole = by.length === 2 && (by[0] || by[1]) ? `translate(${by[0]} ${by[1]}) ${drawn}` : drawn;
    if (whole) shape.setAttribute("transform", whole);
    else shape.removeAttribute("transform");
  }

  /**
   * Let what moves in this step go its way.
   * @param {Change[]} changes
   * @param {number} begun
   */
  move(changes, begun) {
    const part = Math.min(1, (performance.now() - begun) / MOVING);
    for (const [id, ...way] of changes) {
      const each = this.shapes.get(id);
      if (!each || way.length < 4) continue;
      const legs = way.length / 2 - 1;
      const leg = Math.min(legs - 1, Math.floor(part * legs));
      const within = part * legs - leg;
      const [x, y, toX, toY] = way.slice(2 * leg, 2 * leg + 4);
      this.put(each, [x + (toX - x) * within, y + (toY - y) * within].map((length) => +length.toFixed(1)));
    }
    if (part < 1) this.frame = requestAnimationFrame(() => this.move(changes, begun));
  }
}
