"""The desk: the paper with sentences highlighted, and what each page shows beside it."""
