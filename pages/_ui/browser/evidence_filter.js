// Which rows of the evidence table are shown, and in which order. Blank values come last in either direction.

/** @import { EvidenceData, EvidencePaper, EvidenceRow, Finding, Look } from "./types" */

const WORDS = new Intl.Collator("en", { numeric: true });

// The reader's filters and order by project, kept when the page changes.
/** @type {Map<string, Look>} */
const looks = new Map();

/** @param {EvidenceData} data @returns {Look} */
export function lookOf({ project, hypotheses }) {
  /** @type {Look} */
  const fresh = { hypothesis: hypotheses[0] ?? null, words: "", verdict: "*", screening: "*", level: "*", key: null, down: false, left: null };
  const look = looks.get(project) ?? fresh;
  looks.set(project, look);
  const gone = look.hypothesis !== ALL && !hypotheses.includes(look.hypothesis ?? "");
  if (gone) look.hypothesis = fresh.hypothesis;
  return look;
}

export const ALL = " all"; // a hypothesis never begins with a space

export const CHECK = "!"; // stands among the verdicts for those to be checked
export const DIFFER = "≠"; // stands for those on which the reviewers differ
// The verdict that counts: the reviewers', or else the engine's.
/** @param {Finding} found */
export const countedOf = ({ final, verdict }) => final ?? verdict ?? "";

/** @param {Finding} found @param {string} verdict */
export const isLike = (found, verdict) => {
  if (verdict === CHECK) return found.check !== undefined;
  return verdict === DIFFER ? Boolean(found.differ) : countedOf(found) === verdict;
};

export class Rows {
  /** @param {EvidenceData} data @param {Look} look */
  constructor(data, look) {
    this.data = data;
    this.look = look;
    /** @type {EvidenceRow[]} */
    this.all = data.papers.map((paper, place) => {
      const shown = this.#cellsOf(paper);
      return { ...paper, place, shown, says: this.#wordsOf(paper, shown) };
    });
  }

  get places() {
    const { hypotheses } = this.data;
    return this.look.hypothesis === ALL ? hypotheses.map((_, place) => place) : [hypotheses.indexOf(this.look.hypothesis ?? "")].filter((place) => place >= 0);
  }

  /** @param {number | null} [number] */
  text(number) {
    return number === undefined || number === null ? "" : this.data.texts[number];
  }

  /** @param {EvidencePaper} paper */
  #cellsOf(paper) {
    return this.places.map((place) => paper.cells[place]);
  }

  /** @param {EvidencePaper} paper @param {Finding[]} shown */
  #wordsOf({ study, title, citation, note, bias }, shown) {
    const said = shown.flatMap(({ why, sure, whose, check, effect, for: pro, against, nearest = [], people = [] }) => [
      ...[why, sure, whose, ...people.map(([, , comment]) => comment), check, pro?.text, against?.text, ...nearest.map(({ text }) => text)].map((number) => this.text(number)),
      effect?.[0],
    ]);
    return [study, title, citation, this.text(note), this.text(bias), ...said].join(" ").toLowerCase();
  }

  // The rows that match all filters except `without`: each filter shows counts of what its choices would leave.
  /** @param {string | null} without */
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
      if (a === null || b === null) return Number(a === null) - Number(b === null) || one.place - other.place;
      const by = typeof a === "number" && typeof b === "number" ? a - b : WORDS.compare(String(a), String(b));
      return turn * by || one.place - other.place;
    });
  }

  /** @param {string} key @returns {(row: EvidenceRow) => string | number | null} */
  #valueOf(key) {
    /** @param {string[]} names @param {string | undefined} name */
    const rank = (names, name) => (name !== undefined && names.includes(name) ? names.indexOf(name) : null);
    const verdicts = this.data.verdicts.map(({ id }) => id);
    const [column, place] = key.split(":");
    /** @param {EvidenceRow} row @returns {Finding} */
    const cell = (row) => row.cells[Number(place ?? this.places[0])] ?? {};
    /** @type {Record<string, (row: EvidenceRow) => string | number | null>} */
    const values = {
      study: (row) => row.study,
      verdict: (row) => rank(verdicts, countedOf(cell(row))),
      for: (row) => this.text(cell(row).for?.text) || null,
      against: (row) => this.text(cell(row).against?.text) || null,
      effect: (row) => cell(row).effect?.[1] ?? null,
      screening: (row) => rank(this.data.screenings, row.screening),
      level: (row) => rank(this.data.levels.map(({ id }) => id), row.level),
    };
    return values[column];
  }
}
