"""A review of many papers: what is added, the queue that works on it, and the tables and figures made from it."""
