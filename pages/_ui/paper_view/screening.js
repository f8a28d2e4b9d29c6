// Screening: the bar above the paper, and the panel beside it in which the reviewer decides on the item on the desk.
// Which item comes next is Python's to say: what is asked for goes there as { number, do, on }.

let wishes = 0; // how many were sent
const growing = (last) => Math.max(last, Date.now()) + 1; // grows over a reload too
const NOTE_PAUSE = 400; // milliseconds without a key before a note is sent

class Screening {
  constructor(root, screened, { jump, changed, went, settle }) {
    const find = (selector) => root.querySelector(selector);
    this.root = root;
    this.screened = screened;
    this.changed = changed; // what depends on the panel is to be drawn again
    this.went = went;
    this.send = settle;
    this.bar = find(".screening-bar");
    this.body = find(".screening-body");
    this.reasons = find(".reasons");
    this.verdicts = find(".verdicts");
    this.other = find(".other-reason");
    this.note = find(".screening-note");
    this.why = find(".why");
    this.status = find(".screening-status");
    this.button = find(".settle-item");
    this.list = new CriteriaList({ jump, judge: (id, fit) => this.#judge(id, fit) });
    this.asking = false; // whether the reason of an exclusion is asked for
    this.pointed = []; // the criteria of the sentence that was jumped to
    this.waiting = null; // the number of the consensus on its way
    this.#listen();
  }

  #listen() {
    for (const field of [this.note, this.why, this.other]) field.addEventListener("input", (event) => event.stopPropagation());
    this.note.addEventListener("input", () => this.#typedNote());
    this.note.addEventListener("blur", () => this.flush());
    this.why.addEventListener("input", () => this.#draft({ why: this.why.value }));
    this.other.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      event.stopPropagation();
      if (this.other.value.trim()) this.#exclude(this.other.value.trim());
    });
    this.button.addEventListener("click", () => this.settle());
  }

  show(view, paper) {
    const fresh = this.question !== view.question || this.mode !== view.screening.mode;
    this.question = view.question;
    this.view = view.screening;
    this.mode = this.view.mode;
    this.paper = paper;
    if (fresh) this.#begin();
    if (this.waiting !== null && this.view.settled_number >= this.waiting) this.waiting = null;
    const key = this.root.getRootNode().activeElement?.dataset?.key;
    const engines = this.view.criteria.map(({ suggestion }) => suggestion?.engine).filter(Boolean);
    this.screened.see(engines);
    this.items = criteriaMarks(this.view.criteria);
    renew(this.bar, ...this.#bar());
    renew(this.body, ...this.#undo(), ...this.#head(), ...this.#others(), ...this.#criteria());
    renew(this.verdicts, ...this.#verdicts());
    renew(this.reasons, ...this.#reasons());
    this.#foot();
    if (key) this.root.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
    if (fresh) this.body.scrollTop = 0;
  }

  #begin() {
    this.asking = false;
    this.pointed = [];
    this.complaint = null;
    this.other.value = "";
    this.why.value = this.draft.why;
    this.list.unfolded.clear();
  }

  get settling() {
    return this.mode === "settle";
  }

  get draft() {
    const { settled } = this.view;
    return settlingDrafts.get(this.question) ?? { verdict: settled?.verdict ?? null, reason: settled?.reason ?? "", why: settled?.why ?? "" };
  }

  #draft(part) {
    settlingDrafts.set(this.question, { ...this.draft, ...part });
    this.complaint = null;
  }

  // What stands now: one's own verdict, or the one to be settled on.
  get chosen() {
    return this.settling ? this.draft : this.screened.value;
  }

  #bar() {
    const { decided, total, conflicts, byPromise, hide } = this.view;
    const parts = [`${decided.toLocaleString("en")} of ${total.toLocaleString("en")} decided`];
    const turn = (name, label, on, pressed) =>
      el("button", { type: "button", "data-key": name + on, "aria-pressed": String(pressed), onclick: () => this.go(name, on) }, label);
    return [
      el(
        "div",
        { class: "screening-count" },
        el("span", { class: "count-words", role: "status" }, parts.join(" · ")),
        el("span", { class: "count-bar", "aria-hidden": "true" }, el("span", { style: `width: ${total ? (100 * decided) / total : 0}%` })),
      ),
      conflicts || this.settling
        ? el("button", { type: "button", class: "conflicts-button", "data-key": "conflicts", "aria-pressed": String(this.settling), onclick: () => this.go("conflicts", !this.settling) }, el("span", { "aria-hidden": "true" }, "≠ "), plural(conflicts, "conflict"))
        : null,
      this.settling ? null : el("div", { class: "tabs order", role: "group", "aria-label": "Which comes next" }, turn("order", "Most promising first", true, byPromise), turn("order", "As they came", false, !byPromise)),
      el("button", { type: "button", class: "hide-button", "data-key": "hide", "aria-pressed": String(hide), onclick: () => this.go("hide", !hide) }, hide ? "Show suggestions" : "Hide suggestions", el("kbd", {}, "h")),
      el(
        "div",
        { class: "steps" },
        el("button", { type: "button", "data-key": "previous", disabled: !this.view.previous && !this.settling, title: "Previous (k)", "aria-label": "Previous paper", onclick: () => this.go("previous") }, "←"),
        el("button", { type: "button", "data-key": "next", title: "Next (j)", "aria-label": "Next paper", onclick: () => this.go("next") }, "→"),
        el("button", { type: "button", "data-help": "true", "aria-label": "Keyboard help", title: "Keyboard (?)" }, "?"),
      ),
    ].filter(Boolean);
  }

  // What was decided last, with the way back; and that there is nothing left, once there is not.
  #undo() {
    const { undo, decided, total } = this.view;
    const through = total && decided === total && !this.settling ? [el("p", { class: "through", role: "status" }, `You have decided on all ${total.toLocaleString("en")}.`)] : [];
    return [...through, ...this.#undone(undo)];
  }

  #undone(undo) {
    if (!undo || this.settling) return [];
    const what = `${VERDICT_DONE[undo.verdict] ?? "Taken back"}${undo.reason ? ` (${undo.reason})` : ""}: `;
    return [
      el(
        "p",
        { class: "undone", role: "status" },
        el("span", { class: "undone-what" }, what, el("span", { class: "undone-title" }, undo.title)),
        el("button", { type: "button", class: "link", "data-key": "undo", onclick: () => this.go("undo") }, "Undo", el("kbd", {}, "z")),
      ),
    ];
  }

  #head() {
    const { item } = this.view;
    const { verdict, reason } = this.screened.value;
    const stands = !this.settling && verdict ? el("p", { class: "stands" }, verdictBadge(verdict, VERDICT_DONE), reason ? ` ${reason}` : null) : null;
    return [
      el("h2", { class: "item-title" }, item.title),
      el("p", { class: "item-citation" }, [item.citation, item.isPaper ? "Full text" : "Title and abstract"].filter(Boolean).join(" · ")),
      stands,
    ].filter(Boolean);
  }

  // What others decided, once it may be seen.
  #others() {
    const { others, hidden, settled, sides, differ } = this.view;
    const decidedToo = hidden.length ? [el("p", { class: "note" }, `${hidden.join(" and ")} ${hidden.length > 1 ? "have" : "has"} decided; shown once you have.`)] : [];
    const consensus = settled
      ? [el("section", { class: "suggestion", "aria-label": "Consensus" }, el("p", { class: "suggestion-head" }, "Settled: ", verdictBadge(settled.verdict)), el("p", { class: "reason" }, [settled.reason, settled.why].filter(Boolean).join(": ")), el("p", { class: "note" }, settledBy(settled)))]
      : [];
    if (this.settling) {
      const none = differ || settled ? [] : [el("p", { class: "note" }, "No conflict here.")];
      return [...consensus, ...none, reviewerSides(sides, this.view.criteria)];
    }
    const said = others.map(({ reviewer, verdict, reason }) => el("p", { class: "said-by" }, `${reviewer}: `, verdictBadge(verdict), reason ? ` ${reason}` : null));
    return [...decidedToo, ...said, ...consensus];
  }

  #criteria() {
    const { criteria, hide } = this.view;
    if (!criteria.length) return [el("p", { class: "note" }, "The project has no criteria yet: add them under Settings on its page.")];
    const state = { pointed: this.pointed, decidable: !this.settling };
    const said = hide ? "Suggestions are hidden: press h to see them." : null;
    return [...this.#waiting(said), el("ol", { class: "crits", "aria-label": "Criteria" }, ...this.list.entries(criteria, this.screened.value.fits, this.paper, state))];
  }

  // Why there are no suggestions, in one line, with the way to have them made.
  #waiting(said) {
    const words = said ?? this.view.waiting;
    if (!words) return [];
    const ask = !said && this.view.suggestable ? el("button", { type: "button", class: "link", "data-key": "suggest", onclick: () => this.go("suggest") }, "Suggest now") : null;
    return [el("p", { class: "note waiting", role: "status" }, words, " ", ask)];
  }

  #verdicts() {
    const { verdict } = this.chosen;
    return Object.keys(VERDICT_SIGNS).map((name) =>
      el(
        "button",
        {
          type: "button",
          class: "verdict-choice",
          "data-verdict": name,
          "data-key": `verdict-${name}`,
          "aria-pressed": String(this.asking ? name === "exclude" : verdict === name),
          "aria-expanded": name === "exclude" ? String(this.asking) : null,
          disabled: this.screened.busy,
          onclick: () => this.choose(name),
        },
        el("span", { class: "verdict-sign", "aria-hidden": "true" }, VERDICT_SIGNS[name]),
        VERDICT_WORDS[name],
        el("kbd", {}, name[0]),
      ),
    );
  }

  // The reasons to exclude for, by their numbers; title and abstract may be turned down without one.
  #reasons() {
    const { reasons, item } = this.view;
    const { verdict, reason } = this.chosen;
    if (!this.asking) return this.settling && verdict === "exclude" ? [el("p", { class: "reasons-head" }, `Reason: ${reason || "none"}`)] : [];
    const one = (words, key, given) =>
      el("button", { type: "button", class: "reason-choice", "data-key": `reason-${words}`, "aria-pressed": String(given !== "" && reason === given), onclick: () => this.#exclude(given) }, key === null ? null : el("kbd", {}, key), ` ${words}`);
    return [
      el("p", { class: "reasons-head" }, "Why? ", el("span", { class: "note" }, "Number, click, or another reason below")),
      el("div", { class: "reason-list" }, ...reasons.map((words, place) => one(words, place < 9 ? String(place + 1) : null, words)), item.isPaper ? null : one("No reason", "0", "")),
    ];
  }

  #foot() {
    this.reasons.hidden = !this.reasons.childElementCount;
    this.other.hidden = !this.asking;
    this.note.parentElement.hidden = this.settling;
    this.why.parentElement.hidden = this.button.hidden = !this.settling;
    if (!this.noting) this.note.value = this.screened.value.note;
    this.button.disabled = this.waiting !== null;
    this.button.textContent = this.waiting !== null ? "Saving …" : this.view.settled ? "Settle otherwise" : "Settle";
    const { problem, unsettled } = this.view;
    const busy = this.noting || !this.screened.arrived;
    const calm = this.settling || this.screened.value.version === 0 ? "" : "Saved";
    this.status.textContent = this.complaint ?? (this.settling ? unsettled : problem) ?? (busy ? "Saving …" : calm);
    this.status.classList.toggle("problem", Boolean(this.complaint ?? (this.settling ? unsettled : problem)));
  }

  #judge(id, fit = null) {
    if (id !== null) {
      const { [id]: _, ...others } = this.screened.value.fits;
      this.screened.change({ fits: fit ? { ...others, [id]: fit } : others });
    }
    this.changed();
  }

  // A verdict by its button or key. An exclusion is one when its reason is given.
  choose(name) {
    if (this.screened.busy) return;
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

  #exclude(reason) {
    this.#give("exclude", reason);
    this.changed();
  }

  #give(verdict, reason) {
    this.asking = false;
    this.root.getRootNode().activeElement?.blur();
    if (this.settling) return this.#draft({ verdict, reason });
    this.flush();
    return this.screened.change({ verdict, reason }, { acted: true });
  }

  // A number key: the reason that has it.
  digit(key) {
    if (!this.asking) return;
    const { reasons, item } = this.view;
    if (key === "0" && !item.isPaper) this.#exclude("");
    else if (key !== "0" && reasons[Number(key) - 1] !== undefined) this.#exclude(reasons[Number(key) - 1]);
  }

  // Escape: no exclusion after all.
  back() {
    if (!this.asking) return;
    this.asking = false;
    this.changed();
  }

  toNote() {
    const field = this.settling ? this.why : this.note;
    field.focus();
  }

  go(what, on = false) {
    if (this.screened.busy) return;
    this.flush();
    wishes = growing(wishes);
    this.went({ number: wishes, do: what, on });
  }

  toggleHide() {
    this.go("hide", !this.view.hide);
  }

  settle() {
    const { verdict, reason, why } = this.draft;
    const exclusion = verdict === "exclude" && !reason && this.view.item.isPaper;
    this.complaint = !verdict ? "Choose the verdict." : exclusion ? "An exclusion needs its reason." : !why.trim() ? "Say why, in a few words." : null;
    if (!this.complaint) {
      settlings = growing(settlings);
      this.waiting = settlings;
      this.send({ question: this.question, number: this.waiting, verdict, reason, why, version: this.view.settledVersion });
    }
    this.#foot();
  }

  // A sentence was jumped to: its criteria come into view.
  pointTo(index) {
    this.pointed = this.view.criteria.filter(({ suggestion }) => suggestion?.sentences.includes(index)).map(({ id }) => id);
    for (const node of this.body.querySelectorAll(".crit")) node.toggleAttribute("data-pointed", this.pointed.includes(node.dataset.criterion));
    const first = this.body.querySelector(".crit[data-pointed]");
    if (first && !this.root.matches('[data-tab="paper"]')) scrollPanel(this.body, first);
  }

  #typedNote() {
    clearTimeout(this.noting);
    this.noting = setTimeout(() => this.flush(), NOTE_PAUSE);
    this.#foot();
  }

  // Send what is still being typed.
  flush() {
    clearTimeout(this.noting);
    this.noting = null;
    if (this.settling || !this.view || this.note.value === this.screened.value.note) return;
    this.screened.change({ note: this.note.value });
    this.#foot();
  }
}

// Scrolls the panel and nothing around it.
function scrollPanel(panel, node) {
  const inside = node.getBoundingClientRect();
  const box = panel.getBoundingClientRect();
  if (inside.top >= box.top && inside.bottom <= box.bottom) return;
  panel.scrollTop += inside.top - box.top - 8;
}
