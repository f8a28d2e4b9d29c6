"""A stress set for the check of plain summaries: sentences that a paper supports, and the same with one thing made wrong."""
