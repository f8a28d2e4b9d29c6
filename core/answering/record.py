"""An answer as JSON and back, with all that it holds: to be kept, and read again long after it was given."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from core.answering.model import Answer, Gathered
from core.errors import AnswerError, QueryError
from core.llm.model import Usage

_ANSWER: TypeAdapter[Answer] = TypeAdapter(Answer)
_ANSWER.rebuild(_types_namespace={"Usage": Usage})  # a model's run names it where only type checkers import it
_SETS = ("only", "without", "passages")  # of a question: ids, in no order
_DAMAGED = "This is not an answer that Vouch kept, or it was changed: see {}."


def answer_record(answer: Answer) -> dict[str, Any]:
    """The answer as JSON. Equal answers give equal records."""
    record = cast(dict[str, Any], _ANSWER.dump_python(answer, mode="json"))
    for name in _SETS:
        if record["question"][name] is not None:
            record["question"][name].sort()
    return record


def answer_from(record: Mapping[str, Any]) -> Answer:
    """The answer that a record holds. Raises `AnswerError` if `answer_record` cannot have given it."""
    try:
        # By its text: there a list is a tuple or a set, a word one of a few, and a number in quotes still no number.
        answer = _ANSWER.validate_json(json.dumps(record, allow_nan=False), strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]["loc"]
        raise AnswerError(_DAMAGED.format(".".join(map(str, first)) or "its start")) from None
    except QueryError:  # a question that cannot be asked
        raise AnswerError(_DAMAGED.format("question")) from None
    except (ValueError, TypeError, RecursionError):  # what no JSON can say, such as a number that is none
        raise AnswerError(_DAMAGED.format("its numbers and texts")) from None
    if wrong := next(_faults(answer), None):
        raise AnswerError(_DAMAGED.format(wrong))
    return answer


def _faults(answer: Answer) -> Iterator[str]:
    """Where parts do not fit each other, so that a sentence would be quoted that is not there."""
    for number, one in enumerate(answer.evidence):
        if not _is_whole(one):
            yield f"evidence.{number}"
    for number, paper in enumerate(answer.papers):
        if not _is_whole(paper.strongest) or paper.strongest.passage.paper != paper.paper.id:
            yield f"papers.{number}"
    passages = {one.passage.id: one.passage for one in answer.evidence}
    for number, statement in enumerate(answer.statements):
        for citation in statement.citations:
            passage = passages.get(citation.passage)
            if passage is None or not all(passage.first <= index <= passage.last for index in citation.sentences):
                yield f"statements.{number}"
    if answer.option is not None and not 0 <= answer.option < len(answer.question.options):
        yield "option"


def _is_whole(one: Gathered) -> bool:
    passage = one.passage
    return passage.first <= one.strongest <= passage.last and len(passage.findings) == len(passage.sentences)
