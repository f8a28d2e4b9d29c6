"""Export results as spreadsheets, JSON, pages and plots.

This package knows the types of results, not how they are made.
"""
