// What is brought into view, and how.

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// The rectangle around rectangles.
const around = (rects) => ({
  left: Math.min(...rects.map((rect) => rect.left)),
  right: Math.max(...rects.map((rect) => rect.right)),
});

const inWindow = ({ top, bottom }) => bottom > 0 && top < innerHeight;

// Far jumps are instant: a smooth scroll through what is not laid out yet would miss its target. `still`: all are.
function bringToView(node, still) {
  const distance = Math.abs(node.getBoundingClientRect().top - innerHeight / 2);
  const smooth = !still && !calm() && distance < 1.5 * innerHeight;
  node.scrollIntoView({ block: "center", behavior: smooth ? "smooth" : "instant" });
  if (!smooth) requestAnimationFrame(() => node.scrollIntoView({ block: "center", behavior: "instant" }));
}

function flashOnce(node) {
  void node.offsetWidth; // restarts the animation
  node.classList.add("flash");
}

// Brings `node` into view in the panel that scrolls, and moves nothing around it: `scrollIntoView` would move the paper
// too. It comes to stand `above` pixels below the panel's top, or in its middle.
function scrollWithin(panel, node, above = null) {
  if (!panel || panel.scrollHeight <= panel.clientHeight) return;
  const inside = node.getBoundingClientRect();
  const outside = panel.getBoundingClientRect();
  if (inside.top >= outside.top && inside.bottom <= outside.bottom) return;
  // At once: the next decision draws the list again, which would end a smooth scroll half-way.
  panel.scrollTop += inside.top - outside.top - (above ?? (outside.height - inside.height) / 2);
}
