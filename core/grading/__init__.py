"""Blind grading of articles' statements by people and models, with the resulting figures (PaperQA2, section 8.3)."""

from core.grading.model import Grade, GradedStatement, grade_from

__all__ = ["Grade", "GradedStatement", "grade_from"]
