"""Parts of the Benchmarks page: choosing a run, its progress, saved runs, results, and the links to papers."""
