import assert from "node:assert/strict";
import { test } from "node:test";

import { Downloads, listen } from "../../pages/_ui/browser/listening.js";
import { onPage } from "./page.js";

// A desk that records what it is told to do.
function desk(view = {}) {
  const told = [];
  const tell = (name) => (...what) => told.push([name, ...what]);
  const root = onPage('<div><button data-step="-1"></button><p data-i="0" class="s" tabindex="0"></p><div data-i="1"><button class="jump"></button></div><input><div class="tools"></div></div>');
  const verdicts = { choose: tell("choose"), digit: tell("digit"), back: tell("back") };
  const tasks = { step: tell("task"), screening: { verdicts, go: tell("go"), toNote: tell("note"), toggleHide: tell("hide") }, flush: tell("flush") };
  const parts = { root, view, tasks, help: { open: false, showModal: tell("help") }, tools: { hide: tell("tools") }, place: { follow() {} }, downloads: { hold() {} } };
  return [{ ...parts, step: tell("step"), stepSentence: tell("sentence"), decideByKey: tell("decide"), jump: tell("jump"), reach: tell("reach"), turnView: tell("view"), resize: tell("resize") }, told];
}

function press(key, { on = document.body, ...more } = {}) {
  on.dispatchEvent(new window.KeyboardEvent("keydown", { key, bubbles: true, composed: true, cancelable: true, ...more }));
}

function told(view, act) {
  const [one, said] = desk(view);
  const listening = listen(one);
  act(one.root);
  listening.abort();
  press("n"); // the listeners are removed
  return said;
}

test("keys act, but not with Ctrl, and not while something is typed", () => {
  assert.deepEqual(told({}, () => press("n")), [["step", 1]]);
  assert.deepEqual(told({}, () => press("a")), [["decide", "a"]]);
  assert.deepEqual(told({}, () => press("a", { ctrlKey: true })), []);
  assert.deepEqual(told({}, (root) => press("a", { on: root.querySelector("input") })), []);
});

test("screening has its own keys, and leaves out those of sentences", () => {
  const view = { screening: {} };
  assert.deepEqual(told(view, () => press("i")), [["choose", "include"]]);
  assert.deepEqual(told(view, () => press("3")), [["digit", "3"]]);
  assert.deepEqual(told(view, () => press("ArrowRight")), [["go", "next"]]);
  assert.deepEqual(told(view, () => press("a")), []);
  assert.deepEqual(told(view, () => press("?")), [["help"]]);
});

test("a click on a sentence leads to it, the first one too, and a step goes back", () => {
  assert.deepEqual(told({}, (root) => root.querySelector("p").click()), [["jump", 0, { scroll: false, flash: false }]]);
  assert.deepEqual(told({}, (root) => root.querySelector("button").click()), [["step", -1]]);
});

test("the keyboard reaches a sentence in the paper or the list, and Enter and Space lead to one in the paper", () => {
  const focus = (selector) => (root) => root.querySelector(selector).focus();
  assert.deepEqual(told({}, focus("p")), [["reach", 0]]);
  assert.deepEqual(told({}, focus(".jump")), [["reach", 1]]);
  assert.deepEqual(told({}, focus("[data-step]")), []);
  for (const key of ["Enter", " "]) {
    assert.deepEqual(told({}, (root) => press(key, { on: root.querySelector("p") })), [["jump", 0]]);
    assert.deepEqual(told({}, (root) => press(key, { on: root.querySelector(".jump") })), [], "the button has a click of its own");
  }
});

test("a file that is asked for at once waits until Python has all decisions", async () => {
  const root = onPage('<div class="st-key-download-x"><button></button></div>');
  const button = root.querySelector("button");
  let clicks = 0;
  const tasks = { decisions: { arrived: false }, flush() {} };
  const downloads = new Downloads(tasks);
  const hold = (event) => downloads.hold(event);
  document.addEventListener("click", hold, { capture: true });
  button.addEventListener("click", () => { clicks += 1; });
  button.click();
  assert.equal(clicks, 0);
  downloads.release();
  tasks.decisions.arrived = true;
  downloads.release();
  await new Promise((done) => { setTimeout(done, 20); });
  document.removeEventListener("click", hold, { capture: true });
  assert.equal(clicks, 1);
});
