import assert from "node:assert/strict";
import { test } from "node:test";

import { beginAt, chosenDomains, Judgements } from "../../pages/_ui/browser/bias.js";
import { Settling } from "../../pages/_ui/browser/settling.js";
import { onPage } from "./page.js";

const own = () => ({ answers: {}, level: null, comment: "", decisions: [], edit: 0, version: 0 });
const judged = (question, { number = 0, at = [0, ""], domains = ["d1", "d2"] } = {}) => ({
  question,
  number,
  open: [question.split(":")[0]],
  stored: true,
  judging: { levels: [], domains: domains.map((id) => ({ id, own: own() })), raised: { on: false, edit: 0, version: 0 }, overall: null, beginAt: at },
});

test("Python names the domain to begin at once for each of its words", () => {
  beginAt("q", [1, "d2"]);
  assert.equal(chosenDomains.get("q"), "d2");
  chosenDomains.set("q", "d1");
  beginAt("q", [1, "d2"]);
  assert.equal(chosenDomains.get("q"), "d1");
  beginAt("q", [2, "d2"]);
  assert.equal(chosenDomains.get("q"), "d2");
});

test("a change goes out as a whole, and counts the edits of its own domain alone", () => {
  const sent = [];
  const judgements = new Judgements((message) => sent.push(message));
  judgements.receive(judged("bias:a"));
  judgements.change({ level: "high" });
  judgements.choose("d2");
  judgements.set(4, "added");
  judgements.raise(true);
  const { value, number } = sent.at(-1);
  assert.equal(number, 3);
  assert.deepEqual([value.domains.d1.edit, value.domains.d2.edit, value.raised.edit], [1, 1, 1]);
  assert.deepEqual([value.domains.d1.level, value.domains.d2.decisions, value.raised.on], ["high", [[4, "added"]], true]);
  assert.equal(judgements.of(4), "added");
  judgements.choose("d1");
  assert.equal(judgements.of(4), null);
});

const DESK = `<div><div class="domains"></div><section class="judging"><div class="judging-body"></div><div class="settling">
  <textarea class="reason-field"></textarea><p class="settling-problem"></p><button class="settle"></button></div></section></div>`;

test("a consensus needs its level and its reason, and the next conflict comes when it is stored", () => {
  const sent = [];
  const root = onPage(DESK);
  const settling = new Settling(root, { turned() {}, send: (value) => sent.push(value) });
  const domain = (id, state) => ({ id, name: id, bias: "", definition: "", criteria: [["high", "Bad"]], state, level: null, judgements: [], settled: null, ranked: [], near: [] });
  const view = (number, states) => ({ question: "settle:q", settling: { levels: [], domains: states.map((state, at) => domain(`s${at}`, state)), number, problem: null, beginAt: [0, ""] } });
  settling.receive(view(0, ["agreed", "conflict", "conflict"]));
  settling.show();
  assert.equal(settling.domain.id, "s1");
  const button = root.querySelector(".settle");
  button.click();
  assert.equal(root.querySelector(".settling-problem").textContent, "Choose the level.");
  root.querySelector('[data-key="settle-high"]').click();
  button.click();
  assert.match(root.querySelector(".settling-problem").textContent, /needs its reason/);
  settling.reason.value = "Both say so";
  settling.reason.dispatchEvent(new window.Event("input"));
  button.click();
  assert.equal(sent.length, 1);
  assert.deepEqual([sent[0].domain, sent[0].level, sent[0].reason], ["s1", "high", "Both say so"]);
  assert.ok(button.disabled);
  settling.receive(view(sent[0].number, ["agreed", "settled", "conflict"]));
  assert.equal(settling.domain.id, "s2");
});
