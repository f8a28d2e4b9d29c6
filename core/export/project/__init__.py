"""A whole review as files: levels, tables, the disclosure and the report."""
