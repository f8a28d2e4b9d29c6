import assert from "node:assert/strict";
import { test } from "node:test";

import { Screened } from "../../pages/_ui/browser/screening.js";

const own = (more) => ({ verdict: null, reason: "", note: "", fits: {}, seen: [], version: 0, acted: false, ...more });
const viewOf = (question, number, screening = {}) => ({ question, number, open: ["paper"], stored: true, screening: { mode: "decide", own: own(), went: 0, failed: 0, ...screening } });

function desk(question = "paper:a") {
  const sent = [];
  const screened = new Screened((message) => sent.push(message));
  screened.receive(viewOf(question, 0));
  return [screened, sent];
}

test("between a verdict and the next item nothing more is decided", () => {
  const [screened, sent] = desk();
  screened.change({ verdict: "include" }, { acted: true });
  assert.ok(screened.busy);
  screened.change({ verdict: "exclude" }, { acted: true });
  assert.equal(sent.length, 1);
  assert.deepEqual([sent[0].value.verdict, sent[0].value.acted], ["include", true]);
  screened.receive(viewOf("paper:b", 0));
  assert.equal(screened.busy, false);
});

test("a decision that the store did not take can be made again on the same item", () => {
  const [screened, sent] = desk("paper:failed");
  screened.change({ verdict: "include" }, { acted: true });
  screened.receive(viewOf("paper:failed", 0, { failed: sent[0].number }));
  assert.equal(screened.busy, false);
});

test("there is no verdict between a wish for another item and its answer", () => {
  const [screened] = desk();
  screened.going = 7;
  assert.equal(screened.mayDecide, false);
  screened.receive(viewOf("paper:a", 0, { went: 6 }));
  assert.equal(screened.mayDecide, false);
  screened.receive(viewOf("paper:a", 0, { went: 7 }));
  assert.ok(screened.mayDecide);
});

test("a decision names every engine whose suggestions were in view, once", () => {
  const [screened, sent] = desk();
  screened.see(["offline", "offline"]);
  screened.change({ fits: { c1: "met" } });
  screened.see(["model"]);
  screened.change({ note: "odd" });
  assert.deepEqual(sent.at(-1).value.seen, ["offline", "model"]);
});
