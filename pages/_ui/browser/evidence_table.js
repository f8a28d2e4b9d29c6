// The evidence table: papers by hypotheses. It is filtered, sorted and drawn here. Python is told which sentence is
// opened and which papers are shown.

import { all, el, elementOf, focused, need, renew } from "./dom.js";
import { cell, DrawnRows } from "./rows.js";
import { ALL, CHECK, countedOf, DIFFER, isLike, lookOf, Rows } from "./evidence_filter.js";
/** @import { Child, Choose, Component, EvidenceData, EvidenceRow, Finding, LevelStyle, Look, Passage, Properties } from "./types" */

const TELL_AFTER = 500; // milliseconds after the last change of a filter

// The column in which a cell starts, as a cell may span two columns.
/** @param {Element} cell @returns {number} */
const startOf = ({ previousElementSibling: before }) => (before ? startOf(before) + Number(before.getAttribute("colspan") ?? 1) : 0);

let begun = 0; // the number of Python's last request to show a hypothesis

class EvidenceTable {
  /** @type {EvidenceData} */ data;
  /** @type {Look} */ look;
  /** @type {Rows} */ rows;
  /** @type {Cells} */ cells;
  /** @type {EvidenceRow[]} */ shown;
  /** @type {Choose} */ choose;
  /** @type {(papers: string[] | null) => void} */ tell;
  /** @type {number | undefined} */ waits;

  /** @param {HTMLElement} node */
  constructor(node) {
    this.node = node;
    this.views = el("div", { class: "tabs views", role: "group", "aria-label": "Hypothesis" });
    this.claim = el("p", { class: "claim" });
    this.verdicts = el("div", { class: "tabs", role: "group", "aria-label": "Verdict" });
    /** @type {HTMLInputElement} */
    this.field = el("input", { type: "search", placeholder: "Search", "aria-label": "Search the table", oninput: () => this.#turn({ words: this.field.value }) });
    /** @type {HTMLSelectElement} */
    this.screening = el("select", { onchange: () => this.#turn({ screening: this.screening.value }) });
    /** @type {HTMLSelectElement} */
    this.level = el("select", { onchange: () => this.#turn({ level: this.level.value }) });
    this.names = { screening: el("span"), level: el("span") };
    this.head = el("thead");
    this.body = el("tbody", { onkeydown: (event) => this.#step(event) });
    this.table = el("table", {}, this.head, this.body);
    this.updates = 0; // how often Python has drawn the table
    this.count = el("p", { class: "none", role: "status" });
    this.drawn = new DrawnRows(this.body, (row) => this.#row(row));
    const tools = el("div", { class: "tools" }, this.field, el("label", {}, this.names.screening, " ", this.screening), el("label", {}, this.names.level, " ", this.level), this.count);
    node.replaceChildren(this.views, this.claim, this.verdicts, tools, this.table, this.drawn.end);
    node.addEventListener("keydown", (event) => this.#find(event));
  }

  /** @param {EvidenceData} data @param {Choose} choose @param {(papers: string[] | null) => void} tell */
  update(data, choose, tell) {
    this.updates += 1;
    this.choose = choose;
    this.tell = tell;
    if (data.stamp === this.data?.stamp) return;
    this.data = data;
    this.look = lookOf(data);
    const [number, hypothesis] = data.begin;
    if (number > begun && data.hypotheses.includes(hypothesis)) Object.assign(this.look, { hypothesis, verdict: "*", key: null });
    begun = number;
    this.field.value = this.look.words;
    this.#options(this.screening, [...data.screenings.map((name) => [name, name]), ["", "not decided"]], "screening");
    this.#options(this.level, [...data.levels.map(({ id, word }) => [id, word.toLowerCase()]), ["", "not judged"]], "level");
    this.#read();
    this.#draw({ keep: true });
    this.#goBack();
  }

  // Return to the sentence that was opened last, once, when the reader comes back from the paper.
  #goBack() {
    const { left } = this.look;
    if (!left) return;
    this.look.left = null;
    const place = this.shown.findIndex(({ id }) => left.startsWith(`${id}:`));
    this.drawn.reach(place);
    const [button] = all(this.body, `[data-go="${CSS.escape(left)}"]`);
    button?.focus({ preventScroll: true });
    button?.scrollIntoView({ block: "center", behavior: "instant" });
  }

  /** @param {HTMLSelectElement} select @param {string[][]} pairs @param {"screening" | "level"} name */
  #options(select, pairs, name) {
    renew(select, ...[["*", "all"], ...pairs].map(([value, words]) => el("option", { value }, words)));
    select.value = this.look[name];
    this.names[name].textContent = this.data.titles[name];
  }

  // Compute what depends on the shown hypothesis.
  #read() {
    this.rows = new Rows(this.data, this.look);
    /** @param {number | null} [number] */
    const text = (number) => this.rows.text(number);
    /** @param {string} what @returns {(from: string, place: unknown[]) => void} */
    const ask = (what) => (from, place) => this.#ask(from, [what, ...place]);
    this.cells = new Cells({ data: this.data, text, open: ask("open"), judge: this.data.judges ? ask("judge") : null });
  }

  /** @param {Partial<Look>} change */
  #turn(change) {
    Object.assign(this.look, change);
    if ("hypothesis" in change) this.#read();
    this.#draw();
    this.close();
    this.waits = setTimeout(() => this.#tell(), TELL_AFTER);
  }

  #tell() {
    const whole = this.shown.length === this.rows.all.length && this.look.key === null;
    this.tell(whole ? null : this.shown.map(({ id }) => id));
  }

  // Tell Python what was clicked. A pending message about filters is cancelled, because the page is left.
  /** @param {string} from @param {unknown[]} what */
  #ask(from, what) {
    this.close();
    this.look.left = from;
    this.choose(what);
  }

  close() {
    clearTimeout(this.waits);
  }

  /** @param {{ keep?: boolean }} [how] */
  #draw(how) {
    const had = focused(this.body)?.dataset ?? {};
    this.shown = this.rows.inOrder();
    this.#drawViews();
    this.#drawVerdicts();
    this.#drawHead();
    this.drawn.show(this.shown, how);
    const { length } = this.shown;
    const { length: total } = this.rows.all;
    this.count.textContent = !total ? "No papers yet." : length === total ? "" : length ? `${length} of ${total} papers` : "No paper is like this.";
    for (const [name, value = ""] of Object.entries(had)) {
      const [again] = all(this.node, `[data-${name}="${CSS.escape(value)}"]`);
      again?.focus();
    }
  }

  get #sideBySide() {
    return this.look.hypothesis === ALL;
  }

  #drawViews() {
    const { hypotheses } = this.data;
    /** @param {string} words @param {string} hypothesis @param {string} title */
    const view = (words, hypothesis, title) =>
      el("button", { type: "button", "data-view": hypothesis, "data-key": hypothesis, title, "aria-pressed": String(hypothesis === this.look.hypothesis), onclick: () => this.#turn({ hypothesis, verdict: "*", key: null }) }, words);
    this.views.hidden = hypotheses.length < 2;
    renew(this.views, ...hypotheses.map((words, place) => view(`H${place + 1}`, words, words)), view("Side by side", ALL, "All hypotheses beside each other"));
    renew(
      this.claim,
      ...(this.#sideBySide ? hypotheses.map((words, place) => el("span", {}, el("b", {}, `H${place + 1} `), words)) : [this.look.hypothesis ?? ""]),
    );
  }

  #drawVerdicts() {
    const rows = this.rows.fitting("verdict");
    /** @param {string} value @param {...Child} words */
    const pill = (value, ...words) => {
      const count = value === "*" ? rows.length : rows.filter(({ shown }) => shown.some((found) => isLike(found, value))).length;
      const pressed = String(value === this.look.verdict);
      const title = value === CHECK ? "Papers with a verdict by a sentence that does not plainly name the outcome" : value === DIFFER ? "Papers on which the reviewers differ, and have settled nothing yet" : this.#sideBySide && value !== "*" ? "Papers of which at least one hypothesis has this verdict" : null;
      return el("button", { type: "button", "data-verdict": value, "data-key": value, title, "aria-pressed": pressed, onclick: () => this.#turn({ verdict: value }) }, ...words, el("span", { class: "count" }, ` ${count}`));
    };
    const known = this.data.verdicts.map(({ id }) => pill(id, this.cells.chip(id)));
    const toCheck = rows.some(({ shown }) => shown.some((found) => isLike(found, CHECK))) || this.look.verdict === CHECK;
    const differ = rows.some(({ shown }) => shown.some((found) => isLike(found, DIFFER))) || this.look.verdict === DIFFER;
    const marked = [...(toCheck ? [pill(CHECK, "! check")] : []), ...(differ ? [pill(DIFFER, "≠ differ")] : [])];
    renew(this.verdicts, pill("*", "All"), ...known, pill("", "– missing"), ...marked);
  }

  #drawHead() {
    const { hypotheses, titles } = this.data;
    const found = this.#sideBySide
      ? hypotheses.map((words, place) => [`verdict:${place}`, `H${place + 1}`, words])
      : [["verdict", titles.verdict], ["for", titles.for], ["against", titles.against], ["effect", titles.effect]];
    const all = [["study", titles.study], ...found, ["screening", titles.screening], ["level", titles.level]];
    this.table.className = this.#sideBySide ? "side-by-side" : "one";
    renew(this.head, el("tr", {}, ...all.map(([key, words, title]) => this.#column(key, words, title))));
  }

  // Sort ascending, then descending, then in the original order of the papers.
  /** @param {string} key @param {string} words @param {string} [title] */
  #column(key, words, title) {
    const sorted = this.look.key === key;
    const way = sorted ? (this.look.down ? "descending" : "ascending") : null;
    const next = !sorted ? { key, down: false } : this.look.down ? { key: null, down: false } : { key, down: true };
    const button = el("button", { type: "button", "data-sort": key, title: title ?? "Sort", onclick: () => this.#turn(next) }, words);
    return el("th", { scope: "col", class: `col-${key.split(":")[0]}`, "aria-sort": way }, button);
  }

  /** @param {EvidenceRow} row */
  #row(row) {
    const { cells } = this;
    const found = this.#sideBySide
      ? row.cells.map((one, place) => cells.compact(row, one, place))
      : row.shown.flatMap((one) => {
          const [place] = this.rows.places;
          return [cells.verdict(row, one, place), ...cells.sentences(row, one, place), cells.effect(row, one, place)];
        });
    return el("tr", { "data-paper": row.id, "data-key": row.id }, cells.paper(row), ...found, cells.screening(row), cells.bias(row));
  }

  // Move the focus up or down in a column.
  /** @param {KeyboardEvent} event */
  #step(event) {
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const from = elementOf(event)?.closest("td");
    if (!way || !from || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const column = startOf(from);
    for (let row = from.parentElement; row; ) {
      if (way > 0 && !row.nextElementSibling) this.drawn.drawMore();
      row = /** @type {HTMLElement | null} */ (way > 0 ? row.nextElementSibling : row.previousElementSibling);
      const here = row && [...row.children].findLast((one) => startOf(one) <= column);
      const button = here?.querySelector("button");
      if (button) return button.focus();
    }
  }

  /** @param {KeyboardEvent} event */
  #find(event) {
    if (event.key !== "/" || elementOf(event)?.closest("input, select")) return;
    event.preventDefault();
    this.field.focus();
  }
}

// The returned function is also called for overtaken calls (see desk.js).
/** @param {Component<EvidenceData>} component */
export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  /** @type {HTMLElement & { table?: EvidenceTable }} */
  const root = need(parentElement, ".evidence-table");
  const table = (root.table ??= new EvidenceTable(root));
  table.update(data, (value) => setTriggerValue("chosen", value), (value) => setStateValue("shown", value));
  const { updates } = table;
  return () => {
    if (table.updates === updates) table.close();
  };
}

// ---- Cells ----
// The cells of the evidence table.

/** @param {string} label */
const nothing = (label) => el("td", { class: "nothing", "data-label": label }, el("span", { class: "blank" }, "–"));
/** @param {string} text */
const faint = (text) => (text ? el("span", { class: "faint" }, text) : null);
/** @param {string} text */
const sign = (text) => el("span", { class: "sign", "aria-hidden": "true" }, text);

// A level of risk of bias, in its tool's style.
/** @param {LevelStyle} level */
function levelChip(level) {
  const mark = sign(level.sign);
  Object.assign(mark.style, { backgroundColor: level.colour, color: level.ink });
  return el("span", { class: "chip" }, mark, level.word);
}

class Cells {
  /**
   * @param {object} options
   * @param {EvidenceData} options.data
   * @param {(number?: number | null) => string} options.text
   * @param {(from: string, place: unknown[]) => void} options.open
   * @param {((from: string, place: unknown[]) => void) | null} options.judge
   */
  constructor({ data, text, open, judge }) {
    this.data = data;
    this.text = text;
    this.open = open;
    this.judge = judge; // null if the reviewer is unknown
    this.verdicts = new Map(data.verdicts.map((verdict) => [verdict.id, verdict]));
    this.levels = new Map(data.levels.map((level) => [level.id, level]));
  }

  /** @param {string | null | undefined} verdict */
  chip(verdict) {
    if (!verdict) return el("span", { class: "blank", title: "No verdict" }, "– missing");
    const { sign: mark, meaning } = this.verdicts.get(verdict) ?? { sign: "", meaning: null };
    return el("span", { class: `chip ${verdict.replace(" ", "-")}`, title: meaning }, sign(mark), verdict);
  }

  // A warning to check before trusting the verdict. With `brief`, only its sign.
  /** @param {Finding} found @param {boolean} brief */
  check(found, brief = false) {
    const words = this.text(found.check);
    if (!words) return null;
    return el("span", { class: "check", title: words, role: "note", "aria-label": words }, sign("!"), brief ? null : words);
  }

  /** @param {EvidenceRow} row */
  paper({ study, title, citation, notice }) {
    return el("th", { scope: "row" }, el("span", { class: "study" }, study), title === study ? null : el("span", { class: "title", title: citation }, title), notice ? el("span", { class: "notice" }, `! ${notice}`) : null);
  }

  // The verdict that counts comes first: the reviewers' common verdict if there is one, with the engine's beside it.
  /** @param {EvidenceRow} row @param {Finding} found @param {number} place */
  verdict(row, found, place) {
    const { final, verdict, people = [] } = found;
    /** @param {string} who @param {...Child} what */
    const beside = (who, ...what) => el("span", { class: "beside" }, `${who}: `, ...what);
    const engine = [this.chip(verdict), faint(this.text(found.sure))];
    const said = people.filter(([, given]) => given !== final).map(([who, given, comment]) => beside(who, this.chip(given), faint(this.text(comment))));
    const why = [this.check(found), faint(this.text(found.why))];
    const whose = faint(this.text(found.whose));
    const own = final ? [this.chip(final), whose, ...said, beside(this.text(found.engine) || "engine", ...engine), ...why] : [...engine, ...why, ...said, whose];
    return cell(this.data.titles.verdict, ...own, this.#judge(row, place));
  }

  // A button that asks for the reviewer's own verdict.
  /** @param {EvidenceRow} row @param {number} place */
  #judge(row, place) {
    const { judge } = this;
    if (!judge) return null;
    const go = `${row.id}:judge ${place}`;
    return el("button", { type: "button", class: "judge", "data-go": go, "aria-label": `Your verdict on ${row.study}`, onclick: () => judge(go, [row.id, place]) }, "✎ Your verdict");
  }

  // A button that leads to a sentence of the paper. `name` is unique within the row.
  /**
   * @param {EvidenceRow} row
   * @param {string} name
   * @param {number} place
   * @param {number} index
   * @param {Properties} properties
   * @param {Child} content
   */
  lead(row, name, place, index, properties, content) {
    const go = `${row.id}:${name}`;
    return el("button", { type: "button", "data-go": go, ...properties, onclick: () => this.open(go, [row.id, place, index]) }, content);
  }

  // The strongest sentence on each side. If no sentence decides, the nearest ones take both columns.
  /** @param {EvidenceRow} row @param {Finding} found @param {number} place */
  sentences(row, found, place) {
    if (found.nearest && !found.for && !found.against) {
      const nearest = found.nearest.flatMap((passage, number) => this.#passage(row, `nearest ${number}`, place, passage));
      const wide = cell(nearest.length > 2 ? "Nearest sentences" : "Nearest sentence", ...nearest);
      wide.colSpan = 2;
      wide.className = "nearest";
      return [wide];
    }
    /** @param {"for" | "against"} name */
    const side = (name) => {
      const { [name]: passage } = found;
      const { [name]: title } = this.data.titles;
      return passage ? cell(title, ...this.#passage(row, name, place, passage)) : nothing(title);
    };
    return [side("for"), side("against")];
  }

  // A sentence that leads to its place in the paper.
  /** @param {EvidenceRow} row @param {string} name @param {number} place @param {Passage} passage */
  #passage(row, name, place, passage) {
    const words = this.text(passage.text);
    const where = [passage.page ? `p. ${passage.page}` : null, this.text(passage.section)].filter(Boolean).join(", ");
    return [this.lead(row, name, place, passage.index, { class: "sentence", title: words }, words), faint(where)];
  }

  // An effect that leads to the sentence stating it, which need not be the strongest sentence.
  /** @param {EvidenceRow} row @param {Finding} found @param {number} place */
  effect(row, found, place) {
    const { effect: title } = this.data.titles;
    if (!found.effect) return nothing(title);
    const [words, , index, printed] = found.effect;
    return cell(title, this.lead(row, "effect", place, index, { class: "effect", title: `As printed: ${this.text(printed)}` }, words));
  }

  // Verdict and effect of one of several hypotheses side by side. The verdict leads to the strongest sentence.
  /** @param {EvidenceRow} row @param {Finding} found @param {number} place */
  compact(row, found, place) {
    const verdict = countedOf(found) || null;
    const passage = verdict === "refutes" ? found.against ?? found.for : found.for ?? found.against ?? found.nearest?.[0];
    const why = this.text(found.why);
    const open = passage
      ? this.lead(row, String(place), place, passage.index, { class: "go", title: this.text(passage.text) }, this.chip(verdict))
      : this.chip(verdict);
    return cell(`H${place + 1}`, open, this.check(found, true), found.effect ? el("span", { class: "effect" }, found.effect[0]) : null, verdict ? null : faint(why));
  }

  /** @param {EvidenceRow} row */
  screening({ screening, note }) {
    return cell(this.data.titles.screening, screening ? el("b", {}, screening) : el("span", { class: "blank" }, "–"), faint(this.text(note)));
  }

  /** @param {EvidenceRow} row */
  bias({ level, bias }) {
    const known = level && this.levels.get(level);
    return cell(this.data.titles.level, known ? levelChip(known) : el("span", { class: "blank" }, "–"), faint(this.text(bias)));
  }
}
