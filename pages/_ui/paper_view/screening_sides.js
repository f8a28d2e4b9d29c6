// Verdicts with their signs and words, and reviewers side by side on an item where they differ.

const VERDICT_SIGNS = { include: "✓", exclude: "✕", unsure: "?" };
const VERDICT_WORDS = { include: "Include", exclude: "Exclude", unsure: "Unsure" };
const VERDICT_DONE = { include: "Included", exclude: "Excluded", unsure: "Unsure" };

function verdictBadge(verdict, words = VERDICT_WORDS) {
  return el("span", { class: "verdict-badge", "data-verdict": verdict ?? "none" }, el("span", { class: "verdict-sign", "aria-hidden": "true" }, VERDICT_SIGNS[verdict] ?? "–"), words[verdict] ?? "Not decided");
}

// Each reviewer's verdict with its reason and note, and the criteria that they answer differently.
function reviewerSides(sides, criteria) {
  const said = ({ reviewer, verdict, reason, note, fits }) =>
    el(
      "section",
      { class: "side-of", "aria-label": reviewer },
      el("h3", {}, reviewer),
      verdictBadge(verdict),
      reason ? el("p", { class: "their-reason" }, reason) : null,
      note ? el("p", { class: "their-comment" }, note) : null,
      el("ul", { class: "their-answers" }, ...criteria.filter(({ id }) => fits[id]).map((one) => theirFit(one, fits, sides))),
    );
  return el("div", { class: "sides" }, ...sides.map(said));
}

function theirFit({ id, letter, text }, fits, sides) {
  const differ = new Set(sides.map((side) => side.fits[id]).filter(Boolean)).size > 1;
  return el("li", { title: text, "data-differs": differ ? "true" : null }, `${letter} `, el("b", {}, FIT_SIGNS[fits[id]]), unseen(` ${FIT_WORDS[fits[id]]}`), differ ? " ≠" : "");
}
