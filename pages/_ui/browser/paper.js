// The paper as text: sections, paragraphs, captions and tables. Every sentence is an element of its own.

import { bringToView, el, flashOnce, keepingSigns, plural, renew } from "./dom.js";
import { badgeOf } from "./items.js";
/** @import { Block, Item, Jump, KnownPaper, Section } from "./types" */

/** @type {("h2" | "h3" | "h4" | "h5" | "h6")[]} */
const HEADING_TAGS = ["h2", "h2", "h3", "h4", "h5", "h6"];

// Sections that the journal or the authors wrote about the paper come last, and are never searched.
/** @template {{ kind: string }} Kind @param {Kind[]} sections */
const ownSections = (sections) => sections.filter(({ kind }) => kind !== "about");

/** @param {HTMLElement[]} sections */
function aboutThePaper(sections) {
  if (!sections.length) return [];
  const title = el("summary", {}, "About this paper, by its journal or authors: no evidence, never searched");
  return [el("details", { class: "about" }, title, ...sections)];
}

export class PaperText {
  /** @type {KnownPaper} */ data;
  /** @type {Map<number, number>} */ pageStarts;

  /** @param {HTMLElement} article */
  constructor(article) {
    this.article = article;
    /** @type {HTMLElement[]} */
    this.elements = []; // sentence index -> element
    /** @type {HTMLElement[]} */
    this.sections = []; // section index -> element
    /** @type {HTMLElement[]} */
    this.marked = []; // the elements that are marked now
  }

  /** @param {KnownPaper} paper */
  show(paper) {
    this.data = paper;
    this.elements = new Array(paper.sentences.length);
    this.pageStarts = new Map(paper.pages);
    /** @type {Block[][]} */
    const blocksOf = paper.sections.map(() => []);
    for (const block of paper.blocks) blocksOf[block[3]].push(block);
    const sections = paper.sections.map((section, index) => this.#section(section, blocksOf[index]));
    this.sections = ownSections(paper.sections).map((_, index) => sections[index]);
    this.article.replaceChildren(...this.sections, ...aboutThePaper(sections.slice(this.sections.length)));
    this.marked = [];
  }

  /** @param {Item[]} items */
  showMarks(items) {
    for (const node of this.marked) {
      delete node.dataset.group;
      delete node.dataset.state;
      delete node.dataset.gold;
      node.classList.remove("marked");
      node.removeAttribute("tabindex");
      node.removeAttribute("role");
      node.querySelector(".badge")?.remove();
    }
    this.marked = items.map((item) => {
      const node = this.elements[item.index];
      node.classList.add("marked");
      node.dataset.group = item.group;
      node.dataset.state = item.state ?? "";
      node.dataset.gold = item.gold ?? "";
      node.tabIndex = 0;
      if (node.tagName === "SPAN") node.setAttribute("role", "mark");
      (node.tagName === "TR" ? node.children[0] : node).prepend(badgeOf(item));
      return node;
    });
  }

  /** @param {number} index @param {{ flash: boolean }} how */
  setCurrent(index, { flash }) {
    for (const old of this.article.querySelectorAll(".current")) old.classList.remove("current", "flash");
    const node = this.elements[index];
    node.classList.add("current");
    if (flash) flashOnce(node);
  }

  // The elements that show a sentence, the first one first.
  /** @param {number} index */
  elementsOf(index) {
    return [this.elements[index]];
  }

  /** @param {Section} section @param {Block[]} blocks */
  #section(section, blocks) {
    const node = el("section", { "data-kind": section.kind });
    // An estimated height for sections not laid out yet, so that the scroll bar hardly moves while reading on.
    const letters = blocks.reduce((sum, [, first, last]) => sum + this.#letters(first, last), 0);
    node.style.containIntrinsicSize = `auto ${Math.round(60 + letters * 0.42)}px`;
    const opening = blocks[0]?.[0];
    const hasHeading = opening === "title" || (opening === "heading" && this.#headsSection(section.first, section));
    if (!hasHeading) node.append(el("div", { class: "unheaded" }, section.title));
    let rows = null;
    for (const [kind, first, last] of blocks) {
      if (kind === "table") {
        if (!rows) {
          rows = el("tbody");
          node.append(el("div", { class: "table", tabindex: "0", role: "region", "aria-label": "Table" }, el("table", {}, rows)));
        }
        for (let index = first; index <= last; index += 1) rows.append(this.#row(index));
      } else {
        rows = null;
        node.append(this.#block(kind, section, first, last));
      }
    }
    return node;
  }

  // Whether a heading is the section's own. An abstract may instead begin with the heading of its first part.
  /** @param {number} index @param {Section} section */
  #headsSection(index, section) {
    return index === section.first && this.data.sentences[index].replace(/\s+/g, " ").trim() === section.title;
  }

  /** @param {number} first @param {number} last */
  #letters(first, last) {
    let sum = 0;
    for (let index = first; index <= last; index += 1) sum += this.data.sentences[index].length;
    return sum;
  }

  /** @param {string} kind @param {Section} section @param {number} first @param {number} last */
  #block(kind, section, first, last) {
    let node;
    if (kind === "title") node = el("h1");
    else if (kind === "heading" && this.#headsSection(first, section)) node = el(HEADING_TAGS[Math.min(section.level, 5)]);
    else if (kind === "heading") node = el("h4", { class: "run-in" });
    else node = el("p", { class: kind });
    for (let index = first; index <= last; index += 1) {
      if (index > first) node.append(" ");
      node.append(...this.#pageMark(index), this.#sentence("span", index, this.data.sentences[index]));
    }
    return node;
  }

  /** @param {number} index */
  #row(index) {
    // Add spaces around: the text has none before its first separator and after its last.
    const cells = ` ${this.data.sentences[index]} `.split(this.data.cellSeparator).map((cell) => cell.trim());
    const row = this.#sentence("tr", index);
    if (cells.length === 1) row.append(el("td", { colspan: "100", class: "note" }, ...keepingSigns(cells[0])));
    else row.append(...cells.map((cell) => el("td", {}, ...keepingSigns(cell))));
    row.children[0].prepend(...this.#pageMark(index));
    return row;
  }

  /** @param {"span" | "tr"} tag @param {number} index @param {string} [text] @returns {HTMLElement} */
  #sentence(tag, index, text) {
    const node = el(tag, { class: "s", "data-i": index });
    if (text !== undefined) node.append(...keepingSigns(text));
    this.elements[index] = node;
    return node;
  }

  /** @param {number} index */
  #pageMark(index) {
    const page = this.pageStarts.get(index);
    return page === undefined ? [] : [el("span", { class: "page", title: `Page ${page} begins here` }, `p. ${page}`)];
  }

  // Headings assert nothing, and texts about the paper prove nothing. Neither can be evidence.
  /** @param {number} index */
  addable(index) {
    return !this.elements[index].closest("h1, h2, h3, h4, h5, h6, .about");
  }

  // The place of a sentence in words, such as "Results · p. 4".
  /** @param {number} index */
  place(index) {
    const section = this.data.sections[lastAtMost(this.data.sections, index, ({ first }) => first)];
    const page = this.pageOf(index);
    return page === null ? section.title : `${section.title} · p. ${page}`;
  }

  /** @param {number} index */
  pageOf(index) {
    const position = lastAtMost(this.data.pages, index, ([first]) => first);
    return position < 0 ? null : this.data.pages[position][1];
  }

  // The first sentence after page `page`, or the last one of all.
  /** @param {number} page */
  firstAfterPage(page) {
    const start = this.data.pages.find(([, other]) => other > page);
    return start ? start[0] : this.elements.length - 1;
  }

  /** @param {number} index @param {boolean} [still] */
  bring(index, still) {
    bringToView(this.elements[index], still);
  }

  // The approximate sentence at the height `y` of the window: sections are measured, not sentences.
  /** @param {number} y */
  indexAt(y) {
    const position = lastAtMost(this.sections, y, (section) => section.getBoundingClientRect().top);
    if (position < 0) return 0;
    const { top, height } = this.sections[position].getBoundingClientRect();
    const { first, last } = this.data.sections[position];
    const share = Math.min(1, Math.max(0, (y - top) / (height || 1)));
    return first + share * (last - first);
  }
}

// The position of the last item whose value is at most `limit`, in an ascending list; -1 if there is none.
/** @template Value @param {Value[]} items @param {number} limit @param {(item: Value) => number} valueOf */
export function lastAtMost(items, limit, valueOf) {
  let low = 0;
  let high = items.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (valueOf(items[middle]) <= limit) low = middle + 1;
    else high = middle - 1;
  }
  return high;
}

/** @typedef {Pick<Section, "title" | "kind" | "first" | "last">} Band */

// ---- The strip ----
// The strip beside the paper: its sections as bands, its evidence as marks, and the reader's place.

export class Strip {
  /** @type {number} */ count;

  /** @param {HTMLElement} node @param {Jump} onJump */
  constructor(node, onJump) {
    this.node = node;
    this.onJump = onJump;
    this.bands = el("div", { class: "bands" });
    this.marks = el("div", { class: "marks" });
    this.here = el("div", { class: "here", "aria-hidden": "true" });
    node.append(this.bands, this.here, this.marks);
  }

  /** @param {KnownPaper} paper */
  showSections(paper) {
    const own = ownSections(paper.sections);
    this.count = own.length ? own[own.length - 1].last + 1 : 1;
    this.bands.replaceChildren(...topLevel(own).map((band) => this.#band(band)));
  }

  /** @param {Band} band */
  #band({ title, kind, first, last }) {
    const label = `${title}: ${plural(last - first + 1, "sentence")}`;
    const name = el("span", { class: "name" }, kind === "other" ? "" : kind);
    const tip = el("span", { class: "tip" }, label);
    const band = el(
      "button",
      { type: "button", class: "band", "data-kind": kind, "aria-label": `Go to ${label}`, onclick: () => this.onJump(first) },
      name,
      tip,
    );
    band.style.top = this.#percent(first);
    band.style.height = this.#percent(last - first + 1);
    return band;
  }

  /** @param {number} sentences */
  #percent(sentences) {
    return `${(100 * sentences) / this.count}%`;
  }

  /** @param {Item[]} items */
  showMarks(items) {
    renew(this.marks, ...items.filter((item) => item.group !== "spare").map((item) => this.#mark(item)));
  }

  /** @param {Item} item */
  #mark({ index, sign, name, group, state, gold }) {
    const mark = el("button", {
      type: "button",
      class: "mark",
      "data-i": index,
      "data-group": group,
      "data-state": state,
      "data-gold": gold,
      title: name,
      "aria-label": name,
      tabindex: "-1", // the keyboard makes the same jumps in the list
      onclick: () => this.onJump(index),
    });
    mark.append(el("span", {}, sign));
    mark.style.top = this.#percent(index + 0.5);
    return mark;
  }

  /** @param {number} from @param {number} to */
  showReader(from, to) {
    this.here.style.top = this.#percent(Math.min(from, this.count));
    this.here.style.height = this.#percent(Math.max(0, to - from));
  }
}

// Group sections under each top-level heading into bands.
/** @param {Section[]} sections */
function topLevel(sections) {
  /** @type {Band[]} */
  const bands = [];
  for (const section of sections) {
    const band = bands[bands.length - 1];
    if (band && section.level > 1) band.last = section.last;
    else bands.push({ title: section.title, kind: section.kind, first: section.first, last: section.last });
  }
  return bands;
}
