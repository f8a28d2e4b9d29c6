// The tasks that share the desk: evidence, risk of bias, plain summaries, comparison of engines, and screening. Each
// task has a panel, and determines whose decisions count, what is marked and listed, and the name of its tab.

import { all, plural } from "./dom.js";
import { Decisions } from "./kept.js";
import { itemsOf } from "./items.js";
import { thought } from "./evidence.js";
import { Judgements, Judging } from "./bias.js";
import { Settling } from "./settling.js";
import { Checking, Labels } from "./summary.js";
import { Comparing } from "./compare.js";
import { Screened, Screening } from "./screening.js";
/** @import { CheckingView, Item, Jump, RankedSentence, Run, View, Words } from "./types" */
/** @import { Desk } from "./desk.js" */
/** @import { PaperText } from "./paper.js" */

// Stands in for decisions if nothing can be decided.
/** @type {Words} */
const READ_ONLY = { words: new Map(), arrived: true, of: () => null, set() {}, receive() {}, keepDownloaded() {} };

export class Tasks {
  /** @type {View} */ view;
  /** @type {Words} */ decisions;

  /** @param {HTMLElement} root @param {Desk} desk */
  constructor(root, desk) {
    /** @param {unknown} value */
    const keep = (value) => desk.send("decided", value);
    /** @param {unknown} value */
    const settle = (value) => desk.send("settled", value);
    /** @type {Jump} */
    const jump = (index) => desk.jump(index);
    const changed = () => desk.refresh();
    this.root = root;
    this.desk = desk;
    this.onSentences = new Decisions(keep);
    this.judgements = new Judgements(keep);
    this.judging = new Judging(root, this.judgements, { turned: () => this.#turnDomain(), changed, thoughts: (run, ranked) => this.#thoughts(run, ranked) });
    this.settling = new Settling(root, { turned: () => this.#turnDomain(), send: settle });
    this.labels = new Labels(keep);
    this.checking = new Checking(root, this.labels, { turned: () => this.#turnClaim(), changed, jump });
    this.comparing = new Comparing(root, () => this.#turnFilter());
    this.screened = new Screened(keep);
    this.screening = new Screening(root, this.screened, { jump, changed, went: (value) => desk.send("went", value), settle });
  }

  // Take in what Python sent.
  /** @param {View} view */
  receive(view) {
    this.view = view;
    this.root.dataset.task = this.#name();
    this.root.dataset.mode = view.settling || view.screening?.mode === "settle" ? "settle" : "judge";
    this.decisions = this.#decisionsHere();
    this.decisions.receive(view);
    if (view.settling) this.settling.receive(view);
  }

  #name() {
    if (this.onDomains) return "bias";
    if (this.view.screening) return "screening";
    return this.view.checking ? "summary" : this.view.comparing ? "compare" : "evidence";
  }

  #decisionsHere() {
    if (this.view.checking) return this.labels;
    if (this.view.screening) return this.screened;
    if (this.view.settling || this.view.comparing) return READ_ONLY;
    return this.view.judging ? this.judgements : this.onSentences;
  }

  // The panel for risk of bias: to judge domains, or to settle differences; null for other tasks.
  get onDomains() {
    if (this.view.settling) return this.settling;
    return this.view.judging ? this.judging : null;
  }

  // Draw the task's panel. Returns `view`, with what is marked and listed for the chosen part.
  /** @param {View} view @param {PaperText} paper @returns {View} */
  show(view, paper) {
    this.root.dataset.arrived = String(this.decisions.arrived);
    if (view.comparing) this.comparing.show(view.question, view.comparing);
    if (view.screening) this.screening.show(view.question, view.screening, paper);
    if (this.onDomains) return this.#showDomain(view, this.onDomains);
    return view.checking ? this.#showClaim(view, view.checking) : view;
  }

  /** @param {View} view @param {Judging | Settling} panel @returns {View} */
  #showDomain(view, panel) {
    const { ranked, near, suggestion, gold } = panel.domain;
    const shown = { ...view, ranked, near, gold: gold?.sentences ?? null, words: suggestion && !suggestion.hidden ? suggestion.words : [] };
    panel.show(shown);
    return shown;
  }

  // Plain summaries: the support of the chosen sentence is marked and listed.
  /** @param {View} view @param {CheckingView} checking @returns {View} */
  #showClaim(view, checking) {
    this.checking.show(checking);
    return { ...view, ranked: this.labels.claim?.ranked ?? [] };
  }

  // The items that are marked in the paper.
  /** @param {View} view */
  marked(view) {
    if (view.screening) return this.screening.items;
    return view.comparing ? this.comparing.items : itemsOf(view, this.decisions);
  }

  /** @param {View} view @param {Item[]} items */
  tabWords({ noun, screening, checking }, items) {
    if (this.onDomains) return "Judgement";
    if (screening) return "Criteria";
    if (checking) return "Summary";
    return items.length ? `${noun} ${items.filter((item) => item.rank || item.state || item.fixed).length}` : noun;
  }

  // Go to the next (or previous) domain, sentence of the summary, or filter.
  /** @param {number} direction */
  step(direction) {
    this.onDomains?.step(direction);
    if (this.view.checking) this.checking.step(direction);
    if (this.view.comparing) this.comparing.step(direction);
  }

  #turnDomain() {
    this.desk.turned(() => this.onDomains?.domain.name ?? "");
    this.desk.place.toTheTopOfSide();
    if (this.desk.tabs.narrow) this.desk.tabs.show("evidence");
  }

  // Show the best support, unless the paper is hidden in a narrow window.
  #turnClaim() {
    const { labels } = this;
    this.desk.turned(() => `Sentence ${labels.at + 1}: ${labels.standing(labels.at)}`);
    const [best] = labels.claim.ranked;
    if (best && !this.desk.tabs.narrow) this.desk.jump(best.index);
  }

  #turnFilter() {
    this.desk.turned(() => `${this.comparing.filter.label}: ${plural(this.comparing.items.length, "sentence")}`);
  }

  /** @param {Run} run @param {RankedSentence[]} ranked */
  #thoughts(run, ranked) {
    const byIndex = new Map(ranked.map((item) => [item.index, item]));
    return run.steps.map((step) => {
      const entry = thought(step, byIndex, this.desk.paper, (index) => this.desk.jump(index));
      entry.open = Boolean(step.error); // the sentences are listed below, and space is scarce
      return entry;
    });
  }

  // Called after a jump to a sentence.
  /** @param {number} index */
  pointTo(index) {
    if (this.view.screening) this.screening.pointTo(index);
  }

  // Send what is still being typed.
  flush() {
    (this.view?.screening ? this.screening : this.judging).flush();
  }
}

// ---- Tabs ----
// What is shown: in a narrow window the paper or one of the lists; in a wide one the paper, with one of the lists
// beside it.

export class Tabs {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.beside = "evidence"; // the list beside the paper
    this.show("paper");
  }

  get narrow() {
    return getComputedStyle(this.root).getPropertyValue("--narrow").trim() === "1";
  }

  /** @param {string} name */
  show(name) {
    this.root.dataset.tab = name;
    if (name !== "paper") this.beside = name;
    for (const tab of all(this.root, "[data-show]")) {
      const shown = tab.closest(".narrow-only") ? name : this.beside;
      tab.setAttribute("aria-pressed", String(tab.dataset.show === shown));
    }
    for (const panel of all(this.root, "[data-panel]")) panel.hidden = panel.dataset.panel !== this.beside;
  }

  // `there` maps the names of tabs to what they would show. Empty tabs are hidden; if one was open, evidence is shown.
  /** @param {Record<string, unknown>} there */
  offer(there) {
    for (const [name, something] of Object.entries(there)) {
      for (const tab of all(this.root, `[data-show="${name}"]`)) tab.hidden = !something;
    }
    if (this.beside in there && !there[this.beside]) this.show("evidence");
  }

  // Set the name of the evidence tab.
  /** @param {string} words */
  callEvidence(words) {
    for (const tab of all(this.root, '[data-show="evidence"]')) tab.textContent = words;
  }
}
