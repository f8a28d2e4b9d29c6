// Criteria and verdicts of screening, drawn beside the paper.

import { el, focused, keepingSigns, need, renew, unseen } from "./dom.js";
/** @import { Criterion, Fit, Fits, Item, Jump, Said, ScreeningView, Verdict } from "./types" */
/** @import { PaperText } from "./paper.js" */

// ---- Criteria ----
// The criteria beside the paper: each with its letter, an engine's suggestion, its sentences, and the reviewer's own
// answer. In the paper a criterion is recognised by its letter and line style; the colour is only an addition.

const LINE_STYLES = 5; // as many as screening.css has
const KIND_WORDS = { population: "Population", intervention: "Intervention", comparator: "Comparator", outcome: "Outcome", design: "Design", own: "Criterion" };
/** @type {Fit[]} */
const FITS = ["met", "not met", "unclear"];
const FIT_SIGNS = { met: "✓", "not met": "✕", unclear: "?" };
const FIT_WORDS = { met: "Met", "not met": "Not met", unclear: "Unclear" };

/** @param {Fit} fit */
function fitBadge(fit) {
  return el("span", { class: "fit", "data-fit": fit }, el("span", { "aria-hidden": "true" }, FIT_SIGNS[fit]), ` ${FIT_WORDS[fit]}`);
}

/** @param {string} letter @param {number} place */
function letterBadge(letter, place) {
  return el("span", { class: "letter", "data-line": place % LINE_STYLES, "aria-hidden": "true" }, letter);
}

export class CriteriaList {
  /** @param {{ jump: Jump, judge: (criterion: string | null, fit?: Fit | null) => void }} acts */
  constructor({ jump, judge }) {
    this.jump = jump;
    this.judge = judge; // (criterion, fit or null)
    this.unfolded = new Set(); // criteria whose sentences are all shown
  }

  /** @param {Criterion[]} criteria @param {Fits} fits @param {PaperText} paper @param {{ pointed: string[], decidable: boolean }} state */
  entries(criteria, fits, paper, { pointed, decidable }) {
    return criteria.map((criterion, place) => {
      const { id, letter, kind, text } = criterion;
      return el(
        "li",
        { class: "crit", "data-key": `criterion-${id}`, "data-criterion": id, "data-pointed": pointed.includes(id) ? "true" : null },
        el("div", { class: "crit-head" }, letterBadge(letter, place), el("span", { class: "crit-kind" }, KIND_WORDS[kind]), decidable ? this.#fits(criterion, fits[id] ?? null) : null),
        el("p", { class: "crit-text" }, text),
        ...this.#suggestion(criterion, paper),
      );
    });
  }

  /** @param {Criterion} criterion @param {PaperText} paper */
  #suggestion({ id, suggestion }, paper) {
    if (!suggestion) return [];
    const { fit, reason, sentences, engine } = suggestion;
    return [
      el("p", { class: "crit-said", title: `Suggested by ${engine}` }, fitBadge(fit), el("span", { class: "crit-reason" }, ` ${reason}`)),
      sentences.length ? this.#sentences(id, sentences, paper) : null,
    ].filter(Boolean);
  }

  // The best sentence in full; the others on request.
  /** @param {string} id @param {number[]} sentences @param {PaperText} paper */
  #sentences(id, sentences, paper) {
    const whole = this.unfolded.has(id) ? sentences : sentences.slice(0, 1);
    const rest = sentences.length - whole.length;
    return el(
      "div",
      { class: "crit-sentences" },
      ...whole.map((index) =>
        el(
          "button",
          { type: "button", class: "crit-sentence", "data-to": index, title: "Show it in the paper", onclick: () => this.jump(index) },
          el("span", { class: "crit-quote" }, ...keepingSigns(paper.data.sentences[index])),
          el("span", { class: "place" }, paper.place(index)),
        ),
      ),
      rest ? el("button", { type: "button", class: "link more", onclick: () => this.#unfold(id) }, `${rest} more`) : null,
    );
  }

  /** @param {string} id */
  #unfold(id) {
    this.unfolded.add(id);
    this.judge(null);
  }

  // Three small buttons. Pressing the chosen one again clears the answer.
  /** @param {Criterion} criterion @param {Fit | null} own */
  #fits({ id, text }, own) {
    /** @param {Fit} fit */
    const button = (fit) =>
      el(
        "button",
        { type: "button", class: "own-fit", "data-key": `fit-${id}-${fit}`, "data-fit": fit, "aria-pressed": String(own === fit), title: `${FIT_WORDS[fit]}: your own answer`, onclick: () => this.judge(id, own === fit ? null : fit) },
        el("span", { "aria-hidden": "true" }, FIT_SIGNS[fit]),
        unseen(FIT_WORDS[fit]),
      );
    return el("span", { class: "own-fits", role: "group", "aria-label": `Your answer: ${text}` }, ...FITS.map(button));
  }
}

// The marks in the paper: every sentence once, with the letters of all its criteria.
/** @param {Criterion[]} criteria @returns {Item[]} */
export function criteriaMarks(criteria) {
  /** @type {Map<number, { index: number, letters: string[], names: string[], places: number[] }>} */
  const marks = new Map();
  criteria.forEach(({ letter, kind, suggestion }, place) => {
    for (const index of suggestion?.sentences ?? []) {
      const mark = marks.get(index) ?? { index, letters: [], names: [], places: [] };
      mark.letters.push(letter);
      mark.names.push(`${letter}, ${KIND_WORDS[kind]}`);
      mark.places.push(place);
      marks.set(index, mark);
    }
  });
  return [...marks.values()].map(({ index, letters, names, places }) => ({
    index,
    sign: letters.join(" "),
    name: names.join("; "),
    noun: "Sentence",
    group: places.length > 1 ? "several" : `line-${places[0] % LINE_STYLES}`,
    state: null,
    gold: null,
    fixed: true,
  }));
}

// ---- Reviewers ----
// Verdicts with their signs and words, and the reviewers side by side on an item.

/** @type {Verdict[]} */
const VERDICTS = ["include", "exclude", "unsure"];
const VERDICT_SIGNS = { include: "✓", exclude: "✕", unsure: "?" };
const VERDICT_WORDS = { include: "Include", exclude: "Exclude", unsure: "Unsure" };
export const VERDICT_DONE = { include: "Included", exclude: "Excluded", unsure: "Unsure" };

/** @param {Verdict | null} verdict @param {Record<Verdict, string>} words */
export function verdictBadge(verdict, words = VERDICT_WORDS) {
  return el("span", { class: "verdict-badge", "data-verdict": verdict ?? "none" }, el("span", { class: "verdict-sign", "aria-hidden": "true" }, verdict ? VERDICT_SIGNS[verdict] : "–"), verdict ? words[verdict] : "Not decided");
}

// Each reviewer's verdict with its reason, note and answers, with differing answers marked.
/** @param {Said[]} sides @param {Criterion[]} criteria */
export function reviewerSides(sides, criteria) {
  /** @param {Said} side */
  const said = ({ reviewer, verdict, reason, note, fits }) =>
    el(
      "section",
      { class: "side-of", "aria-label": reviewer },
      el("h3", {}, reviewer),
      verdictBadge(verdict),
      reason ? el("p", { class: "their-reason" }, reason) : null,
      note ? el("p", { class: "their-comment" }, note) : null,
      el("ul", { class: "their-answers" }, ...criteria.filter(({ id }) => fits[id]).map((one) => theirFit(one, fits, sides))),
    );
  return el("div", { class: "sides" }, ...sides.map(said));
}

/** @param {Criterion} criterion @param {Fits} fits @param {Said[]} sides */
function theirFit({ id, letter, text }, fits, sides) {
  const differ = new Set(sides.map((side) => side.fits[id]).filter(Boolean)).size > 1;
  return el("li", { title: text, "data-differs": differ ? "true" : null }, `${letter} `, el("b", {}, FIT_SIGNS[fits[id]]), unseen(` ${FIT_WORDS[fits[id]]}`), differ ? " ≠" : "");
}

/** @typedef {{ verdict: Verdict | null, reason: string }} Chosen */

// ---- Verdicts ----
// The verdicts on an item as buttons and keys. An exclusion needs a reason, so the reason is asked for first.

export class Verdicts {
  /** @type {string[]} */ known;
  /** @type {boolean} */ unexplained;

  /** @param {HTMLElement} root @param {{ give: (verdict: Verdict, reason: string) => void, changed: () => void, busy: () => boolean }} acts */
  constructor(root, { give, changed, busy }) {
    this.root = root;
    this.buttons = need(root, ".verdicts");
    this.reasons = need(root, ".reasons");
    this.other = need(root, ".other-reason", HTMLInputElement);
    this.give = give; // (verdict, reason)
    this.changed = changed; // called when what depends on the panel has to be redrawn
    this.busy = busy; // whether a verdict or another item is on its way
    this.asking = false; // whether the reason for an exclusion is being asked for
    this.other.addEventListener("input", (event) => event.stopPropagation());
    this.other.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      event.stopPropagation();
      if (this.other.value.trim()) this.#exclude(this.other.value.trim());
    });
  }

  // Start afresh for another item on the desk.
  begin() {
    this.asking = false;
    this.other.value = "";
  }

  // `chosen` is the current verdict with its reason.
  /** @param {ScreeningView} view @param {Chosen} chosen */
  show({ mode, reasons, item }, chosen) {
    this.known = reasons;
    this.unexplained = !item.isPaper; // title and abstract may be excluded without a reason
    renew(this.buttons, ...VERDICTS.map((name) => this.#button(name, chosen)));
    const settledOn = mode === "settle" && chosen.verdict === "exclude" ? [el("p", { class: "reasons-head" }, `Reason: ${chosen.reason || "none"}`)] : [];
    renew(this.reasons, ...(this.asking ? this.#choices(chosen) : settledOn));
    this.reasons.hidden = !this.reasons.childElementCount;
    this.other.hidden = !this.asking;
  }

  /** @param {Verdict} name @param {Chosen} chosen */
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

  // The reasons for exclusion, with their number keys.
  /** @param {Chosen} chosen */
  #choices({ reason }) {
    /** @param {string} words @param {string | null} key @param {string} given */
    const one = (words, key, given) =>
      el("button", { type: "button", class: "reason-choice", "data-key": `reason-${words}`, "aria-pressed": String(given !== "" && reason === given), onclick: () => this.#exclude(given) }, key === null ? null : el("kbd", {}, key), ` ${words}`);
    return [
      el("p", { class: "reasons-head" }, "Why? ", el("span", { class: "note" }, "Number, click, or another reason below")),
      el("div", { class: "reason-list" }, ...this.known.map((words, place) => one(words, place < 9 ? String(place + 1) : null, words)), this.unexplained ? one("No reason", "0", "") : null),
    ];
  }

  // Choose a verdict by its button or key.
  /** @param {Verdict} name */
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

  /** @param {string} reason */
  #exclude(reason) {
    this.#give("exclude", reason);
    this.changed();
  }

  /** @param {Verdict} verdict @param {string} reason */
  #give(verdict, reason) {
    if (this.busy()) return;
    this.asking = false;
    focused(this.root)?.blur();
    this.give(verdict, reason);
  }

  // Choose the reason of a number key.
  /** @param {string} key */
  digit(key) {
    if (!this.asking) return;
    const reason = key === "0" ? (this.unexplained ? "" : undefined) : this.known[Number(key) - 1];
    if (reason !== undefined) this.#exclude(reason);
  }

  // Cancel the exclusion (Escape).
  back() {
    if (!this.asking) return;
    this.asking = false;
    this.changed();
  }
}
