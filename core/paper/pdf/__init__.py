"""Read papers from PDF: characters, lines, columns, paragraphs, and what each of them is."""

from core.paper.pdf.read import read_pdf

__all__ = ["read_pdf"]
