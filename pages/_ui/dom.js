// What all components draw with. Text from papers and models enters the page here only, as text and never as markup.

function el(tag, properties = {}, ...children) {
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
function renew(parent, ...children) {
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

const unseen = (text) => el("span", { class: "unseen" }, text); // for screen readers only

const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
