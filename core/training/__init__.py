"""Fitting and training what `offline` ships, and measuring it on papers it has not seen. Needs the data folder."""
