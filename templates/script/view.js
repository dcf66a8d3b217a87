/** Nearer to the map and about on it: by buttons, wheel, pointer, two fingers and keys. */

import { announce, button } from "./dom.js";

const NEAREST = 8;
const STEP = 1.5;
const CLICK = 4;

/** A part of a drawing that is looked at: its view box moves within the whole. */
export class View {
  /**
   * @param {HTMLElement} frame
   * @param {SVGSVGElement} svg
   */
  constructor(frame, svg) {
    this.frame = frame;
    this.svg = svg;
    const { x, y, width, height } = svg.viewBox.baseVal;
    this.home = { x, y, width, height };
    this.now = this.home;
    /** @type {Map<number, { x: number, y: number }>} */
    this.fingers = new Map();
    this.dragged = false;
    this.buttons = [
      button("+", () => this.press(STEP), { class: "tool", "aria-label": "Nearer", title: "Nearer" }),
      button("−", () => this.press(1 / STEP), { class: "tool", "aria-label": "Farther", title: "Farther" }),
      button("Whole map", () => this.press(0), { class: "tool" }),
    ];
    frame.tabIndex = 0;
    frame.setAttribute("role", "group");
    frame.setAttribute("aria-label", "The map: plus and minus bring it nearer and farther, arrows move it, 0 shows the whole");
    frame.addEventListener("keydown", (event) => this.key(event));
    svg.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    svg.addEventListener("pointerdown", (event) => this.down(event));
    svg.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
      svg.addEventListener(end, (event) => this.fingers.delete(/** @type {PointerEvent} */ (event).pointerId));
    }
    // What ends a drag is no click on what lies under it.
    svg.addEventListener(
      "click",
      (event) => {
        if (this.dragged) event.stopPropagation();
      },
      true,
    );
    this.show(this.home);
  }

  /** How many times nearer than the whole. */
  get scale() {
    return this.home.width / this.now.width;
  }

  /**
   * Show a part, as far as it lies within the whole.
   * @param {{ x: number, y: number, width: number, height: number }} part
   */
  show(part) {
    const { home } = this;
    const width = Math.max(home.width / NEAREST, Math.min(home.width, part.width));
    const height = (width * home.height) / home.width;
    const x = Math.max(home.x, Math.min(home.x + home.width - width, part.x));
    const y = Math.max(home.y, Math.min(home.y + home.height - height, part.y));
    this.now = { x, y, width, height };
    this.svg.setAttribute("viewBox", [x, y, width, height].map((length) => +length.toFixed(2)).join(" "));
    this.frame.classList.toggle("zoomed", this.scale > 1);
    const [nearer, farther, whole] = this.buttons;
    nearer.disabled = this.scale >= NEAREST - 0.01;
    farther.disabled = whole.disabled = this.scale <= 1;
  }

  /**
   * @param {number} factor
   * @param {{ x: number, y: number }} [about] which stays where it is
   */
  zoom(factor, about) {
    const { x, y, width, height } = this.now;
    const middle = about || { x: x + width / 2, y: y + height / 2 };
    const wide = Math.max(this.home.width / NEAREST, Math.min(this.home.width, width / factor));
    const by = wide / width;
    this.show({ x: middle.x - (middle.x - x) * by, y: middle.y - (middle.y - y) * by, width: wide, height: height * by });
  }

  /**
   * By button or key, and said aloud; 0 shows the whole.
   * @param {number} factor
   */
  press(factor) {
    if (factor) this.zoom(factor);
    else this.show(this.home);
    announce(this.scale > 1 ? `The map, ${this.scale.toFixed(1)} times nearer` : "The whole map");
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.target !== this.frame || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.key === "+" || event.key === "=") this.press(STEP);
    else if (event.key === "-") this.press(1 / STEP);
    else if (event.key === "0") this.press(0);
    else if (step && this.scale > 1) this.pan((step[0] * this.now.width) / 8, (step[1] * this.now.height) / 8);
    else return;
    event.preventDefault();
  }

  /**
   * @param {number} right
   * @param {number} down
   */
  pan(right, down) {
    this.show({ ...this.now, x: this.now.x + right, y: this.now.y + down });
  }

  /**
   * The wheel alone scrolls the page; with ctrl, as two fingers on a pad send it, it brings the map nearer.
   * @param {WheelEvent} event
   */
  wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / 300), this.place(event.clientX, event.clientY));
  }

  /**
   * A place of the window on the drawing.
   * @param {number} x
   * @param {number} y
   */
  place(x, y) {
    const matrix = this.svg.getScreenCTM();
    return matrix ? new DOMPoint(x, y).matrixTransform(matrix.inverse()) : this.now;
  }

  /** @param {PointerEvent} event */
  down(event) {
    this.dragged = false;
    if (event.button === 0) this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }

  /** @param {PointerEvent} event */
  move(event) {
    const was = this.fingers.get(event.pointerId);
    if (!was || (this.fingers.size === 1 && this.scale <= 1)) return;
    const is = { x: event.clientX, y: event.clientY };
    if (!this.dragged && Math.hypot(is.x - was.x, is.y - was.y) < CLICK) return;
    if (!this.dragged) this.svg.setPointerCapture(event.pointerId);
    this.dragged = true;
    const [one, other] = Array.from(this.fingers.values());
    const [from, to] = [this.place(was.x, was.y), this.place(is.x, is.y)];
    if (other) {
      const still = was === one ? other : one;
      const about = this.place(still.x, still.y);
      this.zoom(Math.hypot(is.x - still.x, is.y - still.y) / Math.max(1, Math.hypot(was.x - still.x, was.y - still.y)), about);
    } else {
      this.pan(from.x - to.x, from.y - to.y);
    }
    this.fingers.set(event.pointerId, is);
  }
}
