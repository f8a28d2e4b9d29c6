"""Support sentences for any definition that a reviewer types, without training for it."""
