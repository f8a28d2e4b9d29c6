// Risk of bias: the domains with their levels, and the panel in which the reviewer judges one of them. Answers and
// levels go to Python, which knows what applies and what follows from them; nothing is derived here.

const NOT_SAVED = "Not saved: see above";

class Judging {
  constructor(root, judgements, { turned, changed, thoughts }) {
    this.thoughts = thoughts; // (run, ranked) -> how a language model came to it, question by question
    this.row = root.querySelector(".domains");
    this.panel = root.querySelector(".judging");
    this.body = root.querySelector(".judging-body");
    this.judgements = judgements;
    this.turned = turned; // another domain is on the desk
    this.changed = changed; // something was set
    this.suggested = new Map(); // question -> whether there was a suggestion when it was last drawn
    this.saved = root.querySelector(".saved");
    this.comment = new TypedField(root.querySelector(".comment"), { typed: () => this.#showSaved(), send: () => this.#keepComment() });
    this.questions = new SignallingQuestions(this.body, (answers) => this.#set(() => judgements.change({ answers })));
  }

  // Bring row and panel up to date; what is focused, typed or scrolled to stays.
  show(view) {
    this.view = view.judging;
    this.#showSaved(view.stored);
    const { domain, own } = this.judgements;
    const key = this.panel.getRootNode().activeElement?.dataset?.key;
    renew(this.row, ...this.#chips());
    renew(this.body, ...this.#head(domain), ...this.#levels(domain, own), ...this.#suggestion(domain), ...this.#others(domain), ...this.questions.entries(domain, own));
    const name = `${this.judgements.question}/${domain.id}`;
    if (this.shown !== name || !this.comment.waiting) this.comment.value = own.comment;
    this.shown = name;
    this.#showFirst();
    if (key) this.panel.parentElement.parentElement.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
  }

  // The domain on the desk.
  get domain() {
    return this.judgements.domain;
  }

  // Whether the domain on the desk is saved. `stored` is null where nothing is stored.
  #showSaved(stored = this.stored) {
    this.stored = stored;
    const { saved } = this.judgements.domain;
    const words = this.comment.waiting || !this.judgements.arrived ? "Saving …" : saved ? "Saved" : NOT_SAVED;
    this.saved.textContent = stored === null ? "" : words;
  }

  step(direction) {
    const { domains, domain } = this.judgements;
    const next = domains[domains.indexOf(domain) + direction];
    if (next) this.#choose(next.id);
  }

  #choose(id) {
    this.comment.flush();
    this.judgements.choose(id);
    this.turned();
    // The row scrolls sideways in a narrow window, and the page around it stays.
    const chip = this.row.querySelector('[aria-current="true"]');
    this.row.scrollLeft = chip.offsetLeft - (this.row.clientWidth - chip.offsetWidth) / 2;
  }

  #chips() {
    const { domains, domain } = this.judgements;
    const chips = domains.map(({ id, name, level, suggestion }) =>
      el(
        "button",
        { type: "button", class: "chip", "data-key": `domain-${id}`, "aria-current": id === domain.id ? "true" : null, onclick: () => this.#choose(id) },
        levelBadge(level, { word: false }),
        el("span", { class: "chip-name" }, name, el("span", { class: "chip-level", "aria-hidden": "true" }, levelWord(level)), this.#suggestedLevel(suggestion)),
      ),
    );
    return this.view.overall ? [...chips, this.#overall(this.view.overall)] : chips;
  }

  #suggestedLevel(suggestion) {
    if (!suggestion || suggestion.hidden) return null;
    return el("span", { class: "chip-suggested" }, `suggested: ${suggestion.level ?? "no level"}`);
  }

  // When the first suggestions have come: to the first domain that has one, and to its words.
  #showFirst() {
    const { question, domains, domain } = this.judgements;
    const first = domains.find(({ suggestion }) => suggestion && !suggestion.hidden);
    const had = this.suggested.get(question);
    this.suggested.set(question, Boolean(first));
    if (had !== false || !first) return;
    if (!domain.suggestion) this.#choose(first.id);
    requestAnimationFrame(() => this.body.querySelector(".suggestion")?.scrollIntoView({ block: "nearest", behavior: "instant" }));
  }

  #overall({ level, raise, saved }) {
    const box = { type: "checkbox", "data-key": "raised", onchange: (event) => this.#set(() => this.judgements.raise(event.target.checked)) };
    const field = el("input", box);
    field.checked = this.judgements.value.raised.on;
    return el(
      "div",
      { class: "chip overall" },
      levelBadge(level, { word: false }),
      el("span", { class: "chip-name" }, "Overall", el("span", { class: "chip-level" }, level ? levelWord(level) : "Not all domains judged")),
      saved ? null : el("span", { class: "chip-level" }, NOT_SAVED),
      raise ? el("label", { class: "raise", title: raise.why }, field, raise.label) : null,
    );
  }

  #set(act) {
    act();
    this.changed();
  }

  #head({ name, bias, definition, level }) {
    return [
      el("div", { class: "judging-head" }, el("h2", {}, name), levelBadge(level)),
      el("p", { class: "definition" }, definition, " ", el("span", { class: "kind-of-bias" }, bias[0].toUpperCase() + bias.slice(1) + ".")),
    ];
  }

  #suggestion({ suggestion, failure, ranked }) {
    return [...this.#failure(failure), ...this.#suggested(suggestion, ranked)];
  }

  // Why there is no newer suggestion, with what the model said.
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

  // What other reviewers make of it, and what was settled, once they may be seen.
  #others({ others, settled }) {
    const said = (who, level, words) =>
      el("section", { class: "suggestion", "aria-label": who }, el("p", { class: "suggestion-head" }, `${who}: `, levelBadge(level)), words ? el("p", { class: "reason" }, words) : null);
    const judged = others.filter(({ level }) => level).map(({ reviewer, level, comment }) => said(reviewer, level, comment));
    return settled ? [said("Settled", settled.level, settled.reason), ...judged] : judged;
  }

  // The criteria, each a way to judge: with questions, to judge otherwise than the answers do.
  #levels({ criteria, questions, given, level }, own) {
    const derived = questions.length > 0;
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
      ? el("button", { type: "button", class: "link", "data-key": "clear", onclick: () => this.#set(() => this.judgements.change({ level: null })) }, derived ? "Back to what the answers give" : "Take it back")
      : null;
    const unexplained = derived && given && own.level && own.level !== given && level !== own.level;
    return [
      el("h3", {}, derived ? "Criteria" : "Criteria: choose your judgement"),
      derived ? el("p", { class: "note" }, given ? "Your answers give the level. To judge otherwise, choose another and say why." : "Your answers will give the level.") : null,
      el("div", { class: "criteria", role: "radiogroup", "aria-label": "Your judgement" }, ...cards),
      clear,
      unexplained ? el("p", { class: "problem", role: "status" }, "Say why in the comment: until then, what the answers give stands.") : null,
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
