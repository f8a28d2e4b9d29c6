import assert from "node:assert/strict";
import { test } from "node:test";

import { itemsOf, stanceWords } from "../../pages/_ui/browser/items.js";
import { criteriaMarks } from "../../pages/_ui/browser/criteria.js";

const decided = (...pairs) => ({ words: new Map(pairs), of: (index) => new Map(pairs).get(index) ?? null });
const view = (more) => ({ noun: "Evidence", ranked: [], near: [], cited: [], gold: null, ...more });
const ranked = [{ index: 4, rank: 1, bar: 1, stance: "supports" }, { index: 2, rank: 2, bar: 0.2 }];

test("the engine's choice comes first, then what was added, then gold; each sentence once", () => {
  const gold = { hits: [4], extras: [2], missed: [9, 7], spares: [8] };
  const items = itemsOf(view({ ranked, gold, near: [2, 6] }), decided([7, "added"], [4, "accepted"], [1, "rejected"]));
  assert.deepEqual(items.map(({ index, group, sign }) => [index, group, sign]), [
    [4, "chosen", "1 ✓"],
    [2, "chosen", "2"],
    [7, "added", "+"],
    [6, "near", "≈"],
    [9, "missed", "○"],
    [8, "spare", "○"],
  ]);
  assert.deepEqual(items.map(({ gold: word }) => word), ["hit", "extra", "missed", null, "missed", "spare"]);
});

test("names say all that the signs show", () => {
  const gold = { hits: [4], extras: [], missed: [], spares: [] };
  const [first, added] = itemsOf(view({ ranked: ranked.slice(0, 1), gold }), decided([4, "rejected"], [6, "added"]));
  assert.equal(first.name, "Evidence 1, supports, rejected, hit");
  assert.equal(added.name, "Evidence, added by you");
  assert.equal(stanceWords("refutes"), "▼ refutes");
});

test("a sentence that was added, and that the engine chose later, shows as accepted", () => {
  const [item] = itemsOf(view({ ranked: ranked.slice(0, 1) }), decided([4, "added"]));
  assert.equal(item.state, "accepted");
});

test("a sentence of several criteria is marked once, with all their letters", () => {
  const criterion = (letter, kind, sentences) => ({ id: letter, letter, kind, text: "", suggestion: { engine: "e", fit: "met", reason: "", sentences } });
  const marks = criteriaMarks([criterion("A", "population", [3, 5]), criterion("B", "outcome", [5]), { ...criterion("C", "own", []), suggestion: null }]);
  assert.deepEqual(marks.map(({ index, sign, group, name }) => [index, sign, group, name]), [
    [3, "A", "line-0", "A, Population"],
    [5, "A B", "several", "A, Population; B, Outcome"],
  ]);
});
