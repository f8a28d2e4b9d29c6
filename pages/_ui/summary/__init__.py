"""Plain summaries: written or pasted, checked, compared, and labelled by the reviewer."""
