// The criteria beside the paper: each with its letter, what an engine makes of it, its sentences, and the reviewer's own
// answer. A letter and a line style tell a criterion in the paper too; its hue only helps.

const LINE_STYLES = 5; // in screening.css
const KIND_WORDS = { population: "Population", intervention: "Intervention", comparator: "Comparator", outcome: "Outcome", design: "Design", own: "Criterion" };
const FIT_SIGNS = { met: "✓", "not met": "✕", unclear: "?" };
const FIT_WORDS = { met: "Met", "not met": "Not met", unclear: "Unclear" };

function fitBadge(fit) {
  return el("span", { class: "fit", "data-fit": fit ?? "none" }, el("span", { "aria-hidden": "true" }, FIT_SIGNS[fit] ?? "–"), ` ${FIT_WORDS[fit] ?? "Not judged"}`);
}

function letterBadge(letter, place) {
  return el("span", { class: "letter", "data-line": place % LINE_STYLES, "aria-hidden": "true" }, letter);
}

class CriteriaList {
  constructor({ jump, judge }) {
    this.jump = jump;
    this.judge = judge; // (criterion, fit or null)
    this.unfolded = new Set(); // criteria with all their sentences in view
  }

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

  #suggestion({ id, suggestion }, paper) {
    if (!suggestion) return [];
    const { fit, reason, sentences, engine } = suggestion;
    return [
      el("p", { class: "crit-said", title: `Suggested by ${engine}` }, fitBadge(fit), el("span", { class: "crit-reason" }, ` ${reason}`)),
      sentences.length ? this.#sentences(id, sentences, paper) : null,
    ].filter(Boolean);
  }

  // The best sentence in words, the others by where they stand.
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

  #unfold(id) {
    this.unfolded.add(id);
    this.judge(null);
  }

  // Three small buttons; the one that is pressed takes itself back.
  #fits({ id, text }, own) {
    const button = (fit) =>
      el(
        "button",
        { type: "button", class: "own-fit", "data-key": `fit-${id}-${fit}`, "data-fit": fit, "aria-pressed": String(own === fit), title: `${FIT_WORDS[fit]}: your own answer`, onclick: () => this.judge(id, own === fit ? null : fit) },
        el("span", { "aria-hidden": "true" }, FIT_SIGNS[fit]),
        unseen(FIT_WORDS[fit]),
      );
    return el("span", { class: "own-fits", role: "group", "aria-label": `Your answer: ${text}` }, ...Object.keys(FIT_SIGNS).map(button));
  }
}

// What is marked in the paper: every sentence once, with the letters of all its criteria.
function criteriaMarks(criteria) {
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
    group: places.length > 1 ? "several" : `line-${places[0] % LINE_STYLES}`,
    state: null,
    gold: null,
    fixed: true,
  }));
}
