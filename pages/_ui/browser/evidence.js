// What an engine found, beside the paper: the list, gold, the model's reasoning, and the tools of one sentence.

import { all, el, plural, renew, scrollWithin, withMarks, withSigns } from "./dom.js";
import { GOLD_WORDS, stanceWords, STATE_SIGNS, STATE_WORDS } from "./items.js";
/** @import { Aspect, Counted, Decide, Decision, Gold, GoldWord, Item, Jump, PaperVerdict, Run, Step, View, WordingChange } from "./types" */
/** @import { PaperText } from "./paper.js" */
/** @import { Reading } from "./reading.js" */

// ---- The list ----
// The ranked list beside the paper: what the engine chose, what the reviewer added, and gold that was missed.

/** @type {[group: string, title: string | null][]} */
const GROUPS = [
  ["chosen", null],
  ["added", "Added by you"],
  ["near", "Nearest sentences, turned down by the engine"],
  ["cited", "Cited by the answer"],
  ["missed", "In gold, but not chosen"],
];

const SCORE_NOTE = "Best first. The bar under a rank is its score beside the others here, and no more.";
const ORDER_NOTE = "Best first, in the order that the model gave.";

/** @typedef {Map<number, { index: number, rank?: number | string }>} ByIndex */

export class EvidenceList {
  /** @param {HTMLElement} node @param {{ jump: Jump, decide: Decide }} acts */
  constructor(node, { jump, decide }) {
    this.node = node;
    this.jump = jump;
    this.decide = decide;
    /** @type {Map<number, HTMLElement>} */
    this.entries = new Map(); // sentence index -> list entry
  }

  /** @param {Item[]} items @param {PaperText} paper @param {View} view */
  show(items, paper, { empty, verdict, words, note: said, comparing, canDecide }) {
    const groups = comparing?.groups ?? GROUPS;
    const nodes = [];
    for (const [group, title] of groups) {
      const members = items.filter((item) => item.group === group);
      if (members.length && title) nodes.push(el("li", { class: "group" }, `${title} (${members.length})`));
      nodes.push(...members.map((item) => this.#entry(item, paper, words, canDecide && !item.fixed)));
    }
    const chosen = comparing ? items : items.filter((item) => item.group === "chosen");
    const note = said ?? (chosen.some((item) => item.bar !== null) ? SCORE_NOTE : ORDER_NOTE);
    nodes.unshift(chosen.length ? el("li", { class: "hint" }, note) : el("li", { class: "empty" }, empty));
    if (verdict) nodes.unshift(verdictEntry(verdict, items, this.jump));
    renew(this.node, ...nodes);
    this.entries = new Map(all(this.node, ".entry").map((entry) => [Number(entry.dataset.i), entry]));
  }

  /** @param {Item} item @param {PaperText} paper @param {string[]} deciding @param {boolean} decidable */
  #entry(item, paper, deciding, decidable) {
    const { index, rank, state, gold, rationale, stance, match } = item;
    const words = [el("span", { class: "place" }, paper.place(index))];
    if (match) words.push(el("span", { class: "match", title: MATCH_NOTES[match] }, match));
    for (const word of item.notes ?? []) words.push(el("span", { class: "rank-note" }, word));
    if (gold) words.push(el("span", { class: "gold" }, item.goldWord ?? GOLD_WORDS[gold]));
    if (state) words.push(el("span", { class: "state" }, `${STATE_SIGNS[state]} ${STATE_WORDS[state]}`));
    return el(
      "li",
      { class: "entry", "data-i": index, "data-group": item.group, "data-state": state, "data-gold": gold },
      el(
        "button",
        { type: "button", class: "jump", onclick: () => this.jump(index), title: "Show it in the paper" },
        el("span", { class: "rank" }, rank ? String(rank) : item.sign, scoreBar(item)),
        el(
          "span",
          { class: "what" },
          stance ? el("span", { class: "stance", "data-stance": stance }, stanceWords(stance)) : null,
          el("span", { class: "text" }, ...withMarks(paper.data.sentences[index], deciding).flatMap(withSigns)),
          rationale ? el("span", { class: "rationale" }, rationale) : null,
          el("span", { class: "meta" }, ...words),
        ),
      ),
      decidable ? decisionButtons(item, this.decide) : null,
    );
  }

  // `reveal(entry)` brings an entry into view if the list does not scroll by itself.
  /** @param {number | null} index @param {{ reveal?: ((entry: Element) => void) | null }} [how] */
  setCurrent(index, { reveal = null } = {}) {
    for (const entry of this.node.querySelectorAll('[aria-current="true"]')) entry.removeAttribute("aria-current");
    const entry = index === null ? null : this.entries.get(index);
    if (!entry) return;
    entry.setAttribute("aria-current", "true");
    if (!reveal) return;
    scrollWithin(entry.closest(".scroll"), entry);
    reveal(entry);
  }
}

/** @param {Item} item */
function scoreBar({ bar, scoreNote }) {
  if (bar === undefined || bar === null) return null; // added by hand, or ranked without scores
  const fill = el("span");
  fill.style.width = `${Math.round(100 * bar)}%`;
  return el("span", { class: "bar", title: scoreNote, role: "img", "aria-label": scoreNote }, fill);
}

// Buttons: accept and reject for sentences that the engine chose, remove for added ones, add for all others.
/** @param {Pick<Item, "index" | "group" | "state" | "noun">} item @param {Decide} decide */
function decisionButtons({ index, group, state, noun }, decide) {
  /** @param {Decision | "remove"} word @param {string} sign @param {string} label @param {boolean | null} pressed */
  const button = (word, sign, label, pressed) =>
    el(
      "button",
      {
        type: "button",
        class: `decide ${word}`,
        "aria-pressed": pressed === null ? null : String(pressed),
        title: label,
        onclick: (event) => {
          event.stopPropagation();
          decide(index, word);
        },
      },
      el("span", { "aria-hidden": "true" }, sign),
      ` ${label}`,
    );
  const row = el("span", { class: "decisions" });
  if (group === "chosen") {
    row.append(button("accepted", "✓", "Accept", state === "accepted"), button("rejected", "✕", "Reject", state === "rejected"));
  } else if (group === "added") row.append(button("remove", "−", "Remove", null));
  else row.append(button("added", "+", `Add as ${noun.toLowerCase()}`, null));
  return row;
}

// ---- Gold ----
// The study aspects, the sentences that cover each, and the scores.

/** @param {HTMLElement} node @param {Gold | null} gold */
export function showLegend(node, gold) {
  node.hidden = !gold;
  if (!gold) return node.replaceChildren();
  /** @param {GoldWord} kind @param {string} meaning @param {number} count */
  const sample = (kind, meaning, count) =>
    el("li", {}, el("span", { class: "sample", "data-gold": kind }, GOLD_WORDS[kind]), ` ${meaning} `, el("b", {}, String(count)));
  return node.replaceChildren(
    el(
      "ul",
      {},
      sample("hit", "chosen, and in gold", gold.hits.length),
      sample("extra", "chosen, not in gold", gold.extras.length),
      sample("missed", "not chosen, and it covers a missing aspect", gold.missed.length),
      sample("spare", "not chosen, but what it covers is covered", gold.spares.length),
    ),
  );
}

/** @param {HTMLElement} node @param {Gold | null} gold @param {Item[]} items @param {PaperText} paper @param {Jump} jump */
export function showAspects(node, gold, items, paper, jump) {
  if (!gold) return node.replaceChildren();
  const byIndex = new Map(items.map((item) => [item.index, item]));
  /** @param {number | null} value @param {string} label */
  const figure = (value, label) =>
    el("div", { class: "figure" }, el("b", {}, value === null ? "–" : `${Math.round(100 * value)}%`), el("span", {}, label));
  const covered = gold.aspects.filter((aspect) => aspect.covered).length;
  return renew(
    node,
    el(
      "div",
      { class: "figures" },
      figure(gold.recall, `aspect recall@${gold.k}`),
      figure(gold.best, `the best that ${plural(gold.k, "sentence")} could do`),
      gold.reviewed === null ? null : figure(gold.reviewed, "with your decisions"),
    ),
    el("p", { class: "sum" }, `${covered} of ${plural(gold.aspects.length, "aspect")} covered. ${plural(gold.fewest, "sentence")} would be enough for all.`),
    ...(gold.named ? [] : [el("p", { class: "sum" }, "The file gives no names for its aspects, so they are numbered.")]),
    el(
      "ol",
      { class: "aspect-list", "aria-label": `${covered} of ${gold.aspects.length} aspects covered` },
      ...gold.aspects.map((aspect) => aspectEntry(aspect, byIndex, paper, jump)),
    ),
  );
}

/** @param {Aspect} aspect @param {ByIndex} byIndex @param {PaperText} paper @param {Jump} jump */
function aspectEntry({ label, covered, result, sentences }, byIndex, paper, jump) {
  return el(
    "li",
    { class: "aspect", "data-covered": String(covered) },
    el("span", { class: "verdict" }, covered ? "✓ covered" : "○ not covered"),
    result ? el("span", { class: "tag" }, "result") : null,
    el("span", { class: "label" }, label),
    el("span", { class: "sources" }, ...sentences.map((index) => aspectSource(index, byIndex.get(index), paper, jump))),
  );
}

/** @param {number} index @param {{ rank?: number | string } | undefined} item @param {PaperText} paper @param {Jump} jump */
function aspectSource(index, item, paper, jump) {
  const chosen = item && item.rank;
  const name = chosen ? `Rank ${item.rank}` : "Not chosen";
  const words = paper.data.sentences[index].trim().split(/\s+/);
  const opening = words.slice(0, 8).join(" ") + (words.length > 8 ? " …" : "");
  return el(
    "button",
    { type: "button", class: "source", "data-gold": chosen ? "hit" : "missed", onclick: () => jump(index), title: `${name}: show it in the paper` },
    chosen ? el("b", {}, `#${item.rank} `) : null,
    el("span", { class: "where" }, `${paper.place(index)}: `),
    opening,
  );
}

// ---- Reasoning ----
// How a language model came to its answer: its verdict, and each question with its reply. All of it is the model's own
// text and is not trusted: it is shown as text, and only sentences of the paper become buttons.

const VERDICTS = {
  supports: "▲ The paper supports it",
  refutes: "▼ The paper refutes it",
  mixed: "▲▼ The paper speaks for both sides",
  "not reported": "∅ The paper reports no result on it",
  unclear: "◇ The paper says too little to tell",
};

const MATCH_NOTES = {
  exact: "The model named this sentence rightly at once",
  repaired: "The model named this sentence rightly only when it was asked again",
};

/** @param {PaperVerdict} verdict @param {Item[]} items @param {Jump} jump */
function verdictEntry(verdict, items, jump) {
  /** @param {string} word @param {number | null} index */
  const strongest = (word, index) => {
    if (index === null) return el("span", {}, `none ${word}`);
    const item = items.find((one) => one.index === index);
    return el("button", { type: "button", class: "link", onclick: () => jump(index) }, `strongest ${word}: #${item?.rank ?? "?"}`);
  };
  return el(
    "li",
    { class: "paper-verdict" },
    el("b", {}, VERDICTS[verdict.judgement]),
    verdict.unread.length ? el("span", { class: "unread" }, `✕ read without ${verdict.unread.join(", ")}`) : null,
    el("span", { class: "strongest" }, strongest("for", verdict.for), strongest("against", verdict.against)),
  );
}

/** @param {HTMLElement} node @param {Run | null} run @param {Item[]} items @param {PaperText} paper @param {Jump} jump */
export function showReasoning(node, run, items, paper, jump) {
  if (!run) return node.replaceChildren();
  const byIndex = new Map(items.map((item) => [item.index, item]));
  const opening = run.answered
    ? `How ${run.model} answered, question by question, in its own words. Where no cost is shown, it is unknown.`
    : `${run.model} came to no answer. What it said until then:`;
  return node.replaceChildren(
    el("p", { class: "sum" }, opening),
    ...run.steps.map((step) => thought(step, byIndex, paper, jump)),
  );
}

/** @param {Step} step @param {ByIndex} byIndex @param {PaperText} paper @param {Jump} jump */
export function thought(step, byIndex, paper, jump) {
  const wrong = step.notInPaper.reduce((sum, [, times]) => sum + times, 0);
  const found = step.chosen.length || !wrong ? `✓ ${plural(step.chosen.length, "sentence")}` : "✕ nothing of the paper";
  const outcome = step.error ? "✕ no answer" : found;
  const notes = [outcome, step.faults.length ? "asked again" : null, wrong ? `${wrong} not in the paper` : null, step.cost];
  return el(
    "details",
    { class: "thought", "data-failed": String(Boolean(step.error)), open: Boolean(step.error || wrong) },
    el(
      "summary",
      {},
      el("b", {}, step.label),
      el("span", { class: "thought-notes" }, notes.filter(Boolean).join(" · ")),
    ),
    step.error ? el("p", { class: "problem" }, step.error) : null,
    step.text ? el("pre", { "aria-label": "The reply as it came", tabindex: "0" }, step.text) : null,
    step.reasoning ? el("p", { class: "reasoning" }, step.reasoning) : null,
    step.chosen.length ? el("div", { class: "sources" }, ...step.chosen.map((i) => aspectSource(i, byIndex.get(i), paper, jump))) : null,
    ...listed("What was wrong with its first answer", step.faults),
    ...listed("✕ Not in the paper, so never shown as evidence", step.notInPaper, "not-in-paper"),
  );
}

// `texts` are pairs of a text and how often it was said.
/** @param {string} title @param {Counted[]} texts @param {string | null} kind */
function listed(title, texts, kind = null) {
  if (!texts.length) return [];
  /** @param {number} times */
  const often = (times) => (times > 1 ? ` ×${times}` : "");
  return [el("p", { class: "listed" }, title), el("ul", { class: kind }, ...texts.map(([text, times]) => el("li", {}, text, el("b", {}, often(times)))))];
}

const WORDING_NAMES = { paraphrase: "In other words", negation: "Negated" };

// What the same search finds for other wordings. An engine that reads for meaning should find the same sentences.
/** @param {HTMLElement} node @param {WordingChange[]} changes @param {Item[]} items @param {PaperText} paper @param {Jump} jump */
export function showWordings(node, changes, items, paper, jump) {
  const byIndex = new Map(items.map((item) => [item.index, item]));
  node.replaceChildren(
    el("p", { class: "sum" }, "The same search for other wordings. The less they change, the more the answer can be relied on."),
    ...changes.map((change) => wordingEntry(change, byIndex, paper, jump)),
  );
}

/** @param {WordingChange} change @param {ByIndex} byIndex @param {PaperText} paper @param {Jump} jump */
function wordingEntry(change, byIndex, paper, jump) {
  const { rewording, hypothesis, kept, lost, gained, contradictions, judged } = change;
  const total = kept + lost.length + gained.length;
  /** @param {string} title @param {number[]} indices */
  const sources = (title, indices) =>
    indices.length
      ? [el("p", { class: "listed" }, `${title} (${indices.length})`), el("div", { class: "sources" }, ...indices.map((i) => aspectSource(i, byIndex.get(i), paper, jump)))]
      : [];
  const expected = rewording === "negation" ? "Stances that should have turned round" : "Stances that should not have changed";
  return el(
    "section",
    { class: "wording" },
    el("h3", {}, WORDING_NAMES[rewording]),
    el("p", { class: "other-words" }, hypothesis),
    el("p", { class: "shared" }, total ? `${kept} of ${plural(total, "sentence")} shared` : "Nothing was found for either"),
    ...sources("− Lost", lost),
    ...sources("+ Gained", gained),
    judged && !contradictions.length ? el("p", { class: "listed" }, "✓ No contradiction in stance") : null,
    ...(contradictions.length ? [el("p", { class: "listed" }, `✕ ${expected} (${contradictions.length})`)] : []),
    ...contradictions.map(([index, before, after]) =>
      el("div", { class: "sources" }, aspectSource(index, byIndex.get(index), paper, jump), el("span", { class: "where" }, `${stanceWords(before)}, then ${stanceWords(after)}`)),
    ),
  );
}

// ---- Tools ----
// The tools beside the chosen sentence: decisions on it, and a link to its page or to the text.

/** @type {Map<string, number>} */
const openFor = new Map(); // work -> sentence; kept when the desk is rebuilt while in use

export class SentenceTools {
  /** @param {HTMLElement} node @param {Reading} reading @param {{ decide: Decide, turnView: (view: string) => void }} acts */
  constructor(node, reading, { decide, turnView }) {
    this.node = node;
    this.reading = reading;
    this.decide = decide;
    this.turnView = turnView;
    this.work = ""; // identifies the paper and the question with which the desk was opened
  }

  // The sentence that the tools are open for; null if they are closed.
  get index() {
    return openFor.get(this.work) ?? null;
  }

  hide() {
    openFor.delete(this.work);
    this.node.hidden = true;
  }

  // `item` is what can be decided on; null if nothing can.
  /** @param {number} index @param {Pick<Item, "index" | "group" | "state" | "noun"> | null} item */
  show(index, item) {
    openFor.set(this.work, index);
    const line = this.reading.lineOf(index);
    this.node.hidden = !line || !(item || this.reading.other);
    if (this.node.hidden || !line) return;
    renew(this.node, item ? decisionButtons(item, this.decide) : null, this.#turnButton(index));
    this.#place(line, this.reading.breadthOf(index));
  }

  // Place the tools beside the sentence if there is room, as beside a column, otherwise above it.
  /** @param {DOMRect} line @param {{ left: number, right: number }} breadth */
  #place(line, { left, right }) {
    const pane = /** @type {HTMLElement} */ (this.node.parentElement).getBoundingClientRect();
    const { offsetWidth: wide, offsetHeight: high } = this.node;
    const gap = 8;
    const beside = [right + gap, left - gap - wide - 24].find((x) => x >= pane.left && x + wide <= pane.right);
    const above = Math.max(pane.left, Math.min(line.left, pane.right - wide - gap));
    this.node.style.left = `${(beside ?? above) - pane.left}px`;
    this.node.style.top = `${line.top - pane.top - (beside === undefined ? high + 6 : (high - line.height) / 2)}px`;
  }

  // A button that leads to the sentence's page, or back to the text.
  /** @param {number} index */
  #turnButton(index) {
    const { other } = this.reading;
    if (!other) return null;
    const label = other === "pages" ? `On page ${this.reading.text.pageOf(index)}` : "In the text";
    return el("button", { type: "button", class: "decide", onclick: () => this.turnView(other) }, label);
  }
}
