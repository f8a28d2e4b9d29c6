"""The desk: the paper with highlighted sentences, and the panel that each page shows beside it."""
