// Screening: the bar above the paper, and the panel beside it in which the reviewer decides on an item. Python decides
// which item comes next; requests are sent to it as { number, do, on }.

import { all, el, focused, focusKey, need, plural, renew, scrollWithin } from "./dom.js";
import { Decisions, nextNumber, settledBy, TypedField } from "./kept.js";
import { CriteriaList, criteriaMarks, reviewerSides, VERDICT_DONE, verdictBadge, Verdicts } from "./criteria.js";
/** @import { Fit, Go, Item, Jump, Move, OwnScreening, ScreenedItem, ScreeningConsensus, ScreeningView, Send, Sent, SettlingDraft, Verdict, View } from "./types" */
/** @import { PaperText } from "./paper.js" */

const MOVES = ["next", "previous", "undo", "conflicts"]; // commands that put another item on the desk

/**
  * Callbacks of the panel.
 * @typedef {object} Acts
 * @property {Jump} jump
 * @property {() => void} changed
 * @property {Send<{ number: number, do: Move, on: boolean }>} went
 * @property {Send<ScreeningConsensus>} settle
 */

export class Screening {
  /** @type {string} */ question;
  /** @type {ScreeningView} */ view;
  /** @type {ScreeningView["mode"]} */ mode;
  /** @type {PaperText} */ paper;
  /** @type {Item[]} */ items;

  /** @param {HTMLElement} root @param {Screened} screened @param {Acts} acts */
  constructor(root, screened, { jump, changed, went, settle }) {
    this.root = root;
    this.screened = screened;
    this.changed = changed; // called when what depends on the panel has to be redrawn
    this.went = went;
    this.bar = need(root, ".screening-bar");
    this.body = need(root, ".screening-body");
    this.why = need(root, ".why", HTMLTextAreaElement);
    this.status = need(root, ".screening-status");
    this.button = need(root, ".settle-item", HTMLButtonElement);
    this.note = new TypedField(need(root, ".screening-note", HTMLTextAreaElement), { typed: () => this.#foot(), send: () => this.#keepNote() });
    this.noteLabel = need(root, ".note-label");
    this.whyLabel = need(root, ".screening .comment-label");
    this.consensus = new ItemConsensus(settle);
    this.verdicts = new Verdicts(root, { give: (verdict, reason) => this.#give(verdict, reason), changed, busy: () => !screened.mayDecide });
    this.list = new CriteriaList({ jump, judge: (id, fit) => this.#judge(id, fit) });
    /** @type {string[]} */
    this.pointed = []; // the criteria of the sentence that was jumped to
    this.why.addEventListener("input", (event) => {
      event.stopPropagation();
      this.consensus.change({ why: this.why.value });
    });
    this.why.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !this.button.disabled) this.settle();
    });
    this.button.addEventListener("click", () => this.settle());
  }

  /** @param {string} question @param {ScreeningView} view @param {PaperText} paper */
  show(question, view, paper) {
    const fresh = this.question !== question || this.mode !== view.mode;
    this.question = question;
    this.view = view;
    this.mode = view.mode;
    this.paper = paper;
    this.consensus.receive(this.question, this.view);
    if (fresh) this.#begin();
    const key = focused(this.root)?.dataset.key;
    this.screened.see(this.view.criteria.flatMap(({ suggestion }) => suggestion?.engine ?? []));
    this.items = criteriaMarks(this.view.criteria);
    /** @type {Go} */
    const go = (what, on) => this.go(what, on);
    renew(this.bar, ...screeningBar(this.view, go));
    renew(this.body, ...(this.settling ? [] : screeningUndo(this.view, go)), ...screeningHead(this.view.item, this.settling ? null : this.screened.value), ...screeningOthers(this.view), ...this.#criteria());
    this.verdicts.show(this.view, this.settling ? this.consensus.draft : this.screened.value);
    this.#foot();
    focusKey(this.root, key);
    if (fresh) this.body.scrollTop = 0;
  }

  #begin() {
    this.pointed = [];
    this.consensus.complaint = null;
    this.verdicts.begin();
    this.why.value = this.consensus.draft.why;
    this.list.unfolded.clear();
  }

  get settling() {
    return this.mode === "settle";
  }

  #criteria() {
    const { criteria, hide } = this.view;
    if (!criteria.length) return [el("p", { class: "note" }, "The project has no criteria yet: add them under Settings on its page.")];
    const state = { pointed: this.pointed, decidable: !this.settling };
    const said = hide ? "Suggestions are hidden: press h to see them." : null;
    return [...this.#waiting(said), el("ol", { class: "crits", "aria-label": "Criteria" }, ...this.list.entries(criteria, this.screened.value.fits, this.paper, state))];
  }

  // Why there are no suggestions, in one line, with a button to request them.
  /** @param {string | null} said */
  #waiting(said) {
    const words = said ?? this.view.waiting;
    if (!words) return [];
    const ask = !said && this.view.suggestable ? el("button", { type: "button", class: "link", "data-key": "suggest", onclick: () => this.go("suggest") }, "Suggest now") : null;
    return [el("p", { class: "note waiting", role: "status" }, words, " ", ask)];
  }

  #foot() {
    const { complaint, waiting } = this.consensus;
    this.noteLabel.hidden = this.settling;
    this.whyLabel.hidden = this.button.hidden = !this.settling;
    if (!this.note.waiting) this.note.value = this.screened.value.note;
    this.button.disabled = waiting !== null;
    this.button.textContent = waiting !== null ? "Saving …" : this.view.settled ? "Settle otherwise" : "Settle";
    const problem = complaint ?? (this.settling ? this.view.unsettled : this.view.problem);
    const busy = this.note.waiting || !this.screened.arrived;
    const calm = this.settling || this.screened.value.version === 0 ? "" : "Saved";
    this.status.textContent = problem ?? (busy ? "Saving …" : calm);
    this.status.classList.toggle("problem", Boolean(problem));
  }

  /** @param {string | null} id @param {Fit | null} fit */
  #judge(id, fit = null) {
    if (id !== null) {
      const { [id]: _, ...others } = this.screened.value.fits;
      this.screened.change({ fits: fit ? { ...others, [id]: fit } : others });
    }
    this.changed();
  }

  /** @param {Verdict} verdict @param {string} reason */
  #give(verdict, reason) {
    if (this.settling) return this.consensus.change({ verdict, reason });
    this.flush();
    return this.screened.change({ verdict, reason }, { acted: true });
  }

  toNote() {
    (this.settling ? this.why : this.note.node).focus();
  }

  /** @param {Move} what @param {boolean} on */
  go(what, on = false) {
    if (this.screened.busy) return;
    this.flush();
    const number = nextNumber();
    this.went({ number, do: what, on });
    if (!MOVES.includes(what)) return;
    this.screened.going = number;
    this.changed();
  }

  toggleHide() {
    this.go("hide", !this.view.hide);
  }

  settle() {
    this.consensus.settle();
    if (!this.consensus.complaint) this.why.blur(); // so that the keys act on the next item
    this.#foot();
  }

  // Bring the criteria of the sentence that was jumped to into view.
  /** @param {number} index */
  pointTo(index) {
    this.pointed = this.view.criteria.filter(({ suggestion }) => suggestion?.sentences.includes(index)).map(({ id }) => id);
    for (const node of all(this.body, ".crit")) node.toggleAttribute("data-pointed", this.pointed.includes(node.dataset.criterion ?? ""));
    const first = this.body.querySelector(".crit[data-pointed]");
    if (first && !this.root.matches('[data-tab="paper"]')) scrollWithin(this.body, first, 8);
  }

  // Send what is still being typed.
  flush() {
    this.note.flush();
  }

  #keepNote() {
    if (this.settling || !this.view || this.note.value === this.screened.value.note) return;
    this.screened.change({ note: this.note.value });
    this.#foot();
  }
}

// ---- The decision ----
// The reviewer's own decision on the item on the desk: { verdict, reason, note, fits, seen, version, acted }. The whole
// is sent with every change. `acted` says that a verdict was just given, after which the next item comes.

export class Screened extends Decisions {
  /** @type {OwnScreening} */ value;
  /** @type {string} */ question;
  /** @type {number | null} */ acting = null;
  /** @type {string[]} */ seen = [];

  /** @param {Send<Sent<OwnScreening>>} send */
  constructor(send) {
    super(send, ({ verdict, note, fits }) => !verdict && !note && !Object.keys(fits).length);
    /** @type {number | null} */
    this.going = null; // the number of the last request for another item, until Python answers it
  }

  /** @param {View} view */
  receive(view) {
    if (!view.screening) return;
    const { own, mode, went, failed } = view.screening;
    this.value = this.kept.receive(view, own);
    if (mode !== "decide" || this.question !== view.question) this.acting = null;
    this.question = view.question;
    // The next item may not have come: the store refused the decision, or there is no other item.
    if (this.going !== null && went >= this.going) this.going = null;
    if (this.acting !== null && Math.max(view.number, failed) >= this.acting) this.acting = null;
  }

  // Whether a verdict was given and the next item has not come. Nothing can be decided meanwhile.
  get busy() {
    return this.acting !== null;
  }

  // Whether a verdict may be given. Not while another item is on its way: the verdict would go to the one that is left.
  get mayDecide() {
    return !this.busy && this.going === null;
  }

  // Note the engines whose suggestions are visible, which are sent with the decision.
  /** @param {string[]} engines */
  see(engines) {
    this.seen = engines;
  }

  /** @param {Partial<OwnScreening>} part @param {{ acted?: boolean }} [how] */
  change(part, { acted = false } = {}) {
    if (this.busy) return;
    const seen = [...new Set([...this.value.seen, ...this.seen])];
    this.value = { ...this.value, ...part, seen, acted };
    if (acted) this.acting = this.kept.last + 1;
    this.kept.set(this.value);
  }
}

// ---- The bar ----
// The bar above the paper: the reviewer's progress, and moves to other items. `go(what, on)` sends a command to Python.

/** @param {ScreeningView} view @param {Go} go */
function screeningBar({ mode, decided, total, conflicts, byPromise, hide, previous }, go) {
  const settling = mode === "settle";
  /** @param {string} label @param {boolean} on @param {boolean} pressed */
  const turn = (label, on, pressed) =>
    el("button", { type: "button", "data-key": `order${on}`, "aria-pressed": String(pressed), onclick: () => go("order", on) }, label);
  return [
    el(
      "div",
      { class: "screening-count" },
      el("span", { class: "count-words", role: "status" }, `${decided.toLocaleString("en")} of ${total.toLocaleString("en")} decided`),
      el("span", { class: "count-bar", "aria-hidden": "true" }, el("span", { style: `width: ${total ? (100 * decided) / total : 0}%` })),
    ),
    conflicts || settling
      ? el("button", { type: "button", class: "conflicts-button", "data-key": "conflicts", "aria-pressed": String(settling), onclick: () => go("conflicts", !settling) }, el("span", { "aria-hidden": "true" }, "≠ "), plural(conflicts, "conflict"))
      : null,
    settling ? null : el("div", { class: "tabs order", role: "group", "aria-label": "Which comes next" }, turn("Most promising first", true, byPromise), turn("As they came", false, !byPromise)),
    el("button", { type: "button", class: "hide-button", "data-key": "hide", "aria-pressed": String(hide), onclick: () => go("hide", !hide) }, hide ? "Show suggestions" : "Hide suggestions", el("kbd", {}, "h")),
    el(
      "div",
      { class: "steps" },
      el("button", { type: "button", "data-key": "previous", disabled: !previous && !settling, title: "Previous (k)", "aria-label": "Previous paper", onclick: () => go("previous") }, "←"),
      el("button", { type: "button", "data-key": "next", title: "Next (j)", "aria-label": "Next paper", onclick: () => go("next") }, "→"),
      el("button", { type: "button", "data-help": "true", "aria-label": "Keyboard help", title: "Keyboard (?)" }, "?"),
    ),
  ].filter(Boolean);
}

// ---- The item ----
// The panel's texts on the item on the desk, above the criteria: the last decision, the item's title, and the others'
// decisions.

// The last decision with a button to undo it, and a note if everything is decided.
/** @param {ScreeningView} view @param {Go} go */
function screeningUndo({ undo, decided, total }, go) {
  const through = total && decided === total ? [el("p", { class: "through", role: "status" }, `You have decided on all ${total.toLocaleString("en")}.`)] : [];
  if (!undo) return through;
  const what = `${undo.verdict ? VERDICT_DONE[undo.verdict] : "Taken back"}${undo.reason ? ` (${undo.reason})` : ""}: `;
  const undone = el(
    "p",
    { class: "undone", role: "status" },
    el("span", { class: "undone-what" }, what, el("span", { class: "undone-title" }, undo.title)),
    el("button", { type: "button", class: "link", "data-key": "undo", onclick: () => go("undo") }, "Undo", el("kbd", {}, "z")),
  );
  return [...through, undone];
}

// `own` is the reviewer's own decision, if it is to be shown.
/** @param {ScreenedItem} item @param {OwnScreening | null} own */
function screeningHead({ title, citation, isPaper }, own) {
  const stands = own?.verdict ? el("p", { class: "stands" }, verdictBadge(own.verdict, VERDICT_DONE), own.reason ? ` ${own.reason}` : null) : null;
  return [
    el("h2", { class: "item-title" }, title),
    el("p", { class: "item-citation" }, [citation, isPaper ? "Full text" : "Title and abstract"].filter(Boolean).join(" · ")),
    stands,
  ].filter(Boolean);
}

// What others decided, if it may be seen.
/** @param {ScreeningView} view */
function screeningOthers({ mode, others, hidden, settled, sides, differ, criteria }) {
  const consensus = settled
    ? [el("section", { class: "suggestion", "aria-label": "Consensus" }, el("p", { class: "suggestion-head" }, "Settled: ", verdictBadge(settled.verdict)), el("p", { class: "reason" }, [settled.reason, settled.why].filter(Boolean).join(": ")), el("p", { class: "note" }, settledBy(settled)))]
    : [];
  if (mode === "settle") {
    const none = differ || settled ? [] : [el("p", { class: "note" }, "No conflict here.")];
    return [...consensus, ...none, reviewerSides(sides, criteria)];
  }
  const decidedToo = hidden.length ? [el("p", { class: "note" }, `${hidden.join(" and ")} ${hidden.length > 1 ? "have" : "has"} decided; shown once you have.`)] : [];
  const said = others.map(({ reviewer, verdict, reason }) => el("p", { class: "said-by" }, `${reviewer}: `, verdictBadge(verdict), reason ? ` ${reason}` : null));
  return [...decidedToo, ...said, ...consensus];
}

// ---- Consensus ----
// What reviewers who differ settle on. The draft stays here until it is stored.

/** @type {Map<string, SettlingDraft>} */
const settlingDrafts = new Map(); // question -> { verdict, reason, why }; kept when the page changes

class ItemConsensus {
  /** @type {string} */ question;
  /** @type {ScreeningView} */ view;

  /** @param {Send<ScreeningConsensus>} send */
  constructor(send) {
    this.send = send;
    this.waiting = null; // the number of the consensus on its way
    this.complaint = null; // what is missing before it can be sent
  }

  /** @param {string} question @param {ScreeningView} view */
  receive(question, view) {
    this.question = question;
    this.view = view;
    if (this.waiting !== null && view.settled_number >= this.waiting) this.waiting = null;
  }

  get draft() {
    const { settled } = this.view;
    return settlingDrafts.get(this.question) ?? { verdict: settled?.verdict ?? null, reason: settled?.reason ?? "", why: settled?.why ?? "" };
  }

  /** @param {Partial<SettlingDraft>} part */
  change(part) {
    settlingDrafts.set(this.question, { ...this.draft, ...part });
    this.complaint = null;
  }

  settle() {
    const { verdict, reason, why } = this.draft;
    const exclusion = verdict === "exclude" && !reason && this.view.item.isPaper;
    this.complaint = !verdict ? "Choose the verdict." : exclusion ? "An exclusion needs its reason." : !why.trim() ? "Say why, in a few words." : null;
    if (this.complaint) return;
    this.waiting = nextNumber();
    this.send({ question: this.question, number: this.waiting, verdict, reason, why, version: this.view.settledVersion });
  }
}
