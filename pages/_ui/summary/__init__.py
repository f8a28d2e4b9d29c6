"""Plain summaries on screen: written or pasted, checked, compared, and labelled by the reviewer."""
