// What the reviewer sets in this browser, and its way to Python.
//
// Each change is there at once, and the whole is sent with a number that grows by one. Python sends back the number of
// the last one it has stored: an answer that is older than the last change is not believed, so that no fast click is
// undone by a slow one. Where Python keeps what it gets in a store, nothing but what is on its way can be lost, and of a
// message nothing is taken twice (see `edit` in bias.js). Streamlit drops what is on its way when the page is switched:
// what has not been confirmed is sent again when its question is back on the desk.

/** @import { Decision, Send, Sent, SettledBy, View } from "./types" */

/** @type {Map<string, { number: number, value: any, empty: boolean }>} */
const sent = new Map(); // question -> the last sent, { number, value, empty }; outlives a switch of the page
/** @type {Map<string, number>} */
const downloaded = new Map(); // question -> the number of what a download held

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

  // What to believe: Python's value, or one sent since.
  /** @param {View} view @param {Value} value @returns {Value} */
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

  // The number of what was sent last.
  get last() {
    return sent.get(this.question)?.number ?? 0;
  }

  // Whether all that was set has arrived.
  get arrived() {
    return this.last <= this.stored;
  }

  // What Python had stored went into the file.
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

// The number of a message that is sent once and not kept: it grows over a reload too.
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

  // Whether Python has all that was set.
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

// Who wrote it down, and whose judgements it settles.
/** @param {SettledBy} settled */
export const settledBy = ({ who, by }) => `Settled by ${who}, between ${by.join(" and ")}`;

// ---- Fields ----
// A field whose words are sent once no key was pressed for a while, and when it is left.

const TYPING_PAUSE = 400; // milliseconds

export class TypedField {
  /** @param {HTMLInputElement | HTMLTextAreaElement} node @param {{ typed: () => void, send: () => void }} listeners */
  constructor(node, { typed, send }) {
    this.node = node;
    /** @type {ReturnType<typeof setTimeout> | null} */
    this.waiting = null; // while something typed is not sent
    this.send = send;
    node.addEventListener("input", (event) => {
      event.stopPropagation(); // no hypothesis is being typed
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
