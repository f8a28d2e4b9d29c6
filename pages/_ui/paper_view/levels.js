// The levels of risk of bias of the tool on the desk, as Python tells them: each with its word, sign and colour.

const NOT_JUDGED = { word: "Not judged", sign: "–" };

const levelStyles = new Map(); // level -> { word, sign, colour, ink }

// Take in the levels of the tool on the desk.
function takeLevels(levels) {
  levelStyles.clear();
  for (const level of levels) levelStyles.set(level.id, level);
}

const levelWord = (level) => (levelStyles.get(level) ?? NOT_JUDGED).word;

// A level is never told by its colour alone.
function levelBadge(level, { word = true } = {}) {
  const style = levelStyles.get(level);
  const { word: name, sign } = style ?? NOT_JUDGED;
  const node = el("span", { class: "level-sign", "data-level": style ? level : "none", "aria-hidden": "true" }, sign);
  if (style) Object.assign(node.style, { backgroundColor: style.colour, color: style.ink });
  return el("span", { class: "level" }, node, word ? el("span", { class: "level-word" }, name) : unseen(name));
}
