// The reading pane: the paper as text or, where it is a PDF, as its pages. What is done with a sentence is the same.

import { around, inWindow } from "./dom.js";
import { PaperText } from "./paper.js";
import { Pages } from "./pages.js";

let preferred = "text"; // how PDFs are shown; outlives a switch of the page

export class Reading {
  constructor(node, asking) {
    this.node = node;
    this.head = node.querySelector(".reading-head");
    this.field = node.querySelector(".page-field");
    this.text = new PaperText(node.querySelector(".paper"));
    this.pages = new Pages(node.querySelector(".pages"), asking);
    this.field.addEventListener("input", (event) => event.stopPropagation()); // no hypothesis is being typed
    this.field.addEventListener("change", () => {
      if (/^\d{1,6}$/.test(this.field.value.trim())) this.pages.goTo(Number(this.field.value));
      this.field.blur();
    });
  }

  show(paper) {
    this.text.show(paper);
    this.pages.show(this.text);
    this.current = null;
    const count = paper.pageSizes.length;
    this.head.hidden = count === 0;
    this.node.querySelector(".page-count").textContent = ` of ${count}`;
    this.#set(count ? preferred : "text");
  }

  #set(view) {
    this.view = view;
    this.node.dataset.view = view;
    for (const button of this.head.querySelectorAll("[data-view]")) {
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
    return this.node.querySelector(this.view === "pages" ? ".pages" : ".paper");
  }

  get height() {
    return this.#article.clientHeight;
  }

  get top() {
    return this.#article.getBoundingClientRect().top;
  }

  // To the other view, with the sentence that is being worked on, or read, in the window again.
  turn(view = this.other) {
    if (view !== this.other || view === null) return;
    const line = this.current === null ? null : this.lineOf(this.current);
    const working = line && inWindow(line);
    const reading = this.top < 0 ? Math.round(this.indexAt(innerHeight / 3)) : null;
    preferred = view;
    this.#set(view);
    if (working) this.shown.bring(this.current, true);
    else if (reading !== null) this.returnTo(reading);
  }

  showMarks(items) {
    this.text.showMarks(items);
    this.pages.showMarks(items);
  }

  setCurrent(index, { scroll, flash }) {
    this.current = index;
    if (scroll) this.shown.bring(index);
    this.text.setCurrent(index, { flash });
    this.pages.setCurrent(index, { flash });
    const [node] = this.shown.elementsOf(index);
    if (!node?.hasAttribute("tabindex")) node?.setAttribute("tabindex", "-1");
    node?.focus({ preventScroll: true });
  }

  returnTo(index) {
    this.shown.elementsOf(index)[0]?.scrollIntoView({ block: "start", behavior: "instant" });
  }

  // Where the first line of a sentence is in the window; null where it is not drawn.
  lineOf(index) {
    return this.shown.elementsOf(index)[0]?.getClientRects()[0] ?? null;
  }

  // How far a sentence reaches to the left and to the right, all its lines together.
  breadthOf(index) {
    return around(this.shown.elementsOf(index).flatMap((node) => [...node.getClientRects()]));
  }

  indexAt(y) {
    return this.shown.indexAt(y);
  }

  resize(direction) {
    if (this.view !== "pages") return;
    this.pages.resize(direction);
    this.follow();
  }

  follow() {
    if (this.view !== "pages") return;
    this.pages.follow();
    if (!this.field.matches(":focus")) this.field.value = this.pages.page;
    this.node.querySelector(".zoom").textContent = `${Math.round(100 * this.pages.zoom)}%`;
  }
}

// ---- The reader's place ----
// Where the reader is in the paper: shown on the strip, and gone back to.

const readTo = new Map(); // paper -> the sentence at the top of the window; outlives a switch of the page

export class ReaderPlace {
  constructor(root, reading, strip) {
    this.root = root;
    this.reading = reading;
    this.strip = strip;
    this.side = root.querySelector(".side");
    this.opening = null; // the paper on the desk
    this.kept = true; // whether where the reader is will be gone back to
    this.slide = Infinity; // where the side stands in the window, in pixels from its top
    this.at = 0; // where the desk stood when the side was last put in its place
    this.still = 0; // until then, in milliseconds, the side stays where it is
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
    return performance.now() < this.still ? 0 : this.at - before;
  }

  // A side that is taller than the window moves with the paper until its end is in view, and back until its top is.
  #slideBy(pixels) {
    const top = parseFloat(getComputedStyle(this.root).fontSize) * 1.25;
    this.slide = Math.max(Math.min(top, innerHeight - this.side.offsetHeight - top), Math.min(top, this.slide + pixels));
    this.side.style.setProperty("--slide", `${this.slide}px`);
  }

  // The side stays where it is while the paper is brought to a sentence.
  stayBeside() {
    this.still = performance.now() + 1000;
  }

  // The side begins at its top again.
  toTheTopOfSide() {
    this.#slideBy(Infinity);
  }

  // A part of the side comes into the window, as far as the side can move.
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
    for (let box = this.root.getRootNode().host; box; box = box.parentElement) box.scrollTop = 0;
  }

  toTheDesk() {
    this.root.scrollIntoView({ block: "start", behavior: "instant" });
  }
}
