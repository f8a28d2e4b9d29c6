// Where the reader is in the paper: shown on the strip, and gone back to.

const readTo = new Map(); // paper -> the sentence at the top of the window; outlives a switch of the page

class ReaderPlace {
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
