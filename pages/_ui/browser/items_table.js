// The table of a project's items. The search text and the chosen filter stay while the data changes.

import { el, need, renew } from "./dom.js";
import { cell } from "./rows.js";
/** @import { Choose, Component, ItemRow, ItemsData } from "./types" */

const AT_ONCE = 200; // rows; the others are drawn on request

const SIGNS = { include: "✓", exclude: "✕", unsure: "?", hidden: "•" };
const WORDS = { include: "Include", exclude: "Exclude", unsure: "Unsure", hidden: "Decided" };
const FINAL = { include: "Included", exclude: "Excluded" };

/** @type {Record<string, { label: string, about?: string, test: (item: ItemRow, me: number) => boolean }>} */
const SHOWN = {
  all: { label: "All", test: () => true },
  mine: { label: "Undecided", about: "You have not decided on them yet", test: (item, me) => me >= 0 && !item.verdicts[me] },
  included: { label: "Included", about: "In the end: settled, or all reviewers agree", test: ({ final }) => final === "include" },
  excluded: { label: "Excluded", about: "In the end: settled, or all reviewers agree", test: ({ final }) => final === "exclude" },
  unsure: { label: "Unsure", about: "A reviewer is unsure, and nothing is settled", test: ({ verdicts, final }) => !final && verdicts.includes("unsure") },
  conflicts: { label: "Conflicts", about: "Reviewers differ, and have settled nothing", test: ({ conflict }) => conflict },
};

/** @param {ItemRow["verdicts"][number]} verdict @param {Record<string, string>} words */
function verdictBadge(verdict, words = WORDS) {
  if (!verdict) return el("span", { class: "verdict" }, "–");
  return el("span", { class: "verdict", "data-verdict": verdict, title: verdict === "hidden" ? "Shown once you have decided" : null }, el("span", { class: "sign", "aria-hidden": "true" }, SIGNS[verdict]), words[verdict]);
}

class Items {
  /** @type {ItemsData} */ data;
  /** @type {Choose} */ choose;
  /** @type {number} */ me;

  /** @param {HTMLElement} node */
  constructor(node) {
    this.shown = "all";
    this.words = "";
    this.most = AT_ONCE;
    this.field = el("input", { type: "search", placeholder: "Search", "aria-label": "Search the items", oninput: () => this.#search() });
    this.tabs = el("div", { class: "tabs", role: "group", "aria-label": "Which items" });
    this.head = el("thead");
    this.body = el("tbody");
    this.none = el("p", { class: "none", role: "status" });
    this.more = el("button", { type: "button", class: "more", onclick: () => this.#all() });
    node.replaceChildren(el("div", { class: "tools" }, this.tabs, this.field), el("table", {}, this.head, this.body), this.none, this.more);
  }

  /** @param {ItemsData} data @param {Choose} choose */
  update(data, choose) {
    this.choose = choose;
    this.data = data;
    this.me = data.reviewers.indexOf(data.me ?? "");
    const names = data.reviewers.map((name) => el("th", { scope: "col" }, name === data.me ? `${name} (you)` : name));
    renew(this.head, el("tr", {}, el("th", { scope: "col" }, "Paper or reference"), ...names, el("th", { scope: "col" }, "Final")));
    this.#draw();
  }

  #search() {
    this.words = this.field.value.toLowerCase();
    this.#draw();
  }

  /** @param {string} name */
  #turn(name) {
    this.shown = name;
    this.most = AT_ONCE;
    this.#draw();
  }

  #all() {
    this.most = Infinity;
    this.#draw();
  }

  #draw() {
    const { items } = this.data;
    /** @param {string} name */
    const those = (name) => items.filter((item) => SHOWN[name].test(item, this.me));
    const kinds = Object.keys(SHOWN).filter((name) => name !== "mine" || this.me >= 0);
    /** @param {string} name */
    const tab = (name) =>
      el("button", { type: "button", "data-key": name, title: SHOWN[name].about, "aria-pressed": String(name === this.shown), onclick: () => this.#turn(name) }, `${SHOWN[name].label} `, el("span", { class: "count" }, those(name).length.toLocaleString("en")));
    renew(this.tabs, ...kinds.map(tab));
    const found = those(this.shown).filter(({ title, citation }) => `${title} ${citation}`.toLowerCase().includes(this.words));
    renew(this.body, ...found.slice(0, this.most).map((item) => this.#row(item)));
    this.none.textContent = found.length ? "" : items.length ? "Nothing is like this." : "Nothing to screen yet.";
    this.more.hidden = found.length <= this.most;
    this.more.textContent = `Show all ${found.length.toLocaleString("en")}`;
  }

  /** @param {ItemRow} item */
  #row(item) {
    const { id, title, citation, isPaper, verdicts, final, reason, conflict } = item;
    const { reviewers } = this.data;
    const said = [citation, isPaper ? null : "Title and abstract"].filter(Boolean).join(" · ");
    const end = conflict ? el("button", { type: "button", class: "conflicts", onclick: () => this.choose(["settle", id]) }, "≠ Settle") : verdictBadge(final, FINAL);
    return el(
      "tr",
      { "data-item": id, "data-key": id },
      el("th", { scope: "row" }, el("button", { type: "button", class: "open", onclick: () => this.choose(["open", id]) }, title), said ? el("span", { class: "citation" }, said) : null),
      ...reviewers.map((name, number) => cell(name, verdictBadge(verdicts[number]))),
      el("td", { "data-label": "Final", class: "final" }, end, reason ? el("span", { class: "reason" }, reason) : null),
    );
  }
}

/** @param {Component<ItemsData>} component */
export default function ({ data, parentElement, setTriggerValue }) {
  /** @type {HTMLElement & { items?: Items }} */
  const root = need(parentElement, ".papers");
  root.items ??= new Items(root);
  root.items.update(data, (value) => setTriggerValue("chosen", value));
}
