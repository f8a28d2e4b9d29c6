// An answer that a model wrote: its paragraphs, with buttons after each sentence for the passages that it rests on.

import { el, need, renew, unseen } from "./dom.js";
/** @import { AnswerData, Choose, CitedPassage, Component, WrittenSentence } from "./types" */

const TOLD = new Set(["contradicted", "cannot tell"]); // shown in words; the other statuses only in the tooltip

/** @param {CitedPassage} citation @param {() => void} open */
function chip({ number, status, sign, about }, open) {
  return el(
    "button",
    { type: "button", class: "cited", "data-status": status, title: about, onclick: open },
    unseen("Source "),
    `${number} `,
    el("span", { class: "sign", "aria-hidden": "true" }, sign),
    TOLD.has(status) ? el("span", { class: "word" }, ` ${status}`) : unseen(` ${status}`),
  );
}

/** @param {WrittenSentence} sentence @param {number} place @param {Choose} choose */
function sentenceParts({ text, citations }, place, choose) {
  const chips = citations.map((citation, which) => chip(citation, () => choose([place, which])));
  const none = el("span", { class: "unsourced", title: "No passage stands behind this sentence" }, el("span", { "aria-hidden": "true" }, "! "), "no source");
  // A space before each chip, so that a line may break there.
  return [`${text} `, ...(chips.length ? chips.flatMap((one) => [one, " "]) : [none, " "])];
}

/** @param {AnswerData} data @param {Choose} choose */
function paragraphs({ sentences }, choose) {
  /** @type {HTMLElement[]} */
  const found = [];
  sentences.forEach((sentence, place) => {
    if (sentence.begins || !found.length) found.push(el("p"));
    found.at(-1)?.append(...sentenceParts(sentence, place, choose));
  });
  return found;
}

/** @param {Component<AnswerData>} component */
export default function ({ data, parentElement, setTriggerValue }) {
  const root = need(parentElement, ".written");
  renew(root, ...paragraphs(data, (value) => setTriggerValue("chosen", value)));
}
