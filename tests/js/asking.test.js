import assert from "node:assert/strict";
import { test } from "node:test";

import { Asking, MOST_PICTURES } from "../../pages/_ui/browser/asking.js";

const PAPER = { sentences: ["One."], sections: [], blocks: [], pages: [], pageSizes: [], cellSeparator: "|" };
const data = (opening, { paper = null, number = 0, pictures = [], boxes = [], open = [opening] } = {}) => ({ opening, paper, reply: { number, pictures, boxes }, view: { open } });

function desk() {
  const sent = [];
  return [new Asking((question) => sent.push(question)), sent];
}

test("a paper that never came is asked for, once at a time", () => {
  const [asking, sent] = desk();
  assert.equal(asking.receive(data("a")), null);
  assert.equal(asking.receive(data("a")), null);
  assert.deepEqual(sent.map(({ paper }) => paper), [true]);
  const [{ number }] = sent;
  assert.deepEqual(asking.receive(data("a", { paper: PAPER, number }))?.sentences, ["One."]);
});

test("a question waits until the one before it is answered", () => {
  const [asking, sent] = desk();
  asking.receive(data("b", { paper: PAPER }));
  asking.ask({ boxes: [1] });
  asking.ask({ boxes: [2] });
  assert.deepEqual(sent.map(({ boxes }) => boxes), [[1]]);
  const known = asking.receive(data("b", { number: sent[0].number, boxes: [[1, [[0, 0.1, 0.1, 0.5, 0.02]]]] }));
  assert.equal(known?.boxes.get(1)?.length, 1);
  asking.ask({ boxes: [2] });
  assert.equal(sent.length, 2);
});

test("an answer to an older question leaves the newer one open", () => {
  const [asking, sent] = desk();
  asking.receive(data("c", { paper: PAPER }));
  asking.ask({ boxes: [1] });
  asking.receive(data("c", { number: sent[0].number - 1 }));
  asking.ask({ boxes: [2] });
  assert.equal(sent.length, 1);
});

test("the pictures that are looked at are the last to go", () => {
  const [asking] = desk();
  const pictures = Array.from({ length: MOST_PICTURES }, (_, at) => [at + 1, 800, `picture ${at + 1}`]);
  asking.receive(data("d", { paper: PAPER, pictures }));
  asking.touch(1);
  asking.receive(data("d", { pictures: [[99, 800, "picture 99"]] }));
  assert.equal(asking.picture(1)?.source, "picture 1");
  assert.equal(asking.picture(2), undefined);
});

test("a paper that is closed is forgotten, with its pictures", () => {
  const [asking] = desk();
  asking.receive(data("e", { paper: PAPER, pictures: [[1, 800, "picture"]] }));
  asking.receive(data("f", { paper: PAPER }));
  assert.equal(asking.receive(data("e")), null);
  assert.equal(asking.picture(1), undefined);
});
