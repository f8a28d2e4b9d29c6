"use strict";
// Sorts and filters the rows that are in the page already. Texts are read and never written as markup.
{
  const body = document.querySelector("tbody");
  const rows = [...body.rows].filter((row) => row.dataset.screening !== undefined);
  const places = new Map(rows.map((row, place) => [row, place]));
  const filters = [...document.querySelectorAll("[data-filter]")];
  const levels = document.querySelector("[data-filter=bias]").options; // from best to worst
  const ranks = {
    screening: ["include", "unsure", "exclude"],
    bias: [...levels].map(({ value }) => value).filter((value) => value && value !== "*"),
    verdict: ["supports", "mixed", "refutes", "unclear", "not reported"],
  };
  const words = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));

  const fits = (row) => filters.every(({ value, dataset: { filter } }) => {
    if (filter === "words") return value.toLowerCase().split(/\s+/).every((word) => words.get(row).includes(word));
    return value === "*" || row.dataset[filter] === value;
  });
  const show = () => {
    const count = rows.filter((row) => !(row.hidden = !fits(row))).length;
    document.getElementById("count").textContent = `${count} of ${rows.length} shown`;
  };

  const sorter = new Intl.Collator("en", { numeric: true });
  const name = (row) => row.querySelector(".study").textContent;
  const rank = (row, key) => {
    const order = ranks[key] || ranks.verdict;
    return order.indexOf(row.dataset[key]);
  };
  const sort = (key, turn) => {
    const sorted = [...rows].sort((one, other) => {
      if (key === "study") return turn * sorter.compare(name(one), name(other));
      const [a, b] = [rank(one, key), rank(other, key)];
      if (a < 0 || b < 0) return (a < 0) - (b < 0) || places.get(one) - places.get(other); // what is blank comes last
      return turn * (a - b) || places.get(one) - places.get(other);
    });
    body.append(...sorted);
  };

  for (const head of document.querySelectorAll("[data-sort]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of document.querySelectorAll("[aria-sort]")) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      sort(head.dataset.sort, down ? -1 : 1);
    });
  }
  for (const filter of filters) filter.addEventListener("input", show);
  const open = document.getElementById("open");
  open.addEventListener("click", () => {
    const opened = open.getAttribute("aria-pressed") !== "true";
    open.setAttribute("aria-pressed", String(opened));
    open.textContent = opened ? "Hide all sentences" : "Show all sentences";
    for (const details of document.querySelectorAll("details")) details.open = opened;
  });
  document.querySelector(".filters").hidden = rows.length === 0;
  document.querySelector(".filters").addEventListener("submit", (event) => event.preventDefault());
  show();
}
