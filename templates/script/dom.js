/**
 * Small tools that every module of the pages uses. Nothing here reads text as HTML: what players
 * wrote stays text, whatever is in it.
 */

/**
 * A new element; its children are elements or text.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, string>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/**
 * A button that does something when it is pressed.
 * @param {string} text
 * @param {(button: HTMLButtonElement) => void} act
 * @param {Record<string, string>} [attributes]
 */
export function button(text, act, attributes = {}) {
  const made = make("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", () => act(made));
  return made;
}

/**
 * What Python put into the page's data block of this name; null if it has none.
 * @param {string} name
 * @returns {any}
 */
export function pageData(name) {
  const block = document.getElementById(`data-${name}`);
  return block ? JSON.parse(block.textContent || "null") : null;
}

/** @type {HTMLElement | null} */
let status = null;

/**
 * Say something to who listens to the page rather than sees it. One region serves the whole page.
 * @param {string} text
 */
export function announce(text) {
  if (!status) {
    status = make("div", { class: "vh", role: "status", "aria-live": "polite" });
    document.body.append(status);
  }
  status.textContent = text;
}
