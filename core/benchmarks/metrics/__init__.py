"""How good answers are, one file a family. Where a metric comes from stands in its file."""
