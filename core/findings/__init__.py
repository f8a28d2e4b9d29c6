"""Findings: what a paper says of a hypothesis in one row: verdict, strongest sentences, effect."""
