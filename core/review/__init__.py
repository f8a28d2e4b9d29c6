"""A review of many papers: what comes in, the queue that works on it, and what is counted and tabulated from it."""
