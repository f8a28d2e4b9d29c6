// What all components draw with. Text from papers and models enters the page here only, as text and never as markup.

export function el(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "class") node.className = value;
    else if (name.startsWith("on")) node[name] = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== null && child !== undefined)); // strings become text nodes
  return node;
}

// Give `parent` these children, and keep every element that is like one of them: one that is replaced between its press
// and its release never gets the click, and loses what it has of focus and of what the reader has unfolded.
export function renew(parent, ...children) {
  const before = [...parent.childNodes];
  const after = children.map((child) => (typeof child === "string" ? document.createTextNode(child) : child));
  for (const old of before.slice(after.length)) old.remove();
  after.forEach((node, place) => {
    const old = before[place];
    if (!old) parent.append(node);
    else if (alike(old, node)) become(old, node);
    else old.replaceWith(node);
  });
}

const alike = (old, node) =>
  old.nodeName === node.nodeName && old.className === node.className && old.dataset?.key === node.dataset?.key && old.dataset?.i === node.dataset?.i;

function become(old, node) {
  if (node.nodeType === Node.TEXT_NODE) {
    if (old.data !== node.data) old.data = node.data;
    return;
  }
  for (const { name } of [...old.attributes]) if (name !== "open" && !node.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of node.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const handler of ["onclick", "onchange"]) old[handler] = node[handler];
  if ("checked" in node) old.checked = node.checked;
  renew(old, ...node.childNodes);
}

export const unseen = (text) => el("span", { class: "unseen" }, text); // for screen readers only

export const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

// ---- Words ----
// Words of the paper as nodes, with what is to be seen in them.

// `text` as nodes, with each of `words` marked where it first stands.
export function withMarks(text, words) {
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

export function keepingSigns(text) {
  const nodes = [];
  let done = 0;
  for (const { 0: signed, index } of text.matchAll(SIGNED)) {
    nodes.push(text.slice(done, index), el("span", { class: "signed" }, signed));
    done = index + signed.length;
  }
  return [...nodes, text.slice(done)];
}

// The same for one of the nodes that text has been made.
export const withSigns = (node) => (typeof node === "string" ? keepingSigns(node) : [node]);

// ---- Scrolling ----
// What is brought into view, and how.

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// The rectangle around rectangles.
export const around = (rects) => ({
  left: Math.min(...rects.map((rect) => rect.left)),
  right: Math.max(...rects.map((rect) => rect.right)),
});

export const inWindow = ({ top, bottom }) => bottom > 0 && top < innerHeight;

// Far jumps are instant: a smooth scroll through what is not laid out yet would miss its target. `still`: all are.
export function bringToView(node, still) {
  const distance = Math.abs(node.getBoundingClientRect().top - innerHeight / 2);
  const smooth = !still && !calm() && distance < 1.5 * innerHeight;
  node.scrollIntoView({ block: "center", behavior: smooth ? "smooth" : "instant" });
  if (!smooth) requestAnimationFrame(() => node.scrollIntoView({ block: "center", behavior: "instant" }));
}

export function flashOnce(node) {
  void node.offsetWidth; // restarts the animation
  node.classList.add("flash");
}

// Brings `node` into view in the panel that scrolls, and moves nothing around it: `scrollIntoView` would move the paper
// too. It comes to stand `above` pixels below the panel's top, or in its middle.
export function scrollWithin(panel, node, above = null) {
  if (!panel || panel.scrollHeight <= panel.clientHeight) return;
  const inside = node.getBoundingClientRect();
  const outside = panel.getBoundingClientRect();
  if (inside.top >= outside.top && inside.bottom <= outside.bottom) return;
  // At once: the next decision draws the list again, which would end a smooth scroll half-way.
  panel.scrollTop += inside.top - outside.top - (above ?? (outside.height - inside.height) / 2);
}
