// Engines compared: who chose which sentence, shown by letters, and filters for the marked and listed sentences.

import { el, need, renew } from "./dom.js";
/** @import { ComparedSentence, ComparingView, Filter, Item } from "./types" */

/** @type {Map<string, string>} */
const chosenFilters = new Map(); // question -> the chosen filter's id; kept when the page changes

export class Comparing {
  /** @type {string} */ question;
  /** @type {Filter[]} */ filters;
  /** @type {Item[]} */ items;

  /** @param {HTMLElement} root @param {() => void} turned */
  constructor(root, turned) {
    this.node = need(root, ".filters");
    this.turned = turned; // called when another filter is chosen
  }

  /** @param {string} question @param {ComparingView} view */
  show(question, { items, filters }) {
    this.question = question;
    this.filters = filters;
    const shown = new Set(this.filter.indices);
    this.items = items.filter(({ index }) => shown.has(index)).map(comparedItem);
    renew(this.node, ...this.filters.map((filter) => this.#button(filter)));
  }

  get filter() {
    return this.filters.find(({ id }) => id === chosenFilters.get(this.question)) ?? this.filters[0];
  }

  /** @param {number} direction */
  step(direction) {
    const at = this.filters.indexOf(this.filter) + direction;
    if (this.filters[at]) this.#choose(this.filters[at].id);
  }

  /** @param {string} id */
  #choose(id) {
    chosenFilters.set(this.question, id);
    this.turned();
  }

  /** @param {Filter} filter */
  #button({ id, label, title, indices }) {
    return el(
      "button",
      {
        type: "button",
        class: "filter",
        "data-key": id,
        title,
        "aria-pressed": String(id === this.filter.id),
        onclick: () => this.#choose(id),
      },
      label,
      el("b", {}, ` ${indices.length}`),
    );
  }
}

// An item in the form that `itemsOf` returns. Nothing can be decided here.
/** @param {ComparedSentence} sentence @returns {Item} */
function comparedItem({ index, group, letters, notes, gold, goldWord }) {
  const sign = letters || "○";
  const name = [letters ? `Chosen by ${[...letters].join(" and ")}` : "Gold", goldWord].filter(Boolean).join(", ");
  return { index, group, notes, gold, goldWord, sign, name, noun: "Sentence", state: null, fixed: true };
}
