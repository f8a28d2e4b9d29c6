// The buttons of files are Streamlit's, and a file holds what Python has. Who decides and presses one at once means the
// decision to be in it: the press waits until Python has everything.

const FILES = '[class*="st-key-download-"] button, [class*="st-key-extract-"] button';

class Downloads {
  constructor(tasks) {
    this.tasks = tasks;
    this.held = null; // the button that was pressed
  }

  hold(event) {
    const button = event.target.closest?.(FILES);
    if (!button || !this.tasks.decisions) return;
    this.tasks.flush();
    if (this.tasks.decisions.arrived) return;
    event.stopPropagation();
    this.held = button;
  }

  // The button has its new file by then: it stands above the desk, and is drawn before it.
  release() {
    if (!this.held || !this.tasks.decisions.arrived) return;
    const button = this.held;
    this.held = null;
    setTimeout(() => button.click());
  }
}
