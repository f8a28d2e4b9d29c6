// A page for the scripts that draw: jsdom's, in the place of the browser's.

import { JSDOM } from "jsdom";

const { window } = new JSDOM("<!doctype html><body></body>");
for (const name of ["window", "document", "CSS", "Document", "Element", "HTMLButtonElement", "HTMLElement", "HTMLInputElement", "HTMLTextAreaElement", "Node", "ShadowRoot"]) {
  globalThis[name] ??= window[name];
}
globalThis.CSS ??= { escape: (name) => name.replaceAll('"', '\\"') };
globalThis.IntersectionObserver ??= class {
  observe() {}
};

// An element on the page, made of markup.
export function onPage(markup) {
  document.body.innerHTML = markup;
  return document.body.firstElementChild;
}
