"""A review as one HTML file that needs nothing beside it: no script, no address, no font from elsewhere."""

from core.export.project.report.writing import project_report

__all__ = ["project_report"]
