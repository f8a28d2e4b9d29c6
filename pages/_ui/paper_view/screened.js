// The reviewer's own decision on the item on the desk: { verdict, reason, note, fits, seen, version, acted }, sent as a
// whole with every change. `acted` says that it is a verdict given just now, after which the next item comes.

class Screened extends Decisions {
  constructor(send) {
    super(send, ({ verdict, note, fits }) => !verdict && !note && !Object.keys(fits).length);
    this.value = null;
    this.going = null; // the number of the last wish for another item that Python has not answered
  }

  receive(view) {
    this.value = this.kept.receive(view, view.screening.own);
    if (view.screening.mode !== "decide" || this.question !== view.question) this.acting = null;
    this.question = view.question;
    // The next item has not come: the store did not take the decision, or there is none.
    if (view.screening.went >= this.going) this.going = null;
    if (this.acting !== null && Math.max(view.number, view.screening.failed) >= this.acting) this.acting = null;
  }

  // Between a verdict and the next item nothing more is decided.
  get busy() {
    return this.acting !== null;
  }

  // Nor is there a verdict between a key for another item and that item: it would be one on the item that is left.
  get mayDecide() {
    return !this.busy && this.going === null;
  }

  // The engines whose suggestions are in view: the decision says so.
  see(engines) {
    this.seen = engines;
  }

  change(part, { acted = false } = {}) {
    if (this.busy) return;
    const seen = [...new Set([...this.value.seen, ...(this.seen ?? [])])];
    this.value = { ...this.value, ...part, seen, acted };
    if (acted) this.acting = (sent.get(this.question)?.number ?? 0) + 1;
    this.kept.set(this.value);
  }
}
