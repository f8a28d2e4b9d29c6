// What is shown: a narrow window shows one of paper, evidence and aspects; a wide one the paper, and one of the others
// beside it.

class Tabs {
  constructor(root) {
    this.root = root;
    this.beside = "evidence"; // what is listed beside the paper
    this.show("paper");
  }

  get narrow() {
    return getComputedStyle(this.root).getPropertyValue("--narrow").trim() === "1";
  }

  show(name) {
    this.root.dataset.tab = name;
    if (name !== "paper") this.beside = name;
    for (const tab of this.root.querySelectorAll("[data-show]")) {
      const shown = tab.closest(".narrow-only") ? name : this.beside;
      tab.setAttribute("aria-pressed", String(tab.dataset.show === shown));
    }
    for (const panel of this.root.querySelectorAll("[data-panel]")) panel.hidden = panel.dataset.panel !== this.beside;
  }

  // `there`: what there is to show, by the name of its tab. What is there no longer gives way to the evidence.
  offer(there) {
    for (const [name, something] of Object.entries(there)) {
      for (const tab of this.root.querySelectorAll(`[data-show="${name}"]`)) tab.hidden = !something;
    }
    if (this.beside in there && !there[this.beside]) this.show("evidence");
  }

  // What the tab of the evidence is called.
  callEvidence(words) {
    for (const tab of this.root.querySelectorAll('[data-show="evidence"]')) tab.textContent = words;
  }
}
