// Risk of bias: the reviewer's own judgements, and the panel for judging a domain.

import { all, el, focused, focusKey, need, plural, renew, unseen, withMarks } from "./dom.js";
import { Decisions, TypedField } from "./kept.js";
/** @import { Answer, BeginAt, Decision, Flip, JudgedDomain, JudgingView, Level, LevelStyle, OwnDomain, OwnJudgements, Question, RankedSentence, Send, Sent, Thoughts, View } from "./types" */

// ---- Levels ----
// The levels of the tool on the desk, sent by Python: each with its word, sign and colours.

/** @type {Map<Level, LevelStyle>} */
const levelStyles = new Map();

// Take in the levels of the tool on the desk.
/** @param {LevelStyle[]} levels */
export function takeLevels(levels) {
  levelStyles.clear();
  for (const level of levels) levelStyles.set(level.id, level);
}

/** @param {Level | null} level */
const levelWord = (level) => (level && levelStyles.get(level)?.word) ?? "Not judged";

// A level always has a sign and a word, so that it is never shown by colour alone.
/** @param {Level | null} level @param {{ word?: boolean }} [how] */
export function levelBadge(level, { word = true } = {}) {
  const style = level ? levelStyles.get(level) : null;
  const sign = el("span", { class: "level-sign", "data-level": style ? level : "none", "aria-hidden": "true" }, style?.sign ?? "–");
  if (style) Object.assign(sign.style, { backgroundColor: style.colour, color: style.ink });
  const name = levelWord(level);
  return el("span", { class: "level" }, sign, word ? el("span", { class: "level-word" }, name) : unseen(name));
}

// ---- Judgements ----
// The reviewer's own judgements with one tool, on one paper or one of its results. They are sent as a whole, { domains
// }. Each domain (the overall judgement included) has { answers, level, comment, decisions } and { edit, version }: how
// often it was changed here, and from which stored version. One domain is on the desk, and its decisions are the
// desk's.

/** @type {Map<string, string>} */
export const chosenDomains = new Map(); // question -> the domain on the desk; kept when the page changes

let begun = 0; // the number of Python's last request to begin at a domain

// Begin at the domain that Python names, once per request.
/** @param {string} question @param {BeginAt} begin */
export function beginAt(question, [number, id]) {
  if (number > begun) chosenDomains.set(question, id);
  begun = number;
}

/** @param {OwnDomain} own */
const untouched = ({ answers, level, comment, decisions }) =>
  !level && !comment && !decisions.length && !Object.keys(answers).length;

export class Judgements extends Decisions {
  /** @type {OwnJudgements} */ value;
  /** @type {string} */ question;
  /** @type {string} */ outcome;
  /** @type {JudgedDomain[]} */ domains;

  /** @param {Send<Sent<OwnJudgements>>} send */
  constructor(send) {
    super(send, ({ domains }) => Object.values(domains).every(untouched));
  }

  /** @param {View} view */
  receive(view) {
    if (!view.judging) return;
    const { domains, levels } = view.judging;
    takeLevels(levels);
    const value = { domains: Object.fromEntries(domains.map(({ id, own }) => [id, own])) };
    this.value = this.kept.receive(view, value);
    this.question = view.question;
    this.outcome = view.judging.outcome;
    this.domains = domains;
    beginAt(this.question, view.judging.beginAt);
    this.#readWords();
  }

  // The domain on the desk, as Python sent it.
  get domain() {
    return this.domains.find(({ id }) => id === chosenDomains.get(this.question)) ?? this.domains[0];
  }

  get own() {
    return this.value.domains[this.domain.id];
  }

  /** @param {string} id */
  choose(id) {
    chosenDomains.set(this.question, id);
    this.#readWords();
  }

  /** @param {Partial<OwnDomain>} part */
  change(part) {
    const domains = { ...this.value.domains, [this.domain.id]: { ...this.own, ...part, edit: this.own.edit + 1 } };
    this.#keep({ domains });
  }

  /** @param {OwnJudgements} value */
  #keep(value) {
    this.value = value;
    this.kept.set(value);
  }

  #readWords() {
    this.words = new Map(this.own.decisions);
  }

  /** @param {[number, Decision][]} pairs */
  store(pairs) {
    this.change({ decisions: pairs });
  }
}

// ---- Signalling questions ----
// The signalling questions of a domain, with the reviewer's answers, the resulting level, and single answers that flip
// it.

const ANSWER_WORDS = { Y: "Yes", PY: "Probably yes", PN: "Probably no", N: "No", NI: "No information", NA: "Does not come up in this study" };

/** @param {string[]} words */
const eitherOf = (words) => (words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${words.at(-1)}` : words[0]);

// What follows from the answers, in words.
/** @param {string[]} missing @param {Level | null} given @returns {(Node | string)[]} */
function outcome(missing, given) {
  if (missing.length) return [`Still to answer: ${missing.join(", ")}`];
  return given ? ["The answers give: ", levelBadge(given)] : ["The answers do not decide: judge by the criteria."];
}

class SignallingQuestions {
  /** @param {HTMLElement} node @param {(answers: Record<string, Answer>) => void} answer */
  constructor(node, answer) {
    this.node = node;
    this.answer = answer; // (all answers of the domain)
  }

  /** @param {JudgedDomain} domain @param {OwnDomain} own */
  entries({ questions, missing, flips, given }, own) {
    if (!questions.length) return [];
    const deciding = new Set(flips.map(({ question }) => question));
    return [
      el("ol", { class: "questions" }, ...questions.map((question) => this.#question(question, own, deciding))),
      el("p", { class: "missing", role: "status" }, ...outcome(missing, given)),
      ...(given && !missing.length ? this.#flips(flips) : []),
    ];
  }

  /** @param {Question} question @param {OwnDomain} own @param {Set<string>} deciding */
  #question({ id, text, condition, allowed, applies, suggested }, own, deciding) {
    const choices = allowed.map((answer) => {
      const field = el("input", {
        type: "radio",
        name: `answer-${id}`,
        "data-key": `answer-${id}-${answer}`,
        onchange: () => this.answer({ ...own.answers, [id]: answer }),
      });
      field.checked = own.answers[id] === answer;
      return el("label", { class: "answer", title: ANSWER_WORDS[answer] }, field, el("span", {}, answer), unseen(` ${ANSWER_WORDS[answer]}`));
    });
    return el(
      "li",
      { class: "question", "data-applies": String(applies), "data-question": id },
      el("p", { class: "asked", id: `asked-${id}` }, el("b", {}, `${id} `), text),
      applies ? this.#answers(id, choices, deciding, suggested) : el("p", { class: "condition" }, `Does not apply now: only ${condition}.`),
    );
  }

  /** @param {string} id @param {HTMLElement[]} choices @param {Set<string>} deciding @param {Answer | null} suggested */
  #answers(id, choices, deciding, suggested) {
    return el(
      "div",
      { class: "answers", role: "radiogroup", "aria-labelledby": `asked-${id}` },
      ...choices,
      deciding.has(id) ? el("span", { class: "tag" }, "decides") : null,
      suggested ? el("span", { class: "suggested-answer" }, `suggested: ${suggested}`) : null,
    );
  }

  /** @param {Flip[]} flips */
  #flips(flips) {
    /** @param {Flip} flip */
    const line = ({ question, answers, level, opens }) =>
      el(
        "li",
        {},
        el("button", { type: "button", class: "link", onclick: () => this.#showQuestion(question) }, question),
        ` answered ${eitherOf(answers)}: `,
        level ? levelBadge(level) : opens.length ? `no level before ${opens.join(", ")} ${opens.length > 1 ? "are" : "is"} answered` : "the answers no longer decide",
      );
    return [
      el(
        "section",
        { class: "flips", "aria-label": "What flips this?" },
        el("h3", {}, "What flips this?"),
        flips.length ? el("ul", {}, ...flips.map(line)) : el("p", {}, "No single other answer does."),
      ),
    ];
  }

  /** @param {string} id */
  #showQuestion(id) {
    const question = need(this.node, `[data-question="${CSS.escape(id)}"]`);
    question.scrollIntoView({ block: "nearest", behavior: "instant" });
    const [field] = all(question, "input:checked, input:not(:disabled)");
    field?.focus({ preventScroll: true });
  }
}

// ---- The panel ----
// The domains with their levels, and the panel in which the reviewer judges one of them. Answers and levels are sent to
// Python, which determines what applies and what follows; nothing is derived here.

const NOT_SAVED = "Not saved: see above";

export class Judging {
  /** @type {string} */ shown;
  /** @type {boolean | null | undefined} */ stored;

  /** @param {HTMLElement} root @param {Judgements} judgements @param {{ turned: () => void, changed: () => void, thoughts: Thoughts }} acts */
  constructor(root, judgements, { turned, changed, thoughts }) {
    this.thoughts = thoughts; // (run, ranked) -> entries that show how a language model came to its answer
    this.root = root;
    this.row = need(root, ".domains");
    this.body = need(root, ".judging-body");
    this.judgements = judgements;
    this.turned = turned; // called when another domain is on the desk
    this.changed = changed; // called when something was set
    this.suggested = new Map(); // question -> whether there was a suggestion when it was last drawn
    this.saved = need(root, ".saved");
    this.comment = new TypedField(need(root, ".comment", HTMLTextAreaElement), { typed: () => this.#showSaved(), send: () => this.#keepComment() });
    this.questions = new SignallingQuestions(this.body, (answers) => this.#set(() => judgements.change({ answers })));
  }

  // Bring row and panel up to date, without losing focus, typed text or scroll position.
  /** @param {View} view */
  show(view) {
    this.#showSaved(view.stored);
    const { domain, own } = this.judgements;
    const key = focused(this.root)?.dataset.key;
    renew(this.row, ...this.#chips());
    renew(this.body, ...this.#head(domain), ...this.#gold(domain), ...this.#levels(domain, own), ...this.#suggestion(domain), ...this.#others(domain), ...this.questions.entries(domain, own));
    const name = `${this.judgements.question}/${domain.id}`;
    if (this.shown !== name || !this.comment.waiting) this.comment.value = own.comment;
    this.shown = name;
    this.#showFirst();
    focusKey(this.root, key);
  }

  // The domain on the desk.
  get domain() {
    return this.judgements.domain;
  }

  // Show whether the domain on the desk is saved. `stored` is null if nothing is ever stored.
  /** @param {boolean | null} [stored] */
  #showSaved(stored = this.stored) {
    this.stored = stored;
    const { saved } = this.judgements.domain;
    const words = this.comment.waiting || !this.judgements.arrived ? "Saving …" : saved ? "Saved" : NOT_SAVED;
    this.saved.textContent = stored === null ? "" : words;
  }

  /** @param {number} direction */
  step(direction) {
    const { domains, domain } = this.judgements;
    const next = domains[domains.indexOf(domain) + direction];
    if (next) this.#choose(next.id);
  }

  /** @param {string} id */
  #choose(id) {
    this.comment.flush();
    this.judgements.choose(id);
    this.turned();
    // Only the row is scrolled (sideways, in a narrow window), not the page around it.
    const chip = need(this.row, '[aria-current="true"]');
    this.row.scrollLeft = chip.offsetLeft - (this.row.clientWidth - chip.offsetWidth) / 2;
  }

  #chips() {
    const { domains, domain } = this.judgements;
    return domains.map(({ id, name, level, suggestion, follows, gold }) =>
      el(
        "button",
        { type: "button", class: follows === "domains" ? "chip overall" : "chip", "data-key": `domain-${id}`, "aria-current": id === domain.id ? "true" : null, onclick: () => this.#choose(id) },
        levelBadge(level, { word: false }),
        el("span", { class: "chip-name" }, name, el("span", { class: "chip-level", "aria-hidden": "true" }, levelWord(level)), this.#suggestedLevel(suggestion, gold)),
      ),
    );
  }

  /** @param {JudgedDomain["suggestion"]} suggestion @param {JudgedDomain["gold"]} gold */
  #suggestedLevel(suggestion, gold) {
    if (!suggestion || suggestion.hidden) return null;
    const right = gold?.suggested ?? null;
    const sign = right === null ? "" : right ? " ✓ right" : " ✕ wrong";
    return el("span", { class: "chip-suggested" }, `suggested: ${suggestion.level ?? "no level"}${sign}`);
  }

  // When the first suggestions have come, show one: on this domain, or else on the first domain that has one.
  #showFirst() {
    const { question, domains, domain } = this.judgements;
    const first = domains.find(({ suggestion }) => suggestion && !suggestion.hidden);
    const had = this.suggested.get(question);
    this.suggested.set(question, Boolean(first));
    if (had !== false || !first) return;
    if (!domain.suggestion) this.#choose(first.id);
    requestAnimationFrame(() => this.body.querySelector(".suggestion")?.scrollIntoView({ block: "nearest", behavior: "instant" }));
  }

  /** @param {() => void} act */
  #set(act) {
    act();
    this.changed();
  }

  /** @param {JudgedDomain} domain */
  #head({ name, bias, definition, level }) {
    return [
      el("div", { class: "judging-head" }, el("h2", {}, name), levelBadge(level)),
      this.judgements.outcome ? el("p", { class: "judged-result" }, "Result judged: ", el("b", {}, this.judgements.outcome)) : null,
      el("p", { class: "definition" }, definition, " ", bias ? el("span", { class: "kind-of-bias" }, bias[0].toUpperCase() + bias.slice(1) + ".") : null),
    ];
  }

  // The gold levels, and whether the suggested and own levels are right, each with a sign and a word.
  /** @param {JudgedDomain} domain */
  #gold({ gold }) {
    if (!gold) return [];
    /** @param {string} whose @param {boolean | null} right */
    const told = (whose, right) =>
      right === null ? null : el("span", { class: "right-or-wrong", "data-right": String(right) }, `${whose}: ${right ? "✓ right" : "✕ wrong"}`);
    const levels = gold.levels.length ? gold.levels.flatMap((level, place) => [place ? "or" : null, levelBadge(level)]) : ["tells no level"];
    return [el("p", { class: "gold-levels" }, el("b", {}, "Gold"), ...levels, told("Suggested", gold.suggested), told("Yours", gold.own))];
  }

  /** @param {JudgedDomain} domain */
  #suggestion({ suggestion, failure, ranked }) {
    return [...this.#failure(failure), ...this.#suggested(suggestion, ranked)];
  }

  // Why there is no newer suggestion, and what the model said.
  /** @param {JudgedDomain["failure"]} failure */
  #failure(failure) {
    if (!failure) return [];
    const { engine, error, run } = failure;
    return [
      el(
        "section",
        { class: "suggestion", "aria-label": "Failure" },
        el("p", { class: "suggestion-head" }, `No suggestion by ${engine}`),
        run.steps.some((step) => step.error) ? null : el("p", { class: "problem" }, error),
        ...this.thoughts(run, []),
      ),
    ];
  }

  /** @param {JudgedDomain["suggestion"]} suggestion @param {RankedSentence[]} ranked */
  #suggested(suggestion, ranked) {
    if (!suggestion) return [];
    if (suggestion.hidden) {
      return [el("p", { class: "suggestion hidden-suggestion" }, "Blind: suggestions are hidden until you have judged, and so is what others make of this.")];
    }
    const { engine, level, rationale, words, searched, notInPaper, run, cost } = suggestion;
    return [
      el(
        "section",
        { class: "suggestion", "aria-label": "Suggestion" },
        el("p", { class: "suggestion-head" }, `Suggested by ${engine}: `, level ? levelBadge(level) : el("b", {}, "no level")),
        el("p", { class: "reason" }, ...withMarks(rationale, words)),
        searched.length
          ? el("details", { class: "searched" }, el("summary", {}, `Searched ${plural(searched.length, "section")}`), searched.join(" · "))
          : null,
        ...notInPaper.map((text) => el("p", { class: "note" }, `✕ Named by the model, and not in the paper: ${text}`)),
        ...(run ? [el("p", { class: "note" }, `${run.model}: ${cost}`), ...this.thoughts(run, ranked)] : []),
      ),
    ];
  }

  // The other reviewers' judgements and what was settled, if they may be seen.
  /** @param {JudgedDomain} domain @returns {HTMLElement[]} */
  #others({ others, settled }) {
    /** @param {string} who @param {Level | null} level @param {string} words */
    const said = (who, level, words) =>
      el("section", { class: "suggestion", "aria-label": who }, el("p", { class: "suggestion-head" }, `${who}: `, levelBadge(level)), words ? el("p", { class: "reason" }, words) : null);
    const judged = others.filter(({ level }) => level).map(({ reviewer, level, comment }) => said(reviewer, level, comment));
    return settled ? [said("Settled", settled.level, settled.reason), ...judged] : judged;
  }

  // The criteria, each a choice of a level. If a level follows from answers or domains, another choice overrides it.
  /** @param {JudgedDomain} domain @param {OwnDomain} own */
  #levels({ criteria, follows, given, level, missing }, own) {
    const derived = follows !== null; // otherwise the reviewer sets the level
    const shown = derived ? (own.level ?? given) : own.level;
    const cards = criteria.map(([name, text]) => {
      const field = el("input", {
        type: "radio",
        name: "level",
        "data-key": `level-${name}`,
        disabled: derived && !given,
        onchange: () => this.#set(() => this.judgements.change({ level: derived && name === given ? null : name })),
      });
      field.checked = shown === name;
      return el("label", { class: "criterion" }, field, el("span", { class: "criterion-text" }, levelBadge(name), el("span", {}, text)));
    });
    const clear = own.level
      ? el("button", { type: "button", class: "link", "data-key": "clear", onclick: () => this.#set(() => this.judgements.change({ level: null })) }, derived ? `Back to what the ${follows} give` : "Take it back")
      : null;
    const unexplained = derived && given && own.level && own.level !== given && level !== own.level;
    return [
      el("h3", {}, derived ? "Criteria" : "Criteria: choose your judgement"),
      derived ? el("p", { class: "note" }, given ? `The ${follows} give the level. To judge otherwise, choose another and say why.` : `The ${follows} will give the level.`) : null,
      follows === "domains" && given ? el("p", { class: "by-rule" }, "The domains give: ", levelBadge(given)) : null,
      follows === "domains" && !given ? el("p", { class: "missing", role: "status" }, `Still to judge: ${missing.join(", ")}`) : null,
      el("div", { class: "criteria", role: "radiogroup", "aria-label": "Your judgement" }, ...cards),
      clear,
      unexplained ? el("p", { class: "problem", role: "status" }, `Say why in the comment: until then, what the ${follows} give stands.`) : null,
    ].filter(Boolean);
  }

  // Send what is still being typed.
  flush() {
    if (this.comment.waiting) this.comment.flush();
  }

  #keepComment() {
    if (this.judgements.own.comment !== this.comment.value) this.#set(() => this.judgements.change({ comment: this.comment.value }));
    else this.#showSaved();
  }
}
