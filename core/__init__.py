"""Vouch's headless core: reading papers, finding evidence, measuring both. Knows nothing of Streamlit."""

__version__ = "0.1.0"
