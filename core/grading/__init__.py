"""Statements of articles, graded blind by people and by models, and their figures (PaperQA2, section 8.3)."""

from core.grading.model import Grade, GradedStatement, grade_from

__all__ = ["Grade", "GradedStatement", "grade_from"]
