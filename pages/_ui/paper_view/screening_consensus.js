// What reviewers who differ on an item settle on. The draft stays here until it is stored.

const settlingDrafts = new Map(); // question -> { verdict, reason, why }; outlives a switch of the page

class ItemConsensus {
  constructor(send) {
    this.send = send;
    this.waiting = null; // the number of the one on its way
    this.complaint = null; // what is missing before it can be sent
  }

  receive(question, view) {
    this.question = question;
    this.view = view;
    if (this.waiting !== null && view.settled_number >= this.waiting) this.waiting = null;
  }

  get draft() {
    const { settled } = this.view;
    return settlingDrafts.get(this.question) ?? { verdict: settled?.verdict ?? null, reason: settled?.reason ?? "", why: settled?.why ?? "" };
  }

  change(part) {
    settlingDrafts.set(this.question, { ...this.draft, ...part });
    this.complaint = null;
  }

  settle() {
    const { verdict, reason, why } = this.draft;
    const exclusion = verdict === "exclude" && !reason && this.view.item.isPaper;
    this.complaint = !verdict ? "Choose the verdict." : exclusion ? "An exclusion needs its reason." : !why.trim() ? "Say why, in a few words." : null;
    if (this.complaint) return;
    this.waiting = nextNumber();
    this.send({ question: this.question, number: this.waiting, verdict, reason, why, version: this.view.settledVersion });
  }
}
