"""The evidence table: papers by hypotheses, as CSV, as a workbook and as a page."""

from core.export.evidence_table.lines import as_csv
from core.export.evidence_table.model import BiasCell, TableCell, TableRow
from core.export.evidence_table.page import SIGNS, as_html, effect_in_words
from core.export.evidence_table.workbook import as_xlsx

__all__ = ["SIGNS", "BiasCell", "TableCell", "TableRow", "as_csv", "as_html", "as_xlsx", "effect_in_words"]
