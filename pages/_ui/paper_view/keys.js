// What each key does; keyboard.py lists them for the reader.

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
  "[": (desk) => desk.tasks.step(-1),
  "]": (desk) => desk.tasks.step(1),
  v: (desk) => desk.turnView(),
  "+": (desk) => desk.resize(1),
  "=": (desk) => desk.resize(1), // the same key without Shift
  "-": (desk) => desk.resize(-1),
  "?": (desk) => desk.help.showModal(),
  Escape: (desk) => desk.tools.hide(),
};

// Screening has keys of its own, before those of every desk.
const SCREENING_KEYS = {
  i: (desk) => desk.tasks.screening.verdicts.choose("include"),
  e: (desk) => desk.tasks.screening.verdicts.choose("exclude"),
  u: (desk) => desk.tasks.screening.verdicts.choose("unsure"),
  n: (desk) => desk.tasks.screening.toNote(),
  z: (desk) => desk.tasks.screening.go("undo"),
  h: (desk) => desk.tasks.screening.toggleHide(),
  j: (desk) => desk.tasks.screening.go("next"),
  k: (desk) => desk.tasks.screening.go("previous"),
  "→": (desk) => desk.tasks.screening.go("next"),
  "←": (desk) => desk.tasks.screening.go("previous"),
  "[": (desk) => desk.step(-1),
  "]": (desk) => desk.step(1),
  Escape: (desk) => desk.tasks.screening.verdicts.back(),
};
const ARROWS = { ArrowRight: "→", ArrowLeft: "←" };

function actionOf(desk, key) {
  if (!desk.view?.screening) return KEYS[key];
  if (/^[0-9]$/.test(key)) return () => desk.tasks.screening.verdicts.digit(key);
  return SCREENING_KEYS[ARROWS[key] ?? key] ?? (["a", "r", "p"].includes(key) ? null : KEYS[key]);
}

const FIELD = "textarea, input:not([type=checkbox], [type=radio], [role=combobox])";
const TYPED_INTO = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=combobox], [role=dialog]";

// Before Streamlit's own shortcuts, of which `r` would run the page again.
function onKey(desk, event) {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) desk.typing = false;
  const act = actionOf(desk, event.key);
  if (!act || event.ctrlKey || event.metaKey || event.altKey || desk.help.open) return;
  const target = event.composedPath()[0];
  if (target instanceof Element && target.closest(TYPED_INTO)) {
    if (event.key === "Escape" && target.matches(FIELD)) target.blur();
    return;
  }
  if (ARROWS[event.key] && target instanceof Element && target.closest(".table")) return; // it scrolls sideways
  if (event.key !== "Escape") {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  act(desk);
}
