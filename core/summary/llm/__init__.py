"""Summaries checked and written by language models (FaReBio, sections 3.1 and 4, appendices C and D)."""
