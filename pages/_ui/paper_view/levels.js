// The levels of risk of bias, each with its sign and word.

const LEVEL_SIGNS = { low: "+", unclear: "?", "some concerns": "!", high: "×" };
const LEVEL_WORDS = { low: "Low", unclear: "Unclear", "some concerns": "Some concerns", high: "High" };

// A level is never told by its colour alone.
function levelBadge(level, { word = true } = {}) {
  const name = LEVEL_WORDS[level] ?? "Not judged";
  const sign = el("span", { class: "level-sign", "data-level": level ?? "none", "aria-hidden": "true" }, LEVEL_SIGNS[level] ?? "–");
  return el("span", { class: "level" }, sign, word ? el("span", { class: "level-word" }, name) : unseen(name));
}
