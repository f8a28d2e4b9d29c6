// What all components draw with. Text from papers and models enters the page only here, as text and never as markup.

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

// The element of a component's own markup with this selector. It must exist and have this type.
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

// All elements with this selector.
/** @param {ParentNode} root @param {string} selector @returns {HTMLElement[]} */
export const all = (root, selector) => [...root.querySelectorAll(selector)].filter((node) => node instanceof HTMLElement);

// The element that an event happened to; null if it is the document.
/** @param {Event} event */
export const elementOf = ({ target }) => (target instanceof Element ? target : null);

// The focused element in the component of `node`.
/** @param {Node} node @returns {HTMLElement | null} */
export function focused(node) {
  const root = node.getRootNode();
  const active = root instanceof ShadowRoot || root instanceof Document ? root.activeElement : null;
  return active instanceof HTMLElement ? active : null;
}

// Focus the element with this key, if there is one.
/** @param {ParentNode} root @param {string | undefined} key */
export function focusKey(root, key) {
  const node = key && root.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (node instanceof HTMLElement) node.focus({ preventScroll: true });
}

// Give `parent` these children, but keep every existing element that is like one of them. A replaced element would lose
// its focus and what the reader has unfolded and, if replaced between press and release, its click.
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
// The paper's words as nodes, with markup for what has to stand out.

// `text` as nodes, with the first occurrence of each of `words` marked.
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

// A number with its minus sign, and the space between them if there is one, which have to stay on one line.
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

// The same for one node or string.
/** @param {Node | string} node */
export const withSigns = (node) => (typeof node === "string" ? keepingSigns(node) : [node]);

// ---- Scrolling ----
// Bringing elements into view.

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// The horizontal extent of several rectangles.
/** @param {{ left: number, right: number }[]} rects */
export const around = (rects) => ({
  left: Math.min(...rects.map((rect) => rect.left)),
  right: Math.max(...rects.map((rect) => rect.right)),
});

/** @param {{ top: number, bottom: number }} rect */
export const inWindow = ({ top, bottom }) => bottom > 0 && top < innerHeight;

// Far jumps are instant: a smooth scroll through parts that are not laid out yet would miss its target. With `still`,
// all jumps are.
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

// Scroll `node` into view within its panel only; `scrollIntoView` would move the paper too. It is placed `above` pixels
// below the panel's top, or in the middle.
/** @param {Element | null} panel @param {Element} node @param {number | null} above */
export function scrollWithin(panel, node, above = null) {
  if (!panel || panel.scrollHeight <= panel.clientHeight) return;
  const inside = node.getBoundingClientRect();
  const outside = panel.getBoundingClientRect();
  if (inside.top >= outside.top && inside.bottom <= outside.bottom) return;
  // Not smoothly: the next decision redraws the list, which would end a smooth scroll half-way.
  panel.scrollTop += inside.top - outside.top - (above ?? (outside.height - inside.height) / 2);
}
