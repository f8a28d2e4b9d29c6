"""Screening: whether a paper meets a review's criteria, and which paper to read next."""
