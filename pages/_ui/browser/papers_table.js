// The table of a project's papers. The search text and the chosen filter stay while the data changes.

import { el, need, renew } from "./dom.js";
import { cell, DrawnRows } from "./rows.js";
/** @import { Choose, Component, PaperRow, PapersData, ReferenceRow } from "./types" */

/** @type {Record<string, { label: string, test: (paper: PaperRow, me: number, domains: number) => boolean }>} */
const SHOWN = {
  all: { label: "All", test: () => true },
  mine: { label: "To do", test: (paper, me, domains) => me >= 0 && !paper.excluded && paper.done[me] < domains },
  conflicts: { label: "Conflicts", test: (paper) => paper.conflicts > 0 },
  final: { label: "Settled", test: (paper, me, domains) => paper.final === domains },
  textless: { label: "No full text", test: () => false },
};

// A reviewer's progress as a bar and in words.
/** @param {number} done @param {number} of */
function progress(done, of) {
  const sign = done === of ? "✓ " : "";
  const bar = el("span", { class: "bar", "aria-hidden": "true" }, el("span", { style: `width: ${(100 * done) / of}%` }));
  return el("span", { class: "progress", "data-complete": done === of ? "true" : null }, `${sign}${done} of ${of}`, bar);
}

let begun = 0; // the number of Python's last request to show certain papers

class Papers {
  /** @type {PapersData} */ data;
  /** @type {Choose} */ choose;
  /** @type {number} */ me;

  /** @param {HTMLElement} node */
  constructor(node) {
    this.shown = "all";
    this.words = "";
    this.field = el("input", { type: "search", placeholder: "Search", "aria-label": "Search the papers", oninput: () => this.#search() });
    this.tabs = el("div", { class: "tabs", role: "group", "aria-label": "Which papers" });
    this.body = el("tbody");
    this.head = el("thead");
    this.none = el("p", { class: "none", role: "status" });
    this.rows = new DrawnRows(this.body, (paper) => (paper.done ? this.#row(paper) : this.#reference(paper)));
    node.replaceChildren(el("div", { class: "tools" }, this.tabs, this.field), el("table", {}, this.head, this.body), this.none, this.rows.end);
  }

  /** @param {PapersData} data @param {Choose} choose */
  update(data, choose) {
    this.data = data;
    this.choose = choose;
    this.me = data.reviewers.indexOf(data.me ?? "");
    const [number, shown] = data.begin;
    if (number > begun) this.shown = shown;
    begun = number;
    const names = data.reviewers.map((name) => el("th", { scope: "col" }, name === data.me ? `${name} (you)` : name));
    renew(
      this.head,
      el("tr", {}, el("th", { scope: "col" }, "Paper"), ...names, el("th", { scope: "col" }, "Settled"), el("th", { scope: "col" }, "Conflicts"), el("th", {}, el("span", { class: "unseen" }, "Delete"))),
    );
    this.#draw({ keep: true });
  }

  #search() {
    this.words = this.field.value.toLowerCase();
    this.#draw();
  }

  /** @param {{ keep?: boolean }} [how] */
  #draw(how) {
    const { papers, domains, references } = this.data;
    /** @param {string} name */
    const those = (name) => [
      ...papers.filter((paper) => SHOWN[name].test(paper, this.me, domains)),
      ...(name === "all" ? references : name === "textless" ? references.filter((one) => !one.excluded) : []),
    ];
    const kinds = Object.keys(SHOWN).filter((name) => (name !== "mine" || this.me >= 0) && (name !== "textless" || references.length));
    if (!kinds.includes(this.shown)) this.shown = "all";
    renew(
      this.tabs,
      ...kinds.map((name) =>
        el("button", { type: "button", "data-show": name, "data-key": name, "aria-pressed": String(name === this.shown), onclick: () => this.#turn(name) }, `${SHOWN[name].label} `, el("span", { class: "count" }, String(those(name).length))),
      ),
    );
    const found = those(this.shown).filter((one) => `${one.study} ${one.title} ${one.citation} ${one.outcome ?? ""}`.toLowerCase().includes(this.words));
    this.rows.show(found, how);
    this.none.textContent = found.length ? "" : papers.length || references.length ? "No paper is like this." : "No papers yet.";
  }

  /** @param {string} name */
  #turn(name) {
    this.shown = name;
    this.#draw();
  }

  // A reference without its paper: it cannot be judged yet. An excluded one needs no paper.
  /** @param {ReferenceRow} reference */
  #reference({ id, title, citation, note, notice, excluded }) {
    const open = el("button", { type: "button", class: "open", onclick: () => this.choose(["reference", id, ""]) }, title);
    const columns = this.data.reviewers.length + 3;
    const missing = excluded ? [] : [el("span", { class: "chip" }, "No full text yet"), note ? el("span", { class: "citation" }, note) : null];
    return el(
      "tr",
      { "data-reference": id, "data-key": id },
      el("th", { scope: "row" }, open, notice ? el("span", { class: "notice" }, `! ${notice}`) : null, citation ? el("span", { class: "citation" }, citation) : null, excluded ? el("span", { class: "citation" }, excluded) : null),
      el("td", { colspan: columns, class: "textless" }, ...missing),
    );
  }

  /** @param {PaperRow} paper */
  #row(paper) {
    const { reviewers, domains, matched } = this.data;
    const { id, title, citation, notice, outcome, first, done, final, conflicts, excluded } = paper;
    const open = el("button", { type: "button", class: "open", onclick: () => this.choose(["open", id, outcome]) }, title);
    const remove = el("button", { type: "button", class: "remove", title: "Delete", "aria-label": `Delete ${title}`, onclick: () => this.choose(["remove", id, outcome]) }, "✕");
    return el(
      "tr",
      { "data-paper": id, "data-outcome": outcome || null, "data-key": `${id} ${outcome}` },
      el(
        "th",
        { scope: "row" },
        open,
        notice ? el("span", { class: "notice" }, `! ${notice}`) : null,
        outcome ? el("span", { class: "outcome" }, outcome) : null,
        citation ? el("span", { class: "citation" }, citation) : null,
        excluded ? el("span", { class: "citation" }, excluded) : null,
        ...((first && matched[id]) || []).map(([reference, words]) => el("button", { type: "button", class: "citation matched", onclick: () => this.choose(["reference", reference, ""]) }, words)),
      ),
      ...reviewers.map((name, number) => cell(name, progress(done[number], domains))),
      cell("Settled", progress(final, domains)),
      cell("Conflicts", conflicts ? el("button", { type: "button", class: "conflicts", onclick: () => this.choose(["settle", id, outcome]) }, `≠ ${conflicts}`) : "–"),
      el("td", { class: "last" }, first ? remove : null),
    );
  }
}

/** @param {Component<PapersData>} component */
export default function ({ data, parentElement, setTriggerValue }) {
  /** @type {HTMLElement & { papers?: Papers }} */
  const root = need(parentElement, ".papers");
  root.papers ??= new Papers(root);
  root.papers.update(data, (value) => setTriggerValue("chosen", value));
}
