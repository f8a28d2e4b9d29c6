// Streamlit calls the function at the end whenever the data or the theme changes; the desk itself stays and is brought up
// to date.

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
  "[": (desk) => desk.stepDomain(-1),
  "]": (desk) => desk.stepDomain(1),
  v: (desk) => desk.turnView(),
  "+": (desk) => desk.resize(1),
  "=": (desk) => desk.resize(1), // the same key without Shift
  "-": (desk) => desk.resize(-1),
  "?": (desk) => desk.help.showModal(),
  Escape: (desk) => {
    desk.tools.hidden = true;
  },
};

// Screening has keys of its own, before those of every desk.
const SCREENING_KEYS = {
  i: (desk) => desk.screening.verdicts.choose("include"),
  e: (desk) => desk.screening.verdicts.choose("exclude"),
  u: (desk) => desk.screening.verdicts.choose("unsure"),
  n: (desk) => desk.screening.toNote(),
  z: (desk) => desk.screening.go("undo"),
  h: (desk) => desk.screening.toggleHide(),
  j: (desk) => desk.screening.go("next"),
  k: (desk) => desk.screening.go("previous"),
  "→": (desk) => desk.screening.go("next"),
  "←": (desk) => desk.screening.go("previous"),
  "[": (desk) => desk.step(-1),
  "]": (desk) => desk.step(1),
  Escape: (desk) => desk.screening.verdicts.back(),
};
const ARROWS = { ArrowRight: "→", ArrowLeft: "←" };

function actionOf(desk, key) {
  if (!desk.view?.screening) return KEYS[key];
  if (/^[0-9]$/.test(key)) return () => desk.screening.verdicts.digit(key);
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

// The browser's own question, on every page of the app. Desks come and go; this is there once.
window.addEventListener("beforeunload", (event) => {
  if (anyToLose()) event.preventDefault();
});

// What it gives back is called when the desk goes, and for every call that was overtaken by the next one before it had
// run: such a call must not close the desk of its successor, whichever of the two runs first.
export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".desk");
  const desk = (root.desk ??= new Desk(root));
  desk.update(data, setStateValue);
  const { updates } = desk;
  return () => {
    if (desk.updates === updates) desk.close();
  };
}
