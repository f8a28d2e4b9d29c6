// The reading pane: the paper as text or, where it is a PDF, as its pages. What is done with a sentence is the same.

let preferred = "text"; // how PDFs are shown; outlives a switch of the page

class Reading {
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
