"""References: what databases and reference managers say of papers, read from their files."""
