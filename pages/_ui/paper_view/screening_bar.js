// The bar above the paper: how far the reviewer is, which item comes next, and the way to it. `go(what, on)` asks Python.

function screeningBar({ mode, decided, total, conflicts, byPromise, hide, previous }, go) {
  const settling = mode === "settle";
  const turn = (label, on, pressed) =>
    el("button", { type: "button", "data-key": `order${on}`, "aria-pressed": String(pressed), onclick: () => go("order", on) }, label);
  return [
    el(
      "div",
      { class: "screening-count" },
      el("span", { class: "count-words", role: "status" }, `${decided.toLocaleString("en")} of ${total.toLocaleString("en")} decided`),
      el("span", { class: "count-bar", "aria-hidden": "true" }, el("span", { style: `width: ${total ? (100 * decided) / total : 0}%` })),
    ),
    conflicts || settling
      ? el("button", { type: "button", class: "conflicts-button", "data-key": "conflicts", "aria-pressed": String(settling), onclick: () => go("conflicts", !settling) }, el("span", { "aria-hidden": "true" }, "≠ "), plural(conflicts, "conflict"))
      : null,
    settling ? null : el("div", { class: "tabs order", role: "group", "aria-label": "Which comes next" }, turn("Most promising first", true, byPromise), turn("As they came", false, !byPromise)),
    el("button", { type: "button", class: "hide-button", "data-key": "hide", "aria-pressed": String(hide), onclick: () => go("hide", !hide) }, hide ? "Show suggestions" : "Hide suggestions", el("kbd", {}, "h")),
    el(
      "div",
      { class: "steps" },
      el("button", { type: "button", "data-key": "previous", disabled: !previous && !settling, title: "Previous (k)", "aria-label": "Previous paper", onclick: () => go("previous") }, "←"),
      el("button", { type: "button", "data-key": "next", title: "Next (j)", "aria-label": "Next paper", onclick: () => go("next") }, "→"),
      el("button", { type: "button", "data-help": "true", "aria-label": "Keyboard help", title: "Keyboard (?)" }, "?"),
    ),
  ].filter(Boolean);
}
