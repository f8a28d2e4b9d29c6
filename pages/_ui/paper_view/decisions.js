// The reviewer's decisions on sentences: accepted, rejected or added, by sentence index.

class Decisions {
  constructor(send, isEmpty = (pairs) => pairs.length === 0) {
    this.kept = new Kept(send, isEmpty);
    this.words = new Map();
  }

  receive(view) {
    this.words = new Map(this.kept.receive(view, view.decisions));
  }

  keepDownloaded() {
    this.kept.keepDownloaded();
  }

  // Whether Python has all that was set.
  get arrived() {
    return this.kept.arrived;
  }

  of(index) {
    return this.words.get(index) ?? null;
  }

  set(index, word) {
    if (word === null) this.words.delete(index);
    else this.words.set(index, word);
    this.store([...this.words]);
  }

  store(pairs) {
    this.kept.set(pairs);
  }
}
