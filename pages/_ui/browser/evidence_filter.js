// Which rows of the evidence table are shown, and in which order. What is blank comes last, whichever way one sorts.

const WORDS = new Intl.Collator("en", { numeric: true });

// What one looks at, by project: it outlives a switch of the page.
const looks = new Map();

export function lookOf({ project, hypotheses }) {
  const fresh = { hypothesis: hypotheses[0] ?? null, words: "", verdict: "*", screening: "*", level: "*", key: null, down: false, left: null };
  if (!looks.has(project)) looks.set(project, fresh);
  const look = looks.get(project);
  const gone = look.hypothesis !== ALL && !hypotheses.includes(look.hypothesis);
  if (gone) look.hypothesis = fresh.hypothesis;
  return look;
}

export const ALL = " all"; // no hypothesis begins with a space

export const CHECK = "!"; // among the verdicts: those to be checked
export const DIFFER = "≠"; // and those on which the reviewers differ
// The verdict that counts: the reviewers', or else the engine's.
export const countedOf = ({ final, verdict }) => final ?? verdict ?? "";

export const isLike = (found, verdict) => {
  if (verdict === CHECK) return found.check !== undefined;
  return verdict === DIFFER ? Boolean(found.differ) : countedOf(found) === verdict;
};

export class Rows {
  constructor(data, look) {
    this.data = data;
    this.look = look;
    this.all = data.papers.map((paper, place) => ({ ...paper, place, shown: this.#cellsOf(paper) }));
    for (const row of this.all) row.says = this.#wordsOf(row);
  }

  get places() {
    const { hypotheses } = this.data;
    return this.look.hypothesis === ALL ? hypotheses.map((_, place) => place) : [hypotheses.indexOf(this.look.hypothesis)].filter((place) => place >= 0);
  }

  text(number) {
    return number === undefined ? "" : this.data.texts[number];
  }

  #cellsOf(paper) {
    return this.places.map((place) => paper.cells[place]);
  }

  #wordsOf({ study, title, citation, note, bias, shown }) {
    const said = shown.flatMap(({ why, sure, whose, check, effect, for: pro, against, nearest = [], people = [] }) => [
      ...[why, sure, whose, ...people.map(([, , comment]) => comment ?? undefined), check, pro?.text, against?.text, ...nearest.map(({ text }) => text)].map((number) => this.text(number)),
      effect?.[0],
    ]);
    return [study, title, citation, this.text(note), this.text(bias), ...said].join(" ").toLowerCase();
  }

  // Rows that fit all but the filter of this name: what that one would leave is counted beside it.
  fitting(without = null) {
    const { words, verdict, screening, level } = this.look;
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    return this.all.filter(
      (row) =>
        wanted.every((word) => row.says.includes(word)) &&
        (without === "verdict" || verdict === "*" || row.shown.some((cell) => isLike(cell, verdict))) &&
        (screening === "*" || (row.screening ?? "") === screening) &&
        (level === "*" || (row.level ?? "") === level),
    );
  }

  inOrder() {
    const { key, down } = this.look;
    const rows = this.fitting();
    if (key === null) return rows;
    const value = this.#valueOf(key);
    const turn = down ? -1 : 1;
    return rows.sort((one, other) => {
      const [a, b] = [value(one), value(other)];
      if (a === null || b === null) return (a === null) - (b === null) || one.place - other.place;
      const by = typeof a === "number" ? a - b : WORDS.compare(a, b);
      return turn * by || one.place - other.place;
    });
  }

  #valueOf(key) {
    const rank = (names, name) => (names.includes(name) ? names.indexOf(name) : null);
    const verdicts = this.data.verdicts.map(({ id }) => id);
    const [column, place] = key.split(":");
    const cell = (row) => row.cells[place ?? this.places[0]] ?? {};
    return {
      study: (row) => row.study,
      verdict: (row) => rank(verdicts, countedOf(cell(row))),
      for: (row) => this.text(cell(row).for?.text) || null,
      against: (row) => this.text(cell(row).against?.text) || null,
      effect: (row) => cell(row).effect?.[1] ?? null,
      screening: (row) => rank(this.data.screenings, row.screening),
      level: (row) => rank(this.data.levels.map(({ id }) => id), row.level),
    }[column];
  }
}
