// jsdom's page, in place of a browser's, for scripts that draw and listen.

import { JSDOM } from "jsdom";

const { window } = new JSDOM("<!doctype html><body></body>");
const NAMES = ["window", "document", "getSelection", "AbortController", "Document", "Element", "HTMLButtonElement", "HTMLElement", "HTMLInputElement", "HTMLTextAreaElement", "ShadowRoot"];
for (const name of NAMES) globalThis[name] = window[name];
globalThis.CSS = { escape: (name) => name.replaceAll('"', '\\"') };

// An element on the page, made from markup.
export function onPage(markup) {
  document.body.innerHTML = markup;
  return document.body.firstElementChild;
}
