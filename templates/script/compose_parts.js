/** Fields, lists and shapes that the order composer is made of. */

import { make } from "./dom.js";

const NAMESPACE = "http://www.w3.org/2000/svg";

/**
 * A form's field with its label.
 * @param {string} label
 * @param {HTMLElement} input
 */
export function field(label, input) {
  return make("div", { class: "field" }, make("label", { for: input.id }, label), input);
}

/**
 * @param {HTMLElement} labelled
 * @param {string} label
 */
export function rename(labelled, label) {
  const shown = labelled.querySelector("label");
  if (shown && shown.textContent !== label) shown.textContent = label;
}

/**
 * An element of a drawing.
 * @param {string} tag
 * @param {Record<string, string>} attributes
 * @param {string} text
 */
export function drawn(tag, attributes, text = "") {
  const made = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text) made.textContent = text;
  return made;
}

/**
 * The options of a list, in groups where they have some; it is left alone if they are there already.
 * @param {HTMLSelectElement} select
 * @param {{ id: string, label: string, group?: string }[]} options
 * @param {string} chosen
 */
export function fill(select, options, chosen) {
  const wanted = JSON.stringify(options.map(({ id, label }) => [id, label]));
  if (select.dataset.holds !== wanted) {
    select.dataset.holds = wanted;
    /** @type {Map<string, HTMLElement>} */
    const groups = new Map();
    select.replaceChildren(make("option", { value: "" }, "Choose…"));
    for (const { id, label, group } of options) {
      const option = make("option", { value: id }, label);
      if (!group) select.append(option);
      else {
        const under = groups.get(group) ?? make("optgroup", { label: group });
        groups.set(group, under);
        under.append(option);
      }
    }
    select.append(...groups.values());
  }
  select.value = chosen;
}

/** A choice of one among many, seen all at once: radio buttons, which arrow keys go through. */
export class Chips {
  /**
   * @param {string} name
   * @param {string} label
   * @param {(value: string) => void} act
   */
  constructor(name, label, act) {
    this.name = name;
    this.label = label;
    this.holds = "";
    this.part = make("div", { class: "chips" });
    this.part.addEventListener("change", (event) => {
      if (event.target instanceof HTMLInputElement) act(event.target.value);
    });
  }

  /**
   * Shows these options, one of them chosen or none; what is there already stays, and keeps the focus.
   * @param {{ id: string, label: string, group?: string }[]} options
   * @param {string} chosen
   */
  fill(options, chosen) {
    const focus = this.focused();
    const wanted = JSON.stringify(options.map(({ id, label }) => [id, label]));
    if (wanted !== this.holds) {
      this.holds = wanted;
      /** @type {Map<string, HTMLElement>} */
      const groups = new Map();
      for (const { id, label, group = this.label } of options) {
        const set = groups.get(group) ?? make("fieldset", {}, make("legend", {}, group));
        groups.set(group, set);
        set.append(make("label", { class: "chip" }, make("input", { type: "radio", name: this.name, value: id }), make("span", {}, label)));
      }
      this.part.replaceChildren(...groups.values());
    }
    for (const input of this.part.querySelectorAll("input")) {
      input.checked = input.value === chosen;
      if (input.value === focus && input !== document.activeElement) input.focus({ preventScroll: true });
    }
  }

  /** The value of the button that has the focus. */
  focused() {
    const here = document.activeElement;
    return here instanceof HTMLInputElement && this.part.contains(here) ? here.value : null;
  }
}
