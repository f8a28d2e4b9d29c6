"""Agreement on screening, against figures worked out by hand."""

from __future__ import annotations

import pytest

from core.screening.agreement import ReviewerScreening, screening_agreement
from core.screening.model import Criterion, CriterionKind, Fit, ScreeningVerdict

INCLUDE, EXCLUDE = ScreeningVerdict.INCLUDE, ScreeningVerdict.EXCLUDE
ADULTS, TEA = Criterion(CriterionKind.POPULATION, "adults"), Criterion(CriterionKind.INTERVENTION, "tea")


def screened(verdict: ScreeningVerdict | None, adults: Fit | None = None, tea: Fit | None = None) -> ReviewerScreening:
    fits = {ADULTS.id: adults, TEA.id: tea}
    return ReviewerScreening(verdict, {id: fit for id, fit in fits.items() if fit is not None})


def test_figures_worked_by_hand() -> None:
    # Verdicts: both include 4, both exclude 3, ann alone includes 3. Agreed .7; shares include .7 and .4:
    # chance .7*.4 + .3*.6 = .46, kappa = .24/.54. AC1: means .55, .45, 0: chance (.2475*2)/2; (.7 - .2475)/(.7525).
    ann = {f"p{n}": screened(INCLUDE if n < 7 else EXCLUDE) for n in range(10)}
    bob = {f"p{n}": screened(INCLUDE if n < 4 else EXCLUDE) for n in range(10)}
    (found,) = screening_agreement({"ann": ann, "bob": bob}, [])
    assert found.reviewers == ("ann", "bob")
    assert found.verdicts.pairs == 10
    assert found.verdicts.agreed.value == pytest.approx(0.7)
    assert found.verdicts.kappa.value == pytest.approx(0.24 / 0.54)
    assert found.verdicts.ac1.value == pytest.approx(0.4525 / 0.7525)


def test_each_criterion_by_itself_and_all_together() -> None:
    ann = {f"p{n}": screened(INCLUDE, Fit.MET, Fit.MET) for n in range(4)}
    bob = {f"p{n}": screened(INCLUDE, Fit.MET, Fit.MET if n else Fit.UNCLEAR) for n in range(4)}
    (found,) = screening_agreement({"ann": ann, "bob": bob}, [ADULTS, TEA])
    assert list(found.criteria) == [ADULTS.id, TEA.id]
    assert found.criteria[ADULTS.id].agreed.value == 1.0
    assert found.criteria[TEA.id].agreed.value == 0.75
    assert (found.all_criteria.pairs, found.all_criteria.agreed.value) == (8, 0.875)


def test_what_is_missing_is_no_agreement() -> None:
    ann = {"p1": screened(None, Fit.MET), "p2": screened(INCLUDE), "only ann": screened(INCLUDE, Fit.MET)}
    bob = {"p1": screened(None), "p2": screened(INCLUDE, Fit.MET), "only bob": screened(EXCLUDE)}
    (found,) = screening_agreement({"ann": ann, "bob": bob}, [ADULTS])
    assert (found.verdicts.pairs, found.verdicts.unpaired) == (1, 2)
    assert (found.criteria[ADULTS.id].pairs, found.criteria[ADULTS.id].unpaired) == (0, 3)
    assert found.criteria[ADULTS.id].agreed.value is None


def test_papers_are_drawn_with_all_their_criteria() -> None:
    # Five papers, on each of which two criteria go together: as uncertain as five judgements, not as ten.
    fits = [Fit.MET, Fit.MET, Fit.MET, Fit.UNCLEAR, Fit.UNCLEAR]
    ann = {f"p{n}": screened(INCLUDE, Fit.MET, Fit.MET) for n in range(5)}
    bob = {f"p{n}": screened(INCLUDE, fit, fit) for n, fit in enumerate(fits)}
    (found,) = screening_agreement({"ann": ann, "bob": bob}, [ADULTS, TEA])
    one, both = found.criteria[ADULTS.id].agreed, found.all_criteria.agreed
    assert (one.value, both.value) == (0.6, 0.6)
    assert (one.low, one.high) == (both.low, both.high)


def test_three_reviewers_make_three_pairs() -> None:
    judged = {name: {"p": screened(INCLUDE)} for name in ("ann", "bob", "cy")}
    assert [one.reviewers for one in screening_agreement(judged, [])] == [
        ("ann", "bob"),
        ("ann", "cy"),
        ("bob", "cy"),
    ]
    assert screening_agreement({"ann": {}}, [ADULTS]) == ()
