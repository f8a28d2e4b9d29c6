"""Questions to a library of papers: evidence gathered from many papers, and an answer in their own words."""

from functools import partial

from core.answering.model import Answer, AnswerEngine, Gathered, PaperAnswer, Question, Told
from core.engines import EngineOpener, TaskKind, open_engine

answer_engine_named: EngineOpener[AnswerEngine] = partial(open_engine, TaskKind.ANSWERS)

__all__ = ["Answer", "AnswerEngine", "Gathered", "PaperAnswer", "Question", "Told", "answer_engine_named"]
