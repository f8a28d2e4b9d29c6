// The strip beside the paper: its sections as bands, its evidence as marks, and where the reader is.

class Strip {
  constructor(node, onJump) {
    this.node = node;
    this.onJump = onJump;
    this.bands = el("div", { class: "bands" });
    this.marks = el("div", { class: "marks" });
    this.here = el("div", { class: "here", "aria-hidden": "true" });
    node.append(this.bands, this.here, this.marks);
  }

  showSections(paper) {
    const own = ownSections(paper.sections);
    this.count = own.length ? own[own.length - 1].last + 1 : 1;
    this.bands.replaceChildren(...topLevel(own).map((band) => this.#band(band)));
  }

  #band({ title, kind, first, last }) {
    const label = `${title}: ${plural(last - first + 1, "sentence")}`;
    const name = el("span", { class: "name" }, kind === "other" ? "" : kind);
    const tip = el("span", { class: "tip" }, label);
    const band = el(
      "button",
      { type: "button", class: "band", "data-kind": kind, "aria-label": `Go to ${label}`, onclick: () => this.onJump(first) },
      name,
      tip,
    );
    band.style.top = this.#percent(first);
    band.style.height = this.#percent(last - first + 1);
    return band;
  }

  #percent(sentences) {
    return `${(100 * sentences) / this.count}%`;
  }

  showMarks(items) {
    renew(this.marks, ...items.filter((item) => item.group !== "spare").map((item) => this.#mark(item)));
  }

  #mark({ index, sign, name, group, state, gold }) {
    const mark = el("button", {
      type: "button",
      class: "mark",
      "data-i": index,
      "data-group": group,
      "data-state": state,
      "data-gold": gold,
      title: name,
      "aria-label": name,
      tabindex: "-1", // the list offers the same jumps to the keyboard
      onclick: () => this.onJump(index),
    });
    mark.append(el("span", {}, sign));
    mark.style.top = this.#percent(index + 0.5);
    return mark;
  }

  showReader(from, to) {
    this.here.style.top = this.#percent(Math.min(from, this.count));
    this.here.style.height = this.#percent(Math.max(0, to - from));
  }
}

// Runs of sections under one top-level heading; neighbours of the same kind (abstract parts) are one band.
function topLevel(sections) {
  const bands = [];
  for (const section of sections) {
    const band = bands[bands.length - 1];
    if (band && section.level > 1) band.last = section.last;
    else bands.push({ title: section.title, kind: section.kind, first: section.first, last: section.last });
  }
  return bands;
}
