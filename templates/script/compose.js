/**
 * The order composer of a seat's own report: choose who, what and where, in lists or on the map; the text
 * grows, is checked as it is typed, and is sent by the reader's own mail program. A ruleset tells what there
 * is to choose (`Game`); nothing of the report is only to be had here.
 */

import { Chips, drawn, field, fill, rename } from "./compose_parts.js";
import { Sending } from "./compose_send.js";
import { announce, button, make, pageData } from "./dom.js";
import { BadSheet, checkSize, readSheet } from "./sheet.js";

/**
 * @typedef {{ id: string, label: string, group: string, spot: string }} Subject who or what can be ordered
 * @typedef {{ id: string, label: string, min?: number, max?: number, choices?: string[] }} Extra
 * @typedef {{ id: string, label: string, group?: string, where: string, second?: string, extras?: Extra[], place?: boolean }} Action
 * @typedef {{ id: string, label: string, short: string, spots: string[], line: string, next?: Target[] }} Target
 * @typedef {{ number: number, text: string, reads: boolean, message: string }} Checked
 * @typedef {{ x: number, y: number, radius: number }} Ring
 * @typedef {{
 *   lines: Checked[], status: { label: string, value: string }[], subjects: Subject[],
 *   actions(subject: string): Action[], targets(subject: string, action: string): Target[],
 *   line(target: Target, extras: Record<string, string>): string,
 *   place?(subject: string, action: string, place: string): Target, rings?(subject: string, action: string): Ring[],
 * }} Reading
 * @typedef {{ x: number, y: number }} Point
 * @typedef {{ points: string, x: number, y: number }} Shape the outline of a spot on the map, or a circle about its middle
 * @typedef {{
 *   title: string, promise: string, view: number[], without: string[], shape(spot: string): Shape,
 *   read(text: string): Reading, placeAt?(x: number, y: number): string, pointOf?(place: string): Point | null,
 * }} Game
 */

/** So long after the last sign typed the checks are told, in milliseconds. */
const TYPING_PAUSE = 250;
/** A spot without an outline of its own is a circle of this radius. */
const SPOT = 22;
const NARROW = "(max-width: 43.99rem)";

/**
 * Put the composer into the page, if it has what a composer needs: data, and the order template with its key.
 * @template D
 * @param {(data: D) => Game} maker
 */
export function startComposer(maker) {
  const data = pageData("compose");
  const section = document.getElementById("template");
  const template = section?.querySelector("pre")?.textContent;
  if (!data || !section || !template) return;
  const { header } = readSheet(template);
  const composer = new Composer(maker(data), header);
  section.before(composer.section);
  for (const link of document.querySelectorAll('a[href="#template"]')) {
    const twin = make("a", { href: "#compose" }, "Compose your orders");
    if (link.className) twin.className = link.className;
    link.before(twin);
  }
  composer.textChanged();
  performance.mark("composer");
}

class Composer {
  /**
   * @param {Game} game
   * @param {Record<string, string>} header
   */
  constructor(game, header) {
    this.game = game;
    this.header = header;
    this.subject = "";
    this.action = "";
    this.first = "";
    this.target = "";
    /** @type {Record<string, string>} */
    this.extras = {};
    /** @type {Reading | null} */
    this.reading = null;
    this.timer = 0;
    this.wasRead = "";
    /** @type {Checked[]} */
    this.checked = [];
    // Of the line behind which nothing is read; 0 where there is none.
    this.stop = 0;
    this.said = "";
    this.placed = false;
    this.sending = new Sending(header);
    this.subjects = new Chips("compose-who", game.title, (value) => this.choose(value));
    this.actions = new Chips("compose-what", "Order", (value) => this.chooseAction(value));
    this.targets = this.select("compose-where", (value) => this.chooseTarget(value));
    this.seconds = this.select("compose-second", (value) => this.chooseSecond(value));
    this.targetField = field("Where", this.targets);
    this.secondField = field("Second", this.seconds);
    this.placeInput = make("input", { id: "compose-place", type: "text", autocomplete: "off", spellcheck: "false" });
    this.placeInput.addEventListener("input", () => this.placeTyped());
    this.placeField = field("Place in cm, such as 34.5,56", this.placeInput);
    this.extraFields = make("div", { class: "extras" });
    this.tells = make("p", { class: "tells", role: "status", "aria-live": "polite" });
    this.add = button("Add this order", () => this.addLine(), { class: "add" });
    this.status = make("dl", { class: "counts" });
    this.text = make("textarea", { id: "compose-text", rows: "7", spellcheck: "false", autocapitalize: "off", autocomplete: "off" });
    this.text.addEventListener("input", () => this.typed());
    // Whoever leaves the box has what he wrote read before: what he goes to must not change under his hand.
    this.text.addEventListener("keydown", (event) => {
      if (event.key === "Tab") this.left();
    });
    this.text.addEventListener("change", () => this.left());
    this.checks = make("ul", { class: "reads", role: "list", "aria-live": "polite", "aria-label": "What each line would do now" });
    this.map = this.drawnMap();
    // By itself above the map, so that choosing does not paint the whole map again.
    this.svg = /** @type {SVGSVGElement} */ (drawn("svg", { class: "over", "aria-hidden": "true" }));
    this.svg.addEventListener("click", (event) => this.clicked(event));
    const choices = make("div", { class: "choices" }, this.subjects.part, this.actions.part, this.targetField, this.secondField, this.placeField, this.extraFields, this.tells, make("p", { class: "row-of" }, this.add));
    this.section = make(
      "section",
      { id: "compose", class: "block compose noprint", "aria-labelledby": "h-compose" },
      make("h2", { id: "h-compose" }, `Compose your orders for turn ${this.header.turn ?? ""}`),
      make("p", { class: "capt" }, `${this.game.promise} The order template below does without all this.`),
      make("div", { class: "parts" }, make("div", { class: "picture" }, this.map, this.svg), make("div", { class: "side" }, choices, this.status, field("Your orders, one a line", this.text), this.checks, this.sending.part)),
    );
  }

  /**
   * @param {string} id
   * @param {(value: string) => void} act
   */
  select(id, act) {
    const made = make("select", { id });
    made.addEventListener("change", () => act(made.value));
    return made;
  }

  /** A copy of the report's map: the map itself may be played back, its layers hidden. */
  drawnMap() {
    const map = drawn("svg", { role: "img", "aria-label": "The map, to choose from with a pointer; the lists beside it offer the same" });
    for (const layer of document.querySelectorAll("#mapfig .stick > .map > g[id]")) {
      if (this.game.without.includes(layer.id)) continue;
      const copy = map.appendChild(/** @type {Element} */ (layer.cloneNode(true)));
      for (const part of [copy, ...copy.querySelectorAll("[id]")]) part.removeAttribute("id");
    }
    return map;
  }

  // The text

  typed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.textChanged(), TYPING_PAUSE);
  }

  left() {
    if (this.text.value !== this.wasRead) this.textChanged();
  }

  /** Reads the text and shows all that follows of it. */
  textChanged() {
    clearTimeout(this.timer);
    const text = this.text.value;
    this.wasRead = text;
    this.stop = 0;
    try {
      // As it is sent, with the header that it is sent with.
      this.stop = readSheet(text, this.header).stop;
      this.sending.show(text, this.stop > 0);
      checkSize(this.sending.file());
      this.reading = this.game.read(text);
      this.showChecks(this.reading.lines);
    } catch (error) {
      if (!(error instanceof BadSheet)) throw error;
      this.sending.show(text, this.stop > 0);
      this.reading = this.game.read("");
      this.showChecks([{ number: 0, text: "The whole text", reads: false, message: error.message }]);
    }
    this.showStatus(this.reading.status);
    this.showChoices();
  }

  /**
   * Only what has changed is shown anew, so that only that is read aloud.
   * @param {Checked[]} lines
   */
  showChecks(lines) {
    const same = (/** @type {Checked} */ one, /** @type {Checked} */ other) => one.text === other.text && one.reads === other.reads && one.message === other.message;
    const before = this.checked;
    const shorter = Math.min(lines.length, before.length);
    let head = 0;
    while (head < shorter && same(lines[head], before[head])) head += 1;
    let tail = 0;
    while (tail < shorter - head && same(lines[lines.length - 1 - tail], before[before.length - 1 - tail])) tail += 1;
    const old = [...this.checks.children].slice(head, before.length - tail);
    const behind = this.checks.children[before.length - tail] ?? null;
    const items = lines.slice(head, lines.length - tail).map((line, place) => this.checkItem(line, old[place] ?? make("li", { "aria-atomic": "true" })));
    for (const item of old.slice(items.length)) item.remove();
    for (const item of items.slice(old.length)) this.checks.insertBefore(item, behind);
    this.checked = lines;
  }

  /**
   * One line's place in the list, filled; a button there stays the same, and keeps the focus.
   * @param {Checked} line
   * @param {Element} item
   */
  checkItem({ number, text, reads, message }, item) {
    const kind = !reads ? "unread" : /\bwould be (refused|skipped)\b/.test(message) ? "refused" : "done";
    const word = { unread: "Cannot be read", refused: "Would not be done", done: "Reads" }[kind];
    item.className = `st-${kind}`;
    if (!item.firstChild) {
      const remove = button("Remove", () => this.remove(item));
      item.append(make("b"), make("code", {}, make("bdi")), make("span", { class: "says" }), remove);
    }
    for (const [part, said] of [["b", word], ["bdi", text], [".says", message]]) {
      const shown = item.querySelector(part);
      if (shown && shown.textContent !== said) shown.textContent = said;
    }
    const remove = item.querySelector("button");
    if (remove) {
      remove.hidden = !number;
      remove.setAttribute("aria-label", `Remove ${text}`);
    }
    return item;
  }

  /** @param {{ label: string, value: string }[]} figures */
  showStatus(figures) {
    this.status.replaceChildren(...figures.map(({ label, value }) => make("div", {}, make("dt", {}, label), make("dd", {}, value))));
    this.said = figures.map(({ label, value }) => `${label} ${value}`).join(", ");
  }

  /** @param {string[]} lines */
  write(lines) {
    this.text.value = lines.join("\n");
    this.textChanged();
  }

  /** @param {Element} item */
  remove(item) {
    const { number } = this.checked[[...this.checks.children].indexOf(item)];
    const lines = this.text.value.split("\n");
    const [gone] = lines.splice(number - 1, 1);
    this.write(lines);
    announce(`Removed: ${gone}. ${this.said}`);
    this.text.focus();
  }

  addLine() {
    const target = this.chosen();
    if (!this.reading || !target || !target.line) {
      announce("Choose who, what and where first.");
      return;
    }
    const wrong = [...this.extraFields.querySelectorAll("input")].find((input) => !input.checkValidity());
    if (wrong) {
      this.tells.textContent = `${wrong.labels?.[0].textContent}: a whole number from ${wrong.min} to ${wrong.max}, or nothing.`;
      wrong.focus();
      return;
    }
    const line = this.reading.line(target, this.extras);
    const lines = this.text.value.split("\n");
    while (lines.length && !lines[lines.length - 1].trim()) lines.pop();
    lines.splice(this.stop ? this.stop - 1 : lines.length, 0, line);
    this.first = "";
    this.target = "";
    this.placeInput.value = "";
    this.write([...lines, ""]);
    announce(`Added: ${line}. ${this.said}`);
  }

  // Choosing

  /** @param {string} subject */
  choose(subject) {
    this.subject = subject;
    const [only, ...more] = this.reading && subject ? this.reading.actions(subject) : [];
    this.chooseAction(only && (!more.length || only.id === "move") ? only.id : "");
  }

  /** @param {string} action */
  chooseAction(action) {
    this.action = action;
    this.extras = {};
    this.chooseTarget("");
  }

  /** @param {string} target */
  chooseTarget(target) {
    this.first = target;
    this.target = "";
    this.placeInput.value = "";
    this.showChoices();
  }

  /** @param {string} second */
  chooseSecond(second) {
    this.target = second;
    this.showChoices();
  }

  placeTyped() {
    this.first = "";
    this.showChoices();
  }

  /** The targets to choose from now: an earth's second hexes once the first is chosen. */
  offered() {
    const targets = this.reading && this.subject && this.action ? this.reading.targets(this.subject, this.action) : [];
    const first = targets.find(({ id }) => id === this.first) ?? (targets.length === 1 && !targets[0].next ? targets[0] : null);
    return { targets, first, seconds: first?.next ?? [] };
  }

  /** The target chosen, as far as it is an order. */
  chosen() {
    if (!this.reading) return null;
    const place = this.placeInput.value.trim();
    if (place && this.reading.place && this.placed) return this.reading.place(this.subject, this.action, place);
    const { first, seconds } = this.offered();
    return first?.next ? seconds.find(({ id }) => id === this.target) ?? null : first;
  }

  showChoices() {
    if (!this.reading) return;
    const { subjects } = this.reading;
    if (!subjects.some(({ id }) => id === this.subject)) this.subject = "";
    this.subjects.fill(subjects, this.subject);
    const actions = this.subject ? this.reading.actions(this.subject) : [];
    const action = actions.find(({ id }) => id === this.action);
    if (!action) this.action = "";
    this.placed = Boolean(action?.place);
    this.actions.fill(actions, this.action);
    const { targets, first, seconds } = this.offered();
    fill(this.targets, targets.filter(({ line, next }) => line || next), first?.id ?? "");
    fill(this.seconds, seconds, this.target);
    this.actions.part.hidden = !this.subject;
    this.targetField.hidden = !action || !targets.some(({ id }) => id);
    this.secondField.hidden = !seconds.length;
    this.placeField.hidden = !this.placed;
    rename(this.targetField, action?.where ?? "Where");
    rename(this.secondField, action?.second ?? "Second");
    this.showExtras(action?.extras ?? []);
    const told = this.chosen() ?? targets.find(({ line, next }) => !line && !next) ?? null;
    this.tell(action, targets, told);
    this.showMap(subjects, seconds.length ? seconds : targets);
  }

  /**
   * @param {Action | undefined} action
   * @param {Target[]} targets
   * @param {Target | null} told
   */
  tell(action, targets, told) {
    const nothing = action && !targets.length && !action.place ? "Nowhere, as things stand." : "";
    const text = told ? told.label : nothing;
    if (this.tells.textContent !== text) this.tells.textContent = text;
    this.add.hidden = !this.subject;
  }

  /** @param {Extra[]} extras */
  showExtras(extras) {
    const wanted = extras.map(({ id }) => id).join(" ");
    if (this.extraFields.dataset.shown === wanted && (extras.length === 0 || Object.keys(this.extras).length)) return;
    this.extraFields.dataset.shown = wanted;
    this.extraFields.replaceChildren(...extras.map((extra) => this.extraField(extra)));
  }

  /** @param {Extra} extra */
  extraField({ id, label, min = 0, max = 0, choices }) {
    const input = choices ? make("select", { id: `compose-${id}` }, ...choices.map((each) => make("option", { value: each }, each))) : make("input", { id: `compose-${id}`, type: "number", min: String(min), max: String(max), inputmode: "numeric" });
    input.addEventListener("input", () => {
      // `1e1` is a number to a browser, but not in an order.
      this.extras[id] = input.type === "number" && input.value ? String(Number(input.value)) : input.value;
    });
    return field(label, input);
  }

  // The map

  /**
   * @param {Subject[]} subjects
   * @param {Target[]} targets
   */
  showMap(subjects, targets) {
    /** @type {Element[]} */
    const shapes = [];
    for (const ring of this.reading?.rings?.(this.subject, this.action) ?? []) {
      shapes.push(drawn("circle", { class: "ring", cx: String(ring.x), cy: String(ring.y), r: String(ring.radius) }));
    }
    for (const { id, spot } of subjects) {
      if (spot) shapes.push(this.spot(spot, `mine${id === this.subject ? " on" : ""}`, "subject", id));
    }
    const point = this.placed ? this.game.pointOf?.(this.placeInput.value) : null;
    if (point) shapes.push(drawn("circle", { class: "to on", cx: String(point.x), cy: String(point.y), r: "7" }));
    // Whoever may be walked to stands in the list: on the map a place is meant.
    for (const { id, spots, short } of this.placed ? [] : targets) {
      for (const spot of spots) {
        shapes.push(this.spot(spot, `to${[this.first, this.target].includes(id) ? " on" : ""}`, "target", id));
        const { x, y } = this.game.shape(spot);
        shapes.push(drawn("text", { class: "num", x: String(x), y: String(y + 5) }, short));
      }
    }
    const spots = targets.flatMap((target) => target.spots);
    this.svg.replaceChildren(...shapes);
    const view = this.viewOf(spots, subjects).join(" ");
    for (const svg of [this.map, this.svg]) if (svg.getAttribute("viewBox") !== view) svg.setAttribute("viewBox", view);
  }

  /**
   * The whole map; where there is little room, what can be chosen and its surroundings.
   * @param {string[]} spots
   * @param {Subject[]} subjects
   */
  viewOf(spots, subjects) {
    const { view } = this.game;
    const own = subjects.filter(({ id, spot }) => spot && id === this.subject).map(({ spot }) => spot);
    const places = [...spots, ...own].map((spot) => this.game.shape(spot));
    if (!spots.length || !matchMedia(NARROW).matches) return view;
    const xs = places.map(({ x }) => x);
    const ys = places.map(({ y }) => y);
    const side = Math.min(view[2], Math.max(260, Math.max(...xs) - Math.min(...xs) + 100, Math.max(...ys) - Math.min(...ys) + 100));
    const middle = [(Math.max(...xs) + Math.min(...xs)) / 2, (Math.max(...ys) + Math.min(...ys)) / 2];
    return [Math.round(middle[0] - side / 2), Math.round(middle[1] - side / 2), Math.round(side), Math.round(side)];
  }

  /**
   * @param {string} spot
   * @param {string} css
   * @param {string} kind
   * @param {string} id
   */
  spot(spot, css, kind, id) {
    const { points, x, y } = this.game.shape(spot);
    const shape = points ? drawn("polygon", { points, class: css }) : drawn("circle", { cx: String(x), cy: String(y), r: String(SPOT), class: css });
    shape.setAttribute("data-kind", kind);
    shape.setAttribute("data-id", id);
    return shape;
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const shape = event.target instanceof Element ? event.target.closest("[data-kind]") : null;
    const id = shape?.getAttribute("data-id") ?? "";
    if (shape?.getAttribute("data-kind") === "target") this.clickedTarget(id);
    else if (shape) this.choose(id === this.subject ? "" : id);
    else if (this.placed && this.game.placeAt) this.clickedPlace(event, this.game.placeAt);
  }

  /** @param {string} id */
  clickedTarget(id) {
    const { first } = this.offered();
    if (first?.next) this.chooseSecond(id);
    else this.chooseTarget(id);
    if (this.chosen()?.line) this.addLine();
  }

  /**
   * @param {MouseEvent} event
   * @param {(x: number, y: number) => string} placeAt
   */
  clickedPlace(event, placeAt) {
    const matrix = this.svg.getScreenCTM();
    if (!matrix) return;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const place = placeAt(x, y);
    if (!place) return;
    this.placeInput.value = place;
    this.placeTyped();
    this.add.focus();
  }
}
