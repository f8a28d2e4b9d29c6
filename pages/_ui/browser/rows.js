// Rows of a table: the first are drawn at once, and further ones when the last comes into view.

import { el, renew } from "./dom.js";
/** @import { Child } from "./types" */

const ROWS_AT_ONCE = 60;

// `label`: the name of its column, which is shown with it in a narrow window.
/** @param {string} label @param {...(Child)} content */
export const cell = (label, ...content) => el("td", { "data-label": label }, ...content);

/** @template Row */
export class DrawnRows {
  /** @param {HTMLElement} body @param {(row: Row) => HTMLElement} draw */
  constructor(body, draw) {
    this.body = body;
    this.draw = draw; // (item) -> its row, with a `data-key` of its own
    /** @type {Row[]} */
    this.items = [];
    this.count = 0; // rows that are drawn
    this.end = el("div", { class: "more" }); // to stand behind the table
    new IntersectionObserver(([seen]) => seen.isIntersecting && this.drawMore()).observe(this.end);
  }

  // `keep`: as many as are drawn now, that the page does not jump. A row that stays in its place is not built anew.
  /** @param {Row[]} items @param {{ keep?: boolean }} [how] */
  show(items, { keep = false } = {}) {
    const count = keep ? Math.max(ROWS_AT_ONCE, this.count) : ROWS_AT_ONCE;
    const first = items.slice(0, count);
    this.items = items;
    renew(this.body, ...first.map(this.draw));
    this.#drawn(first.length);
  }

  drawMore(count = ROWS_AT_ONCE) {
    const next = this.items.slice(this.count, this.count + count);
    this.body.append(...next.map(this.draw));
    this.#drawn(this.count + next.length);
  }

  /** @param {number} count */
  #drawn(count) {
    this.count = count;
    this.end.hidden = count === this.items.length;
  }

  // Draw the rows up to this one.
  /** @param {number} place */
  reach(place) {
    if (place >= this.count) this.drawMore(place + 1 - this.count);
  }
}
