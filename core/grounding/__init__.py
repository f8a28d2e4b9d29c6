"""Questions to a model whose answers are checked against the paper."""
