// Where the reader is in the paper: shown on the strip, and gone back to.

const readTo = new Map(); // paper -> the sentence at the top of the window; outlives a switch of the page

class ReaderPlace {
  constructor(root, reading, strip) {
    this.root = root;
    this.reading = reading;
    this.strip = strip;
    this.side = root.querySelector(".side");
    this.opening = null; // the paper on the desk
  }

  follow() {
    const top = this.strip.node.getBoundingClientRect().top;
    if (!this.root.clientHeight || !this.reading.height) return; // not to be seen, or about to go
    // The list ends where the window ends, wherever it begins: what is revealed in it can be seen.
    this.side.style.setProperty("--above", `${Math.max(0, this.side.getBoundingClientRect().top)}px`);
    const first = this.reading.indexAt(Math.max(top, 0));
    this.strip.showReader(first, this.reading.indexAt(innerHeight) + 1);
    if (this.reading.top < 0) readTo.set(this.opening, Math.round(first));
    else readTo.delete(this.opening);
    this.reading.follow();
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

  toTheDesk() {
    this.root.scrollIntoView({ block: "start", behavior: "instant" });
  }
}
