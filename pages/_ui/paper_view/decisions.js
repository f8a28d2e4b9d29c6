// The reviewer's decisions in this browser, and their way to Python.
//
// Each click changes them here at once and sends the whole set with a number that grows by one. Python sends back
// the number of the last set it has stored: an answer that is older than the last click is not believed, so that no
// fast click is undone by a slow one. Streamlit drops what is on its way when the page is switched: a set that has
// not been confirmed is sent again when its question is back on the desk.

const sent = new Map(); // question -> the last set sent, { number, words }; outlives a switch of the page
const downloaded = new Map(); // question -> the number of the set that a download held

// Whether leaving would lose a decision that is in no download.
const anyToLose = () => [...sent].some(([question, { number, words }]) => words.size > 0 && downloaded.get(question) !== number);

class Decisions {
  constructor(send) {
    this.send = send;
    this.question = null;
    this.words = new Map(); // sentence index -> "accepted", "rejected" or "added"
  }

  receive({ question, number, decisions, open }) {
    // What was decided on a paper that has been closed is forgotten.
    for (const other of sent.keys()) if (!open.includes(other.split(":", 1)[0])) sent.delete(other);
    const back = question !== this.question;
    this.stored = number;
    this.question = question;
    const last = sent.get(question);
    if (!last || last.number <= number) {
      this.words = new Map(decisions);
      sent.set(question, { number, words: this.words });
    } else {
      this.words = last.words;
      if (back) this.#send(last.number);
    }
  }

  // What Python had stored went into the file.
  keepDownloaded() {
    downloaded.set(this.question, this.stored);
  }

  of(index) {
    return this.words.get(index) ?? null;
  }

  set(index, word) {
    if (word === null) this.words.delete(index);
    else this.words.set(index, word);
    this.#send((sent.get(this.question)?.number ?? 0) + 1);
  }

  #send(number) {
    sent.set(this.question, { number, words: this.words });
    this.send({ question: this.question, number, decisions: [...this.words] });
  }
}
