"""Ask a model questions, and check its answers against the paper."""
