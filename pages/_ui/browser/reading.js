// The reading pane: the paper as text or, where it is a PDF, as its pages. What is done with a sentence is the same.

import { all, around, inWindow, need } from "./dom.js";
import { PaperText } from "./paper.js";
import { Pages } from "./pages.js";
/** @import { Item, KnownPaper } from "./types" */
/** @import { Asking } from "./asking.js" */
/** @import { Strip } from "./paper.js" */

let preferred = "text"; // how PDFs are shown; outlives a switch of the page

export class Reading {
  /** @type {number | null} */ current;
  /** @type {string} */ view;

  /** @param {HTMLElement} node @param {Asking} asking */
  constructor(node, asking) {
    this.node = node;
    this.head = need(node, ".reading-head");
    this.field = need(node, ".page-field", HTMLInputElement);
    this.text = new PaperText(need(node, ".paper"));
    this.pages = new Pages(need(node, ".pages"), asking);
    this.field.addEventListener("input", (event) => event.stopPropagation()); // no hypothesis is being typed
    this.field.addEventListener("change", () => {
      if (/^\d{1,6}$/.test(this.field.value.trim())) this.pages.goTo(Number(this.field.value));
      this.field.blur();
    });
  }

  /** @param {KnownPaper} paper */
  show(paper) {
    this.text.show(paper);
    this.pages.show(this.text);
    this.current = null;
    const count = paper.pageSizes.length;
    this.head.hidden = count === 0;
    need(this.node, ".page-count").textContent = ` of ${count}`;
    this.#set(count ? preferred : "text");
  }

  /** @param {string} view */
  #set(view) {
    this.view = view;
    this.node.dataset.view = view;
    for (const button of all(this.head, "[data-view]")) {
      button.setAttribute("aria-pressed", String(button.dataset.view === view));
    }
  }

  get shown() {
    return this.view === "pages" ? this.pages : this.text;
  }

  // The view that is not shown; null where there is one only.
  get other() {
    if (this.head.hidden) return null;
    return this.view === "text" ? "pages" : "text";
  }

  get #article() {
    return need(this.node, this.view === "pages" ? ".pages" : ".paper");
  }

  get height() {
    return this.#article.clientHeight;
  }

  get top() {
    return this.#article.getBoundingClientRect().top;
  }

  // To the other view, with the sentence that is being worked on, or read, in the window again.
  /** @param {string | null} view */
  turn(view = this.other) {
    if (view !== this.other || view === null) return;
    const line = this.current === null ? null : this.lineOf(this.current);
    const working = line && inWindow(line) ? this.current : null;
    const reading = this.top < 0 ? Math.round(this.indexAt(innerHeight / 3)) : null;
    preferred = view;
    this.#set(view);
    if (working !== null) this.shown.bring(working, true);
    else if (reading !== null) this.returnTo(reading);
  }

  /** @param {Item[]} items */
  showMarks(items) {
    this.text.showMarks(items);
    this.pages.showMarks(items);
  }

  /** @param {number} index @param {{ scroll: boolean, flash: boolean }} how */
  setCurrent(index, { scroll, flash }) {
    this.current = index;
    if (scroll) this.shown.bring(index);
    this.text.setCurrent(index, { flash });
    this.pages.setCurrent(index, { flash });
    const [node] = this.shown.elementsOf(index);
    if (!node?.hasAttribute("tabindex")) node?.setAttribute("tabindex", "-1");
    node?.focus({ preventScroll: true });
  }

  /** @param {number} index */
  returnTo(index) {
    this.shown.elementsOf(index)[0]?.scrollIntoView({ block: "start", behavior: "instant" });
  }

  // Where the first line of a sentence is in the window; null where it is not drawn.
  /** @param {number} index */
  lineOf(index) {
    return this.shown.elementsOf(index)[0]?.getClientRects()[0] ?? null;
  }

  // How far a sentence reaches to the left and to the right, all its lines together.
  /** @param {number} index */
  breadthOf(index) {
    return around(this.shown.elementsOf(index).flatMap((node) => [...node.getClientRects()]));
  }

  /** @param {number} y */
  indexAt(y) {
    return this.shown.indexAt(y);
  }

  /** @param {number} direction */
  resize(direction) {
    if (this.view !== "pages") return;
    this.pages.resize(direction);
    this.follow();
  }

  follow() {
    if (this.view !== "pages") return;
    this.pages.follow();
    if (!this.field.matches(":focus")) this.field.value = String(this.pages.page);
    need(this.node, ".zoom").textContent = `${Math.round(100 * this.pages.zoom)}%`;
  }
}

// ---- The reader's place ----
// Where the reader is in the paper: shown on the strip, and gone back to.

/** @type {Map<string, number>} */
const readTo = new Map(); // paper -> the sentence at the top of the window; outlives a switch of the page

export class ReaderPlace {
  /** @type {string} */ opening; // the paper on the desk

  /** @param {HTMLElement} root @param {Reading} reading @param {Strip} strip */
  constructor(root, reading, strip) {
    this.root = root;
    this.reading = reading;
    this.strip = strip;
    this.side = need(root, ".side");
    this.kept = true; // whether where the reader is will be gone back to
    this.slide = Infinity; // where the side stands in the window, in pixels from its top
    this.at = 0; // where the desk stood when the side was last put in its place
    this.still = 0; // until then, in milliseconds, the side stays where it is
    this.jumped = false; // whether the desk has yet to be followed since the paper was brought to a sentence
  }

  follow() {
    const top = this.strip.node.getBoundingClientRect().top;
    if (!this.root.clientHeight || !this.reading.height) return; // not to be seen, or about to go
    // The list ends where the window ends, wherever it begins: what is revealed in it can be seen.
    this.side.style.setProperty("--above", `${Math.max(0, this.side.getBoundingClientRect().top)}px`);
    this.#slideBy(this.#moved());
    const first = this.reading.indexAt(Math.max(top, 0));
    this.strip.showReader(first, this.reading.indexAt(innerHeight) + 1);
    if (this.kept && this.reading.top < 0) readTo.set(this.opening, Math.round(first));
    else if (this.kept) readTo.delete(this.opening);
    this.reading.follow();
  }

  // How far the desk has moved in the window since the side was last put in its place: 0 where the reader jumped.
  #moved() {
    const before = this.at;
    this.at = this.root.getBoundingClientRect().top;
    const jumping = this.jumped || performance.now() < this.still; // a slow machine may draw the jump late
    this.jumped = false;
    return jumping ? 0 : this.at - before;
  }

  // A side that is taller than the window moves with the paper until its end is in view, and back until its top is.
  /** @param {number} pixels */
  #slideBy(pixels) {
    const top = parseFloat(getComputedStyle(this.root).fontSize) * 1.25;
    this.slide = Math.max(Math.min(top, innerHeight - this.side.offsetHeight - top), Math.min(top, this.slide + pixels));
    this.side.style.setProperty("--slide", `${this.slide}px`);
  }

  // The side stays where it is while the paper is brought to a sentence.
  stayBeside() {
    this.still = performance.now() + 1000;
    this.jumped = true;
  }

  // The side begins at its top again.
  toTheTopOfSide() {
    this.#slideBy(Infinity);
  }

  // A part of the side comes into the window, as far as the side can move.
  /** @param {Element} node */
  reveal(node) {
    const { top, bottom } = node.getBoundingClientRect();
    if (top < 0) this.#slideBy(-top + 16);
    else if (bottom > innerHeight) this.#slideBy(innerHeight - bottom - 16);
  }

  // To the sentence that was read last.
  goBack() {
    const last = readTo.get(this.opening);
    if (last !== undefined) requestAnimationFrame(() => this.reading.returnTo(last));
  }

  // Another item on the same desk is read from its beginning.
  toTheTop() {
    readTo.delete(this.opening);
    if (this.root.getBoundingClientRect().top < 0) this.toTheDesk();
  }

  // What stands above the desk comes first: the page begins at its top.
  toTheControls() {
    const root = this.root.getRootNode();
    for (let box = root instanceof ShadowRoot ? root.host : null; box; box = box.parentElement) box.scrollTop = 0;
  }

  toTheDesk() {
    this.root.scrollIntoView({ block: "start", behavior: "instant" });
  }
}
