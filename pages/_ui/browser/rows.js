// The rows of a table: the first ones are drawn at once, further ones when the end comes into view.

import { el, renew } from "./dom.js";
/** @import { Child } from "./types" */

const ROWS_AT_ONCE = 60;

// `label` is the name of the column, shown with the cell in a narrow window.
/** @param {string} label @param {...(Child)} content */
export const cell = (label, ...content) => el("td", { "data-label": label }, ...content);

/** @template Row */
export class DrawnRows {
  /** @param {HTMLElement} body @param {(row: Row) => HTMLElement} draw */
  constructor(body, draw) {
    this.body = body;
    this.draw = draw; // (item) -> its row, with a unique `data-key`
    /** @type {Row[]} */
    this.items = [];
    this.count = 0; // rows drawn so far
    this.end = el("div", { class: "more" }); // belongs behind the table
    new IntersectionObserver(([seen]) => seen.isIntersecting && this.drawMore()).observe(this.end);
  }

  // With `keep`, as many rows as now are drawn, so that the page does not jump. An unchanged row is not rebuilt.
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

  // Draw all rows up to this one.
  /** @param {number} place */
  reach(place) {
    if (place >= this.count) this.drawMore(place + 1 - this.count);
  }
}
