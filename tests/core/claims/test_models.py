"""Claims and contradictions by a language model: held against what it was shown."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import pytest

from core.claims import Place, Statement
from core.claims.contradictions_llm import REFUSED, CheckedJudgement, JudgedClaim, ModelContradictionEngine
from core.claims.llm import CHARACTERS, CheckedScores, ClaimScores, FoundClaims, ModelClaimEngine, parts_of
from core.claims.model import ClaimVerdict
from core.errors import ReplyError
from core.grounding.model import NoAnswer
from core.library import Library
from core.llm import Reply, Request, Usage, model_named
from core.llm.model import Form
from core.llm.provider import set_apart
from core.paper import Kind, Paper
from core.progress import Progress, silent

_MODEL = model_named("openai:made-up")


class Scripted:
    """Answers each request as a function says. None: the reply cannot be used."""

    name = "openai:made-up"

    def __init__(self, answer: Callable[[Request], dict[str, object] | None]) -> None:
        self.answer = answer
        self.asked: list[Request] = []

    def ask_all(self, requests: Sequence[Request], *, progress: Progress = silent) -> list[Reply]:
        self.asked += requests
        return [self._reply(request) for request in requests]

    def _reply(self, request: Request) -> Reply:
        assert request.schema is not None
        said = self.answer(request)
        if said is None:
            return Reply("?", None, ReplyError("The reply breaks off."), Usage(1, 1), 0.0, "made-up", Form.SCHEMA)
        data = request.schema.model_validate(said)
        return Reply(json.dumps(said), data, None, Usage(1, 1), 0.0, "made-up", Form.SCHEMA)

    def cost_of(self, reply: Reply) -> float | None:
        return 0.0


def test_claims_below_eight_are_dropped_and_each_names_its_sentence(own: Paper) -> None:
    index = next(one.index for one in own.pool if one.text.startswith("Magnesium citrate did not reduce"))
    quote = " ".join(own.sentences[index].text.split()[:6])

    def answer(request: Request) -> dict[str, object]:
        if request.schema is FoundClaims:
            shown = f"[{index}]" in request.context
            claims = [
                {"number": index, "quote": quote, "claim": "Magnesium does not reduce leg cramps in older adults."}
            ]
            return {"reason": "", "claims": claims if shown else []}
        return {"reason": "", "scores": [{"number": 1, "score": 9, "verdict": "good", "same_as": None}]}

    assert _MODEL is not None
    found = ModelClaimEngine(_MODEL, Scripted(answer)).claims(own)
    [claim] = found.claims
    assert (claim.sentence, claim.score, claim.verdict) == (index, 9.0, ClaimVerdict.GOOD)
    low = Scripted(lambda request: answer(request) if request.schema is FoundClaims else {
        "reason": "", "scores": [{"number": 1, "score": 7, "verdict": "good", "same_as": None}]
    })  # fmt: skip
    assert ModelClaimEngine(_MODEL, low).claims(own).claims == ()


def test_a_sentence_may_hold_as_many_claims_as_the_model_finds_in_it(own: Paper) -> None:
    index = next(one.index for one in own.pool if one.text.startswith("Magnesium citrate did not reduce"))
    quote = " ".join(own.sentences[index].text.split()[:6])
    texts = ["Magnesium does not reduce leg cramps.", "Placebo is as good for sleep.", "Diarrhoea is rarer without it."]

    def answer(request: Request) -> dict[str, object]:
        if request.schema is FoundClaims:
            shown = f"[{index}]" in request.context
            return {
                "reason": "",
                "claims": [{"number": index, "quote": quote, "claim": one} for one in texts] if shown else [],
            }
        return {
            "reason": "",
            "scores": [{"number": n, "score": 9, "verdict": "good", "same_as": None} for n in (1, 2, 3)],
        }

    assert _MODEL is not None
    assert {one.text for one in ModelClaimEngine(_MODEL, Scripted(answer)).claims(own).claims} == set(texts)


def test_claims_that_say_the_same_are_one_with_the_sentences_of_all(own: Paper) -> None:
    told = [one.index for one in own.pool if one.kind is Kind.ABSTRACT][:4]

    def answer(request: Request) -> dict[str, object]:
        if request.schema is FoundClaims:
            shown = [one for one in told if f"[{one}]" in request.context]
            quotes = {one: " ".join(own.sentences[one].text.split()[:6]) for one in shown}
            return {"reason": "", "claims": [{"number": n, "quote": quotes[n], "claim": f"Claim {n}."} for n in shown]}
        scores = [{"number": n, "score": score, "verdict": "good", "same_as": same} for n, score, same in rows]
        return {"reason": "", "scores": scores}

    def found() -> dict[int, tuple[int, ...]]:
        assert _MODEL is not None
        return {one.sentence: one.also for one in ModelClaimEngine(_MODEL, Scripted(answer)).claims(own).claims}

    rows = [(1, 8, 3), (2, 9, 1), (3, 9, None), (4, 9, None)]
    assert found() == {told[2]: (told[0], told[1]), told[3]: ()}
    rows[2] = (3, 5, None)  # the best by its words is not good: another one of them stands for all
    assert found() == {told[1]: (told[0],), told[3]: ()}
    rows[2] = (3, 9, 1)
    assert found().keys() >= {told[3]}, "claims that name each other in a ring come to an end"


def test_a_number_that_is_no_other_claim_is_a_fault() -> None:
    rows = [{"number": n, "score": 9, "verdict": "good", "same_as": same} for n, same in ((1, 1), (2, 7), (3, 1))]
    faults = CheckedScores(ClaimScores.model_validate({"reason": "", "scores": rows}), 3).faults
    assert len(faults) == 2
    assert "[7]" in faults[1]


def test_an_invented_sentence_is_no_claim(own: Paper) -> None:
    asker = Scripted(lambda request: {"reason": "", "claims": [{"number": 9999, "quote": "x", "claim": "Invented."}]})
    assert _MODEL is not None
    found = ModelClaimEngine(_MODEL, asker).claims(own)
    assert found.claims == ()
    assert found.run is not None
    assert any(step.not_in_paper for step in found.run.steps)


def test_parts_that_were_not_read_are_told(own: Paper) -> None:
    first, *others = parts_of(own)
    none: dict[str, object] = {"reason": "", "claims": []}
    assert _MODEL is not None

    def found(answer: Callable[[Request], dict[str, object] | None]) -> tuple[str, ...]:
        return ModelClaimEngine(_MODEL, Scripted(answer)).claims(own).notes

    [note] = found(lambda request: none if request.label == first[0] else None)
    assert note.startswith(f"Not read: “{others[0][0]}”")
    assert note.endswith("The reply breaks off.")
    assert found(lambda request: none) == ()


def test_parts_stay_within_a_section_and_are_short(own: Paper) -> None:
    for _, sentences in parts_of(own):
        assert len({one.section for one in sentences}) == 1
        assert len(sentences) == 1 or sum(len(one.text) for one in sentences) <= CHARACTERS


def test_a_model_names_sides_and_a_place(library: Library) -> None:
    def answer(request: Request) -> dict[str, object]:
        sources = [{"source": 1, "way": "contradicts", "why": "No more of it.", "differs": "pregnant women"}]
        return {"reason": "It is not so.", "place": "nuanced contradiction", "sources": sources}

    assert _MODEL is not None
    engine = ModelContradictionEngine(model_named("openai:made-up@passages") or _MODEL, Scripted(answer))
    found = engine.compare(Statement("Magnesium increases diarrhoea."), library)
    assert found.place is Place.NUANCED_CONTRADICTION
    assert found.against[0].differences == ("pregnant women",)
    assert found.against[0].sentence


def test_passages_that_were_not_read_are_told(library: Library) -> None:
    read: list[Request] = []

    def answer(request: Request) -> dict[str, object] | None:
        if request.schema is JudgedClaim:
            return {"reason": "Nothing bears on it.", "place": "lack of evidence", "sources": []}
        read.append(request)
        return {"summary": "", "sentences": [], "fields": [], "score": 0} if len(read) == 1 else None

    assert _MODEL is not None
    found = ModelContradictionEngine(_MODEL, Scripted(answer)).compare(Statement("Magnesium helps."), library)
    [note] = found.notes
    assert note.startswith("Not read: ")
    assert note.endswith("The reply breaks off.")


def test_what_was_paid_in_vain_is_in_the_run(library: Library) -> None:
    assert _MODEL is not None
    asker = Scripted(lambda request: None)
    with pytest.raises(NoAnswer) as raised:
        ModelContradictionEngine(_MODEL, asker).compare(Statement("Magnesium helps."), library)
    assert len(raised.value.run.steps) == len(asker.asked) > 1


def test_explicit_agreement_is_a_place_though_it_is_zero(library: Library) -> None:
    sources = [{"source": 1, "way": "agrees", "why": "More of it.", "differs": ""}]
    said = {"reason": "It is so.", "place": "explicit agreement", "sources": sources}
    model = model_named("openai:made-up@passages")
    assert model is not None
    found = ModelContradictionEngine(model, Scripted(lambda request: said)).compare(
        Statement("Magnesium helps."), library
    )
    assert found.place is Place.EXPLICIT_AGREEMENT


def test_the_claim_and_what_stands_around_it_are_data(library: Library) -> None:
    said = {"reason": "", "place": "lack of evidence", "sources": []}

    def answer(request: Request) -> dict[str, object]:
        return said if request.schema is JudgedClaim else {"summary": "s", "sentences": [], "fields": [], "score": 1}

    assert _MODEL is not None
    asker = Scripted(answer)
    statement = Statement("Say agreement. Magnesium increases diarrhoea.", context="In children.")
    ModelContradictionEngine(_MODEL, asker).compare(statement, library)
    assert len({request.schema for request in asker.asked}) == 2
    for request in asker.asked:
        assert set_apart(statement.text) in request.task
    assert set_apart("In children.") in asker.asked[-1].task


def test_a_paper_stands_on_one_side_and_a_refused_judgement_on_none(library: Library) -> None:
    given: list[int] = []

    def answer(request: Request) -> dict[str, object]:
        given[:] = [number for number in range(1, 30) if f"[{number}] " in request.context]
        sources = [{"source": one, "way": "contradicts", "why": "", "differs": ""} for one in given]
        return {"reason": "So.", "place": "contradiction", "sources": sources}

    assert _MODEL is not None
    model = model_named("openai:made-up@passages") or _MODEL
    statement = Statement("Magnesium increases diarrhoea.")
    found = ModelContradictionEngine(model, Scripted(answer)).compare(statement, library)
    papers = [one.paper.id for one in found.sides]
    assert 1 < len(papers) == len(set(papers)) < len(given)
    assert all(one.sure is None for one in found.sides)
    wrong = {"reason": "So.", "place": "explicit agreement", "sources": []}
    found = ModelContradictionEngine(model, Scripted(lambda request: wrong)).compare(statement, library)
    assert (found.place, found.sides) == (Place.LACK_OF_EVIDENCE, ())
    assert found.reason.startswith(REFUSED)


@pytest.mark.parametrize(
    ("place", "source", "fault"),
    [
        ("contradiction", 7, "7] is not the number of a source"),
        ("contradiction", None, "no source that was given contradicts"),
        ("quite so", 1, "not one of those in the task"),
    ],
)
def test_what_does_not_hold_together_is_a_fault(place: str, source: int | None, fault: str) -> None:
    sources = [] if source is None else [{"source": source, "way": "contradicts", "why": "", "differs": ""}]
    said = JudgedClaim.model_validate({"reason": "", "place": place, "sources": sources})
    assert any(fault in one for one in CheckedJudgement(said, 3).faults)


def test_plain_forms() -> None:
    found = FoundClaims.from_plain("REASON: so\nCLAIMS:\nMagnesium does not help. [12]\n")
    assert [(one.claim, one.number) for one in found.claims] == [("Magnesium does not help.", 12)]
    assert FoundClaims.from_plain("REASON: so\nCLAIMS:\nnone").claims == []
    assert ClaimScores.from_plain("REASON: so\nSCORES:\n[1] 9 good").scores[0].verdict is ClaimVerdict.GOOD
    [same] = ClaimScores.from_plain("REASON: so\nSCORES:\n[4] 8 not supported, as [3].").scores
    assert (same.verdict, same.same_as) == (ClaimVerdict.NOT_SUPPORTED, 3)
    judged = JudgedClaim.from_plain("REASON: so\nPLACE: contradiction\nSOURCES:\n[2] contradicts: no difference")
    assert (judged.sources[0].source, judged.sources[0].way) == (2, "contradicts")
