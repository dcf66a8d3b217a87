/** Dice that the reader checks himself: every throw of the page is a button that makes it again. */

import { bytesOf, committed, hashes, hexOf, isDie, seedInUse, throwOf, utf8 } from "./dice.js";
import { announce, button, make, pageData } from "./dom.js";

/**
 * @typedef {{ key: string, sides: number, value: number }} Thrown
 * @typedef {{ number: number, shown: () => number, press: HTMLButtonElement, proof: HTMLElement | null }} Place
 */

const DAMAGED = 2e6;
const PAUSE = 400;

/**
 * What is checked may take a moment, and be asked again before it is told: only the last that was asked is told.
 * @returns {() => () => boolean} begins one, and gives what tells whether it still is the last
 */
function lastAsked() {
  let last = 0;
  return () => {
    const mine = (last += 1);
    return () => mine === last;
  };
}

/** Make the page's throws buttons, and put the tools for checking into its section on dice. */
export function startProof() {
  const section = document.getElementById("dice");
  const about = pageData("dice");
  if (section && about) new Proof(section, about).start();
}

class Proof {
  /**
   * @param {HTMLElement} section
   * @param {{ turn: number, attempt: number, more?: [string, number, number][], beacon?: string }} about
   */
  constructor(section, about) {
    this.section = section;
    this.about = about;
    this.by = hashes();
    this.checking = lastAsked();
    this.comparing = lastAsked();
    /** @type {Place[]} */
    this.places = [];
    /** @type {string | null} */
    this.pasted = null;
    // What each throw ought to be, once all are checked.
    /** @type {number[]} */
    this.values = [];
    this.rows = Array.from(document.querySelectorAll("#throws tbody tr"));
    /** @type {Thrown[]} */
    this.throws = this.rows.map((row) => {
      const [key, sides, value] = Array.from(row.children, (cell) => cell.textContent || "");
      return { key, sides: Number(sides), value: Number(value) };
    });
    for (const [key, sides, value] of about.more || []) this.throws.push({ key, sides, value });
  }

  start() {
    if (!this.throws.length && this.shown("seed") === null) return;
    for (const element of document.querySelectorAll("[data-t]")) {
      const numbers = (element.getAttribute("data-t") || "").split(" ").map(Number);
      const bold = element.querySelector("b");
      if (bold) {
        this.place(numbers[0], bold, element.closest(".att") || element);
      } else {
        for (const number of numbers) {
          const span = make("span", {}, String(this.throws[number].value));
          element.append(" ", span);
          this.place(number, span, element);
        }
      }
    }
    const list = document.getElementById("throws")?.closest("details");
    list?.addEventListener("toggle", () => this.list(), { once: true });
    this.section.append(this.tools());
  }

  /** The buttons of the table, made when it is opened: it may be long. */
  list() {
    this.rows.forEach((row, number) => {
      const cell = row.children[2];
      const span = make("span", {}, cell.textContent || "");
      cell.replaceChildren(span);
      this.place(number, span, row.children[0].children[0]);
    });
  }

  /**
   * Put a button in the place of a number.
   * @param {number} number
   * @param {Element} text
   * @param {Element} beside behind this it is shown what comes of checking
   */
  place(number, text, beside) {
    const shown = text.textContent || "";
    const press = button(shown, () => this.toggle(place, beside), {
      class: "throw",
      "aria-expanded": "false",
      "aria-label": `Check the throw ${shown}: ${this.throws[number].key}`,
    });
    /** @type {Place} */
    const place = { number, shown: () => Number(press.textContent), press, proof: null };
    text.replaceWith(press);
    this.places.push(place);
    if (this.values.length) this.mark(place, place.shown() === this.values[number]);
  }

  /**
   * Show how a throw comes about, or put that away again.
   * @param {Place} place
   * @param {Element} beside
   */
  async toggle(place, beside) {
    const open = place.proof;
    place.proof = open ? null : make("div", { class: "proof" });
    place.press.setAttribute("aria-expanded", String(!open));
    if (open) open.remove();
    if (!place.proof) return;
    const proof = place.proof;
    beside.after(proof);
    const { key, sides } = this.throws[place.number];
    const { right, said } = await this.check(key, sides, place.shown(), await this.seed());
    this.mark(place, right);
    proof.append(...said);
    announce(proof.textContent || "");
  }

  /**
   * What the page says of its dice, in the words that its reader sees.
   * @param {string} name
   */
  shown(name) {
    if (name === "beacon" && this.about.beacon !== undefined) return this.about.beacon;
    const found = this.section.querySelector(`[data-d="${name}"]`);
    return found ? found.textContent || "" : null;
  }

  /** The seed in use, null where none is known yet. */
  async seed() {
    const bytes = bytesOf(this.shown("seed") || this.pasted || "");
    return bytes && seedInUse(this.by, bytes, this.shown("beacon"));
  }

  /**
   * @param {string} key
   * @param {number} sides
   * @param {number} shown
   * @param {Uint8Array | null} seed
   * @returns {Promise<{ right: boolean | null, said: (Node | string)[] }>}
   */
  async check(key, sides, shown, seed) {
    if (!seed) {
      const why = this.shown("seed") === null ? "is not revealed yet" : "is not 64 hex digits";
      return { right: this.shown("seed") === null ? null : false, said: [`The seed of this turn ${why}.`] };
    }
    if (!isDie(sides)) return { right: false, said: ["A die has 1 to 65536 sides."] };
    const found = await throwOf(this.by, seed, key, sides);
    const right = found.value === shown;
    const at = (found.passed % 16) * 4;
    const limit = 65536 - (65536 % sides);
    const passed = found.passed ? ` Before it, ${found.passed} of ${limit} or more were passed over.` : "";
    return {
      right,
      said: [
        make("b", { class: right ? "ok" : "bad" }, right ? "Right. " : `Wrong: it should be ${found.value}. `),
        "Its key ",
        make("code", {}, key),
        ` under the seed${this.shown("beacon") === null ? "" : " in use"} gives `,
        make(
          "code",
          {},
          found.digest.slice(0, at),
          make("b", {}, found.digest.slice(at, at + 4)),
          found.digest.slice(at + 4),
        ),
        `, of which ${found.digest.slice(at, at + 4)} is ${found.number}; modulo ${sides}, plus 1: ${found.value}.`,
        passed,
      ],
    };
  }

  /**
   * @param {Place} place
   * @param {boolean | null} right
   */
  mark({ press, number }, right) {
    press.classList.toggle("ok", right === true);
    press.classList.toggle("bad", right === false);
    const what = right === null ? "Check the throw" : right ? "Right, the throw" : "Wrong, the throw";
    press.setAttribute("aria-label", `${what} ${press.textContent}: ${this.throws[number].key}`);
  }

  /** What serves the whole turn: all throws at once, and the commitment that somebody kept. */
  tools() {
    const turn = this.about.turn;
    const many = this.throws.length;
    const result = make("div", { class: "result" });
    const compared = make("div", { class: "result" });
    const all = many ? [button(many > 1 ? `Check all ${many} throws` : "Check the throw", () => this.all(result), { class: "tool" })] : [];
    const before = turn ? `the report of turn ${turn - 1}` : "what was published when the game was made";
    const kept = make("textarea", { id: "kept", rows: "2", spellcheck: "false", autocomplete: "off" });
    const file = make("input", { id: "kept-file", type: "file", accept: ".html,.json,.txt" });
    kept.addEventListener("input", () => this.compare(kept.value, compared));
    file.addEventListener("change", () => this.read(file.files, compared));
    const tools = make(
      "div",
      { class: "check checks noprint" },
      make("h3", {}, "Check it in this browser"),
      make("p", {}, `Nothing leaves this page. ${many ? "Each throw in it is a button that makes it again from its key." : ""}`),
      ...all,
      result,
      ...(this.shown("seed") === null ? this.unrevealed() : []),
      make("label", { for: "kept" }, `The commitment as you got it before: paste ${before}, its JSON, or the 64 digits`),
      kept,
      make("label", { for: "kept-file" }, "or choose its file, or drop it here"),
      file,
      compared,
      ...(many ? [this.trial()] : []),
    );
    tools.addEventListener("dragover", (event) => event.preventDefault());
    tools.addEventListener("drop", (event) => {
      event.preventDefault();
      const given = event.dataTransfer;
      if (given && !given.files.length) {
        kept.value = given.getData("text");
        this.compare(kept.value, compared);
      } else this.read(given && given.files, compared);
    });
    return tools;
  }

  /**
   * @param {HTMLElement} result
   * @param {boolean | null} right
   * @param {string} text
   */
  tell(result, right, text) {
    const kind = right === null ? "" : right ? "ok" : "bad";
    result.append(make("p", {}, make("b", { class: kind }, right === null ? "" : right ? "Right. " : "Wrong. "), text));
  }

  /**
   * Every throw of the page against the seed, and the seed against what the page says of it.
   * @param {HTMLElement} result
   */
  async all(result) {
    const last = this.checking();
    const seed = await this.seed();
    const told = make("div", {});
    await this.fits(told);
    if (!last()) return;
    result.replaceChildren(told);
    if (!seed) {
      announce(result.textContent || "");
      return;
    }
    const wrong = [];
    /** @type {number[]} */
    const values = [];
    for (const [number, { key, sides, value }] of this.throws.entries()) {
      if (number % PAUSE === PAUSE - 1) await new Promise((done) => setTimeout(done));
      if (!last()) return;
      const found = isDie(sides) ? await throwOf(this.by, seed, key, sides) : null;
      values.push(found ? found.value : 0);
      const shown = this.places.filter((place) => place.number === number);
      const right = found !== null && found.value === value;
      if (!right || shown.some((place) => place.shown() !== found.value)) wrong.push(key);
    }
    if (!last()) return;
    this.values = values;
    for (const place of this.places) this.mark(place, place.shown() === values[place.number]);
    const many = this.throws.length;
    const said = wrong.length
      ? `${wrong.length} of ${many} throws ${wrong.length > 1 ? "do" : "does"} not follow from the seed: ${wrong.slice(0, 5).join("; ")}.`
      : `${many > 1 ? `All ${many} throws follow` : "The throw follows"} from the seed, by ${this.by.name}.`;
    this.tell(told, !wrong.length, said);
    announce(result.textContent || "");
  }

  /**
   * Whether seed, commitment and secret, as the page shows them, belong together.
   * @param {HTMLElement} result
   */
  async fits(result) {
    const [shown, commitment] = [this.shown("seed"), this.shown("commitment") || ""];
    const seed = bytesOf(shown || this.pasted || "");
    if (seed) {
      const fits = hexOf(await this.by.sha256(seed)) === commitment.toLowerCase();
      this.tell(result, fits, fits ? "The seed fits the commitment on this page." : "The seed does not fit the commitment on this page.");
    } else if (shown === null) {
      this.tell(result, null, "The seed of this turn is not revealed yet.");
    } else {
      this.tell(result, false, "The seed on this page is not 64 hex digits.");
    }
    const secret = this.shown("secret");
    if (secret === null) return;
    const bytes = bytesOf(secret);
    const made = bytes && (await this.fromSecret(bytes));
    const right = made && (!seed || hexOf(made) === hexOf(seed));
    this.tell(result, !!right, right ? "The secret fits its SHA-256, and gives this seed." : "The secret does not give this seed.");
  }

  /**
   * The turn's seed from the game's secret; null if this is another secret.
   * @param {Uint8Array} secret
   */
  async fromSecret(secret) {
    const fits = hexOf(await this.by.sha256(secret)) === (this.shown("secret-hash") || "").toLowerCase();
    return fits ? this.by.hmac(secret, utf8(`turn ${this.about.turn} ${this.about.attempt}`)) : null;
  }

  /** For a turn whose seed stays hidden: a place for it, or for the secret, once one of them is published. */
  unrevealed() {
    const told = make("div", { class: "result" });
    const input = make("input", { id: "revealed", type: "text", spellcheck: "false", autocomplete: "off" });
    const asked = lastAsked();
    const take = async () => {
      const last = asked();
      const bytes = bytesOf(input.value.trim());
      const commitment = (this.shown("commitment") || "").toLowerCase();
      this.pasted = null;
      told.replaceChildren();
      if (!bytes) {
        if (input.value.trim()) this.tell(told, null, "Seed and secret are 64 hex digits.");
      } else {
        const seeds = [bytes, await this.fromSecret(bytes)];
        /** @type {string | null} */
        let found = null;
        for (const seed of seeds) {
          if (seed && hexOf(await this.by.sha256(seed)) === commitment) found = hexOf(seed);
        }
        if (!last()) return;
        this.pasted = found;
        const fits = found !== null;
        this.tell(told, fits, fits ? "It fits the commitment: now the throws can be checked." : "It does not fit the commitment on this page.");
      }
      announce(told.textContent || "");
    };
    input.addEventListener("input", take);
    const secret = this.shown("secret");
    if (secret !== null) {
      input.value = secret.trim();
      take();
    }
    return [make("label", { for: "revealed" }, "The seed of this turn, or the game’s secret, when it is published"), input, told];
  }

  /**
   * @param {FileList | null} files
   * @param {HTMLElement} compared
   */
  async read(files, compared) {
    if (!files || !files.length) return;
    const last = this.comparing();
    let text = "?";
    try {
      if (files[0].size < DAMAGED) text = await files[0].text();
    } catch (error) {
      // A folder, or what is gone by now, is no file.
      if (!(error instanceof DOMException)) throw error;
    }
    if (last()) await this.compare(text, compared);
  }

  /**
   * The seed against the commitment in what was kept.
   * @param {string} kept
   * @param {HTMLElement} compared
   */
  async compare(kept, compared) {
    const { turn, attempt } = this.about;
    const last = this.comparing();
    compared.replaceChildren();
    if (!kept.trim()) return;
    const found = committed(kept, turn);
    const seed = bytesOf(this.shown("seed") || this.pasted || "");
    if (!found || !bytesOf(found.digits)) {
      this.tell(compared, null, `There is no commitment to the seed of turn ${turn} in it.`);
    } else if (found.of !== turn) {
      this.tell(compared, null, `This commits to the seed of turn ${found.of}; that of turn ${turn} is wanted.`);
    } else {
      const digits = seed ? hexOf(await this.by.sha256(seed)) : (this.shown("commitment") || "").toLowerCase();
      if (!last()) return;
      const what = seed ? "The seed revealed here" : "The commitment on this page";
      const right = digits === found.digits;
      const again = attempt > 1 ? ` This is attempt ${attempt} of the turn: its commitment was published when it was reopened.` : "";
      this.tell(
        compared,
        right,
        right ? `${what} is the one that was committed to.` : `${what} is not the one that was committed to, ${found.digits}.${again}`,
      );
    }
    announce(compared.textContent || "");
  }

  /** A throw with other digits, for whoever wants to see a wrong one. */
  trial() {
    const { key, sides, value } = this.throws[0];
    /** @type {HTMLInputElement[]} */
    const inputs = [];
    const told = make("div", { class: "proof" });
    const fields = [["Seed", this.shown("seed") || ""], ["Key", key], ["Sides", String(sides)], ["Throw", String(value)]].map(([name, text]) => {
      const input = make("input", { type: "text", spellcheck: "false", autocomplete: "off" });
      input.value = text;
      inputs.push(input);
      return make("label", {}, name, input);
    });
    const asked = lastAsked();
    const take = async () => {
      const last = asked();
      const [seed, theKey, theSides, theValue] = inputs.map((input) => input.value);
      const bytes = bytesOf(seed.trim());
      /** @type {(Node | string)[]} */
      let said = ["The seed is 64 hex digits."];
      if (bytes) ({ said } = await this.check(theKey, Number(theSides), Number(theValue), await seedInUse(this.by, bytes, this.shown("beacon"))));
      if (!last()) return;
      told.replaceChildren(...said);
      announce(told.textContent || "");
    };
    for (const input of inputs) input.addEventListener("input", take);
    return make("details", {}, make("summary", {}, "Try other digits"), ...fields, told);
  }
}
