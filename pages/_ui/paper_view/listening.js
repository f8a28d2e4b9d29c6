// What the desk listens to while it is shown. `abort()` on what comes back ends it.

function listen(desk) {
  const listening = new AbortController();
  const options = { signal: listening.signal };
  let waiting = false;
  const follow = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      desk.place.follow();
    });
  };
  document.addEventListener("scroll", follow, { ...options, capture: true, passive: true });
  window.addEventListener("resize", follow, options);
  document.addEventListener("input", () => { desk.typing = true; }, options);
  document.addEventListener("click", (event) => desk.downloads.hold(event), { ...options, capture: true });
  document.addEventListener("click", ({ target }) => {
    desk.typing = false;
    if (target.closest?.('[class*="st-key-download-"]')) desk.tasks.decisions?.keepDownloaded();
  }, options);
  window.addEventListener("keydown", (event) => onKey(desk, event), { ...options, capture: true });
  desk.root.addEventListener("click", ({ target }) => onClick(desk, target), options);
  // Before the browser asks whether there is anything to lose.
  window.addEventListener("beforeunload", () => desk.tasks.flush(), { ...options, capture: true });
  return listening;
}

function onClick(desk, target) {
  const tab = target.closest("[data-show]");
  const step = target.closest("[data-step]");
  const sentence = target.closest("[data-i]:is(.s, .box)");
  const view = target.closest("button[data-view]");
  const zoom = target.closest("[data-zoom]");
  if (tab) desk.turnTo(tab.dataset.show);
  if (view) desk.turnView(view.dataset.view);
  if (zoom) desk.resize(Number(zoom.dataset.zoom));
  if (step) desk.step(Number(step.dataset.step));
  else if (target.closest("[data-help]")) desk.help.showModal();
  else if (sentence && !String(getSelection())) desk.jump(Number(sentence.dataset.i), { scroll: false, flash: false });
  else if (!tab && !target.closest(".tools")) desk.tools.hide();
}
