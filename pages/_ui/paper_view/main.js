// Streamlit calls this whenever the data or the theme changes; the desk itself stays and is brought up to date.

const KEYS = {
  n: (desk) => desk.step(1),
  j: (desk) => desk.step(1),
  p: (desk) => desk.step(-1),
  k: (desk) => desk.step(-1),
  ".": (desk) => desk.stepSentence(1),
  ",": (desk) => desk.stepSentence(-1),
  a: (desk) => desk.decideByKey("a"),
  r: (desk) => desk.decideByKey("r"),
  u: (desk) => desk.decideByKey("u"),
  "?": (desk) => desk.help.showModal(),
  Escape: (desk) => {
    desk.tools.hidden = true;
  },
};

const TYPED_INTO = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=combobox], [role=dialog]";

// Before Streamlit's own shortcuts, of which `r` would run the page again.
function onKey(desk, event) {
  const act = KEYS[event.key];
  if (!act || event.ctrlKey || event.metaKey || event.altKey || desk.help.open) return;
  const target = event.composedPath()[0];
  if (target instanceof Element && target.closest(TYPED_INTO)) return;
  if (event.key !== "Escape") {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  act(desk);
}

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".desk");
  root.desk ??= new Desk(root);
  root.desk.update(data, setStateValue);
  return () => root.desk.close();
}
