// What all components draw with. Text from papers and models enters the page here only, as text and never as markup.

/** @import { Child, Properties } from "./types" */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties} properties
 * @param {...(Child)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "class") node.className = String(value);
    else if (name.startsWith("on")) Object.assign(node, { [name]: value });
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.filter(isThere)); // strings become text nodes
  return node;
}

/** @param {Child} child */
const isThere = (child) => child !== null && child !== undefined;

// The element of a component's own markup that has this selector, of the kind that it must be.
/**
 * @template {HTMLElement} [Kind=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => Kind} [kind]
 * @returns {Kind}
 */
export function need(root, selector, kind) {
  const found = root.querySelector(selector);
  if (found instanceof (kind ?? HTMLElement)) return /** @type {Kind} */ (found);
  throw new Error(`The component has no element “${selector}” of the kind that its script needs.`);
}

// All elements that have this selector.
/** @param {ParentNode} root @param {string} selector @returns {HTMLElement[]} */
export const all = (root, selector) => [...root.querySelectorAll(selector)].filter((node) => node instanceof HTMLElement);

// The element that an event happened to; null where it is the page as a whole.
/** @param {Event} event */
export const elementOf = ({ target }) => (target instanceof Element ? target : null);

// The element that has the focus in the component of `node`.
/** @param {Node} node @returns {HTMLElement | null} */
export function focused(node) {
  const root = node.getRootNode();
  const active = root instanceof ShadowRoot || root instanceof Document ? root.activeElement : null;
  return active instanceof HTMLElement ? active : null;
}

// The focus to the element that has this key, where there is one.
/** @param {ParentNode} root @param {string | undefined} key */
export function focusKey(root, key) {
  const node = key && root.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (node instanceof HTMLElement) node.focus({ preventScroll: true });
}

// Give `parent` these children, and keep every element that is like one of them: one that is replaced between its press
// and its release never gets the click, and loses what it has of focus and of what the reader has unfolded.
/** @param {Element} parent @param {...Child} children */
export function renew(parent, ...children) {
  const before = [...parent.childNodes];
  const after = children.filter(isThere).map((child) => (typeof child === "string" ? document.createTextNode(child) : child));
  for (const old of before.slice(after.length)) old.remove();
  after.forEach((node, place) => {
    const old = before[place];
    if (!old) parent.append(node);
    else if (alike(old, node)) become(old, node);
    else old.replaceWith(node);
  });
}

/** @param {Node} old @param {Node} node */
const alike = (old, node) => {
  if (!(old instanceof HTMLElement && node instanceof HTMLElement)) return old.nodeName === node.nodeName;
  return old.nodeName === node.nodeName && old.className === node.className && old.dataset.key === node.dataset.key && old.dataset.i === node.dataset.i;
};

/** @param {Node} old @param {Node} node */
function become(old, node) {
  if (!(old instanceof HTMLElement && node instanceof HTMLElement)) {
    if (old.nodeValue !== node.nodeValue) old.nodeValue = node.nodeValue;
    return;
  }
  for (const { name } of [...old.attributes]) if (name !== "open" && !node.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of node.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  old.onclick = node.onclick;
  old.onchange = node.onchange;
  if (old instanceof HTMLInputElement && node instanceof HTMLInputElement) old.checked = node.checked;
  renew(old, ...node.childNodes);
}

/** @param {string} text */
export const unseen = (text) => el("span", { class: "unseen" }, text); // for screen readers only

/** @param {number} count @param {string} word */
export const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

// ---- Words ----
// Words of the paper as nodes, with what is to be seen in them.

// `text` as nodes, with each of `words` marked where it first stands.
/** @param {string} text @param {string[]} words @returns {(Node | string)[]} */
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

/** @param {string} text @returns {(Node | string)[]} */
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
/** @param {Node | string} node */
export const withSigns = (node) => (typeof node === "string" ? keepingSigns(node) : [node]);

// ---- Scrolling ----
// What is brought into view, and how.

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// The rectangle around rectangles.
/** @param {{ left: number, right: number }[]} rects */
export const around = (rects) => ({
  left: Math.min(...rects.map((rect) => rect.left)),
  right: Math.max(...rects.map((rect) => rect.right)),
});

/** @param {{ top: number, bottom: number }} rect */
export const inWindow = ({ top, bottom }) => bottom > 0 && top < innerHeight;

// Far jumps are instant: a smooth scroll through what is not laid out yet would miss its target. `still`: all are.
/** @param {Element} node @param {boolean} [still] */
export function bringToView(node, still) {
  const distance = Math.abs(node.getBoundingClientRect().top - innerHeight / 2);
  const smooth = !still && !calm() && distance < 1.5 * innerHeight;
  node.scrollIntoView({ block: "center", behavior: smooth ? "smooth" : "instant" });
  if (!smooth) requestAnimationFrame(() => node.scrollIntoView({ block: "center", behavior: "instant" }));
}

/** @param {HTMLElement} node */
export function flashOnce(node) {
  void node.offsetWidth; // restarts the animation
  node.classList.add("flash");
}

// Brings `node` into view in the panel that scrolls, and moves nothing around it: `scrollIntoView` would move the paper
// too. It comes to stand `above` pixels below the panel's top, or in its middle.
/** @param {Element | null} panel @param {Element} node @param {number | null} above */
export function scrollWithin(panel, node, above = null) {
  if (!panel || panel.scrollHeight <= panel.clientHeight) return;
  const inside = node.getBoundingClientRect();
  const outside = panel.getBoundingClientRect();
  if (inside.top >= outside.top && inside.bottom <= outside.bottom) return;
  // At once: the next decision draws the list again, which would end a smooth scroll half-way.
  panel.scrollTop += inside.top - outside.top - (above ?? (outside.height - inside.height) / 2);
}
