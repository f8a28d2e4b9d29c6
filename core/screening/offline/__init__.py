"""Whether a paper meets a criterion, on this machine: by rules over words and numbers, and by similarity of meaning."""
