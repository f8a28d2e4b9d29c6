// The tools beside the sentence that was chosen: the decisions on it, and the way to its page or to the text.

class SentenceTools {
  constructor(node, reading, { decide, turnView }) {
    this.node = node;
    this.reading = reading;
    this.decide = decide;
    this.turnView = turnView;
  }

  get hidden() {
    return this.node.hidden;
  }

  hide() {
    this.node.hidden = true;
  }

  // `index` null: no sentence. `item`: what is decided on; null where there is nothing to decide.
  show(index, item) {
    const line = index === null ? null : this.reading.lineOf(index);
    this.node.hidden = !line || !(item || this.reading.other);
    if (this.node.hidden) return;
    const decisions = item ? decisionButtons(item, this.decide) : null;
    renew(this.node, ...[decisions, this.#turnButton(index)].filter(Boolean));
    this.#place(line, this.reading.breadthOf(index));
  }

  // Beside the sentence where there is room, as in another column; else above it.
  #place(line, { left, right }) {
    const pane = this.node.parentElement.getBoundingClientRect();
    const { offsetWidth: wide, offsetHeight: high } = this.node;
    const gap = 8;
    const beside = [right + gap, left - gap - wide - 24].find((x) => x >= pane.left && x + wide <= pane.right);
    const above = Math.max(pane.left, Math.min(line.left, pane.right - wide - gap));
    this.node.style.left = `${(beside ?? above) - pane.left}px`;
    this.node.style.top = `${line.top - pane.top - (beside === undefined ? high + 6 : (high - line.height) / 2)}px`;
  }

  // To the sentence's page, and back to the text.
  #turnButton(index) {
    const { other } = this.reading;
    if (!other) return null;
    const label = other === "pages" ? `On page ${this.reading.text.pageOf(index)}` : "In the text";
    return el("button", { type: "button", class: "decide", onclick: () => this.turnView(other) }, label);
  }
}
