// The desk: paper, strip and list together. Jumps and marks are handled here. Decisions are sent to Python, which is
// also asked for what the browser lacks.

import { need } from "./dom.js";
import { anyToLose } from "./kept.js";
import { Asking } from "./asking.js";
import { Strip } from "./paper.js";
import { ReaderPlace, Reading } from "./reading.js";
import { EvidenceList, SentenceTools, showAspects, showLegend, showReasoning, showWordings } from "./evidence.js";
import { Tabs, Tasks } from "./tasks.js";
import { Downloads, listen } from "./listening.js";
/** @import { Component, Decide, Decision, DeskData, Item, Jump, KnownPaper, View } from "./types" */

// Defaults for what Python leaves out.
/** @type {Omit<View, "question" | "open" | "number" | "canDecide" | "empty">} */
const NOTHING = { decisions: [], noun: "Evidence", ranked: [], near: [], cited: [], gold: null, verdict: null, run: null, changes: [], newest: "evidence", answer: 0, beginAt: [0, 0], judging: null, settling: null, checking: null, comparing: null, screening: null, stored: null, note: null, words: [] };

/** @type {Map<string, number>} */
const begunAt = new Map(); // paper -> the number of Python's last request to begin at a sentence

/** @typedef {(name: string, value: unknown) => void} Sender */

export class Desk {
  /** @type {View} */ view;
  /** @type {string} */ opening;
  /** @type {Sender} */ send;
  /** @type {Map<number, Item>} */ byIndex;
  /** @type {number[]} */ inPaperOrder;
  /** @type {string} */ modelShown;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    /** @type {Jump} */
    const jump = (index) => this.jump(index);
    /** @type {Decide} */
    const decide = (index, word) => this.decide(index, word);
    this.asking = new Asking((value) => this.send("asked", value));
    this.reading = new Reading(need(root, ".reading"), this.asking);
    this.paper = this.reading.text;
    this.strip = new Strip(need(root, ".strip"), jump);
    this.place = new ReaderPlace(root, this.reading, this.strip);
    this.list = new EvidenceList(need(root, ".list"), { jump, decide });
    this.scroll = need(root, ".scroll");
    this.tools = new SentenceTools(need(root, ".tools"), this.reading, { decide, turnView: (view) => this.turnView(view) });
    this.help = need(root, ".help", HTMLDialogElement);
    this.said = need(root, ".said");
    this.tasks = new Tasks(root, this);
    this.downloads = new Downloads(this.tasks);
    this.tabs = new Tabs(root);
    /** @type {number | null} */
    this.current = null; // the sentence last jumped to, or reached with the keyboard
    /** @type {Item[]} */
    this.items = [];
    this.typing = false; // whether something was typed since the last search was asked for
    this.updates = 0;
    /** @type {AbortController | null} */
    this.listening = null;
  }

  /** @param {DeskData} data @param {Sender} send */
  update(data, send) {
    this.updates += 1;
    this.send = send;
    this.listening ??= listen(this);
    const paper = this.asking.receive(data);
    if (!paper) return;
    // The desk of a summary is first drawn with a check. The desk of evidence exists before its first search.
    const { answer = NOTHING.answer } = data.view;
    const before = data.opening === this.opening ? this.view.answer : data.view.checking ? 0 : answer;
    const answered = answer > before;
    if (data.opening !== this.opening) this.#open(data, paper);
    this.view = { ...NOTHING, ...data.view };
    this.tasks.receive(this.view);
    this.refresh();
    if (answered && !this.typing) this.#showAnswer();
    this.#beginAt(this.view.beginAt);
    this.place.follow();
    this.downloads.release();
  }

  /** @param {DeskData} data @param {KnownPaper} paper */
  #open({ opening, view }, paper) {
    this.opening = this.place.opening = opening;
    this.reading.show(paper);
    this.strip.showSections(paper);
    this.tools.work = view.question;
    this.current = this.tools.index;
    this.place.kept = !view.comparing;
    if (view.screening) this.place.toTheTop();
    else if (view.comparing) this.place.toTheControls();
    else this.place.goBack();
  }

  // Jump to the sentence that Python names, once per request, for example after a click in a table of papers.
  /** @param {View["beginAt"]} begin */
  #beginAt([number, index]) {
    if (number > (begunAt.get(this.opening) ?? 0)) this.jump(index);
    begunAt.set(this.opening, number);
  }

  // Move the focus from the field to the answer, so that the keys work at once. A narrow window shows its tab first.
  #showAnswer() {
    const { newest } = this.view;
    if (this.tabs.narrow) this.turnTo(newest);
    else if (newest !== "evidence" || !["evidence", "aspects"].includes(this.tabs.beside)) this.tabs.show(newest);
    this.scroll.scrollTop = 0;
    this.scroll.focus({ preventScroll: true });
  }

  close() {
    this.listening?.abort();
    this.listening = null;
  }

  // Redraw everything that depends on evidence, decisions and gold. The paper's text itself stays.
  refresh() {
    this.view = this.tasks.show(this.view, this.paper);
    this.items = this.tasks.marked(this.view);
    this.byIndex = new Map(this.items.map((item) => [item.index, item]));
    this.inPaperOrder = this.items.filter((item) => item.group !== "spare").map((item) => item.index).sort((a, b) => a - b);
    this.reading.showMarks(this.items);
    this.strip.showMarks(this.items);
    if (!this.view.screening) this.list.show(this.items, this.paper, this.view);
    const { gold, run, changes } = this.view;
    showLegend(need(this.root, ".legend"), gold);
    showAspects(need(this.root, ".aspects"), gold, this.items, this.paper, (index) => this.jump(index));
    this.#showModel();
    this.tabs.offer({ aspects: gold, reasoning: run, wordings: changes.length });
    this.tabs.callEvidence(this.tasks.tabWords(this.view, this.items));
    this.list.setCurrent(this.current);
    this.#showTools(this.tools.index);
  }

  // Redraw after another part of the task was chosen. `words` returns its name.
  /** @param {() => string} words */
  turned(words) {
    this.refresh();
    this.scroll.scrollTop = 0;
    this.say(words());
  }

  // Redrawn only for a new answer, so that what the reader has unfolded stays open.
  #showModel() {
    const shown = `${this.opening}:${this.view.answer}`;
    if (this.modelShown === shown) return;
    this.modelShown = shown;
    /** @type {Jump} */
    const jump = (index) => this.jump(index);
    showReasoning(need(this.root, ".thoughts"), this.view.run, this.items, this.paper, jump);
    showWordings(need(this.root, ".wordings"), this.view.changes, this.items, this.paper, jump);
  }

  // Show a sentence in the paper, and its entry in the list if it has one.
  /** @param {number} index @param {{ scroll?: boolean, flash?: boolean }} [how] */
  jump(index, { scroll = true, flash = true } = {}) {
    if (!this.paper.elements[index]) return;
    if (scroll && this.tabs.narrow) this.tabs.show("paper");
    this.current = index;
    this.place.stayBeside();
    this.reading.setCurrent(index, { scroll, flash });
    this.list.setCurrent(index, { reveal: (entry) => this.place.reveal(entry) });
    this.tasks.pointTo(index);
    this.#showTools(scroll ? null : index);
  }

  // Make the sentence that the keyboard has reached the current one. Neither the view nor the focus moves.
  /** @param {number} index */
  reach(index) {
    if (index === this.current || !this.paper.elements[index]) return;
    this.current = index;
    this.tools.hide();
    this.reading.mark(index, { flash: false });
    this.list.setCurrent(index);
  }

  // Go to the next (or previous) marked sentence in the order of the paper.
  /** @param {number} direction */
  step(direction) {
    const order = this.inPaperOrder;
    if (!order.length) return;
    const from = this.current ?? Math.round(this.reading.indexAt(innerHeight / 3)) - (direction > 0 ? 1 : 0);
    const next = direction > 0 ? order.find((i) => i > from) ?? order[0] : order.findLast((i) => i < from) ?? order[order.length - 1];
    this.jump(next);
    this.say(`${this.byIndex.get(next)?.name}, ${order.indexOf(next) + 1} of ${order.length}, ${this.paper.place(next)}`);
  }

  /** @param {number} direction */
  stepSentence(direction) {
    const from = this.current ?? Math.round(this.reading.indexAt(innerHeight / 3));
    const next = Math.min(this.paper.elements.length - 1, Math.max(0, from + direction));
    this.jump(next, { flash: false });
  }

  // `word` is the pressed decision. Pressing the current one again takes it back.
  /** @param {number} index @param {Decision | "remove"} word */
  decide(index, word) {
    if (!this.view.canDecide) return this.say(this.items.length ? "Sentences are not decided on here" : this.view.empty);
    const { decisions } = this.tasks;
    const now = decisions.of(index);
    // A sentence that was added and later chosen by an engine is shown as accepted.
    const again = word === now || (word === "accepted" && now === "added");
    decisions.set(index, word === "remove" || again ? null : word);
    this.refresh();
    if (index === this.current) this.list.setCurrent(index, { reveal: (entry) => this.place.reveal(entry) });
    const stands = decisions.of(index);
    const name = this.byIndex.get(index)?.name ?? this.view.noun; // says the decision, if there is one
    return this.say(`${name}${stands ? "" : ", no decision"}, ${this.paper.place(index)}`);
  }

  // Each key has one meaning: `a` accepts or adds, `r` rejects, `u` takes the decision back.
  /** @param {"a" | "r" | "u"} key */
  decideByKey(key) {
    const index = this.current;
    if (index === null) return;
    const { group, state } = this.byIndex.get(index) ?? {};
    /** @type {Record<string, Decision | "remove" | null>} */
    const words = {
      a: group === "chosen" ? "accepted" : this.paper.addable(index) ? "added" : null,
      r: group === "chosen" ? "rejected" : state ? "remove" : null,
      u: state ? "remove" : null,
    };
    const word = words[key];
    if (word && word !== state) this.decide(index, word);
  }

  // Switch between text and pages. A narrow window shows the paper.
  /** @param {string} [view] */
  turnView(view) {
    if (this.tabs.narrow) this.tabs.show("paper");
    this.tools.hide();
    this.reading.turn(view);
    this.place.follow();
  }

  // Show a tab. A list starts at its top, the paper where it was last read.
  /** @param {string} name */
  turnTo(name) {
    this.tabs.show(name);
    this.scroll.scrollTop = 0;
    if (!this.tabs.narrow) return;
    this.place.toTheDesk();
    if (name === "paper") this.place.goBack();
  }

  /** @param {number} direction */
  resize(direction) {
    this.tools.hide();
    this.reading.resize(direction);
  }

  /** @param {string} words */
  say(words) {
    this.said.textContent = words;
  }

  /** @param {number | null} index */
  #showTools(index) {
    if (index === null) return this.tools.hide();
    const decidable = this.view.canDecide && (this.byIndex.has(index) || this.paper.addable(index));
    const item = this.byIndex.get(index) ?? { index, group: "other", state: null, noun: this.view.noun };
    return this.tools.show(index, decidable ? item : null);
  }
}

// ---- The component ----
// Streamlit calls the function below whenever the data or the theme changes. The desk itself is kept and updated.

// The browser asks before the page is left with unsaved work. This is registered once, for all desks and pages.
window.addEventListener("beforeunload", (event) => {
  if (anyToLose()) event.preventDefault();
});

// Streamlit calls the returned function when the desk is removed, and also for each call that was overtaken by a later
// one before it had run. An overtaken call must not close its successor's desk, whichever of the two runs first.
/** @param {Component<DeskData>} component */
export default function ({ data, parentElement, setStateValue }) {
  /** @type {HTMLElement & { desk?: Desk }} */
  const root = need(parentElement, ".desk");
  const desk = (root.desk ??= new Desk(root));
  desk.update(data, setStateValue);
  const { updates } = desk;
  return () => {
    if (desk.updates === updates) desk.close();
  };
}
