/** How composed orders leave the page: in a mail that the reader's own program begins, by the clipboard, as a file. */

import { field } from "./compose_parts.js";
import { announce, button, make } from "./dom.js";

/** Longer links are cut off by some mail programs. */
const LONGEST_LINK = 1900;

/** The fields and buttons for one order text. */
export class Sending {
  /** @param {Record<string, string>} header what the order template begins with, its key too */
  constructor(header) {
    this.header = header;
    this.text = "";
    this.ended = false;
    this.memory = `pbem ${header.game} address`;
    this.address = make("input", { id: "compose-to", type: "email", autocomplete: "email", spellcheck: "false" });
    this.address.value = remembered(this.memory);
    this.address.addEventListener("input", () => {
      remember(this.memory, this.address.value);
      this.show(this.text, this.ended);
    });
    this.link = make("a", { class: "send" }, "Send by mail");
    this.tooLong = make("p", { class: "capt" }, "This is too long for a mail begun by a link: copy it into one, or save it and attach the file.");
    const copy = button("Copy", () => this.copy());
    const save = button("Save as order file", () => this.save());
    this.part = make("div", { class: "sending" }, field("The GM’s address", this.address), this.tooLong, make("p", { class: "row-of" }, this.link, copy, save));
  }

  /** The order file: the template's header, the text, `end`. */
  file() {
    const header = ["game", "turn", "player", "key"].map((word) => `${word}: ${this.header[word] ?? ""}`);
    return [...header, "", this.text.trimEnd(), ...(this.ended ? [] : ["end"]), ""].join("\n");
  }

  /**
   * The link for a text, which ends by itself or not. Halves of signs are no text that could be sent.
   * @param {string} written
   * @param {boolean} ended
   */
  show(written, ended) {
    this.text = new TextDecoder().decode(new TextEncoder().encode(written));
    this.ended = ended;
    const { game, turn, player, key } = this.header;
    const subject = `${game} turn ${turn} ${player} ${key}`;
    const to = encodeURIComponent(this.address.value.trim()).replace(/%40/g, "@");
    const link = `mailto:${to}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(this.file().replace(/\n/g, "\r\n"))}`;
    const long = link.length > LONGEST_LINK;
    this.tooLong.hidden = !long;
    this.link.hidden = long;
    if (long) this.link.removeAttribute("href");
    else this.link.setAttribute("href", link);
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.file());
      announce("Copied: paste it into a mail to the GM.");
    } catch {
      this.copyByHand();
    }
  }

  /** Where the clipboard is not to be had, as on a page from a disk in some browsers. */
  copyByHand() {
    const area = make("textarea", { "aria-hidden": "true", class: "vh" });
    area.value = this.file();
    const before = document.activeElement;
    this.part.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    if (before instanceof HTMLElement) before.focus();
    announce(done ? "Copied: paste it into a mail to the GM." : "This browser does not let a page copy: save the file instead.");
  }

  save() {
    const address = URL.createObjectURL(new Blob([this.file()], { type: "text/plain" }));
    const link = make("a", { href: address, download: `${this.header.player}.txt` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
    announce(`Saved as ${this.header.player}.txt.`);
  }
}

/**
 * What this browser was told before; nothing where it keeps nothing.
 * @param {string} name
 */
function remembered(name) {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // It only saves typing: a browser that keeps nothing is asked again next time.
  }
}
