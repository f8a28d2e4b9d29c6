import assert from "node:assert/strict";
import { test } from "node:test";

import { ALL, CHECK, DIFFER, isLike, lookOf, Rows } from "../../pages/_ui/browser/evidence_filter.js";

const paper = (id, cells, more = {}) => ({ id, study: `Study ${id}`, title: `Title ${id}`, citation: "", cells, ...more });
const data = (more = {}) => ({
  project: "p",
  stamp: "1",
  hypotheses: ["Tea helps", "Tea harms"],
  verdicts: ["supports", "mixed", "refutes"].map((id) => ({ id, sign: "", meaning: "" })),
  screenings: ["include", "unsure", "exclude"],
  levels: ["low", "high"].map((id) => ({ id, sign: "", word: id })),
  papers: [
    paper("10", [{ verdict: "refutes", why: 0 }, {}], { screening: "include", level: "high" }),
    paper("2", [{ verdict: "supports", check: 1, effect: ["d = 0.4", 0.4, 7, 0] }, { verdict: "mixed" }], { screening: "exclude", level: "low" }),
    paper("3", [{ final: "supports", verdict: "refutes", differ: true }, {}]),
    paper("4", [{ effect: ["d = -0.1", -0.1, 2, 0] }, {}]),
  ],
  texts: ["Sealed envelopes", "Look at this"],
  begin: [0, ""],
  judges: false,
  ...more,
});
const look = (more = {}) => ({ ...lookOf(data({ project: Math.random().toString() })), ...more });
const ids = (change) => new Rows(data(), look(change)).inOrder().map(({ id }) => id);

test("rows stand as the papers came, until they are sorted; numbers in names count as numbers", () => {
  assert.deepEqual(ids({}), ["10", "2", "3", "4"]);
  assert.deepEqual(ids({ key: "study" }), ["2", "3", "4", "10"]);
  assert.deepEqual(ids({ key: "study", down: true }), ["10", "4", "3", "2"]);
});

test("what is blank comes last, whichever way one sorts", () => {
  assert.deepEqual(ids({ key: "verdict" }), ["2", "3", "10", "4"]);
  assert.deepEqual(ids({ key: "verdict", down: true }), ["10", "2", "3", "4"]);
  assert.deepEqual(ids({ key: "effect" }), ["4", "2", "10", "3"]);
  assert.deepEqual(ids({ key: "level", down: true }), ["10", "2", "3", "4"]);
  assert.deepEqual(ids({ key: "verdict:1" }), ["2", "10", "3", "4"]);
});

test("filters narrow together, and each tells what it would leave", () => {
  assert.deepEqual(ids({ verdict: "supports" }), ["2", "3"]);
  assert.deepEqual(ids({ verdict: "supports", screening: "exclude" }), ["2"]);
  assert.deepEqual(ids({ screening: "" }), ["3", "4"]);
  assert.deepEqual(ids({ level: "high" }), ["10"]);
  assert.deepEqual(ids({ words: "sealed STUDY" }), ["10"]);
  const rows = new Rows(data(), look({ verdict: "refutes", screening: "exclude" }));
  assert.deepEqual(rows.fitting("verdict").map(({ id }) => id), ["2"]);
});

test("the reviewers' verdict counts before the engine's", () => {
  assert.ok(isLike({ final: "supports", verdict: "refutes" }, "supports"));
  assert.ok(isLike({ check: 1 }, CHECK));
  assert.ok(isLike({ differ: true }, DIFFER));
  assert.ok(isLike({}, ""));
});

test("side by side, a row fits by any of its hypotheses", () => {
  assert.deepEqual(ids({ hypothesis: ALL, verdict: "mixed" }), ["2"]);
});

test("one look a project, which leaves a hypothesis that is gone", () => {
  const first = lookOf(data({ project: "kept" }));
  first.hypothesis = "Tea harms";
  first.words = "nurses";
  assert.equal(lookOf(data({ project: "kept" })), first);
  assert.equal(lookOf(data({ project: "kept", hypotheses: ["Tea helps"] })).hypothesis, "Tea helps");
  assert.equal(first.words, "nurses");
});
