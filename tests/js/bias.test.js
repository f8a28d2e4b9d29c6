import assert from "node:assert/strict";
import { test } from "node:test";

import { beginAt, chosenDomains, Judgements, Judging } from "../../pages/_ui/browser/bias.js";
import { Settling } from "../../pages/_ui/browser/settling.js";
import { onPage } from "./page.js";

const own = () => ({ answers: {}, level: null, comment: "", decisions: [], edit: 0, version: 0 });
const judged = (question, { number = 0, at = [0, ""], domains = ["d1", "d2"] } = {}) => ({
  question,
  number,
  open: [question.split(":")[0]],
  stored: true,
  judging: { levels: [], domains: domains.map((id) => ({ id, own: own() })), beginAt: at },
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
  const { value, number } = sent.at(-1);
  assert.equal(number, 2);
  assert.deepEqual([value.domains.d1.edit, value.domains.d2.edit], [1, 1]);
  assert.deepEqual([value.domains.d1.level, value.domains.d2.decisions], ["high", [[4, "added"]]]);
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

const PANEL = `<div><div class="domains"></div><section class="judging"><div class="judging-body"></div><textarea class="comment"></textarea><p class="saved"></p></section></div>`;
const LEVELS = [{ id: "low", word: "Low", sign: "+", colour: "#02C100", ink: "#000000" }, { id: "high", word: "High", sign: "×", colour: "#BF0000", ink: "#FFFFFF" }];

// The panel with one domain on it.
function panelOf(more) {
  const root = onPage(PANEL);
  const judgements = new Judgements(() => {});
  const panel = new Judging(root, judgements, { turned() {}, changed() {}, thoughts: () => [] });
  const blank = { id: "d", name: "Flow", bias: "bias", definition: "So.", criteria: [["low", "Good."], ["high", "Bad."]], questions: [], own: own(), level: null, follows: null, given: null, missing: [], flips: [], suggestion: null, ranked: [], near: [], others: [], settled: null, failure: null, saved: true, gold: null };
  const view = judged(`panel:${Math.random()}`);
  view.judging = { ...view.judging, levels: LEVELS, domains: [{ ...blank, ...more }] };
  judgements.receive(view);
  panel.show(view);
  return root;
}

test("gold tells the level, and whether the suggested one and one's own are right, by sign and word", () => {
  const suggestion = { engine: "offline", level: "high", rationale: "", words: [], support: [], searched: [], notInPaper: [], run: null, cost: null };
  const root = panelOf({ suggestion, level: "low", gold: { levels: ["low"], suggested: false, own: true, sentences: null } });
  assert.match(root.querySelector(".gold-levels").textContent, /Gold.*Low.*Suggested: ✕ wrong.*Yours: ✓ right/);
  assert.match(root.querySelector(".chip-suggested").textContent, /suggested: high ✕ wrong/);
  assert.equal(panelOf({}).querySelector(".gold-levels"), null);
});

test("where complete answers do not decide, the criteria are there to be chosen from", () => {
  const question = { id: "4.4", text: "All?", condition: "", allowed: ["Y", "N", "NA"], applies: true, suggested: null };
  const answered = { questions: [question], own: { ...own(), answers: { 4.4: "N" } } };
  const open = panelOf(answered);
  assert.match(open.querySelector(".missing").textContent, /do not decide/);
  assert.ok(!open.querySelector('[data-key="level-high"]').disabled);
  assert.equal(open.querySelector(".flips"), null);
  const waiting = panelOf({ ...answered, follows: "answers", missing: ["4.4"] });
  assert.ok(waiting.querySelector('[data-key="level-high"]').disabled);
  assert.match(waiting.querySelector(".missing").textContent, /Still to answer: 4.4/);
});
