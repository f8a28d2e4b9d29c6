// Streamlit calls the function at the end whenever the data or the theme changes; the desk itself stays and is brought up
// to date.

// The browser's own question, on every page of the app. Desks come and go; this is there once.
window.addEventListener("beforeunload", (event) => {
  if (anyToLose()) event.preventDefault();
});

// What it gives back is called when the desk goes, and for every call that was overtaken by the next one before it had
// run: such a call must not close the desk of its successor, whichever of the two runs first.
export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".desk");
  const desk = (root.desk ??= new Desk(root));
  desk.update(data, setStateValue);
  const { updates } = desk;
  return () => {
    if (desk.updates === updates) desk.close();
  };
}
