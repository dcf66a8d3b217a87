/** Fields, lists and shapes that the order composer is made of. */

import { make } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";

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
  const made = document.createElementNS(SVG, tag);
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
