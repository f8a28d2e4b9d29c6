// Sets the article on pages: columns filled line by line, floats at the head of a page or column, running heads.
// What a layout wants beyond style is in custom properties of its style sheet (layouts/base.css lists them).

const wish = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
const take = (id) => { const element = document.getElementById(id); element.remove(); return element; };
const running = take("running"), margin = take("margin"), front = take("front"), notes = take("notes");
const queue = [...document.querySelector("main").children];
document.querySelector("main").remove();
if (wish("abstract") === "flow") queue.unshift(...front.querySelectorAll("#abstract > *, .keywords"));

const columnCount = Number(wish("columns"));
let page, column, limit;
const waitingWide = [], waitingNarrow = [], atEnd = [];

const bottom = (element) => element.getBoundingClientRect().bottom;
const make = (parent, name, tag = "div") => {
  const element = document.createElement(tag);
  element.className = name;
  parent.append(element);
  return element;
};

function newPage() {
  const number = document.querySelectorAll(".page").length + 1;
  page = make(document.body, `page ${number === 1 ? "first" : number % 2 ? "odd" : "even"}`);
  for (const name of ["head", "foot"]) {
    const line = running.cloneNode(true);
    line.removeAttribute("id");
    line.className = name;
    make(line, "number", "span").textContent = Number(wish("first-page")) + number - 1;
    page.append(line);
  }
  const note = margin.cloneNode(true);
  note.removeAttribute("id");
  note.className = "margin";
  page.append(note);
  const body = make(page, "body");
  if (number === 1) body.append(front, notes);
  page.columns = make(body, "columns");
  placeWide();
  const top = page.columns.getBoundingClientRect().top;
  page.columns.style.height = `${body.getBoundingClientRect().bottom - top}px`;
  for (let index = 0; index < columnCount; index++) make(page.columns, "column");
  column = null;
  nextColumn();
}

function placeWide() {
  const body = page.columns.parentElement;
  const room = () => bottom(body) - page.columns.getBoundingClientRect().top;
  const whole = room();
  while (waitingWide.length && room() > 0.5 * whole && !(page.classList.contains("first"))) {
    const float = waitingWide.shift();
    page.columns.before(float);
    if (room() > 40) continue;
    const rest = splitTable(float, bottom(body) - 10);
    if (rest) waitingWide.unshift(rest);
    else if (float.previousElementSibling?.matches("figure")) { float.remove(); waitingWide.unshift(float); }
    return;
  }
}

function nextColumn() {
  column = column ? column.nextElementSibling : page.columns.firstElementChild;
  if (!column) return newPage();
  const box = column.getBoundingClientRect(), note = notes.getBoundingClientRect();
  const shares = page.classList.contains("first") && note.height && note.left < box.right && note.right > box.left;
  limit = shares ? note.top - 6 : box.bottom;
  if (limit - box.top < 60) return nextColumn();
  while (waitingNarrow.length && (!column.childElementCount || bottom(column.lastElementChild) < box.top + 200)) {
    const float = waitingNarrow.shift();
    column.append(float);
    if (bottom(float) > limit && column.childElementCount > 1) {
      float.remove();
      waitingNarrow.unshift(float);
      break;
    }
  }
}

// Cuts a paragraph at the last line that ends above `limit`; returns what follows, or null if nothing does.
function splitText(block, limit) {
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  const total = nodes.reduce((sum, node) => sum + node.length, 0);
  const at = (offset) => {
    for (const node of nodes) {
      if (offset <= node.length) return [node, offset];
      offset -= node.length;
    }
  };
  const range = document.createRange();
  const fits = (offset) => {
    range.setStart(...at(0));
    range.setEnd(...at(offset));
    return bottom(range) <= limit;
  };
  let low = 0, high = total;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle; else high = middle - 1;
  }
  const lineHeight = parseFloat(getComputedStyle(block).lineHeight);
  range.setStart(...at(Math.min(low + 1, total)));
  range.collapse(true);
  const height = limit - block.getBoundingClientRect().top;
  if (low === 0 || low >= total || height < 2 * lineHeight) return null;
  const [node, offset] = at(low);
  range.setStart(node, offset);
  range.setEnd(block, block.childNodes.length);
  const rest = block.cloneNode(false);
  rest.append(range.extractContents());
  rest.classList.add("continued");
  block.classList.add("cut");
  const last = nodes.findLast((text) => text.isConnected && text.data);
  if (last.data.endsWith("\u00ad")) last.data = `${last.data.slice(0, -1)}-`;
  return rest;
}

// Cuts a table at the last row above `limit`; returns the rest of the figure, or null if nothing fits.
function splitTable(figure, limit) {
  const rows = [...figure.querySelectorAll("tr")];
  const first = rows.findIndex((row) => bottom(row) > limit);
  if (first < 3) return null;
  const rest = figure.cloneNode(false), table = make(rest, "", "table");
  table.append(...rows.slice(first));
  rest.append(...figure.querySelectorAll(".note"));
  return rest;
}

function runIn(heading, paragraph) {
  const lead = document.createElement("b");
  lead.className = "lead";
  lead.innerHTML = heading.innerHTML.replace(/[.:]$/, "");
  paragraph.prepend(lead, " ");
}

function fill() {
  while (queue.length) {
    const block = queue.shift();
    const level = block.matches("h2,h3,h4,h5") ? Number(block.tagName[1]) - 1 : 0;
    if (level >= Number(wish("run-in")) && queue[0]?.matches("p:not(.small)")) {
      runIn(block, queue[0]);
      continue;
    }
    if (block.matches("figure") && wish("floats") === "end") { atEnd.push(block); continue; }
    if (block.matches(".wide") && columnCount > 1) { waitingWide.push(block); continue; }
    if (block.matches("figure") && waitingNarrow.length) { waitingNarrow.push(block); continue; }
    column.append(block);
    if (bottom(block) <= limit + 0.5) continue;
    const alone = column.childElementCount === 1;
    if (block.matches("figure")) {
      if (!alone) { block.remove(); waitingNarrow.push(block); continue; }
      const rest = splitTable(block, limit);
      if (rest) queue.unshift(rest);
    } else {
      const rest = block.matches("p") ? splitText(block, limit) : null;
      if (rest) queue.unshift(rest);
      else if (!alone) {
        queue.unshift(block);
        block.remove();
        while (column.childElementCount > 1 && column.lastElementChild.matches("h2,h3,h4,h5")) {
          queue.unshift(column.lastElementChild);
          column.lastElementChild.remove();
        }
      }
    }
    nextColumn();
  }
}

function fillRest() {
  while (waitingWide.length || waitingNarrow.length) {
    const before = waitingWide.length + waitingNarrow.length;
    if (waitingWide.length) newPage(); else nextColumn();
    if (waitingWide.length + waitingNarrow.length === before && waitingNarrow.length) {
      column.append(waitingNarrow.shift());
    }
  }
  for (const figure of atEnd) {
    newPage();
    column.append(figure);
    for (let rest = figure; (rest = bottom(rest) > limit ? splitTable(rest, limit) : null); ) {
      newPage();
      column.append(rest);
    }
  }
}

function numberLines() {
  let count = 0;
  for (const sheet of document.querySelectorAll(".page")) {
    const origin = sheet.getBoundingClientRect().top, range = document.createRange(), tops = new Map();
    for (const block of sheet.querySelectorAll("h1, .authors, .places p, #abstract > *, .column > :not(figure)")) {
      range.selectNodeContents(block);
      for (const box of range.getClientRects()) {
        const middle = Math.round((box.top + box.bottom) / 2 - origin);
        if (box.height > 8 && ![...tops.keys()].some((other) => Math.abs(other - middle) < 6)) tops.set(middle, block);
      }
    }
    for (const middle of [...tops.keys()].sort((a, b) => a - b)) {
      const number = make(sheet, "line-number");
      number.textContent = ++count;
      number.style.top = `${middle}px`;
    }
  }
}

// Files do not always draw in reading order: blocks get a random place in the order of painting.
function shuffle() {
  let seed = 7;
  const random = () => (seed = (seed * 48271) % 2147483647) % 1000;
  for (const block of document.querySelectorAll(
    ".head, .foot, .margin, .column > *, #front > :not(#panels), #panels > * > *, .body > figure, #notes > *",
  )) {
    const style = getComputedStyle(block);
    if (style.display === "inline") continue; // part of a line of another
    if (style.position === "static") block.style.position = "relative";
    block.style.zIndex = 1 + random();
  }
}

newPage();
fill();
fillRest();
if (wish("line-numbers")) numberLines();
if (wish("drawing") === "shuffled") shuffle();
