"""A kept answer is read as it was given; what was changed in it is refused in one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answering import Answer, Question, answer_engine_named
from core.answering.record import answer_from, answer_record
from core.errors import AnswerError
from core.library import Passage, open_library
from core.paper import read_paper
from core.settings import Settings
from core.text.similarity import Embedder
from run import ROOT
from tests.core.answering.made import gathered, quoted, says, written

Record = dict[str, Any]


def there_and_back(answer: Answer) -> Answer:
    return answer_from(json.loads(json.dumps(answer_record(answer), allow_nan=False)))


@pytest.mark.slow
def test_an_offline_answer_comes_back(tmp_path: Path) -> None:
    library = open_library("papers", Embedder.installed(tmp_path / "vectors"), Settings(tmp_path, None))
    names = ("leg-cramps.xml", "pharmacy-ecg-screening.md")
    library.add([read_paper((ROOT / "sample_data" / name).read_bytes(), name=name) for name in names])
    answer = answer_engine_named("offline").answer(
        Question("magnesium citrate compared with placebo: diarrhoea"), library
    )
    assert answer.papers
    assert there_and_back(answer) == answer


@pytest.mark.parametrize(
    "answer",
    [
        written(),
        replace(written(), problem="The server is down.", statements=(), option=None),
        quoted(),
        replace(quoted(says("a")), question=Question("Any?", only=frozenset(), passages=frozenset())),
    ],
    ids=["written", "problem", "none", "empty sets"],
)
def test_what_a_model_wrote_comes_back(answer: Answer) -> None:
    back = there_and_back(answer)
    assert back == answer
    assert back.run == answer.run
    assert isinstance(back.question.years, type(answer.question.years))
    assert back.question.passages == answer.question.passages


def test_the_sets_of_a_question_are_in_order() -> None:
    question = answer_record(written())["question"]
    assert question["only"] == ["a", "b", "c"]
    assert question["without"] == ["y", "z"]


texts = st.text(st.characters(codec="utf-8"), max_size=30)
numbers = st.floats(allow_nan=False, allow_infinity=False)


@given(
    sentences=st.lists(st.tuples(texts, numbers), min_size=1, max_size=8),
    first=st.integers(0, 10_000),
    words=texts,
    score=numbers,
    cost=st.none() | numbers,
    ids=st.none() | st.frozensets(texts, max_size=4),
)
def test_whatever_is_in_a_passage_comes_back(
    *,
    sentences: list[tuple[str, float]],
    first: int,
    words: str,
    score: float,
    cost: float | None,
    ids: frozenset[str] | None,
) -> None:
    parts = tuple(text for text, _ in sentences), tuple(number for _, number in sentences)
    passage = Passage("a", first, words, words, None, *parts, words)
    one = replace(gathered("a"), passage=passage, score=score, strongest=passage.last, summary=words)
    made = replace(written(), evidence=(one,), statements=(), cost_usd=cost, notes=(words,), problem=words)
    made = replace(made, question=replace(made.question, only=ids))
    assert there_and_back(made) == made


def at(*path: str | int, to: object) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        node: Any = record
        for step in path[:-1]:
            node = node[step]
        node[path[-1]] = to

    return change


@pytest.mark.parametrize(
    ("damage", "where"),
    [
        (lambda record: record.clear(), "engine"),
        (lambda record: record.pop("evidence"), "evidence"),
        (at("cannot_answer", to="no"), "cannot_answer"),
        (at("searched", to="3"), "searched"),
        (at("seconds", to=float("nan")), "its numbers and texts"),
        (at("seconds", to={1}), "its numbers and texts"),
        (at("engine", to="\ud800"), "its start"),
        (at("papers", 0, "told", to="sideways"), "papers.0.told"),
        (at("papers", 1, "paper", "id", to="a"), "papers.1"),
        (at("papers", 0, "strongest", "strongest", to=9), "papers.0"),
        (at("evidence", 2, "strongest", to=2), "evidence.2"),
        (at("evidence", 0, "passage", "sentences", to=[]), "evidence.0"),
        (at("evidence", 0, "passage", "findings", to=[0.5]), "evidence.0"),
        (at("evidence", 0, "passage", "findings", 0, to="0.5"), "evidence.0.passage.findings.0"),
        (at("statements", 0, "citations", 1, "passage", to="z/3"), "statements.0"),
        (at("statements", 0, "citations", 0, "sentences", to=[99]), "statements.0"),
        (at("statements", 0, "citations", 0, "status", to="sure"), "statements.0.citations.0.status"),
        (at("option", to=2), "option"),
        (at("question", "text", to=" "), "question"),
        (at("question", "k", to=0), "question"),
        (at("question", "years", "first", to="1990"), "question.years.first"),
        (at("run", "steps", 0, "usage", to=5), "run.steps.0.usage"),
        (at("steps", 0, "action", to="dance"), "steps.0.action"),
    ],
)
def test_a_changed_record_is_refused_and_says_where(damage: Callable[[Record], None], where: str) -> None:
    record = answer_record(written())
    damage(record)
    with pytest.raises(AnswerError) as caught:
        answer_from(record)
    assert str(caught.value) == f"This is not an answer that Vouch kept, or it was changed: see {where}."


def test_what_an_older_record_does_not_say_is_as_it_was() -> None:
    record = answer_record(quoted(says("a")))
    for name in ("statements", "option", "steps", "run", "notes", "problem"):
        del record[name]
    assert answer_from(record) == quoted(says("a"))
