// The reading pane: the paper as text or, for a PDF, as its pages. Both handle sentences in the same way.

import { all, around, inWindow, need } from "./dom.js";
import { PaperText } from "./paper.js";
import { Pages } from "./pages.js";
/** @import { Item, KnownPaper } from "./types" */
/** @import { Asking } from "./asking.js" */
/** @import { Strip } from "./paper.js" */

let preferred = "text"; // how PDFs are shown; kept when the page changes

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

  // The view that is not shown; null if there is only one.
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

  // Switch to the other view, and keep the current sentence (or the one being read) in the window.
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
    if (scroll) this.shown.bring(index);
    this.mark(index, { flash });
    const [node] = this.shown.elementsOf(index);
    if (!node?.hasAttribute("tabindex")) node?.setAttribute("tabindex", "-1");
    node?.focus({ preventScroll: true });
  }

  /** @param {number} index @param {{ flash: boolean }} how */
  mark(index, { flash }) {
    this.current = index;
    this.text.setCurrent(index, { flash });
    this.pages.setCurrent(index, { flash });
  }

  /** @param {number} index */
  returnTo(index) {
    this.shown.elementsOf(index)[0]?.scrollIntoView({ block: "start", behavior: "instant" });
  }

  // The rectangle of a sentence's first line in the window; null if it is not drawn.
  /** @param {number} index */
  lineOf(index) {
    return this.shown.elementsOf(index)[0]?.getClientRects()[0] ?? null;
  }

  // The horizontal extent of all lines of a sentence.
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
// The reader's place in the paper: shown on the strip, and restored later.

/** @type {Map<string, number>} */
const readTo = new Map(); // paper -> the sentence at the top of the window; kept when the page changes

export class ReaderPlace {
  /** @type {string} */ opening; // the paper on the desk

  /** @param {HTMLElement} root @param {Reading} reading @param {Strip} strip */
  constructor(root, reading, strip) {
    this.root = root;
    this.reading = reading;
    this.strip = strip;
    this.side = need(root, ".side");
    this.kept = true; // whether the reader's place will be restored
    this.slide = Infinity; // the top of the side in the window, in pixels
    this.at = 0; // where the desk was when the side was last placed
    this.still = 0; // time in milliseconds until which the side does not move
    this.jumped = false; // whether the paper was brought to a sentence since the desk was last followed
  }

  follow() {
    const top = this.strip.node.getBoundingClientRect().top;
    if (!this.root.clientHeight || !this.reading.height) return; // hidden, or about to be removed
    // The list ends at the bottom of the window, so that revealed entries are visible.
    this.side.style.setProperty("--above", `${Math.max(0, this.side.getBoundingClientRect().top)}px`);
    this.#slideBy(this.#moved());
    const first = this.reading.indexAt(Math.max(top, 0));
    this.strip.showReader(first, this.reading.indexAt(innerHeight) + 1);
    if (this.kept && this.reading.top < 0) readTo.set(this.opening, Math.round(first));
    else if (this.kept) readTo.delete(this.opening);
    this.reading.follow();
  }

  // How far the desk has moved in the window since the side was last placed; 0 if the reader has jumped.
  #moved() {
    const before = this.at;
    this.at = this.root.getBoundingClientRect().top;
    const jumping = this.jumped || performance.now() < this.still; // a slow machine may draw the jump late
    this.jumped = false;
    return jumping ? 0 : this.at - before;
  }

  // A side taller than the window moves with the paper until its end is visible, and back until its top is.
  /** @param {number} pixels */
  #slideBy(pixels) {
    const top = parseFloat(getComputedStyle(this.root).fontSize) * 1.25;
    this.slide = Math.max(Math.min(top, innerHeight - this.side.offsetHeight - top), Math.min(top, this.slide + pixels));
    this.side.style.setProperty("--slide", `${this.slide}px`);
  }

  // Keep the side in place while the paper is brought to a sentence.
  stayBeside() {
    this.still = performance.now() + 1000;
    this.jumped = true;
  }

  // Show the top of the side again.
  toTheTopOfSide() {
    this.#slideBy(Infinity);
  }

  // Bring a part of the side into the window, as far as the side can move.
  /** @param {Element} node */
  reveal(node) {
    const { top, bottom } = node.getBoundingClientRect();
    if (top < 0) this.#slideBy(-top + 16);
    else if (bottom > innerHeight) this.#slideBy(innerHeight - bottom - 16);
  }

  // Return to the sentence that was read last.
  goBack() {
    const last = readTo.get(this.opening);
    if (last !== undefined) requestAnimationFrame(() => this.reading.returnTo(last));
  }

  // Start at the beginning for another item on the same desk.
  toTheTop() {
    readTo.delete(this.opening);
    if (this.root.getBoundingClientRect().top < 0) this.toTheDesk();
  }

  // Scroll the page to its top, to show the controls above the desk.
  toTheControls() {
    const root = this.root.getRootNode();
    for (let box = root instanceof ShadowRoot ? root.host : null; box; box = box.parentElement) box.scrollTop = 0;
  }

  toTheDesk() {
    this.root.scrollIntoView({ block: "start", behavior: "instant" });
  }
}
