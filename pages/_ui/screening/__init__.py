"""Parts of the Screening page."""
