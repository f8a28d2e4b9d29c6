// What the panel of screening says of the item on the desk, above its criteria: what was decided before it, its title, and
// what others decided.

// What was decided last, with the way back; and that there is nothing left, once there is not.
function screeningUndo({ undo, decided, total }, go) {
  const through = total && decided === total ? [el("p", { class: "through", role: "status" }, `You have decided on all ${total.toLocaleString("en")}.`)] : [];
  if (!undo) return through;
  const what = `${VERDICT_DONE[undo.verdict] ?? "Taken back"}${undo.reason ? ` (${undo.reason})` : ""}: `;
  const undone = el(
    "p",
    { class: "undone", role: "status" },
    el("span", { class: "undone-what" }, what, el("span", { class: "undone-title" }, undo.title)),
    el("button", { type: "button", class: "link", "data-key": "undo", onclick: () => go("undo") }, "Undo", el("kbd", {}, "z")),
  );
  return [...through, undone];
}

// `own`: the reviewer's own decision, where it is to be shown.
function screeningHead({ title, citation, isPaper }, own) {
  const stands = own?.verdict ? el("p", { class: "stands" }, verdictBadge(own.verdict, VERDICT_DONE), own.reason ? ` ${own.reason}` : null) : null;
  return [
    el("h2", { class: "item-title" }, title),
    el("p", { class: "item-citation" }, [citation, isPaper ? "Full text" : "Title and abstract"].filter(Boolean).join(" · ")),
    stands,
  ].filter(Boolean);
}

// What others decided, once it may be seen.
function screeningOthers({ mode, others, hidden, settled, sides, differ, criteria }) {
  const consensus = settled
    ? [el("section", { class: "suggestion", "aria-label": "Consensus" }, el("p", { class: "suggestion-head" }, "Settled: ", verdictBadge(settled.verdict)), el("p", { class: "reason" }, [settled.reason, settled.why].filter(Boolean).join(": ")), el("p", { class: "note" }, settledBy(settled)))]
    : [];
  if (mode === "settle") {
    const none = differ || settled ? [] : [el("p", { class: "note" }, "No conflict here.")];
    return [...consensus, ...none, reviewerSides(sides, criteria)];
  }
  const decidedToo = hidden.length ? [el("p", { class: "note" }, `${hidden.join(" and ")} ${hidden.length > 1 ? "have" : "has"} decided; shown once you have.`)] : [];
  const said = others.map(({ reviewer, verdict, reason }) => el("p", { class: "said-by" }, `${reviewer}: `, verdictBadge(verdict), reason ? ` ${reason}` : null));
  return [...decidedToo, ...said, ...consensus];
}
