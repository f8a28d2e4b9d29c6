// The marks on a page of the PDF: what its boxes say of their sentences, and the signs in the margin.

// `items`: what is marked, by sentence; `current`: the sentence that is worked on; `text`: the same paper as text.
function markSheet(sheet, items, current, text) {
  const begun = new Set();
  const placed = []; // the signs on this page
  for (const box of sheet.querySelectorAll(".box")) {
    const index = Number(box.dataset.i);
    const item = items.get(index);
    box.replaceChildren();
    for (const name of ["data-group", "data-state", "data-gold", "tabindex", "role", "aria-label"]) box.removeAttribute(name);
    box.classList.toggle("current", index === current);
    box.title = item ? `${item.name} · ${text.place(index)}` : text.place(index);
    if (item) markBox(box, item);
    if (item && !begun.has(index)) signBox(box, item, text, placed);
    begun.add(index);
  }
}

function markBox(box, item) {
  box.dataset.group = item.group;
  if (item.state) box.dataset.state = item.state;
  if (item.gold) box.dataset.gold = item.gold;
}

// The first box of a sentence stands for all of them: it holds the sign, and the keyboard reaches it.
function signBox(box, item, text, placed) {
  box.append(badgeOf(item));
  placeBadge(box, placed);
  box.tabIndex = 0;
  box.setAttribute("role", "mark");
  box.setAttribute("aria-label", `${item.name}: ${text.data.sentences[item.index]}`);
}

const WORD_GAP = 0.012; // of a page's width: less than lies between two columns

// Puts a sign into the margin, before the line that its sentence begins on, and below the sign that is there already.
function placeBadge(box, placed) {
  const place = ({ style }) => Object.fromEntries(["left", "top", "width", "height"].map((side) => [side, parseFloat(style[side]) / 100]));
  const { left, top, width, height } = place(box);
  const onLine = [...box.parentElement.children].map(place).filter((other) => Math.abs(other.top - top) < height / 2);
  let start = left;
  for (const other of onLine.sort((a, b) => b.left - a.left)) {
    if (other.left < start && other.left + other.width > start - WORD_GAP) start = other.left;
  }
  start = Math.max(start, 0.03); // or the sign would lie beyond the page
  let middle = top + height / 2;
  while (placed.some((other) => Math.abs(other.start - start) < 0.03 && Math.abs(other.middle - middle) < 0.9 * height)) middle += height;
  placed.push({ start, middle });
  box.style.setProperty("--margin", `${(100 * (start - left)) / width}%`);
  box.style.setProperty("--beside", `${(100 * (middle - top)) / height}%`);
}
