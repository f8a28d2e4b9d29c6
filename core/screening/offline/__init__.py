"""Whether a paper meets a criterion, judged on this machine by rules over words and numbers and by similarity."""
