"""Make benchmarks from a group's own reviews as EvidenceBench, RoBBR and FaReBio were made, and measure agreement."""
