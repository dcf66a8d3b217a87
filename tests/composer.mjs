// What the order composer answers, for the tests to hold against Python's answers.
//
//     node tests/composer.mjs flux < jobs > answers
//
// A job is a line of JSON: a position's data as its page has it, and texts. Each text is answered by how its
// lines read and what could be added to it.

import { createInterface } from "node:readline";
import { fluxComposer } from "../templates/flux/script/composer.js";
import { magicComposer } from "../templates/magic/script/composer.js";

const makers = { flux: fluxComposer, magic: magicComposer };

function offered(reading) {
  const all = [];
  for (const { id: subject } of reading.subjects) {
    for (const { id: action } of reading.actions(subject)) {
      for (const target of reading.targets(subject, action)) {
        for (const last of target.next ?? [target]) {
          all.push({ subject, action, at: [target.id, ...(target.next ? [last.id] : [])], line: reading.line(last, {}), label: last.label });
        }
      }
    }
  }
  return all;
}

function answer(game, { text, offers, places = [] }) {
  try {
    const reading = game.read(text);
    return {
      lines: reading.lines,
      status: reading.status,
      offers: offers ? offered(reading) : [],
      places: places.map(([subject, action, place]) => reading.place(subject, action, place)),
    };
  } catch (error) {
    if (error.constructor.name !== "BadSheet") throw error;
    return { refused: error.message };
  }
}

const make = makers[process.argv[2]];
for await (const line of createInterface({ input: process.stdin })) {
  const { data, texts } = JSON.parse(line);
  const game = make(data);
  process.stdout.write(JSON.stringify(texts.map((text) => answer(game, text))) + "\n");
}
