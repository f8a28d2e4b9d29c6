"""A checked summary as one HTML file for a co-author."""

from core.export.summary_page.writing import SIGNS, summary_page

__all__ = ["SIGNS", "summary_page"]
