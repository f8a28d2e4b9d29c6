// The paper as its own pages: pictures of them, with a box around every sentence.
//
// Every page has its place from the start. Pages near the window get their picture and boxes, and pages far from it
// lose them again, so that a long paper needs no more memory than a short one.

import { all, around, bringToView, el, elementOf, flashOnce, inWindow, need } from "./dom.js";
import { MOST_PICTURES } from "./asking.js";
import { badgeOf } from "./items.js";
import { lastAtMost } from "./paper.js";
/** @import { Item, KnownPaper, Picture } from "./types" */
/** @import { Asking } from "./asking.js" */
/** @import { PaperText } from "./paper.js" */

const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3];
const WIDTH_STEP = 160; // pixels; nearly equal widths share a picture
const WIDEST = 2400;
const BOXES_AT_ONCE = 8; // pages

export class Pages {
  /** @type {PaperText} */ text;
  /** @type {KnownPaper} */ paper;
  /** @type {Set<number>} */ filled;
  /** @type {Map<number, Item>} */ items;
  /** @type {number | null} */ current;
  /** @type {number | null} */ awaited;

  /** @param {HTMLElement} node @param {Asking} asking */
  constructor(node, asking) {
    this.node = node;
    this.asking = asking;
    this.column = need(node, ".column");
    this.pane = /** @type {HTMLElement} */ (node.parentElement);
    this.bar = need(this.pane, ".sideways");
    for (const [one, other] of [[node, this.bar], [this.bar, node]]) {
      one.addEventListener("scroll", () => { other.scrollLeft = one.scrollLeft; }, { passive: true });
    }
    this.zoom = 1;
    /** @type {HTMLElement[]} */
    this.sheets = [];
    this.column.addEventListener("pointerover", (event) => this.#point(elementOf(event)?.closest(".box")?.getAttribute("data-i")));
    this.column.addEventListener("pointerleave", () => this.#point());
  }

  /** @param {PaperText} text */
  show(text) {
    this.text = text; // the same paper as text, which knows sections and page numbers
    this.paper = text.data;
    this.filled = new Set(); // pages with picture and boxes
    this.items = new Map(); // sentence index -> item
    this.current = null;
    this.awaited = null; // the sentence to show once its box is known
    const sizes = this.paper.pageSizes;
    this.sheets = sizes.map(([width, height], at) => this.#sheet(at + 1, width, height));
    this.column.replaceChildren(...this.sheets.map((sheet, at) => el("figure", {}, sheet, el("figcaption", {}, `${at + 1} of ${sizes.length}`))));
  }

  /** @param {number} page @param {number} width @param {number} height */
  #sheet(page, width, height) {
    const sheet = el("div", { class: "sheet", "data-page": page });
    sheet.style.aspectRatio = `${width} / ${height}`;
    return sheet;
  }

  // Fill the pages near the reader, empty the others, and ask for what is missing.
  follow() {
    if (!this.node.clientHeight) return;
    if (this.awaited !== null && this.#knows(this.awaited)) this.bring(this.awaited, true);
    /** @param {HTMLElement} sheet */
    const topOf = (sheet) => sheet.getBoundingClientRect().top;
    const from = Math.max(0, lastAtMost(this.sheets, -innerHeight, topOf)) + 1;
    const to = Math.max(from, lastAtMost(this.sheets, 2 * innerHeight, topOf) + 1);
    for (const page of this.filled) if (page < from || page > to) this.#empty(page);
    const { page: middle } = this;
    const near = Array.from({ length: to - from + 1 }, (_, at) => from + at);
    near.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle) || b - a).splice(MOST_PICTURES);
    for (const page of near) this.#fill(page);
    this.#ask(near);
  }

  // One picture at a time, with its boxes, so that it is shown before the next is drawn; then the boxes of sentences
  // that the reader may jump to.
  /** @param {number[]} near */
  #ask(near) {
    const wanted = this.sheets[0].clientWidth * devicePixelRatio;
    const width = Math.min(WIDEST, Math.max(1, Math.ceil(wanted / WIDTH_STEP)) * WIDTH_STEP);
    const pictures = near.filter((page) => (this.asking.picture(page)?.width ?? 0) < width).slice(0, 1);
    const ahead = [...this.items.keys()].map((index) => this.text.pageOf(index)).filter((page) => page !== null);
    const boxes = [...new Set(pictures.length ? pictures : [...near, ...ahead])]
      .filter((page) => !this.paper.boxes.has(page))
      .slice(0, BOXES_AT_ONCE);
    if (pictures.length || boxes.length) this.asking.ask({ pictures, width, boxes });
  }

  /** @param {number} index */
  #knows(index) {
    return this.paper.boxes.has(this.text.pageOf(index) ?? 0);
  }

  /** @param {number} page */
  #fill(page) {
    const sheet = this.sheets[page - 1];
    const picture = this.asking.picture(page);
    const [old = null] = all(sheet, ":scope > .picture");
    if (picture && old?.dataset.width !== String(picture.width)) this.#setPicture(sheet, page, picture, old);
    if (!this.filled.has(page)) this.asking.touch(page);
    this.filled.add(page);
    const known = this.paper.boxes.get(page);
    if (!known || sheet.querySelector(".boxes")) return;
    const boxes = known.map(([index, left, top, width, height]) => {
      const box = el("div", { class: "box", "data-i": index });
      for (const [side, share] of Object.entries({ left, top, width, height })) box.style.setProperty(side, `${100 * share}%`);
      return box;
    });
    sheet.append(el("div", { class: "boxes" }, ...boxes));
    this.#mark(sheet);
  }

  // The old picture stays until the new one is ready, so that a page does not flicker when its size changes.
  /** @param {HTMLElement} sheet @param {number} page @param {Picture} picture @param {HTMLElement | null} old */
  #setPicture(sheet, page, { width, source }, old) {
    const alt = `Page ${page} of ${this.sheets.length}`;
    const picture = source
      ? el("img", { class: "picture", src: source, alt, draggable: "false" })
      : el("p", { class: "picture" }, "This page cannot be drawn. Its words are in the text view.");
    picture.dataset.width = String(width);
    sheet.prepend(picture);
    const drawn = picture instanceof HTMLImageElement ? picture.decode().catch(() => {}) : Promise.resolve(); // taken away before it was decoded
    drawn.then(() => old?.remove());
  }

  /** @param {number} page */
  #empty(page) {
    this.filled.delete(page);
    this.sheets[page - 1].replaceChildren();
  }

  /** @param {Item[]} items */
  showMarks(items) {
    this.items = new Map(items.map((item) => [item.index, item]));
    for (const page of this.filled) this.#mark(this.sheets[page - 1]);
  }

  /** @param {HTMLElement} sheet */
  #mark(sheet) {
    markSheet(sheet, this.items, this.current, this.text);
  }

  /** @param {number} index @param {{ flash: boolean }} how */
  setCurrent(index, { flash }) {
    this.current = index;
    for (const box of all(this.column, ".box")) {
      const here = Number(box.dataset.i) === index;
      box.classList.toggle("current", here);
      box.classList.remove("flash");
      if (here && flash) flashOnce(box);
    }
  }

  // Highlight all lines of the sentence under the pointer, which a click would choose.
  /** @param {string | null} [index] */
  #point(index) {
    for (const box of all(this.column, ".box")) box.classList.toggle("pointed", box.dataset.i === index);
  }

  // The boxes of a sentence, the first one first; its page is filled for this. If no box is known, the page itself.
  /** @param {number} index */
  elementsOf(index) {
    const page = this.#pageOf(index);
    if (page === null) return [];
    this.#fill(page);
    const sheet = this.sheets[page - 1];
    const boxes = all(sheet, `.box[data-i="${index}"]`);
    return boxes.length ? boxes : [sheet];
  }

  /** @param {number} index */
  #pageOf(index) {
    const named = this.text.pageOf(index) ?? 0;
    for (const page of [named, named + 1]) {
      if (this.paper.boxes.get(page)?.some(([other]) => other === index)) return page;
    }
    return this.sheets[named - 1] ? named : null;
  }

  /** @param {number} index @param {boolean} [still] */
  bring(index, still) {
    this.awaited = this.#knows(index) ? null : index;
    const boxes = this.elementsOf(index);
    if (!boxes.length) return;
    this.#bringAcross(boxes);
    bringToView(boxes[0], still);
  }

  // Scroll sideways so that all lines of a sentence are visible, or at least their beginning. For enlarged pages.
  /** @param {HTMLElement[]} boxes */
  #bringAcross(boxes) {
    const { left, right } = around(boxes.map((box) => box.getBoundingClientRect()));
    const pane = this.node.getBoundingClientRect();
    const room = 24; // pixels, for the sign before a line
    if (right > pane.right) this.node.scrollLeft += right - pane.right + room;
    const begins = left - (right > pane.right ? right - pane.right + room : 0);
    if (begins < pane.left + room) this.node.scrollLeft += begins - pane.left - room;
  }

  /** @param {number} page */
  goTo(page) {
    this.awaited = null;
    const sheet = this.sheets[Math.min(this.sheets.length, Math.max(1, page)) - 1];
    sheet.scrollIntoView({ block: "start", behavior: "instant" });
  }

  // The page in the middle of the window.
  get page() {
    return Math.max(0, lastAtMost(this.sheets, innerHeight / 2, (sheet) => sheet.getBoundingClientRect().top)) + 1;
  }

  // The first sentence at or below the height `y` of the window, on the page there.
  /** @param {number} y */
  indexAt(y) {
    const at = Math.max(0, lastAtMost(this.sheets, y, (sheet) => sheet.getBoundingClientRect().top));
    const { top, height } = this.sheets[at].getBoundingClientRect();
    const share = (y - top) / (height || 1);
    const below = (this.paper.boxes.get(at + 1) ?? []).filter((box) => box[2] >= share).map(([index]) => index);
    return below.length ? Math.min(...below) : this.text.firstAfterPage(share < 0.5 ? at : at + 1);
  }

  // Zoom in or out. The current sentence, or else what is in the middle of the window, is kept in the middle.
  /** @param {number} direction */
  resize(direction) {
    const at = ZOOMS.indexOf(this.zoom) + direction;
    if (!(at in ZOOMS)) return;
    const current = all(this.column, ".box.current").find((box) => inWindow(box.getBoundingClientRect()));
    const sheet = this.sheets[this.page - 1];
    const { top, height } = sheet.getBoundingClientRect();
    const middle = el("span", { class: "middle" });
    middle.style.top = `${(100 * (innerHeight / 2 - top)) / height}%`;
    sheet.append(middle);
    this.zoom = ZOOMS[at];
    this.pane.style.setProperty("--zoom", String(this.zoom));
    (current ?? middle).scrollIntoView({ block: "center", behavior: "instant" });
    if (current) this.#bringAcross(this.elementsOf(Number(current.dataset.i)));
    middle.remove();
  }
}

// ---- Marks ----
// The marks on a page of the PDF: attributes of boxes, and signs in the margin.

// `items` are the marked ones by sentence, `current` is the current sentence, `text` the same paper as text.
/** @param {HTMLElement} sheet @param {Map<number, Item>} items @param {number | null} current @param {PaperText} text */
function markSheet(sheet, items, current, text) {
  const begun = new Set();
  /** @type {PlacedSign[]} */
  const placed = []; // the signs on this page
  for (const box of all(sheet, ".box")) {
    const index = Number(box.dataset.i);
    const item = items.get(index);
    box.replaceChildren();
    for (const name of ["data-group", "data-state", "data-gold", "tabindex", "role", "aria-label"]) box.removeAttribute(name);
    box.classList.toggle("current", index === current);
    box.title = item ? `${item.name} · ${text.place(index)}` : text.place(index);
    if (item) markBox(box, item);
    if (item && !begun.has(index)) signBox(box, item, text, placed);
    begun.add(index);
  }
}

/** @param {HTMLElement} box @param {Item} item */
function markBox(box, item) {
  box.dataset.group = item.group;
  if (item.state) box.dataset.state = item.state;
  if (item.gold) box.dataset.gold = item.gold;
}

// The first box of a sentence represents all its boxes: it holds the sign, and the keyboard reaches it.
/** @param {HTMLElement} box @param {Item} item @param {PaperText} text @param {PlacedSign[]} placed */
function signBox(box, item, text, placed) {
  box.append(badgeOf(item));
  placeBadge(box, placed);
  box.tabIndex = 0;
  box.setAttribute("role", "mark");
  box.setAttribute("aria-label", `${item.name}: ${text.data.sentences[item.index]}`);
}

/** @typedef {{ start: number, middle: number }} PlacedSign */

const WORD_GAP = 0.012; // of a page's width; less than the gap between two columns

// Put a sign into the margin beside its sentence's first line, below any sign that is already there.
/** @param {HTMLElement} box @param {PlacedSign[]} placed */
function placeBadge(box, placed) {
  /** @param {HTMLElement} box */
  const place = ({ style }) => Object.fromEntries(["left", "top", "width", "height"].map((side) => [side, parseFloat(style.getPropertyValue(side)) / 100]));
  const { left, top, width, height } = place(box);
  const onLine = all(/** @type {HTMLElement} */ (box.parentElement), ".box").map(place).filter((other) => Math.abs(other.top - top) < height / 2);
  let start = left;
  for (const other of onLine.sort((a, b) => b.left - a.left)) {
    if (other.left < start && other.left + other.width > start - WORD_GAP) start = other.left;
  }
  start = Math.max(start, 0.03); // otherwise the sign would lie outside the page
  let middle = top + height / 2;
  while (placed.some((other) => Math.abs(other.start - start) < 0.03 && Math.abs(other.middle - middle) < 0.9 * height)) middle += height;
  placed.push({ start, middle });
  box.style.setProperty("--margin", `${(100 * (start - left)) / width}%`);
  box.style.setProperty("--beside", `${(100 * (middle - top)) / height}%`);
}
