// The verdicts on an item as buttons and keys. An exclusion is one when its reason is given, so it is asked for first.

class Verdicts {
  constructor(root, { give, changed, busy }) {
    const find = (selector) => root.querySelector(selector);
    this.root = root;
    this.buttons = find(".verdicts");
    this.reasons = find(".reasons");
    this.other = find(".other-reason");
    this.give = give; // (verdict, reason)
    this.changed = changed; // what depends on the panel is to be drawn again
    this.busy = busy; // whether a verdict is on its way, or another item
    this.asking = false; // whether the reason of an exclusion is asked for
    this.other.addEventListener("input", (event) => event.stopPropagation());
    this.other.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      event.stopPropagation();
      if (this.other.value.trim()) this.#exclude(this.other.value.trim());
    });
  }

  // Another item is on the desk.
  begin() {
    this.asking = false;
    this.other.value = "";
  }

  // `chosen`: the verdict and the reason that stand now.
  show({ mode, reasons, item }, chosen) {
    this.known = reasons;
    this.unexplained = !item.isPaper; // title and abstract may be turned down without a reason
    renew(this.buttons, ...Object.keys(VERDICT_SIGNS).map((name) => this.#button(name, chosen)));
    const settledOn = mode === "settle" && chosen.verdict === "exclude" ? [el("p", { class: "reasons-head" }, `Reason: ${chosen.reason || "none"}`)] : [];
    renew(this.reasons, ...(this.asking ? this.#choices(chosen) : settledOn));
    this.reasons.hidden = !this.reasons.childElementCount;
    this.other.hidden = !this.asking;
  }

  #button(name, { verdict }) {
    return el(
      "button",
      {
        type: "button",
        class: "verdict-choice",
        "data-verdict": name,
        "data-key": `verdict-${name}`,
        "aria-pressed": String(this.asking ? name === "exclude" : verdict === name),
        "aria-expanded": name === "exclude" ? String(this.asking) : null,
        disabled: this.busy(),
        onclick: () => this.choose(name),
      },
      el("span", { class: "verdict-sign", "aria-hidden": "true" }, VERDICT_SIGNS[name]),
      VERDICT_WORDS[name],
      el("kbd", {}, name[0]),
    );
  }

  // The reasons to exclude for, by their numbers.
  #choices({ reason }) {
    const one = (words, key, given) =>
      el("button", { type: "button", class: "reason-choice", "data-key": `reason-${words}`, "aria-pressed": String(given !== "" && reason === given), onclick: () => this.#exclude(given) }, key === null ? null : el("kbd", {}, key), ` ${words}`);
    return [
      el("p", { class: "reasons-head" }, "Why? ", el("span", { class: "note" }, "Number, click, or another reason below")),
      el("div", { class: "reason-list" }, ...this.known.map((words, place) => one(words, place < 9 ? String(place + 1) : null, words)), this.unexplained ? one("No reason", "0", "") : null),
    ];
  }

  // A verdict by its button or key.
  choose(name) {
    if (this.busy()) return;
    if (name === "exclude" && !this.asking) {
      this.asking = true;
      this.changed();
      this.reasons.scrollIntoView({ block: "nearest" });
      return;
    }
    if (name === "exclude") this.asking = false;
    else this.#give(name, "");
    this.changed();
  }

  #exclude(reason) {
    this.#give("exclude", reason);
    this.changed();
  }

  #give(verdict, reason) {
    if (this.busy()) return;
    this.asking = false;
    this.root.getRootNode().activeElement?.blur();
    this.give(verdict, reason);
  }

  // A number key: the reason that has it.
  digit(key) {
    if (!this.asking) return;
    const reason = key === "0" ? (this.unexplained ? "" : undefined) : this.known[Number(key) - 1];
    if (reason !== undefined) this.#exclude(reason);
  }

  // Escape: no exclusion after all.
  back() {
    if (!this.asking) return;
    this.asking = false;
    this.changed();
  }
}
