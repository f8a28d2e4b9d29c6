// A plain summary beside its paper: the reviewer's own labels, and the panel with the summary's text.

import { el, elementOf, need, renew, unseen } from "./dom.js";
import { Decisions } from "./kept.js";
/** @import { CheckingView, Claim, Jump, Label, OwnLabels, Pieces, Send, Sent, View } from "./types" */

// ---- Labels ----
// The reviewer's own labels on the sentences of a summary, { [sentence]: label }, which override or confirm the
// engine's. One sentence is chosen; its support is marked in the paper.

/** @type {Set<Label>} */
const WRONG_LABELS = new Set(["contradicts the paper", "not in the paper"]);
/** @type {Map<string, number>} */
const chosenClaims = new Map(); // question -> the chosen sentence of the summary; kept when the page changes

export class Labels extends Decisions {
  /** @type {OwnLabels} */ value;
  /** @type {string} */ question;
  /** @type {Claim[]} */ claims;

  /** @param {Send<Sent<OwnLabels>>} send */
  constructor(send) {
    super(send, (value) => Object.keys(value).length === 0);
    this.value = {};
  }

  /** @param {View} view */
  receive(view) {
    if (!view.checking) return;
    const { claims, own } = view.checking;
    this.value = this.kept.receive(view, own);
    this.question = view.question;
    this.claims = claims;
    if (!chosenClaims.has(this.question)) {
      const first = claims.findIndex(({ label }) => WRONG_LABELS.has(label));
      chosenClaims.set(this.question, Math.max(0, first));
    }
  }

  get at() {
    return Math.min(chosenClaims.get(this.question) ?? 0, this.claims.length - 1);
  }

  get claim() {
    return this.claims[this.at];
  }

  // The label that counts: the reviewer's, or else the engine's.
  /** @param {number} index @returns {Label} */
  standing(index) {
    return this.value[index] ?? this.claims[index].label;
  }

  /** @param {number} index */
  choose(index) {
    chosenClaims.set(this.question, index);
  }

  /** @param {number} index @param {Label | null} own */
  label(index, own) {
    const { [index]: _, ...others } = this.value;
    this.value = own ? { ...others, [index]: own } : others;
    this.kept.set(this.value);
  }
}

// ---- The panel ----
// The summary with each sentence marked by its label, and details on the chosen one.

const LABEL_SIGNS = { supported: "✓", "contradicts the paper": "✕", "not in the paper": "∅", "cannot tell": "?", "not judged": "–" };
/** @type {[label: Label, about: string][]} */
const OWN_LABELS = [
  ["supported", "The paper says this"],
  ["contradicts the paper", "The paper says otherwise"],
  ["not in the paper", "It may be true, but the paper does not say it"],
  ["not judged", "It makes no claim of the paper's, or cannot be understood"],
];

/** @param {number} score */
const percent = (score) => `${Math.round(100 * score)}%`;

/** @param {string} words */
const capital = (words) => words[0].toUpperCase() + words.slice(1);

// A label always has a sign and a word, so that it is never shown by colour alone.
/** @param {Label} label @param {string} words */
const labelBadge = (label, words) =>
  el(
    "span",
    { class: "claim-label" },
    el("span", { class: "claim-sign", "data-label": label, "aria-hidden": "true" }, LABEL_SIGNS[label]),
    el("span", {}, capital(words)),
  );

const AGREEMENTS = { agrees: ["=", "as in the other"], differs: ["≠", "differs from the other"], "not found": ["?", "not in these sentences"] };

// Text whose numbers are marked by how they agree with the other side's, with a sign and not only a style.
/** @param {Pieces} pieces */
const numbered = (pieces) =>
  pieces.map(([text, agreement]) => {
    if (!agreement) return text;
    const [sign, about] = AGREEMENTS[agreement];
    return el("span", { class: "paired", "data-agreement": agreement, title: capital(about) }, text, el("sup", { "aria-hidden": "true" }, sign), unseen(` (${about})`));
  });

export class Checking {
  /** @type {Record<Label, string>} */ words;
  /** @type {string} */ worth;

  /** @param {HTMLElement} root @param {Labels} labels @param {{ turned: () => void, changed: () => void, jump: Jump }} acts */
  constructor(root, labels, { turned, changed, jump }) {
    this.body = need(root, ".checking-body");
    this.labels = labels;
    this.turned = turned; // called when another sentence of the summary is chosen
    this.changed = changed; // called when something was set
    this.jump = jump;
    // The sentences are inline text, which buttons would not be, so Enter and Space are handled here.
    this.body.addEventListener("keydown", (event) => {
      const claim = elementOf(event);
      if (!["Enter", " "].includes(event.key) || !(claim instanceof HTMLElement && claim.matches(".claim"))) return;
      event.preventDefault();
      claim.click();
    });
  }

  /** @param {CheckingView} view */
  show({ rest, words, worth }) {
    this.words = words; // for each label
    this.worth = worth; // how often the labels are right, if known
    renew(this.body, this.#text(rest), el("div", { class: "claim-detail" }, ...this.#chosen()));
  }

  /** @param {number} direction */
  step(direction) {
    const next = this.labels.at + direction;
    if (next >= 0 && next < this.labels.claims.length) this.#choose(next);
  }

  /** @param {number} index */
  #choose(index) {
    this.labels.choose(index);
    this.turned();
    this.body.querySelector('.claim[aria-current="true"]')?.scrollIntoView({ block: "nearest", behavior: "instant" });
  }

  // `rest` is the text after the last sentence. Each sentence comes with the text before it.
  /** @param {string} rest */
  #text(rest) {
    const nodes = [...this.labels.claims.flatMap((claim, index) => [claim.before, this.#claim(claim, index)]), rest];
    return el("div", { class: "summary-text", role: "group", "aria-label": "The summary" }, ...nodes.filter((node) => node !== ""));
  }

  /** @param {Claim} claim @param {number} index */
  #claim({ parts, gold }, index) {
    const label = this.labels.standing(index);
    const otherwise = gold && !gold.labels.includes(label) ? `gold ${gold.labels.map((one) => LABEL_SIGNS[one]).join(" or ")}` : null;
    const said = `${capital(this.words[label])}: `;
    return el(
      "span",
      {
        class: "claim",
        role: "button",
        tabindex: "0",
        "data-key": `claim-${index}`,
        "data-label": label,
        "aria-current": index === this.labels.at ? "true" : null,
        onclick: () => this.#choose(index),
      },
      el("span", { class: "claim-sign", "data-label": label, "aria-hidden": "true" }, LABEL_SIGNS[label]),
      unseen(said),
      ...parts.map(([text, wrong]) => (wrong && WRONG_LABELS.has(label) ? el("mark", {}, text) : text)),
      otherwise ? el("span", { class: "gold-tag", title: `Gold: ${gold?.labels.join(" or ")}` }, otherwise) : null,
    );
  }

  #chosen() {
    const { claim, at } = this.labels;
    if (!claim) return [];
    const own = this.labels.value[at];
    return [
      ...this.#beside(claim),
      el("div", { class: "claim-head" }, this.#badge(this.labels.standing(at)), el("span", { class: "note" }, this.#whose(claim, own))),
      this.worth ? el("p", { class: "note" }, this.worth) : null,
      this.#gold(claim),
      claim.reason && !claim.flags.some(({ reason }) => reason === claim.reason) ? el("p", { class: "reason" }, claim.reason) : null,
      ...this.#flags(claim),
      ...claim.invented.map((quoted) => el("p", { class: "invented" }, el("b", {}, "✕ Not in the paper: "), `the engine quoted “${quoted}”`)),
      this.#choices(at, own),
    ].filter(Boolean);
  }

  // The sentence, above the nearest sentences of the paper, with the numbers of both marked.
  /** @param {Claim} claim */
  #beside({ said, nearest }) {
    /** @param {Claim["nearest"][number]} sentence */
    const near = ({ index, pieces }) =>
      el("li", {}, el("button", { type: "button", class: "near-sentence", "data-key": `near-${index}`, title: "Show it in the paper", onclick: () => this.jump(index) }, ...numbered(pieces)));
    return [
      el("p", { class: "claim-said" }, ...numbered(said)),
      el("h3", {}, nearest.length ? "Nearest in the paper" : "No sentence of the paper comes near"),
      nearest.length ? el("ol", { class: "nearest" }, ...nearest.map(near)) : null,
    ];
  }

  /** @param {Claim} claim @param {Label | undefined} own */
  #whose({ label, score }, own) {
    const likely = score === null ? "" : `, ${percent(score)} likely to be supported`;
    if (!own) return `Sentence ${this.labels.at + 1} of ${this.labels.claims.length}, by the engine${likely}`;
    return `Your label. The engine: ${this.words[label]}${likely}`;
  }

  /** @param {Label} label */
  #badge(label) {
    return labelBadge(label, this.words[label]);
  }

  /** @param {Claim} claim */
  #gold({ gold }) {
    if (!gold) return null;
    return el("p", { class: "claim-gold" }, el("b", {}, "Gold: "), ...gold.labels.flatMap((label, place) => [place ? " or " : null, labelBadge(label, label)]).filter(Boolean), gold.rationale ? ` ${gold.rationale}` : null);
  }

  /** @param {Claim} claim */
  #flags({ flags }) {
    if (!flags.length) return [];
    /** @param {Claim["flags"][number]} flag */
    const flag = ({ reason, index }) =>
      el(
        "li",
        {},
        reason,
        index === null ? null : " ",
        index === null ? null : el("button", { type: "button", class: "link", "data-i": index, onclick: () => this.jump(index) }, "Show in the paper"),
      );
    return [el("ul", { class: "flags", "aria-label": "What speaks against it" }, ...flags.map(flag))];
  }

  /** @param {number} at @param {Label | undefined} own */
  #choices(at, own) {
    const choices = OWN_LABELS.map(([label, about]) => {
      const field = el("input", {
        type: "radio",
        name: "own-label",
        "data-key": `own-${label}`,
        onchange: () => this.#set(at, label),
      });
      field.checked = own === label;
      return el("label", { class: "answer", title: about }, field, el("span", {}, `${LABEL_SIGNS[label]} ${capital(label)}`));
    });
    return el(
      "div",
      { class: "own-label" },
      el("h3", {}, "Your label"),
      el("div", { class: "answers", role: "radiogroup", "aria-label": "Your label" }, ...choices),
      own ? el("button", { type: "button", class: "link", "data-key": "clear-label", onclick: () => this.#set(at, null) }, "Back to the engine's") : null,
    );
  }

  /** @param {number} at @param {Label | null} own */
  #set(at, own) {
    this.labels.label(at, own);
    this.changed();
  }
}
