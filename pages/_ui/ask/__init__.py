"""The page Ask: one question put to all papers of a project, and what they say of it in their own words."""
