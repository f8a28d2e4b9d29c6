// What the reviewer sets in this browser, and how it gets to Python.
//
// A change takes effect here at once, and the whole value is sent with a number that grows by one. Python returns the
// number of the last value it has stored. An answer older than the last change is ignored, so that a slow answer never
// undoes a fast click. If Python uses a store, only what is on its way can be lost, and no message is taken twice (see
// `edit` in bias.js). Streamlit drops messages on their way when the page changes, so an unconfirmed value is sent
// again when its question is back on the desk.

/** @import { Decision, Send, Sent, SettledBy, View } from "./types" */

/** @type {Map<string, { number: number, value: any, empty: boolean }>} */
const sent = new Map(); // question -> the last one sent, { number, value, empty }; kept when the page changes
/** @type {Map<string, number>} */
const downloaded = new Map(); // question -> the number of the value in the last download

// Whether leaving would lose something that is in no download.
export const anyToLose = () => [...sent].some(([question, { number, empty }]) => !empty && downloaded.get(question) !== number);

/** @template Value */
class Kept {
  /** @type {number} */ stored;

  /** @param {Send<Sent<Value>>} send @param {(value: Value) => boolean} isEmpty */
  constructor(send, isEmpty) {
    this.send = send;
    this.isEmpty = isEmpty;
    this.question = "";
  }

  // The value to use: Python's, or a newer one sent from here.
  /** @param {View} view @param {Value} value @returns {Value} */
  receive({ question, number, open, stored }, value) {
    // Forget what was set on papers that have been closed.
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

  // The number of the last value sent.
  get last() {
    return sent.get(this.question)?.number ?? 0;
  }

  // Whether Python has everything that was set.
  get arrived() {
    return this.last <= this.stored;
  }

  // Remember that what Python had stored is in a download.
  keepDownloaded() {
    downloaded.set(this.question, this.stored);
  }

  /** @param {Value} value */
  set(value) {
    this.#send(this.last + 1, value);
  }

  /** @param {number} number @param {Value} value */
  #send(number, value) {
    sent.set(this.question, { number, value, empty: this.isEmpty(value) });
    this.send({ question: this.question, number, value });
  }
}

let messages = 0;

// The number of a message that is sent once and not kept. It also grows across a reload.
export function nextNumber() {
  messages = Math.max(messages, Date.now()) + 1;
  return messages;
}

// ---- Decisions ----
// The reviewer's decisions on sentences: accepted, rejected or added, by sentence index.

export class Decisions {
  /** @param {Send<Sent<any>>} send @param {(value: any) => boolean} isEmpty */
  constructor(send, isEmpty = (pairs) => pairs.length === 0) {
    this.kept = new Kept(send, isEmpty);
    /** @type {Map<number, Decision>} */
    this.words = new Map();
  }

  /** @param {View} view */
  receive(view) {
    this.words = new Map(this.kept.receive(view, view.decisions));
  }

  keepDownloaded() {
    this.kept.keepDownloaded();
  }

  // Whether Python has everything that was set.
  get arrived() {
    return this.kept.arrived;
  }

  /** @param {number} index @returns {Decision | null} */
  of(index) {
    return this.words.get(index) ?? null;
  }

  /** @param {number} index @param {Decision | null} word */
  set(index, word) {
    if (word === null) this.words.delete(index);
    else this.words.set(index, word);
    this.store([...this.words]);
  }

  /** @param {[number, Decision][]} pairs */
  store(pairs) {
    this.kept.set(pairs);
  }
}

// Who recorded the consensus, and whose judgements it settles.
/** @param {SettledBy} settled */
export const settledBy = ({ who, by }) => `Settled by ${who}, between ${by.join(" and ")}`;

// ---- Fields ----
// A field whose text is sent after a pause in typing, and when the field is left.

const TYPING_PAUSE = 400; // milliseconds

export class TypedField {
  /** @param {HTMLInputElement | HTMLTextAreaElement} node @param {{ typed: () => void, send: () => void }} listeners */
  constructor(node, { typed, send }) {
    this.node = node;
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.waiting = null; // the timer, while typed text is not sent
    this.send = send;
    node.addEventListener("input", (event) => {
      event.stopPropagation(); // it is not the hypothesis that is being typed
      clearTimeout(this.waiting ?? undefined);
      this.waiting = setTimeout(() => this.flush(), TYPING_PAUSE);
      typed();
    });
    node.addEventListener("blur", () => this.flush());
  }

  get value() {
    return this.node.value;
  }

  set value(words) {
    this.node.value = words;
  }

  // Send what is still being typed.
  flush() {
    clearTimeout(this.waiting ?? undefined);
    this.waiting = null;
    this.send();
  }
}
