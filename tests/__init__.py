"""Tests, in the same folders as what they test. Helpers are imported by full name: `from tests.core... import ...`."""
