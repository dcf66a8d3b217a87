/** The map's tools: nearer and farther, its layers, and the turn played back on it. */

import { make, pageData } from "./dom.js";
import { Playback } from "./playback.js";
import { View } from "./view.js";

/** Put the tools over the map; without them it is whole and complete. */
export function startMap() {
  const figure = document.getElementById("mapfig");
  const frame = figure?.querySelector(".stick");
  const svg = frame?.querySelector("svg");
  const data = pageData("map");
  if (!figure || !(frame instanceof HTMLElement) || !svg || !data) return;
  const view = new View(frame, svg);
  const tools = make("div", { class: "maptools noprint", role: "group", "aria-label": "Tools of the map" });
  tools.append(make("div", { class: "tools" }, ...view.buttons));
  if (data.layers) tools.append(layers(data.layers));
  const rows = Array.from(document.querySelectorAll("#round .wz li"));
  const playback = data.steps && data.steps.length === rows.length ? new Playback(data, rows) : null;
  if (playback) tools.append(...playback.controls());
  figure.insertBefore(tools, frame);
  // Paper has the whole map, as the turn left it.
  window.addEventListener("beforeprint", () => {
    view.show(view.home);
    playback?.stop(playback.last);
  });
}

/**
 * A box for each layer, checked while it is shown.
 * @param {[string, ...string[]][]} named
 */
function layers(named) {
  const boxes = named.map(([title, ...ids]) => {
    const box = make("input", { type: "checkbox" });
    box.checked = true;
    box.addEventListener("change", () => {
      for (const id of ids) document.getElementById(`m-${id}`)?.classList.toggle("hid", !box.checked);
    });
    return make("label", {}, box, title);
  });
  return make("fieldset", { class: "layers" }, make("legend", { class: "vh" }, "Layers of the map"), ...boxes);
}
