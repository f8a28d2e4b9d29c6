"""What the page of benchmarks is made of: an order, its progress, saved runs, results and the way back to a paper."""
