"""Screening by language models: one question a criterion, every sentence that is named held against the paper."""
