"""Support sentences for a definition that nobody trained for: any a reviewer types."""
