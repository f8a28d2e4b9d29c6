import assert from "node:assert/strict";
import { test } from "node:test";

import { anyToLose, Decisions, nextNumber } from "../../pages/_ui/browser/kept.js";

const viewOf = (question, number, decisions, more = {}) => ({ question, number, open: [question.split(":")[0]], stored: false, decisions, ...more });

function desk() {
  const sent = [];
  return [new Decisions((message) => sent.push(message)), sent];
}

test("a change is there at once, and goes out whole with the next number", () => {
  const [decisions, sent] = desk();
  decisions.receive(viewOf("one:q", 0, [[3, "accepted"]]));
  decisions.set(5, "added");
  assert.equal(decisions.of(5), "added");
  assert.equal(decisions.arrived, false);
  assert.deepEqual(sent, [{ question: "one:q", number: 1, value: [[3, "accepted"], [5, "added"]] }]);
});

test("an answer older than the last change is not believed", () => {
  const [decisions] = desk();
  decisions.receive(viewOf("two:q", 0, []));
  decisions.set(1, "rejected");
  decisions.set(2, "rejected");
  decisions.receive(viewOf("two:q", 1, [[1, "rejected"]]));
  assert.equal(decisions.of(2), "rejected");
  decisions.receive(viewOf("two:q", 2, [[2, "accepted"]]));
  assert.equal(decisions.of(2), "accepted");
  assert.ok(decisions.arrived);
});

test("what Python never confirmed is sent again when its question is back", () => {
  const [decisions, sent] = desk();
  decisions.receive(viewOf("three:q", 0, []));
  decisions.set(1, "added");
  decisions.receive(viewOf("three:other", 0, []));
  sent.length = 0;
  decisions.receive(viewOf("three:q", 0, []));
  assert.deepEqual(sent, [{ question: "three:q", number: 1, value: [[1, "added"]] }]);
  assert.equal(decisions.of(1), "added");
});

test("what was set on a paper that is closed is forgotten", () => {
  const [decisions] = desk();
  decisions.receive(viewOf("four:q", 0, []));
  decisions.set(1, "added");
  decisions.receive(viewOf("five:q", 0, []));
  decisions.receive(viewOf("four:q", 0, []));
  assert.equal(decisions.of(1), null);
});

test("leaving loses what is in no download and no store", () => {
  const [decisions] = desk();
  decisions.receive(viewOf("six:q", 0, []));
  assert.equal(anyToLose(), false);
  decisions.set(1, "added");
  assert.equal(anyToLose(), true);
  decisions.receive(viewOf("six:q", 1, [[1, "added"]]));
  decisions.keepDownloaded();
  assert.equal(anyToLose(), false);
  decisions.set(2, "added");
  assert.equal(anyToLose(), true);
  decisions.receive(viewOf("six:q", 2, [[1, "added"], [2, "added"]], { stored: true }));
  assert.equal(anyToLose(), false);
});

test("numbers of messages grow", () => {
  const first = nextNumber();
  assert.ok(nextNumber() > first);
});
