// The signalling questions of a domain, with the reviewer's answers, what they give, and which single answer would flip it.

const ANSWER_WORDS = { Y: "Yes", PY: "Probably yes", PN: "Probably no", N: "No", NI: "No information" };

const eitherOf = (words) => (words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${words.at(-1)}` : words[0]);

class SignallingQuestions {
  constructor(node, answer) {
    this.node = node;
    this.answer = answer; // (all answers of the domain)
  }

  entries({ questions, missing, flips, given }, own) {
    if (!questions.length) return [];
    const deciding = new Set(flips.map(({ question }) => question));
    return [
      el("ol", { class: "questions" }, ...questions.map((question) => this.#question(question, own, deciding))),
      el("p", { class: "missing", role: "status" }, missing.length ? `Still to answer: ${missing.join(", ")}` : `The answers give: `, missing.length ? null : levelBadge(given)),
      ...this.#flips(flips, missing),
    ];
  }

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

  #answers(id, choices, deciding, suggested) {
    return el(
      "div",
      { class: "answers", role: "radiogroup", "aria-labelledby": `asked-${id}` },
      ...choices,
      deciding.has(id) ? el("span", { class: "tag" }, "decides") : null,
      suggested ? el("span", { class: "suggested-answer" }, `suggested: ${suggested}`) : null,
    );
  }

  #flips(flips, missing) {
    if (missing.length) return [];
    const line = ({ question, answers, level, opens }) =>
      el(
        "li",
        {},
        el("button", { type: "button", class: "link", onclick: () => this.#showQuestion(question) }, question),
        ` answered ${eitherOf(answers)}: `,
        level ? levelBadge(level) : `no level before ${opens.join(", ")} ${opens.length > 1 ? "are" : "is"} answered`,
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

  #showQuestion(id) {
    const question = this.node.querySelector(`[data-question="${CSS.escape(id)}"]`);
    question.scrollIntoView({ block: "nearest", behavior: "instant" });
    question.querySelector("input:checked, input:not(:disabled)")?.focus({ preventScroll: true });
  }
}
