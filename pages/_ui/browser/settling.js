// The reviewers' judgements of a domain side by side, and what they settle on. A level and its reason stay here until
// they are sent. The next conflict is shown when Python has stored them.

import { el, focused, focusKey, need, plural, renew } from "./dom.js";
import { nextNumber, settledBy } from "./kept.js";
import { beginAt, chosenDomains, levelBadge, takeLevels } from "./bias.js";
/** @import { Answer, Consensus, Level, Send, SettledDomain, Side, View } from "./types" */

/** @typedef {{ level: Level | null, reason: string }} Draft */

/** @type {Map<string, Draft>} */
const drafts = new Map(); // "question/domain" -> { level, reason }; kept when the page changes

const STATES = { conflict: "Conflict", agreed: "Agreed", settled: "Settled", open: "Not all judged", hidden: "Hidden" };
const DECIDABLE = ["conflict", "settled"];

export class Settling {
  /** @type {string} */ question;
  /** @type {SettledDomain[]} */ domains;
  /** @type {string | null} */ failed;
  /** @type {string} */ shown;

  /** @param {HTMLElement} root @param {{ turned: () => void, send: Send<Consensus> }} acts */
  constructor(root, { turned, send }) {
    this.root = root;
    this.row = need(root, ".domains");
    this.panel = need(root, ".judging");
    this.body = need(root, ".judging-body");
    this.foot = need(root, ".settling");
    this.reason = need(root, ".reason-field", HTMLTextAreaElement);
    this.problem = need(root, ".settling-problem");
    this.button = need(root, ".settle", HTMLButtonElement);
    this.turned = turned;
    this.send = send;
    /** @type {{ number: number, domain: string } | null} */
    this.waiting = null; // what was sent and is not stored yet
    this.reason.addEventListener("input", (event) => {
      event.stopPropagation(); // it is not the hypothesis that is being typed
      this.#draft({ reason: this.reason.value });
      this.#complain(null);
    });
    this.button.addEventListener("click", () => this.#settle());
  }

  // Take in what Python sent. Once a consensus is stored, go to the next conflict.
  /** @param {View} view */
  receive(view) {
    if (!view.settling) return;
    const { domains, number, problem, levels } = view.settling;
    takeLevels(levels);
    this.question = view.question;
    this.domains = domains;
    beginAt(this.question, view.settling.beginAt);
    if (!chosenDomains.has(this.question)) chosenDomains.set(this.question, (this.domains.find(isConflict) ?? this.domains[0]).id);
    const sent = this.waiting;
    if (!sent || number < sent.number) return;
    this.waiting = null;
    this.failed = problem;
    if (this.failed) return;
    drafts.delete(`${this.question}/${sent.domain}`);
    const from = this.domains.findIndex(({ id: one }) => one === sent.domain);
    const next = [...this.domains.slice(from + 1), ...this.domains.slice(0, from)].find(isConflict);
    if (next) chosenDomains.set(this.question, next.id);
  }

  get domain() {
    return this.domains.find(({ id }) => id === chosenDomains.get(this.question)) ?? this.domains[0];
  }

  get draft() {
    const { settled } = this.domain;
    return drafts.get(`${this.question}/${this.domain.id}`) ?? { level: settled?.level ?? null, reason: settled?.reason ?? "" };
  }

  show() {
    const { domain, draft } = this;
    const key = focused(this.root)?.dataset.key;
    renew(this.row, ...this.domains.map((one) => this.#chip(one)));
    renew(this.body, ...this.#head(domain), this.#sides(domain), ...this.#said(domain), ...this.#levels(domain, draft));
    this.foot.hidden = !DECIDABLE.includes(domain.state);
    this.button.textContent = this.waiting ? "Saving …" : domain.settled ? "Settle otherwise" : "Settle";
    this.button.disabled = Boolean(this.waiting);
    this.#complain(this.failed);
    const name = `${this.question}/${domain.id}`;
    if (this.shown !== name) this.panel.scrollTop = 0;
    if (this.reason.value !== draft.reason) this.reason.value = draft.reason;
    this.shown = name;
    focusKey(this.root, key);
  }

  /** @param {number} direction */
  step(direction) {
    const next = this.domains[this.domains.indexOf(this.domain) + direction];
    if (next) this.#choose(next.id);
  }

  /** @param {string} id */
  #choose(id) {
    chosenDomains.set(this.question, id);
    this.failed = null;
    this.turned();
    const chip = need(this.row, '[aria-current="true"]');
    this.row.scrollLeft = chip.offsetLeft - (this.row.clientWidth - chip.offsetWidth) / 2;
  }

  /** @param {Partial<Draft>} part */
  #draft(part) {
    drafts.set(`${this.question}/${this.domain.id}`, { ...this.draft, ...part });
  }

  /** @param {string | null} words */
  #complain(words) {
    this.failed = words;
    this.problem.textContent = words ?? "";
  }

  #settle() {
    const { level, reason } = this.draft;
    this.failed = !level ? "Choose the level." : !reason.trim() ? "A consensus needs its reason, in a few words." : null;
    if (level && !this.failed) {
      this.waiting = { number: nextNumber(), domain: this.domain.id };
      this.send({ ...this.waiting, question: this.question, level, reason, version: this.domain.settled?.version ?? 0 });
    }
    this.show();
  }

  /** @param {SettledDomain} domain */
  #chip({ id, name, level, state }) {
    return el(
      "button",
      { type: "button", class: "chip", "data-key": `domain-${id}`, "data-state": state, "aria-current": id === this.domain.id ? "true" : null, onclick: () => this.#choose(id) },
      state === "conflict" ? el("span", { class: "level" }, el("span", { class: "level-sign", "data-level": "none", "aria-hidden": "true" }, "≠")) : levelBadge(level, { word: false }),
      el("span", { class: "chip-name" }, name, el("span", { class: "chip-level" }, STATES[state])),
    );
  }

  /** @param {SettledDomain} domain */
  #head({ name, bias, definition, level }) {
    return [
      el("div", { class: "judging-head" }, el("h2", {}, name), level ? levelBadge(level) : null),
      el("p", { class: "definition" }, definition, " ", el("span", { class: "kind-of-bias" }, bias ? bias[0].toUpperCase() + bias.slice(1) + "." : "")),
    ];
  }

  /** @param {SettledDomain} domain */
  #sides({ judgements, state }) {
    if (state === "hidden") return el("p", { class: "suggestion hidden-suggestion" }, "Blind mode: what the others make of this shows when your own judgement is in.");
    /** @type {Map<string, Set<Answer>>} */
    const answers = new Map(); // question -> the different answers to it
    for (const one of judgements) for (const [id, answer] of one.answers) answers.set(id, new Set([...(answers.get(id) ?? []), answer]));
    return el("div", { class: "sides" }, ...judgements.map((one) => this.#side(one, answers)));
  }

  /** @param {Side} side @param {Map<string, Set<Answer>>} all */
  #side({ reviewer, level, comment, answers, support }, all) {
    /** @param {string} id */
    const differs = (id) => (all.get(id)?.size ?? 0) > 1;
    return el(
      "section",
      { class: "side-of", "aria-label": reviewer },
      el("h3", {}, reviewer),
      levelBadge(level),
      comment ? el("p", { class: "their-comment" }, comment) : el("p", { class: "note" }, "No comment"),
      answers.length
        ? el("ul", { class: "their-answers" }, ...answers.map(([id, answer, text]) => el("li", { title: text, "data-differs": differs(id) ? "true" : null }, `${id} `, el("b", {}, answer), differs(id) ? " ≠" : "")))
        : null,
      el("p", { class: "note" }, support ? plural(support, "sentence") : "No sentence"),
    );
  }

  /** @param {SettledDomain} domain */
  #said({ settled }) {
    if (!settled) return [];
    return [
      el("section", { class: "suggestion", "aria-label": "Consensus" }, el("p", { class: "suggestion-head" }, "Settled: ", levelBadge(settled.level)), el("p", { class: "reason" }, settled.reason), el("p", { class: "note" }, `${settledBy(settled)}, ${settled.when}`)),
    ];
  }

  /** @param {SettledDomain} domain @param {Draft} draft */
  #levels({ criteria, state }, draft) {
    if (!DECIDABLE.includes(state)) return [];
    const cards = criteria.map(([name, text]) => {
      const field = el("input", { type: "radio", name: "level", "data-key": `settle-${name}`, onchange: () => this.#draft({ level: name }) });
      field.checked = draft.level === name;
      return el("label", { class: "criterion" }, field, el("span", { class: "criterion-text" }, levelBadge(name), el("span", {}, text)));
    });
    return [el("h3", {}, "Settle on"), el("div", { class: "criteria", role: "radiogroup", "aria-label": "Consensus" }, ...cards)];
  }
}

/** @param {SettledDomain} domain */
const isConflict = ({ state }) => state === "conflict";
