"""Runs of benchmarks: ordered, carried out here or elsewhere, saved as they go, and gone on with after a kill."""
