"""Answers many questions of one kind in threads, processes or a cluster: for benchmark runs and a review's queue."""
