"""The trained ranker: features of a sentence in its paper, a tree ensemble, and a selection without repetition."""
