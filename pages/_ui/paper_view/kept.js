// What the reviewer sets in this browser, and its way to Python.
//
// Each change is there at once, and the whole is sent with a number that grows by one. Python sends back the number of
// the last one it has stored: an answer that is older than the last change is not believed, so that no fast click is
// undone by a slow one. Where Python keeps what it gets in a store, nothing but what is on its way can be lost, and of a
// message nothing is taken twice (see `edit` in judgements.js). Streamlit drops what is on its way when the page is switched: what has not been confirmed is
// sent again when its question is back on the desk.

const sent = new Map(); // question -> the last sent, { number, value, empty }; outlives a switch of the page
const downloaded = new Map(); // question -> the number of what a download held

// Whether leaving would lose something that is in no download.
const anyToLose = () => [...sent].some(([question, { number, empty }]) => !empty && downloaded.get(question) !== number);

class Kept {
  constructor(send, isEmpty) {
    this.send = send;
    this.isEmpty = isEmpty;
    this.question = null;
  }

  // What to believe: Python's value, or one sent since.
  receive({ question, number, open, stored }, value) {
    // What was set on a paper that has been closed is forgotten.
    for (const other of sent.keys()) if (!open.includes(other.split(":", 1)[0])) sent.delete(other);
    const back = question !== this.question;
    this.stored = number;
    this.question = question;
    if (stored) downloaded.set(question, number);
    const last = sent.get(question);
    if (!last || last.number <= number) {
      sent.set(question, { number, value, empty: this.isEmpty(value) });
      return value;
    }
    if (back) this.#send(last.number, last.value);
    return last.value;
  }

  // Whether all that was set has arrived.
  get arrived() {
    return (sent.get(this.question)?.number ?? 0) <= this.stored;
  }

  // What Python had stored went into the file.
  keepDownloaded() {
    downloaded.set(this.question, this.stored);
  }

  set(value) {
    this.#send((sent.get(this.question)?.number ?? 0) + 1, value);
  }

  #send(number, value) {
    sent.set(this.question, { number, value, empty: this.isEmpty(value) });
    this.send({ question: this.question, number, value });
  }
}

let messages = 0;

// The number of a message that is sent once and not kept: it grows over a reload too.
function nextNumber() {
  messages = Math.max(messages, Date.now()) + 1;
  return messages;
}
