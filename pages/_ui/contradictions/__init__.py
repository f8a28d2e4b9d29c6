"""Parts of the Contradictions page."""
