// The desk: paper, strip and list together. Jumps and marks happen here; decisions go to Python, and what the browser
// has yet to get is asked for.

// What Python leaves out where there is none of it.
const NOTHING = { noun: "Evidence", ranked: [], near: [], gold: null, verdict: null, run: null, changes: [], newest: "evidence", answer: 0, beginAt: [0, 0], judging: null, settling: null, checking: null, comparing: null, screening: null, stored: null, note: null, words: [] };

const begunAt = new Map(); // paper -> the number of Python's last word on which sentence to begin at
const readTo = new Map(); // paper -> the sentence at the top of the window; outlives a switch of the page

class Desk {
  constructor(root) {
    this.root = root;
    const find = (selector) => root.querySelector(selector);
    this.asking = new Asking((value) => this.send("asked", value));
    this.reading = new Reading(find(".reading"), this.asking);
    this.paper = this.reading.text;
    this.strip = new Strip(find(".strip"), (index) => this.jump(index));
    this.list = new EvidenceList(find(".list"), { jump: (i) => this.jump(i), decide: (i, word) => this.decide(i, word) });
    this.tools = find(".tools");
    this.help = find(".help");
    this.said = find(".said");
    const keep = (value) => this.send("decided", value);
    this.onSentences = new Decisions(keep);
    this.judgements = new Judgements(keep);
    this.judging = new Judging(root, this.judgements, {
      turned: () => this.#turnDomain(),
      changed: () => this.refresh(),
      thoughts: (run, ranked) => {
        const byIndex = new Map(ranked.map((item) => [item.index, item]));
        return run.steps.map((step) => {
          const entry = thought(step, byIndex, this.paper, (i) => this.jump(i));
          entry.open = Boolean(step.error); // the sentences are listed below, and there is little room
          return entry;
        });
      },
    });
    this.settling = new Settling(root, { turned: () => this.#turnDomain(), send: (value) => this.send("settled", value) });
    this.labels = new Labels(keep);
    this.checking = new Checking(root, this.labels, {
      turned: () => this.#turnClaim(),
      changed: () => this.refresh(),
      jump: (i) => this.jump(i),
    });
    this.comparing = new Comparing(root, () => this.#turnFilter());
    this.screened = new Screened(keep);
    this.screening = new Screening(root, this.screened, {
      jump: (i) => this.jump(i),
      changed: () => this.refresh(),
      went: (value) => this.send("went", value),
      settle: (value) => this.send("settled", value),
    });
    this.current = null; // the sentence last jumped to
    this.items = [];
    this.beside = "evidence"; // what is listed beside the paper
    this.typing = false; // whether something was typed into a field since the last search was asked for
    this.showTab("paper");
    this.updates = 0;
    this.listening = null;
  }

  update(data, send) {
    this.updates += 1;
    this.send = send;
    if (!this.listening) this.#listen();
    const paper = this.asking.receive(data);
    if (!paper) return;
    // A summary is drawn with its first check; an evidence desk was there before its first search.
    const before = data.opening === this.opening ? this.view.answer : data.view.checking ? 0 : data.view.answer;
    const answered = data.view.answer > before;
    if (data.opening !== this.opening) {
      this.opening = data.opening;
      this.reading.show(paper);
      this.strip.showSections(paper);
      this.current = null;
      if (data.view.screening) this.#toTheTop();
      else this.#returnToReading();
    }
    this.view = { ...NOTHING, ...data.view };
    this.root.dataset.task = this.#task();
    this.root.dataset.mode = this.view.settling || this.view.screening?.mode === "settle" ? "settle" : "judge";
    this.decisions = this.#decisionsHere();
    this.decisions.receive(this.view);
    if (this.view.settling) this.settling.receive(this.view);
    this.refresh();
    if (answered && !this.typing) this.#showAnswer();
    this.#beginAt(this.view.beginAt);
    this.#followReader();
  }

  // Where the reader comes from a sentence elsewhere, such as one in a table of many papers.
  #beginAt([number, index]) {
    if (number > (begunAt.get(this.opening) ?? 0)) this.jump(index);
    begunAt.set(this.opening, number);
  }

  #task() {
    if (this.onDomains) return "bias";
    if (this.view.screening) return "screening";
    return this.view.checking ? "summary" : this.view.comparing ? "compare" : "evidence";
  }

  #decisionsHere() {
    if (this.view.checking) return this.labels;
    if (this.view.screening) return this.screened;
    if (this.view.settling || this.view.comparing) return READ_ONLY;
    return this.view.judging ? this.judgements : this.onSentences;
  }

  // Risk of bias: the panel of its domains, to judge them or to settle what differs.
  get onDomains() {
    if (this.view.settling) return this.settling;
    return this.view.judging ? this.judging : null;
  }

  // From the field to the evidence, so that the keys work at once; in a narrow window it has yet to come into view.
  #showAnswer() {
    if (this.narrow()) this.#turnTo(this.view.newest);
    else if (this.view.newest !== "evidence" || !["evidence", "aspects"].includes(this.beside)) this.showTab(this.view.newest);
    const scroll = this.root.querySelector(".scroll");
    scroll.scrollTop = 0;
    scroll.focus({ preventScroll: true });
  }

  close() {
    this.listening.abort();
    this.listening = null;
  }

  // Draw everything that depends on evidence, decisions and gold. The paper's text itself is left alone.
  refresh() {
    if (this.onDomains) this.#showDomain();
    if (this.view.checking) this.#showClaim();
    if (this.view.comparing) this.comparing.show(this.view);
    if (this.view.screening) this.screening.show(this.view, this.paper);
    const { gold, noun } = this.view;
    this.items = this.#itemsHere();
    this.byIndex = new Map(this.items.map((item) => [item.index, item]));
    this.inPaperOrder = this.items.filter((item) => item.group !== "spare").map((item) => item.index).sort((a, b) => a - b);
    this.reading.showMarks(this.items);
    this.strip.showMarks(this.items);
    if (!this.view.screening) this.list.show(this.items, this.paper, this.view);
    const legend = this.root.querySelector(".legend");
    showLegend(legend, gold);
    showAspects(this.root.querySelector(".aspects"), gold, this.items, this.paper, (index) => this.jump(index));
    this.#showModel();
    const there = { aspects: gold, reasoning: this.view.run, wordings: this.view.changes.length };
    for (const [name, something] of Object.entries(there)) {
      for (const tab of this.root.querySelectorAll(`[data-show="${name}"]`)) tab.hidden = !something;
    }
    for (const tab of this.root.querySelectorAll('[data-show="evidence"]')) {
      tab.textContent = this.onDomains ? "Judgement" : this.view.screening ? "Criteria" : this.view.checking ? "Summary" : this.items.length ? `${noun} ${this.#counted()}` : noun;
    }
    if (this.beside in there && !there[this.beside]) this.showTab("evidence");
    this.list.setCurrent(this.current, { reveal: false });
    if (!this.tools.hidden) this.#showTools(this.current);
  }

  #itemsHere() {
    if (this.view.screening) return this.screening.items;
    return this.view.comparing ? this.comparing.items : itemsOf(this.view, this.decisions);
  }

  #counted() {
    return this.items.filter((item) => item.rank || item.state || item.fixed).length;
  }

  #turnFilter() {
    this.refresh();
    this.root.querySelector(".scroll").scrollTop = 0;
    this.say(`${this.comparing.filter.label}: ${plural(this.items.length, "sentence")}`);
  }

  // Risk of bias: what is marked and listed is the chosen domain's.
  #showDomain() {
    const { ranked, near, suggestion } = this.onDomains.domain;
    this.view = { ...this.view, ranked, near, words: suggestion?.words ?? [] };
    this.onDomains.show(this.view);
  }

  #turnDomain() {
    this.refresh();
    this.root.querySelector(".scroll").scrollTop = 0;
    if (this.narrow()) this.showTab("evidence");
    this.say(this.onDomains.domain.name);
  }

  stepDomain(direction) {
    this.onDomains?.step(direction);
    if (this.view.checking) this.checking.step(direction);
    if (this.view.comparing) this.comparing.step(direction);
  }

  // Plain summaries: what is marked and listed supports the chosen sentence of the summary.
  #showClaim() {
    this.view = { ...this.view, ranked: this.labels.claim?.ranked ?? [] };
    this.checking.show(this.view.checking);
  }

  // The best support comes into view, where the paper stands beside the summary.
  #turnClaim() {
    this.refresh();
    this.root.querySelector(".scroll").scrollTop = 0;
    this.say(`Sentence ${this.labels.at + 1}: ${LABEL_WORDS[this.labels.standing(this.labels.at).label]}`);
    const [best] = this.labels.claim.ranked;
    if (best && !this.narrow()) this.jump(best.index);
  }

  // Only when there is something new: what the reader has unfolded stays open.
  #showModel() {
    const shown = `${this.opening}:${this.view.answer}`;
    if (this.modelShown === shown) return;
    this.modelShown = shown;
    const jump = (index) => this.jump(index);
    showReasoning(this.root.querySelector(".thoughts"), this.view.run, this.items, this.paper, jump);
    showWordings(this.root.querySelector(".wordings"), this.view.changes, this.items, this.paper, jump);
  }

  // Show a sentence in the paper, and its entry in the list where it has one.
  jump(index, { scroll = true, flash = true } = {}) {
    if (!this.paper.elements[index]) return;
    if (scroll && this.narrow()) this.showTab("paper");
    this.current = index;
    this.reading.setCurrent(index, { scroll, flash });
    this.list.setCurrent(index, { reveal: true });
    if (this.view.screening) this.screening.pointTo(index);
    this.#showTools(scroll ? null : index);
  }

  // To the next (or previous) evidence sentence in the order of the paper.
  step(direction) {
    const order = this.inPaperOrder;
    if (!order.length) return;
    const from = this.current ?? Math.round(this.reading.indexAt(innerHeight / 3)) - (direction > 0 ? 1 : 0);
    const next = direction > 0 ? order.find((i) => i > from) ?? order[0] : order.findLast((i) => i < from) ?? order.at(-1);
    this.jump(next);
    this.say(`${this.byIndex.get(next).name}, ${order.indexOf(next) + 1} of ${order.length}, ${this.paper.place(next)}`);
  }

  stepSentence(direction) {
    const from = this.current ?? Math.round(this.reading.indexAt(innerHeight / 3));
    const next = Math.min(this.paper.elements.length - 1, Math.max(0, from + direction));
    this.jump(next, { flash: false });
  }

  // `word` as pressed: the same word again takes the decision back.
  decide(index, word) {
    if (!this.view.canDecide) return this.say(this.view.empty);
    const now = this.decisions.of(index);
    // A sentence that was added, and that an engine chose later, shows as accepted.
    const again = word === now || (word === "accepted" && now === "added");
    this.decisions.set(index, word === "remove" || again ? null : word);
    this.refresh();
    if (index === this.current) this.list.setCurrent(index, { reveal: true });
    return this.say(`${STATE_WORDS[this.decisions.of(index)] ?? "no decision"}`);
  }

  // One key, one meaning: `a` takes a sentence in, `r` turns it down, `u` takes the decision back.
  decideByKey(key) {
    const index = this.current;
    if (index === null) return;
    const { group, state } = this.byIndex.get(index) ?? {};
    const words = {
      a: group === "chosen" ? "accepted" : this.paper.addable(index) ? "added" : null,
      r: group === "chosen" ? "rejected" : state ? "remove" : null,
      u: state ? "remove" : null,
    };
    if (words[key] && words[key] !== state) this.decide(index, words[key]);
  }

  // Text or pages; in a narrow window the paper comes to view with it.
  turnView(view) {
    if (this.narrow()) this.showTab("paper");
    this.tools.hidden = true;
    this.reading.turn(view);
    this.#followReader();
  }

  resize(direction) {
    this.tools.hidden = true;
    this.reading.resize(direction);
  }

  say(words) {
    this.said.textContent = words;
  }

  narrow() {
    return getComputedStyle(this.root).getPropertyValue("--narrow").trim() === "1";
  }

  // A narrow window shows one of paper, evidence and aspects; a wide one the paper, and one of the others beside it.
  showTab(name) {
    this.root.dataset.tab = name;
    if (name !== "paper") this.beside = name;
    for (const tab of this.root.querySelectorAll("[data-show]")) {
      const shown = tab.closest(".narrow-only") ? name : this.beside;
      tab.setAttribute("aria-pressed", String(tab.dataset.show === shown));
    }
    for (const panel of this.root.querySelectorAll("[data-panel]")) panel.hidden = panel.dataset.panel !== this.beside;
  }

  // A list begins at its top; the paper opens where it was being read.
  #turnTo(name) {
    const read = readTo.get(this.opening);
    this.showTab(name);
    this.root.querySelector(".scroll").scrollTop = 0;
    if (!this.narrow()) return;
    this.root.scrollIntoView({ block: "start", behavior: "instant" });
    if (name === "paper" && read !== undefined) {
      readTo.set(this.opening, read);
      this.#returnToReading();
    }
  }

  // Another item on the same desk is read from its beginning.
  #toTheTop() {
    readTo.delete(this.opening);
    if (this.root.getBoundingClientRect().top < 0) this.root.scrollIntoView({ block: "start", behavior: "instant" });
  }

  #returnToReading() {
    const read = readTo.get(this.opening);
    if (read !== undefined) requestAnimationFrame(() => this.reading.returnTo(read));
  }

  #showTools(index) {
    const decidable = this.view.canDecide && index !== null && (this.byIndex.has(index) || this.paper.addable(index));
    const line = index === null ? null : this.reading.lineOf(index);
    this.tools.hidden = !line || !(decidable || this.reading.other);
    if (this.tools.hidden) return;
    const item = this.byIndex.get(index) ?? { index, group: "other", state: null, noun: this.view.noun };
    const decisions = decidable ? decisionButtons(item, (i, word) => this.decide(i, word)) : null;
    this.tools.replaceChildren(...[decisions, this.#turnButton(index)].filter(Boolean));
    // Beside the sentence where there is room, as in another column; else above it.
    const pane = this.tools.parentElement.getBoundingClientRect();
    const { left, right } = this.reading.breadthOf(index);
    const { offsetWidth: wide, offsetHeight: high } = this.tools;
    const gap = 8;
    const beside = [right + gap, left - gap - wide - 24].find((x) => x >= pane.left && x + wide <= pane.right);
    const above = Math.max(pane.left, Math.min(line.left, pane.right - wide - gap));
    this.tools.style.left = `${(beside ?? above) - pane.left}px`;
    this.tools.style.top = `${line.top - pane.top - (beside === undefined ? high + 6 : (high - line.height) / 2)}px`;
  }

  // To the sentence's page, and back to the text.
  #turnButton(index) {
    const { other } = this.reading;
    if (!other) return null;
    const label = other === "pages" ? `On page ${this.paper.pageOf(index)}` : "In the text";
    return el("button", { type: "button", class: "decide", onclick: () => this.turnView(other) }, label);
  }

  #followReader() {
    const top = this.strip.node.getBoundingClientRect().top;
    if (!this.root.clientHeight || !this.reading.height) return; // not to be seen, or about to go
    // The list ends where the window ends, wherever it begins: what is revealed in it can be seen.
    const side = this.root.querySelector(".side");
    side.style.setProperty("--above", `${Math.max(0, side.getBoundingClientRect().top)}px`);
    const first = this.reading.indexAt(Math.max(top, 0));
    this.strip.showReader(first, this.reading.indexAt(innerHeight) + 1);
    if (this.reading.top < 0) readTo.set(this.opening, Math.round(first));
    else readTo.delete(this.opening);
    this.reading.follow();
  }

  #listen() {
    this.listening = new AbortController();
    const options = { signal: this.listening.signal };
    let waiting = false;
    const follow = () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        this.#followReader();
      });
    };
    document.addEventListener("scroll", follow, { ...options, capture: true, passive: true });
    window.addEventListener("resize", follow, options);
    document.addEventListener("input", () => { this.typing = true; }, options);
    document.addEventListener("click", (event) => this.#clickAnywhere(event), options);
    window.addEventListener("keydown", (event) => onKey(this, event), { ...options, capture: true });
    this.root.addEventListener("click", (event) => this.#click(event), options);
    // Before the browser asks whether there is anything to lose.
    window.addEventListener("beforeunload", () => (this.view.screening ? this.screening : this.judging).flush(), { ...options, capture: true });
  }

  #clickAnywhere({ target }) {
    this.typing = false;
    if (target.closest?.('[class*="st-key-download-"]')) this.decisions.keepDownloaded();
  }

  #click(event) {
    const target = event.target;
    const tab = target.closest("[data-show]");
    const step = target.closest("[data-step]");
    const sentence = target.closest("[data-i]:is(.s, .box)");
    const view = target.closest("button[data-view]");
    const zoom = target.closest("[data-zoom]");
    if (tab) this.#turnTo(tab.dataset.show);
    if (view) this.turnView(view.dataset.view);
    if (zoom) this.resize(Number(zoom.dataset.zoom));
    if (step) this.step(Number(step.dataset.step));
    else if (target.closest("[data-help]")) this.help.showModal();
    else if (sentence && !String(getSelection())) this.jump(Number(sentence.dataset.i), { scroll: false, flash: false });
    else if (!tab && !target.closest(".tools")) this.tools.hidden = true;
  }
}
