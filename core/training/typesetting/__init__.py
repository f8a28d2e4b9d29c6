"""Papers of known text, typeset as journals set them, to measure how PDFs are read: `python -m core.training.typesetting`."""
