"""The learned ranker: features of a sentence in its paper, a tree ensemble, and a choice that covers more."""
