// Gold: the study aspects, the sentences that cover each, and the scores.

function showLegend(node, gold) {
  node.hidden = !gold;
  if (!gold) return node.replaceChildren();
  const sample = (kind, meaning, count) =>
    el("li", {}, el("span", { class: "sample", "data-gold": kind }, GOLD_WORDS[kind]), ` ${meaning} `, el("b", {}, String(count)));
  return node.replaceChildren(
    el(
      "ul",
      {},
      sample("hit", "chosen, and in gold", gold.hits.length),
      sample("extra", "chosen, not in gold", gold.extras.length),
      sample("missed", "not chosen, and it covers a missing aspect", gold.missed.length),
      sample("spare", "not chosen, but what it covers is covered", gold.spares.length),
    ),
  );
}

function showAspects(node, gold, items, paper, jump) {
  if (!gold) return node.replaceChildren();
  const byIndex = new Map(items.map((item) => [item.index, item]));
  const figure = (value, label) =>
    el("div", { class: "figure" }, el("b", {}, value === null ? "–" : `${Math.round(100 * value)}%`), el("span", {}, label));
  const covered = gold.aspects.filter((aspect) => aspect.covered).length;
  return renew(
    node,
    el(
      "div",
      { class: "figures" },
      figure(gold.recall, `aspect recall@${gold.k}`),
      figure(gold.best, `the best that ${plural(gold.k, "sentence")} could do`),
      gold.reviewed === null ? null : figure(gold.reviewed, "with your decisions"),
    ),
    el("p", { class: "sum" }, `${covered} of ${plural(gold.aspects.length, "aspect")} covered. ${plural(gold.fewest, "sentence")} would be enough for all.`),
    ...(gold.named ? [] : [el("p", { class: "sum" }, "The file gives no names for its aspects, so they are numbered.")]),
    el(
      "ol",
      { class: "aspect-list", "aria-label": `${covered} of ${gold.aspects.length} aspects covered` },
      ...gold.aspects.map((aspect) => aspectEntry(aspect, byIndex, paper, jump)),
    ),
  );
}

function aspectEntry({ label, covered, result, sentences }, byIndex, paper, jump) {
  return el(
    "li",
    { class: "aspect", "data-covered": String(covered) },
    el("span", { class: "verdict" }, covered ? "✓ covered" : "○ not covered"),
    result ? el("span", { class: "tag" }, "result") : null,
    el("span", { class: "label" }, label),
    el("span", { class: "sources" }, ...sentences.map((index) => aspectSource(index, byIndex.get(index), paper, jump))),
  );
}

function aspectSource(index, item, paper, jump) {
  const chosen = item && item.rank;
  const name = chosen ? `Rank ${item.rank}` : "Not chosen";
  const words = paper.data.sentences[index].trim().split(/\s+/);
  const opening = words.slice(0, 8).join(" ") + (words.length > 8 ? " …" : "");
  return el(
    "button",
    { type: "button", class: "source", "data-gold": chosen ? "hit" : "missed", onclick: () => jump(index), title: `${name}: show it in the paper` },
    chosen ? el("b", {}, `#${item.rank} `) : null,
    el("span", { class: "where" }, `${paper.place(index)}: `),
    opening,
  );
}
