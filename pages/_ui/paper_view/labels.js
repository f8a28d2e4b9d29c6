// The reviewer's own labels on the sentences of a summary: { [sentence]: label }, where they differ from what
// the engine said or confirm it. One sentence is chosen; its support is what is marked in the paper.

const WRONG_LABELS = new Set(["contradicts the paper", "not in the paper"]);
const chosenClaims = new Map(); // question -> the chosen sentence of the summary; outlives a switch of the page

class Labels extends Decisions {
  constructor(send) {
    super(send, (value) => Object.keys(value).length === 0);
    this.value = {};
  }

  receive(view) {
    const { claims, own } = view.checking;
    this.value = this.kept.receive(view, own);
    this.question = view.question;
    this.claims = claims;
    if (!chosenClaims.has(this.question)) {
      const first = claims.findIndex(({ label }) => WRONG_LABELS.has(label));
      chosenClaims.set(this.question, Math.max(0, first));
    }
  }

  get at() {
    return Math.min(chosenClaims.get(this.question), this.claims.length - 1);
  }

  get claim() {
    return this.claims[this.at];
  }

  // What stands: the reviewer's label, or else the engine's.
  standing(index) {
    return this.value[index] ?? this.claims[index].label;
  }

  choose(index) {
    chosenClaims.set(this.question, index);
  }

  label(index, own) {
    const { [index]: _, ...others } = this.value;
    this.value = own ? { ...others, [index]: own } : others;
    this.kept.set(this.value);
  }
}
