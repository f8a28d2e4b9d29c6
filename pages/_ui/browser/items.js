// Everything that is marked in the paper, as one list: the engine's choice, then what was added, then the nearest
// sentences (if it found none), then what an answer cites, then what gold adds.

import { el, unseen } from "./dom.js";
/** @import { GoldWord, Item, Stance, View, Words } from "./types" */

/** @typedef {Omit<Item, "sign" | "name" | "noun">} Draft */

export const STATE_WORDS = { accepted: "accepted", rejected: "rejected", added: "added by you" };
export const STATE_SIGNS = { accepted: "✓", rejected: "✕", added: "+" };
export const GOLD_WORDS = { hit: "hit", extra: "extra", missed: "missed", spare: "spare" };
/** @type {Record<string, string>} */
const GROUP_NAMES = { near: "Nearest, turned down", cited: "Cited by the answer" };
const STANCE_SIGNS = { supports: "▲", refutes: "▼", neutral: "◇" };

/** @param {Stance} stance */
export const stanceWords = (stance) => `${STANCE_SIGNS[stance]} ${stance}`;

/** @param {View} view @param {Pick<Words, "of" | "words">} decisions @returns {Item[]} */
export function itemsOf({ ranked, near, cited, gold, noun }, decisions) {
  const chosen = new Set(ranked.map((item) => item.index));
  const hits = new Set(gold?.hits ?? []);
  /** @type {Draft[]} */
  const items = ranked.map((item) => {
    const state = decisions.of(item.index);
    /** @type {GoldWord | null} */
    const goldWord = gold ? (hits.has(item.index) ? "hit" : "extra") : null;
    return { ...item, group: "chosen", state: state === "added" ? "accepted" : state, gold: goldWord };
  });
  /** @param {number} index @returns {GoldWord | null} */
  const goldOf = (index) => (gold?.missed.includes(index) ? "missed" : gold?.spares.includes(index) ? "spare" : null);
  const listed = new Set(chosen);
  for (const [index, word] of [...decisions.words].sort((a, b) => a[0] - b[0])) {
    if (listed.has(index) || word === "rejected") continue;
    // Accepted in an earlier search that chose it, so it stays evidence.
    listed.add(index);
    items.push({ index, group: "added", state: word, gold: goldOf(index) });
  }
  for (const index of near) {
    if (!listed.has(index)) items.push({ index, group: "near", state: null, gold: null });
    listed.add(index);
  }
  for (const index of cited) {
    if (!listed.has(index)) items.push({ index, group: "cited", state: null, gold: null, fixed: true });
    listed.add(index);
  }
  for (const index of gold?.missed ?? []) {
    if (!listed.has(index)) items.push({ index, group: "missed", state: null, gold: "missed" });
  }
  for (const index of gold?.spares ?? []) {
    if (!listed.has(index)) items.push({ index, group: "spare", state: null, gold: "spare" });
  }
  return items.map((item) => ({ ...item, noun, sign: signOf(item), name: nameOf(item, noun) }));
}

/** @param {Draft} item */
function signOf({ rank, state, group }) {
  if (group === "near") return "≈";
  if (group === "cited") return "“";
  if (rank) return state ? `${rank} ${STATE_SIGNS[state]}` : String(rank);
  return state ? STATE_SIGNS[state] : "○";
}

/** @param {Draft} item @param {string} noun */
function nameOf({ rank, state, gold, stance, group }, noun) {
  const words = [rank ? `${noun} ${rank}` : state ? noun : (GROUP_NAMES[group] ?? "Gold")];
  if (stance) words.push(stance);
  if (state) words.push(STATE_WORDS[state]);
  if (gold) words.push(GOLD_WORDS[gold]);
  return words.join(", ");
}

// The sign in front of a marked sentence, with words for screen readers.
/** @param {Item} item */
export function badgeOf(item) {
  const badge = el("span", { class: "badge" }, el("span", { "aria-hidden": "true" }, item.sign), unseen(`${item.name}: `));
  if (item.stance) {
    const word = el("span", { class: "stance-word" }, ` ${item.stance}`);
    badge.append(el("span", { class: "stance", "aria-hidden": "true" }, ` ${STANCE_SIGNS[item.stance]}`, word));
  }
  if (item.group === "spare") badge.replaceChildren(unseen("Gold, spare: "));
  else if (item.gold) badge.append(el("span", { class: "gold-word" }, ` ${item.goldWord ?? GOLD_WORDS[item.gold]}`));
  return badge;
}
