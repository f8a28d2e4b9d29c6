// The reviewer's decisions in this browser, and their way to Python.
//
// Each click changes them here at once and sends the whole set with a number that grows by one. Python sends back
// the number of the last set it has stored: an answer that is older than the last click is not believed, so that
// no fast click is undone by a slow one.

const sentNumbers = new Map(); // question -> number of the last set sent; outlives a switch of the page

class Decisions {
  constructor(send) {
    this.send = send;
    this.question = null;
    this.words = new Map(); // sentence index -> "accepted", "rejected" or "added"
  }

  receive({ question, number, decisions }) {
    const sent = sentNumbers.get(question) ?? 0;
    if (question === this.question && number < sent) return;
    this.question = question;
    this.words = new Map(decisions);
    sentNumbers.set(question, Math.max(sent, number));
  }

  of(index) {
    return this.words.get(index) ?? null;
  }

  set(index, word) {
    if (word === null) this.words.delete(index);
    else this.words.set(index, word);
    const number = (sentNumbers.get(this.question) ?? 0) + 1;
    sentNumbers.set(this.question, number);
    this.send({ question: this.question, number, decisions: [...this.words] });
  }
}
