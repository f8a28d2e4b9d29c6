// How a language model came to its answer: its verdict, and every question with what it said. All of it is the model's
// own text, and none of it is trusted: it is shown as text, and a sentence is one of the paper's or it is no button.

const STANCE_SIGNS = { supports: "▲", refutes: "▼", neutral: "◇" };

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

function verdictEntry(verdict, items, jump) {
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

function showReasoning(node, run, items, paper, jump) {
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

function thought(step, byIndex, paper, jump) {
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

// `texts`: each with how often it was said.
function listed(title, texts, kind = null) {
  if (!texts.length) return [];
  const often = (times) => (times > 1 ? ` ×${times}` : "");
  return [el("p", { class: "listed" }, title), el("ul", { class: kind }, ...texts.map(([text, times]) => el("li", {}, text, el("b", {}, often(times)))))];
}

const WORDING_NAMES = { paraphrase: "In other words", negation: "Negated" };

// What the same search finds for other wordings. An engine that reads for meaning finds the same sentences.
function showWordings(node, changes, items, paper, jump) {
  const byIndex = new Map(items.map((item) => [item.index, item]));
  node.replaceChildren(
    el("p", { class: "sum" }, "The same search for other wordings. The less they change, the more the answer can be relied on."),
    ...changes.map((change) => wordingEntry(change, byIndex, paper, jump)),
  );
}

function wordingEntry(change, byIndex, paper, jump) {
  const { rewording, hypothesis, kept, lost, gained, contradictions, judged } = change;
  const total = kept + lost.length + gained.length;
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

const stanceWords = (stance) => `${STANCE_SIGNS[stance]} ${stance}`;
