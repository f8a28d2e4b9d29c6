"""Convert an answer to JSON and back, without loss, so that it can be stored."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from pydantic import TypeAdapter, ValidationError

from core.answering.model import Answer, Gathered
from core.errors import AnswerError, QueryError
from core.llm.model import Usage

_ANSWER: TypeAdapter[Answer] = TypeAdapter(Answer)
_ANSWER.rebuild(_types_namespace={"Usage": Usage})  # `core.grounding.model` imports it for type checkers only
_SETS = ("only", "without", "passages")  # a question's fields that are sets of ids
_DAMAGED = "This is not an answer that Vouch kept, or it was changed: see {}."


def answer_record(answer: Answer) -> dict[str, Any]:
    """The answer as JSON. Equal answers give equal records."""
    record = cast(dict[str, Any], _ANSWER.dump_python(answer, mode="json"))
    for name in _SETS:
        if record["question"][name] is not None:
            record["question"][name].sort()
    return record


def answer_from(record: Mapping[str, Any]) -> Answer:
    """The answer in a record. Raises `AnswerError` if `answer_record` cannot have produced the record."""
    try:
        # Validate as JSON text: strict mode then accepts lists for tuples and sets and strings for enums, but no "1"
        # for 1.
        answer = _ANSWER.validate_json(json.dumps(record, allow_nan=False), strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]["loc"]
        raise AnswerError(_DAMAGED.format(".".join(map(str, first)) or "its start")) from None
    except QueryError:  # the question is not valid
        raise AnswerError(_DAMAGED.format("question")) from None
    except (ValueError, TypeError, RecursionError):  # values that JSON does not have, such as NaN
        raise AnswerError(_DAMAGED.format("its numbers and texts")) from None
    if wrong := next(_faults(answer), None):
        raise AnswerError(_DAMAGED.format(wrong))
    return answer


def _faults(answer: Answer) -> Iterator[str]:
    """The parts that contradict each other, so that a sentence that does not exist would be quoted."""
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
