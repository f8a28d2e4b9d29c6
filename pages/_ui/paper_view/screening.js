// Screening: the bar above the paper, and the panel beside it in which the reviewer decides on the item on the desk.
// Which item comes next is Python's to say: what is asked for goes there as { number, do, on }.

const MOVES = ["next", "previous", "undo", "conflicts"]; // what brings another item to the desk

class Screening {
  constructor(root, screened, { jump, changed, went, settle }) {
    const find = (selector) => root.querySelector(selector);
    this.root = root;
    this.screened = screened;
    this.changed = changed; // what depends on the panel is to be drawn again
    this.went = went;
    this.bar = find(".screening-bar");
    this.body = find(".screening-body");
    this.why = find(".why");
    this.status = find(".screening-status");
    this.button = find(".settle-item");
    this.note = new TypedField(find(".screening-note"), { typed: () => this.#foot(), send: () => this.#keepNote() });
    this.consensus = new ItemConsensus(settle);
    this.verdicts = new Verdicts(root, { give: (verdict, reason) => this.#give(verdict, reason), changed, busy: () => !screened.mayDecide });
    this.list = new CriteriaList({ jump, judge: (id, fit) => this.#judge(id, fit) });
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

  show(view, paper) {
    const fresh = this.question !== view.question || this.mode !== view.screening.mode;
    this.question = view.question;
    this.view = view.screening;
    this.mode = this.view.mode;
    this.paper = paper;
    this.consensus.receive(this.question, this.view);
    if (fresh) this.#begin();
    const key = this.root.getRootNode().activeElement?.dataset?.key;
    const engines = this.view.criteria.map(({ suggestion }) => suggestion?.engine).filter(Boolean);
    this.screened.see(engines);
    this.items = criteriaMarks(this.view.criteria);
    const go = (what, on) => this.go(what, on);
    renew(this.bar, ...screeningBar(this.view, go));
    renew(this.body, ...(this.settling ? [] : screeningUndo(this.view, go)), ...screeningHead(this.view.item, this.settling ? null : this.screened.value), ...screeningOthers(this.view), ...this.#criteria());
    this.verdicts.show(this.view, this.settling ? this.consensus.draft : this.screened.value);
    this.#foot();
    if (key) this.root.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
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

  // Why there are no suggestions, in one line, with the way to have them made.
  #waiting(said) {
    const words = said ?? this.view.waiting;
    if (!words) return [];
    const ask = !said && this.view.suggestable ? el("button", { type: "button", class: "link", "data-key": "suggest", onclick: () => this.go("suggest") }, "Suggest now") : null;
    return [el("p", { class: "note waiting", role: "status" }, words, " ", ask)];
  }

  #foot() {
    const { complaint, waiting } = this.consensus;
    this.note.node.parentElement.hidden = this.settling;
    this.why.parentElement.hidden = this.button.hidden = !this.settling;
    if (!this.note.waiting) this.note.value = this.screened.value.note;
    this.button.disabled = waiting !== null;
    this.button.textContent = waiting !== null ? "Saving …" : this.view.settled ? "Settle otherwise" : "Settle";
    const problem = complaint ?? (this.settling ? this.view.unsettled : this.view.problem);
    const busy = this.note.waiting || !this.screened.arrived;
    const calm = this.settling || this.screened.value.version === 0 ? "" : "Saved";
    this.status.textContent = problem ?? (busy ? "Saving …" : calm);
    this.status.classList.toggle("problem", Boolean(problem));
  }

  #judge(id, fit = null) {
    if (id !== null) {
      const { [id]: _, ...others } = this.screened.value.fits;
      this.screened.change({ fits: fit ? { ...others, [id]: fit } : others });
    }
    this.changed();
  }

  #give(verdict, reason) {
    if (this.settling) return this.consensus.change({ verdict, reason });
    this.flush();
    return this.screened.change({ verdict, reason }, { acted: true });
  }

  toNote() {
    (this.settling ? this.why : this.note.node).focus();
  }

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
    if (!this.consensus.complaint) this.why.blur(); // the keys are the next item's
    this.#foot();
  }

  // A sentence was jumped to: its criteria come into view.
  pointTo(index) {
    this.pointed = this.view.criteria.filter(({ suggestion }) => suggestion?.sentences.includes(index)).map(({ id }) => id);
    for (const node of this.body.querySelectorAll(".crit")) node.toggleAttribute("data-pointed", this.pointed.includes(node.dataset.criterion));
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
