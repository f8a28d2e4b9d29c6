import assert from "node:assert/strict";
import { test } from "node:test";

import { onPage } from "./page.js";
import { el, focused, focusKey, keepingSigns, need, plural, renew, withMarks } from "../../pages/_ui/browser/dom.js";

const texts = (nodes) => nodes.map((node) => (typeof node === "string" ? node : `[${node.textContent}]`));

test("text never becomes markup", () => {
  const node = el("p", { title: "<b>" }, "<img src=x onerror=alert(1)>", null, undefined);
  assert.equal(node.childNodes.length, 1);
  assert.equal(node.querySelector("img"), null);
  assert.equal(node.getAttribute("title"), "<b>");
});

test("an attribute that is null, undefined or false is left out, and one that is true is empty", () => {
  const node = el("button", { disabled: true, title: null, "aria-label": undefined, hidden: false, class: "one two" });
  assert.deepEqual(node.getAttributeNames().sort(), ["class", "disabled"]);
});

test("what is like the new keeps its element, its focus and its unfolding, and takes over the new words and handlers", () => {
  const list = onPage("<div></div>");
  const pressed = [];
  const draw = (word) => renew(list, el("details", {}, el("summary", {}, word)), el("button", { "data-key": "a", onclick: () => pressed.push(word) }, word));
  draw("old");
  const [details, button] = list.children;
  details.open = true;
  button.focus();
  draw("new");
  assert.equal(list.children[1], button);
  assert.equal(document.activeElement, button);
  assert.ok(details.open);
  button.click();
  assert.deepEqual(pressed, ["new"]);
  assert.equal(list.textContent, "newnew");
});

test("another key is another element, and what is left over goes", () => {
  const list = onPage("<div></div>");
  renew(list, el("p", { "data-key": "a" }), el("p", { "data-key": "b" }), "words");
  const [first] = list.children;
  renew(list, null, el("p", { "data-key": "c" }));
  assert.equal(list.childNodes.length, 1);
  assert.notEqual(list.firstChild, first);
});

test("the focus goes back to the element of the same key", () => {
  const list = onPage('<div><button data-key="a"></button><button data-key="b"></button></div>');
  list.lastElementChild.focus();
  assert.equal(focused(list)?.dataset.key, "b");
  focusKey(list, "a");
  assert.equal(focused(list)?.dataset.key, "a");
  focusKey(list, undefined);
  assert.equal(focused(list)?.dataset.key, "a");
});

test("an element that the markup lacks is told in words", () => {
  const root = onPage("<div><p></p></div>");
  assert.equal(need(root, "p").tagName, "P");
  assert.throws(() => need(root, "p", HTMLInputElement), /no element “p”/);
  assert.throws(() => need(root, ".gone"), /no element “\.gone”/);
});

test("a minus sign stays with its number", () => {
  assert.deepEqual(texts(keepingSigns("fell by \u2212 9.7 mg, -3 of 10-20 in A-2")), ["fell by ", "[\u2212 9.7]", " mg, ", "[-3]", " of 10-20 in A-2"]);
});

test("words are marked where they first stand, whatever their case, and never over each other", () => {
  assert.deepEqual(texts(withMarks("Sealed opaque envelopes", ["opaque", "sealed opaque", "none"])), ["", "[Sealed opaque]", " envelopes"]);
});

test("counts agree with their words", () => {
  assert.equal(plural(1, "sentence"), "1 sentence");
  assert.equal(plural(1200, "sentence"), "1,200 sentences");
});
