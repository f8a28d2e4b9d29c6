"""Questions to a library of papers: evidence gathered from many papers, and an answer in their own words."""

from core.answering.model import Answer, AnswerEngine, Gathered, PaperAnswer, Question, Told
from core.answering.offline import answer_engine_named

__all__ = ["Answer", "AnswerEngine", "Gathered", "PaperAnswer", "Question", "Told", "answer_engine_named"]
