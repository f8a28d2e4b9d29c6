// A plain summary beside its paper: the reviewer's own labels, and the panel with the text of the summary.

import { el, renew, unseen } from "./dom.js";
import { Decisions } from "./kept.js";

// ---- Labels ----
// The reviewer's own labels on the sentences of a summary: { [sentence]: label }, where they differ from what
// the engine said or confirm it. One sentence is chosen; its support is what is marked in the paper.

const WRONG_LABELS = new Set(["contradicts the paper", "not in the paper"]);
const chosenClaims = new Map(); // question -> the chosen sentence of the summary; outlives a switch of the page

export class Labels extends Decisions {
  constructor(send) {
    super(send, (value) => Object.keys(value).length === 0);
    this.value = {};
  }

  receive(view) {
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
    return Math.min(chosenClaims.get(this.question), this.claims.length - 1);
  }

  get claim() {
    return this.claims[this.at];
  }

  // What stands: the reviewer's label, or else the engine's.
  standing(index) {
    return this.value[index] ?? this.claims[index].label;
  }

  choose(index) {
    chosenClaims.set(this.question, index);
  }

  label(index, own) {
    const { [index]: _, ...others } = this.value;
    this.value = own ? { ...others, [index]: own } : others;
    this.kept.set(this.value);
  }
}

// ---- The panel ----
// A plain summary beside its paper: the text with each sentence marked by its label, and what is said of the chosen one.

const LABEL_SIGNS = { supported: "✓", "contradicts the paper": "✕", "not in the paper": "∅", "cannot tell": "?", "not judged": "–" };
const OWN_LABELS = {
  supported: "The paper says this",
  "contradicts the paper": "The paper says otherwise",
  "not in the paper": "It may be true, but the paper does not say it",
  "not judged": "It makes no claim of the paper's, or cannot be understood",
};

const percent = (score) => `${Math.round(100 * score)}%`;

const capital = (words) => words[0].toUpperCase() + words.slice(1);

// A label is never told by its colour alone.
const labelBadge = (label, words) =>
  el(
    "span",
    { class: "claim-label" },
    el("span", { class: "claim-sign", "data-label": label, "aria-hidden": "true" }, LABEL_SIGNS[label]),
    el("span", {}, capital(words)),
  );

const AGREEMENTS = { agrees: ["=", "as in the other"], differs: ["≠", "differs from the other"], "not found": ["?", "not in these sentences"] };

// Text with its numbers marked by how they agree with the other side's: a sign beside the look.
const numbered = (pieces) =>
  pieces.map(([text, agreement]) => {
    if (!agreement) return text;
    const [sign, about] = AGREEMENTS[agreement];
    return el("span", { class: "paired", "data-agreement": agreement, title: capital(about) }, text, el("sup", { "aria-hidden": "true" }, sign), unseen(` (${about})`));
  });

export class Checking {
  constructor(root, labels, { turned, changed, jump }) {
    this.panel = root.querySelector(".checking");
    this.body = root.querySelector(".checking-body");
    this.labels = labels;
    this.turned = turned; // another sentence of the summary is chosen
    this.changed = changed; // something was set
    this.jump = jump;
    // The sentences run on like text, which a button of the browser's own would not.
    this.body.addEventListener("keydown", (event) => {
      if (!["Enter", " "].includes(event.key) || !event.target.matches(".claim")) return;
      event.preventDefault();
      event.target.click();
    });
  }

  show({ rest, words, worth }) {
    this.words = words; // of each label
    this.worth = worth; // how often the labels are right, where that is known
    renew(this.body, this.#text(rest), el("div", { class: "claim-detail" }, ...this.#chosen()));
  }

  step(direction) {
    const next = this.labels.at + direction;
    if (next >= 0 && next < this.labels.claims.length) this.#choose(next);
  }

  #choose(index) {
    this.labels.choose(index);
    this.turned();
    this.body.querySelector('.claim[aria-current="true"]')?.scrollIntoView({ block: "nearest", behavior: "instant" });
  }

  // `rest`: what stands behind the last sentence; what stands before each comes with it.
  #text(rest) {
    const nodes = [...this.labels.claims.flatMap((claim, index) => [claim.before, this.#claim(claim, index)]), rest];
    return el("div", { class: "summary-text", role: "group", "aria-label": "The summary" }, ...nodes.filter((node) => node !== ""));
  }

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
      otherwise ? el("span", { class: "gold-tag", title: `Gold: ${gold.labels.join(" or ")}` }, otherwise) : null,
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
      this.#choices(at, claim, own),
    ].filter(Boolean);
  }

  // The sentence above those of the paper that come nearest, with the numbers of both marked.
  #beside({ said, nearest }) {
    const near = ({ index, pieces }) =>
      el("li", {}, el("button", { type: "button", class: "near-sentence", "data-key": `near-${index}`, title: "Show it in the paper", onclick: () => this.jump(index) }, ...numbered(pieces)));
    return [
      el("p", { class: "claim-said" }, ...numbered(said)),
      el("h3", {}, nearest.length ? "Nearest in the paper" : "No sentence of the paper comes near"),
      nearest.length ? el("ol", { class: "nearest" }, ...nearest.map(near)) : null,
    ];
  }

  #whose({ label, score }, own) {
    const likely = score === null ? "" : `, ${percent(score)} likely to be supported`;
    if (!own) return `Sentence ${this.labels.at + 1} of ${this.labels.claims.length}, by the engine${likely}`;
    return `Your label. The engine: ${this.words[label]}${likely}`;
  }

  #badge(label) {
    return labelBadge(label, this.words[label]);
  }

  #gold({ gold }) {
    if (!gold) return null;
    return el("p", { class: "claim-gold" }, el("b", {}, "Gold: "), ...gold.labels.flatMap((label, place) => [place ? " or " : null, labelBadge(label, label)]).filter(Boolean), gold.rationale ? ` ${gold.rationale}` : null);
  }

  #flags({ flags }) {
    if (!flags.length) return [];
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

  #choices(at, claim, own) {
    const choices = Object.entries(OWN_LABELS).map(([label, about]) => {
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

  #set(at, own) {
    this.labels.label(at, own);
    this.changed();
  }
}
