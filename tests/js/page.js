// A page for the scripts that draw and listen: jsdom's, in the place of the browser's.

import { JSDOM } from "jsdom";

const { window } = new JSDOM("<!doctype html><body></body>");
const NAMES = ["window", "document", "getSelection", "AbortController", "Document", "Element", "HTMLButtonElement", "HTMLElement", "HTMLInputElement", "HTMLTextAreaElement", "ShadowRoot"];
for (const name of NAMES) globalThis[name] = window[name];
globalThis.CSS = { escape: (name) => name.replaceAll('"', '\\"') };

// An element on the page, made of markup.
export function onPage(markup) {
  document.body.innerHTML = markup;
  return document.body.firstElementChild;
}
