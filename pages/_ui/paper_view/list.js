// The ranked list beside the paper: what the engine chose, what the reviewer added, and what gold says is missing.

const STATE_WORDS = { accepted: "accepted", rejected: "rejected", added: "added by you" };
const STATE_SIGNS = { accepted: "✓", rejected: "✕", added: "+" };
const GOLD_WORDS = { hit: "hit", extra: "extra", missed: "missed", spare: "spare" };

const GROUPS = [
  ["chosen", null],
  ["added", "Added by you"],
  ["near", "Nearest sentences, turned down by the engine"],
  ["missed", "In gold, but not chosen"],
];

const SCORE_NOTE = "Best first. The bar under a rank is its score beside the others here, and no more.";
const ORDER_NOTE = "Best first, in the order that the model gave.";

class EvidenceList {
  constructor(node, { jump, decide }) {
    this.node = node;
    this.jump = jump;
    this.decide = decide;
    this.entries = new Map(); // sentence index -> list entry
  }

  show(items, paper, { empty, verdict, words, note: said, comparing }) {
    const groups = comparing?.groups ?? GROUPS;
    const nodes = [];
    for (const [group, title] of groups) {
      const members = items.filter((item) => item.group === group);
      if (members.length && title) nodes.push(el("li", { class: "group" }, `${title} (${members.length})`));
      nodes.push(...members.map((item) => this.#entry(item, paper, words)));
    }
    const chosen = comparing ? items : items.filter((item) => item.group === "chosen");
    const note = said ?? (chosen.some((item) => item.bar !== null) ? SCORE_NOTE : ORDER_NOTE);
    nodes.unshift(chosen.length ? el("li", { class: "hint" }, note) : el("li", { class: "empty" }, empty));
    if (verdict) nodes.unshift(verdictEntry(verdict, items, this.jump));
    renew(this.node, ...nodes);
    this.entries = new Map([...this.node.querySelectorAll(".entry")].map((entry) => [Number(entry.dataset.i), entry]));
  }

  #entry(item, paper, deciding) {
    const { index, rank, state, gold, rationale, stance, match } = item;
    const words = [el("span", { class: "place" }, paper.place(index))];
    if (match) words.push(el("span", { class: "match", title: MATCH_NOTES[match] }, match));
    for (const word of item.notes ?? []) words.push(el("span", { class: "rank-note" }, word));
    if (gold) words.push(el("span", { class: "gold" }, item.goldWord ?? GOLD_WORDS[gold]));
    if (state) words.push(el("span", { class: "state" }, `${STATE_SIGNS[state]} ${STATE_WORDS[state]}`));
    return el(
      "li",
      { class: "entry", "data-i": index, "data-group": item.group, "data-state": state, "data-gold": gold },
      el(
        "button",
        { type: "button", class: "jump", onclick: () => this.jump(index), title: "Show it in the paper" },
        el("span", { class: "rank" }, rank ? String(rank) : item.sign, scoreBar(item)),
        el(
          "span",
          { class: "what" },
          stance ? el("span", { class: "stance", "data-stance": stance }, stanceWords(stance)) : null,
          el("span", { class: "text" }, ...withMarks(paper.data.sentences[index], deciding).flatMap(withSigns)),
          rationale ? el("span", { class: "rationale" }, rationale) : null,
          el("span", { class: "meta" }, ...words),
        ),
      ),
      item.fixed ? null : decisionButtons(item, this.decide),
    );
  }

  // `reveal(entry)`: brings it into view where the list does not scroll by itself.
  setCurrent(index, { reveal = null } = {}) {
    for (const entry of this.node.querySelectorAll('[aria-current="true"]')) entry.removeAttribute("aria-current");
    const entry = this.entries.get(index);
    if (!entry) return;
    entry.setAttribute("aria-current", "true");
    if (!reveal) return;
    scrollWithin(entry.closest(".scroll"), entry);
    reveal(entry);
  }
}

function scoreBar({ bar, scoreNote }) {
  if (bar === undefined || bar === null) return null; // added by hand, or ranked without scores
  const fill = el("span");
  fill.style.width = `${Math.round(100 * bar)}%`;
  return el("span", { class: "bar", title: scoreNote, role: "img", "aria-label": scoreNote }, fill);
}

// Accept and reject for what the engine chose, remove for what was added, add for everything else.
function decisionButtons({ index, group, state, noun }, decide) {
  const button = (word, sign, label, pressed) =>
    el(
      "button",
      {
        type: "button",
        class: `decide ${word}`,
        "aria-pressed": pressed === null ? null : String(pressed),
        title: label,
        onclick: (event) => {
          event.stopPropagation();
          decide(index, word);
        },
      },
      el("span", { "aria-hidden": "true" }, sign),
      ` ${label}`,
    );
  const row = el("span", { class: "decisions" });
  if (group === "chosen") {
    row.append(button("accepted", "✓", "Accept", state === "accepted"), button("rejected", "✕", "Reject", state === "rejected"));
  } else if (group === "added") row.append(button("remove", "−", "Remove", null));
  else row.append(button("added", "+", `Add as ${noun.toLowerCase()}`, null));
  return row;
}
