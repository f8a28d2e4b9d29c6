"""Benchmarks made from a group's own reviews: the annotation pipelines of EvidenceBench, RoBBR and FaReBio, and agreement with people."""
