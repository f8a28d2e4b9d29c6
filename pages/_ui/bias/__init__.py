"""Parts of the Risk of bias page."""
