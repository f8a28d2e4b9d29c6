import assert from "node:assert/strict";
import { test } from "node:test";

import { onPage } from "./page.js";
import { SentenceTools } from "../../pages/_ui/browser/evidence.js";

const toolsOf = (work) => {
  const tools = new SentenceTools(onPage('<div class="tools" hidden></div>'), { lineOf: () => null, other: null }, {});
  tools.work = work;
  return tools;
};

test("the tools of a sentence stay open where the desk is built anew, until they are closed", () => {
  const before = toolsOf("paper:rob1");
  before.show(7, null);
  assert.equal(toolsOf("paper:rob1").index, 7);
  assert.equal(toolsOf("another:rob1").index, null);
  before.hide();
  assert.equal(toolsOf("paper:rob1").index, null);
});
