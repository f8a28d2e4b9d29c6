"""How much a file may hold: more than any paper, and less than what would stall a program that reads it."""

from __future__ import annotations

PAGES = 3_000
CHARACTERS = 10_000_000
CHARACTERS_OF_PAGE = 200_000  # a page of dense print has some 10,000
LINES_OF_PAGE = 20_000  # a page of dense print has some 300; the labels of a large figure come to a few thousand
SIDE_OF_PAGE = 14_400.0  # points: the most that ISO 32000-1, annex C, allows


class PageTooLarge(Exception):
    """A page that holds more than any page of print."""
