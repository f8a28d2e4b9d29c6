// Words of the paper as nodes, with what is to be seen in them.

// `text` as nodes, with each of `words` marked where it first stands.
function withMarks(text, words) {
  const found = words.map((word) => [text.toLowerCase().indexOf(word.toLowerCase()), word.length]).filter(([at]) => at >= 0);
  const nodes = [];
  let done = 0;
  for (const [at, length] of found.sort((a, b) => a[0] - b[0])) {
    if (at < done) continue;
    nodes.push(text.slice(done, at), el("mark", {}, text.slice(at, at + length)));
    done = at + length;
  }
  return [...nodes, text.slice(done)];
}

// `text` as nodes that keep a minus sign on the line of its number, with the space between them if there is one.
const SIGNED = /(?<![\p{L}\p{N})])[-\u2010-\u2013\u2212]\s?\d[\d.,\u00b7]*/gu;

function keepingSigns(text) {
  const nodes = [];
  let done = 0;
  for (const { 0: signed, index } of text.matchAll(SIGNED)) {
    nodes.push(text.slice(done, index), el("span", { class: "signed" }, signed));
    done = index + signed.length;
  }
  return [...nodes, text.slice(done)];
}

// The same for one of the nodes that text has been made.
const withSigns = (node) => (typeof node === "string" ? keepingSigns(node) : [node]);
