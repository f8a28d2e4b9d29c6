// A field whose words are sent once no key was pressed for a while, and when it is left.

const TYPING_PAUSE = 400; // milliseconds

class TypedField {
  constructor(node, { typed, send }) {
    this.node = node;
    this.waiting = null; // while something typed is not sent
    this.send = send;
    node.addEventListener("input", (event) => {
      event.stopPropagation(); // no hypothesis is being typed
      clearTimeout(this.waiting);
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
    clearTimeout(this.waiting);
    this.waiting = null;
    this.send();
  }
}
