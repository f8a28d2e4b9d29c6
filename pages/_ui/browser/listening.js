// The desk's event listeners. `abort()` on the returned controller removes them.

import { elementOf } from "./dom.js";
/** @import { Desk } from "./desk.js" */
/** @import { Tasks } from "./tasks.js" */

/** @param {Desk} desk */
export function listen(desk) {
  const listening = new AbortController();
  const options = { signal: listening.signal };
  let waiting = false;
  const follow = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      desk.place.follow();
    });
  };
  document.addEventListener("scroll", follow, { ...options, capture: true, passive: true });
  window.addEventListener("resize", follow, options);
  document.addEventListener("input", () => { desk.typing = true; }, options);
  document.addEventListener("click", (event) => desk.downloads.hold(event), { ...options, capture: true });
  document.addEventListener("click", (event) => {
    desk.typing = false;
    if (elementOf(event)?.closest('[class*="st-key-download-"]')) desk.tasks.decisions?.keepDownloaded();
  }, options);
  window.addEventListener("keydown", (event) => onKey(desk, event), { ...options, capture: true });
  desk.root.addEventListener("click", (event) => onClick(desk, elementOf(event)), options);
  desk.root.addEventListener("focusin", (event) => onFocus(desk, elementOf(event)), options);
  desk.root.addEventListener("keydown", (event) => onEnter(desk, event), options);
  // Runs before the browser asks whether to leave the page.
  window.addEventListener("beforeunload", () => desk.tasks.flush(), { ...options, capture: true });
  return listening;
}

const SENTENCE = "[data-i]:is(.s, .box)";

// The keys to decide are about the sentence that the keyboard has reached, in the paper or in the list. A press of the
// mouse focuses, too; what it does is told by its click.
/** @param {Desk} desk @param {Element | null} target */
function onFocus(desk, target) {
  const sentence = target?.matches(":focus-visible") && target.closest("[data-i]");
  if (sentence) desk.reach(Number(sentence.getAttribute("data-i")));
}

/** @param {Desk} desk @param {KeyboardEvent} event */
function onEnter(desk, event) {
  const target = elementOf(event);
  if (!["Enter", " "].includes(event.key) || event.ctrlKey || event.metaKey || !target?.matches(SENTENCE)) return;
  event.preventDefault(); // Space would scroll
  desk.jump(Number(target.getAttribute("data-i")));
}

/** @param {Desk} desk @param {Element | null} target */
function onClick(desk, target) {
  if (!target) return;
  /** @param {string} selector @param {string} name */
  const around = (selector, name) => target.closest(selector)?.getAttribute(name) ?? null;
  const tab = around("[data-show]", "data-show");
  const step = around("[data-step]", "data-step");
  const sentence = around(SENTENCE, "data-i");
  const view = around("button[data-view]", "data-view");
  const zoom = around("[data-zoom]", "data-zoom");
  if (tab) desk.turnTo(tab);
  if (view) desk.turnView(view);
  if (zoom) desk.resize(Number(zoom));
  if (step) desk.step(Number(step));
  else if (target.closest("[data-help]")) desk.help.showModal();
  else if (sentence && !String(getSelection())) desk.jump(Number(sentence), { scroll: false, flash: false });
  else if (!tab && !target.closest(".tools")) desk.tools.hide();
}

// ---- Keys ----
// What each key does; paper_view/component.py lists them for the reader.

/** @typedef {(desk: Desk) => void} Act */

/** @type {Record<string, Act>} */
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

// Keys of screening, which take precedence over those of every desk.
/** @type {Record<string, Act>} */
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
/** @type {Record<string, string>} */
const ARROWS = { ArrowRight: "→", ArrowLeft: "←" };

/** @param {Desk} desk @param {string} key @returns {Act | null | undefined} */
function actionOf(desk, key) {
  if (!desk.view?.screening) return KEYS[key];
  if (/^[0-9]$/.test(key)) return () => desk.tasks.screening.verdicts.digit(key);
  return SCREENING_KEYS[ARROWS[key] ?? key] ?? (["a", "r", "p"].includes(key) ? null : KEYS[key]);
}

const FIELD = "textarea, input:not([type=checkbox], [type=radio], [role=combobox])";
const TYPED_INTO = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=combobox], [role=dialog]";

// Runs before Streamlit's own shortcuts, of which `r` would rerun the page.
/** @param {Desk} desk @param {KeyboardEvent} event */
function onKey(desk, event) {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) desk.typing = false;
  const act = actionOf(desk, event.key);
  if (!act || event.ctrlKey || event.metaKey || event.altKey || desk.help.open) return;
  const target = event.composedPath()[0];
  if (target instanceof Element && target.closest(TYPED_INTO)) {
    if (event.key === "Escape" && target instanceof HTMLElement && target.matches(FIELD)) target.blur();
    return;
  }
  if (ARROWS[event.key] && target instanceof Element && target.closest(".table")) return; // it scrolls sideways
  if (event.key !== "Escape") {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  act(desk);
}

// ---- Downloads ----
// The download buttons are Streamlit's, and a file contains what Python has. A reviewer who decides and clicks at once
// expects the decision in the file, so the click is held until Python has everything.

const FILES = '[class*="st-key-download-"] button, [class*="st-key-extract-"] button';

export class Downloads {
  /** @param {Tasks} tasks */
  constructor(tasks) {
    this.tasks = tasks;
    /** @type {HTMLElement | null} */
    this.held = null; // the button that was pressed
  }

  /** @param {MouseEvent} event */
  hold(event) {
    const button = elementOf(event)?.closest(FILES);
    if (!(button instanceof HTMLElement) || !this.tasks.decisions) return;
    this.tasks.flush();
    if (this.tasks.decisions.arrived) return;
    event.stopPropagation();
    this.held = button;
  }

  // Repeat the held click. The button already has its new file, because it is drawn before the desk.
  release() {
    if (!this.held || !this.tasks.decisions.arrived) return;
    const button = this.held;
    this.held = null;
    setTimeout(() => button.click());
  }
}
