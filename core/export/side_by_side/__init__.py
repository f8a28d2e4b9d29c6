"""A comparison of engines as tables and as one HTML file to share."""

from core.export.side_by_side.page import comparison_page
from core.export.side_by_side.tables import Table, figures_table, pairs_table, sentences_table, topics_table

__all__ = ["Table", "comparison_page", "figures_table", "pairs_table", "sentences_table", "topics_table"]
