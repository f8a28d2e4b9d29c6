// Rows of a table: the first are drawn at once, and further ones when the last comes into view.

const ROWS_AT_ONCE = 60;

// `label`: the name of its column, which is shown with it in a narrow window.
const cell = (label, ...content) => el("td", { "data-label": label }, ...content);

class DrawnRows {
  constructor(body, draw) {
    this.body = body;
    this.draw = draw; // (item) -> its row
    this.items = [];
    this.count = 0; // rows that are drawn
    this.end = el("div", { class: "more" }); // to stand behind the table
    new IntersectionObserver(([seen]) => seen.isIntersecting && this.drawMore()).observe(this.end);
  }

  // `keep`: as many as are drawn now, that the page does not jump.
  show(items, { keep = false } = {}) {
    const count = keep ? Math.max(ROWS_AT_ONCE, this.count) : ROWS_AT_ONCE;
    this.items = items;
    this.count = 0;
    this.body.replaceChildren();
    this.drawMore(count);
  }

  drawMore(count = ROWS_AT_ONCE) {
    const next = this.items.slice(this.count, this.count + count);
    this.body.append(...next.map(this.draw));
    this.count += next.length;
    this.end.hidden = this.count === this.items.length;
  }

  // Draw the rows up to this one.
  reach(place) {
    if (place >= this.count) this.drawMore(place + 1 - this.count);
  }
}
