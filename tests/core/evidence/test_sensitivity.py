"""The same search in other words."""

from __future__ import annotations

from core.evidence import Evidence, EvidenceQuery, EvidenceSentence, Stance, engine_named
from core.evidence.sensitivity import Rewording, compare, negated, sensitivity
from tests.core.evidence.papers import HYPOTHESIS, bee_trial


def answer(**stances: Stance | None) -> Evidence:
    """Sentences by number, as s4=Stance.SUPPORTS."""
    sentences = tuple(
        EvidenceSentence(int(name[1:]), 1 - place / 10, stance) for place, (name, stance) in enumerate(stances.items())
    )
    return Evidence("made-up", EvidenceQuery("It works."), sentences, 0.1)


def test_a_paraphrase_should_change_nothing() -> None:
    before = answer(s4=Stance.SUPPORTS, s7=Stance.REFUTES, s9=None)
    change = compare(before, answer(s7=Stance.SUPPORTS, s9=Stance.NEUTRAL, s2=None), Rewording.PARAPHRASE)
    assert (change.kept, change.lost, change.gained) == ((7, 9), (4,), (2,))
    assert change.contradictions == (7,)
    assert change.overlap == 0.5


def test_a_negation_should_turn_the_stances_round() -> None:
    before = answer(s1=Stance.SUPPORTS, s2=Stance.SUPPORTS, s3=Stance.NEUTRAL)
    change = compare(before, answer(s1=Stance.REFUTES, s2=Stance.SUPPORTS, s3=Stance.NEUTRAL), Rewording.NEGATION)
    assert change.contradictions == (2,)
    assert change.overlap == 1.0


def test_two_empty_answers_have_no_overlap_to_speak_of() -> None:
    assert compare(answer(), answer(), Rewording.PARAPHRASE).overlap is None


def test_any_engine_can_be_checked() -> None:
    paper, query, seen = bee_trial(), EvidenceQuery(HYPOTHESIS, k=3), []
    engine = engine_named("bm25")
    wordings = {
        Rewording.PARAPHRASE: "Sleeping by day helps bees to remember.",
        Rewording.NEGATION: negated(HYPOTHESIS),
    }
    changes = sensitivity(
        engine, paper, engine.find(paper, query), wordings, progress=lambda done, _: seen.append(done)
    )
    assert [change.rewording for change in changes] == list(wordings)
    assert changes[1].evidence.query == EvidenceQuery(f"It is not the case that {HYPOTHESIS}", k=3)
    assert changes[1].overlap == 1.0  # bm25 does not read the word “not”
    assert seen == sorted(seen)
