// What the browser asks Python for: the paper, and pictures and boxes of a PDF's pages.
//
// Python sends a paper once, and its pages only when they are asked for. Questions are numbered, and only one is under
// way at a time. Python returns the number of the last question that it has answered. Streamlit drops a message if the
// next one follows too soon, so whatever did not come with that number is asked for again.

/** @import { DeskData, KnownPaper, Picture, Send, Wants } from "./types" */

/** @type {Map<string, KnownPaper>} */
const papers = new Map(); // opening -> paper with the boxes on its pages; kept when the page changes
/** @type {Map<string, Picture>} */
const pictures = new Map(); // "opening/page" -> { width, source }, most recently used last
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

  // Take in what has come. Returns the paper on the desk, or null while it has to be asked for.
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

  // Ask for something. Does nothing while a question is under way: after its answer there is another chance.
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

  // Mark a picture as recently used, so that it is dropped last.
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
