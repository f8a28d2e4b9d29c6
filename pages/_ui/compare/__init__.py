"""The parts of the page on which engines are compared."""
