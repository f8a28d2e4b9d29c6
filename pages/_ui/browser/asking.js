// What Python has and the browser may lack: the paper, and the pictures and boxes of a PDF's pages.
//
// Python sends a paper once, and nothing of its pages until they are asked for. Each question has a number, and one is
// under way at a time; Python sends back the number of the last one that it has answered. Streamlit drops a message
// that is overtaken by the next one, so what did not come with that number is asked for again.

/** @import { DeskData, KnownPaper, Picture, Send, Wants } from "./types" */

/** @type {Map<string, KnownPaper>} */
const papers = new Map(); // opening -> the paper, with the boxes on its pages; outlives a switch of the page
/** @type {Map<string, Picture>} */
const pictures = new Map(); // "opening/page" -> { width, source }, those wanted last at the end
export const MOST_PICTURES = 40;
let questions = 0;

export class Asking {
  /** @param {Send<Wants & { number: number }>} send */
  constructor(send) {
    this.send = send;
    this.opening = "";
    /** @type {number | null} */
    this.waitingFor = null; // the number of the question under way
  }

  // Takes in what has come. The paper on the desk, or null while it has to be asked for.
  /** @param {DeskData} data */
  receive({ opening, paper, reply, view }) {
    if (opening !== this.opening) this.waitingFor = null;
    this.opening = opening;
    for (const other of papers.keys()) if (!view.open.includes(other)) forget(other);
    if (paper) papers.set(opening, { ...paper, boxes: new Map() });
    if (this.waitingFor !== null && reply.number >= this.waitingFor) this.waitingFor = null;
    const known = papers.get(opening) ?? null;
    if (!known) this.ask({ paper: true });
    for (const [page, width, source] of reply.pictures) this.#keep(page, { width, source });
    for (const [page, boxes] of reply.boxes) known?.boxes.set(page, boxes);
    return known;
  }

  // Ask for something, unless a question is under way: its answer brings the next chance.
  /** @param {Wants} wants */
  ask(wants) {
    if (this.waitingFor !== null) return;
    questions += 1;
    this.waitingFor = questions;
    this.send({ number: questions, ...wants });
  }

  /** @param {number} page */
  picture(page) {
    return pictures.get(`${this.opening}/${page}`);
  }

  // The pictures that are looked at are the last to go.
  /** @param {number} page */
  touch(page) {
    const picture = this.picture(page);
    if (picture) this.#keep(page, picture);
  }

  /** @param {number} page @param {Picture} picture */
  #keep(page, picture) {
    const key = `${this.opening}/${page}`;
    pictures.delete(key);
    pictures.set(key, picture);
    const [oldest] = pictures.keys();
    if (pictures.size > MOST_PICTURES) pictures.delete(oldest);
  }
}

/** @param {string} opening */
function forget(opening) {
  papers.delete(opening);
  for (const key of pictures.keys()) if (key.startsWith(`${opening}/`)) pictures.delete(key);
}
