// Cells of the evidence table.

const nothing = (label) => el("td", { class: "nothing", "data-label": label }, el("span", { class: "blank" }, "–"));
const faint = (text) => (text ? el("span", { class: "faint" }, text) : null);
// The verdict that counts: the reviewers', or else the engine's.
const countedOf = ({ final, verdict }) => final ?? verdict ?? "";
const sign = (text) => el("span", { class: "sign", "aria-hidden": "true" }, text);

// A level of risk of bias as its tool shows it.
function levelChip(level) {
  const mark = sign(level.sign);
  Object.assign(mark.style, { backgroundColor: level.colour, color: level.ink });
  return el("span", { class: "chip" }, mark, level.word);
}

class Cells {
  constructor({ data, text, open, judge }) {
    this.data = data;
    this.text = text;
    this.open = open;
    this.judge = judge; // null: nobody has said who they are
    this.verdicts = new Map(data.verdicts.map((verdict) => [verdict.id, verdict]));
    this.levels = new Map(data.levels.map((level) => [level.id, level]));
  }

  chip(verdict) {
    if (!verdict) return el("span", { class: "blank", title: "No verdict" }, "– missing");
    const { sign: mark, meaning } = this.verdicts.get(verdict);
    return el("span", { class: `chip ${verdict.replace(" ", "-")}`, title: meaning }, sign(mark), verdict);
  }

  // What to look at before the verdict is believed; `brief`: its sign alone.
  check(found, brief = false) {
    const words = this.text(found.check);
    if (!words) return null;
    return el("span", { class: "check", title: words, role: "note", "aria-label": words }, sign("!"), brief ? null : words);
  }

  paper({ study, title, citation }) {
    return el("th", { scope: "row" }, el("span", { class: "study" }, study), title === study ? null : el("span", { class: "title", title: citation }, title));
  }

  // What counts comes first: the reviewers' verdict once they have one together, the engine's beside it.
  verdict(row, found, place) {
    const { final, verdict, people = [] } = found;
    const beside = (who, ...what) => el("span", { class: "beside" }, `${who}: `, ...what);
    const engine = [this.chip(verdict), faint(this.text(found.sure))];
    const said = people.filter(([, given]) => given !== final).map(([who, given, comment]) => beside(who, this.chip(given), faint(this.text(comment ?? undefined))));
    const why = [this.check(found), faint(this.text(found.why))];
    const whose = faint(this.text(found.whose));
    const own = final ? [this.chip(final), whose, ...said, beside(this.text(found.engine) || "engine", ...engine), ...why] : [...engine, ...why, ...said, whose];
    return cell("Verdict", ...own, this.#judge(row, place));
  }

  // A button that asks for the reviewer's own verdict.
  #judge(row, place) {
    if (!this.judge) return null;
    const go = `${row.id}:judge ${place}`;
    return el("button", { type: "button", class: "judge", "data-go": go, "aria-label": `Your verdict on ${row.study}`, onclick: () => this.judge(go, [row.id, place]) }, "✎ Your verdict");
  }

  // A button that leads to a sentence of the paper; `name` tells it from the row's others.
  lead(row, name, place, index, properties, content) {
    const go = `${row.id}:${name}`;
    return el("button", { type: "button", "data-go": go, ...properties, onclick: () => this.open(go, [row.id, place, index]) }, content);
  }

  // The strongest sentence on each side; where none decides, the nearest ones in the place of both.
  sentences(row, found, place) {
    if (found.nearest && !found.for && !found.against) {
      const nearest = found.nearest.flatMap((passage, number) => this.#passage(row, `nearest ${number}`, place, passage));
      const wide = cell(nearest.length > 2 ? "Nearest sentences" : "Nearest sentence", ...nearest);
      wide.colSpan = 2;
      wide.className = "nearest";
      return [wide];
    }
    return Object.entries({ for: "Strongest for", against: "Strongest against" }).map(([side, label]) =>
      found[side] ? cell(label, ...this.#passage(row, side, place, found[side])) : nothing(label),
    );
  }

  // A sentence leads to its place in the paper.
  #passage(row, name, place, passage) {
    const words = this.text(passage.text);
    const where = [passage.page ? `p. ${passage.page}` : null, this.text(passage.section)].filter(Boolean).join(", ");
    return [this.lead(row, name, place, passage.index, { class: "sentence", title: words }, words), faint(where)];
  }

  // An effect leads to the sentence that states it, which need not be the strongest one.
  effect(row, found, place) {
    if (!found.effect) return nothing("Effect");
    const [words, , index, printed] = found.effect;
    return cell("Effect", this.lead(row, "effect", place, index, { class: "effect", title: `As printed: ${this.text(printed ?? undefined)}` }, words));
  }

  // Verdict and effect of one hypothesis beside others; the verdict leads to the strongest sentence.
  compact(row, found, place) {
    const verdict = countedOf(found) || null;
    const passage = verdict === "refutes" ? found.against ?? found.for : found.for ?? found.against ?? found.nearest?.[0];
    const why = this.text(found.why);
    const open = passage
      ? this.lead(row, String(place), place, passage.index, { class: "go", title: this.text(passage.text) }, this.chip(verdict))
      : this.chip(verdict);
    return cell(`H${place + 1}`, open, this.check(found, true), found.effect ? el("span", { class: "effect" }, found.effect[0]) : null, verdict ? null : faint(why));
  }

  screening({ screening, note }) {
    return cell("Screening", screening ? el("b", {}, screening) : el("span", { class: "blank" }, "–"), faint(this.text(note)));
  }

  bias({ level, bias }) {
    const known = this.levels.get(level);
    return cell("Risk of bias", known ? levelChip(known) : el("span", { class: "blank" }, "–"), faint(this.text(bias)));
  }
}
