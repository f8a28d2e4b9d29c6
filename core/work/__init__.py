"""Many questions of one kind, answered by threads, processes or a cluster: benchmark runs, and a review's queue."""
