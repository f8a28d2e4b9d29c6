"""How far reviewers agree when they screen: on the verdicts, and on each criterion.

Percentage agreement, Cohen's kappa and AC1, as for risk of bias; the intervals come from a bootstrap over papers. What
a reviewer has not judged is missing: it is left out and counted, and is not a disagreement.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from core.bias.agreement import Agreement, agreement
from core.screening.model import Criterion, Fit, ScreeningVerdict

VERDICTS = (ScreeningVerdict.INCLUDE, ScreeningVerdict.UNSURE, ScreeningVerdict.EXCLUDE)
FITS = (Fit.MET, Fit.UNCLEAR, Fit.NOT_MET)


@dataclass(frozen=True, slots=True)
class ReviewerScreening:
    """What one reviewer says of one paper."""

    verdict: ScreeningVerdict | None  # None: not decided yet
    fits: Mapping[str, Fit]  # by `Criterion.id`; those not judged are left out


@dataclass(frozen=True, slots=True)
class ScreeningAgreement:
    """Two reviewers on the papers of a project."""

    reviewers: tuple[str, str]
    verdicts: Agreement
    criteria: Mapping[str, Agreement]  # by `Criterion.id`, in the project's order
    all_criteria: Agreement  # all criteria pooled; the bootstrap draws papers, each with all its criteria


def screening_agreement(
    judged: Mapping[str, Mapping[str, ReviewerScreening]], criteria: Sequence[Criterion]
) -> tuple[ScreeningAgreement, ...]:
    """The agreement of every pair of reviewers. `judged`: reviewer -> paper -> screening, in any order."""
    return tuple(_of_two(one, other, judged, criteria) for one, other in combinations(judged, 2))


def _of_two(
    one: str, other: str, judged: Mapping[str, Mapping[str, ReviewerScreening]], criteria: Sequence[Criterion]
) -> ScreeningAgreement:
    papers = list(dict.fromkeys([*judged[one], *judged[other]]))
    sides = [[judged[name].get(paper) for paper in papers] for name in (one, other)]
    verdicts = zip(*([_verdict(said) for said in side] for side in sides), strict=True)
    pairs = {id: list(zip(*(_fits(side, id) for side in sides), strict=True)) for id in _ids(criteria)}
    return ScreeningAgreement(
        (one, other),
        agreement(list(verdicts), VERDICTS),
        {id: agreement(found, FITS) for id, found in pairs.items()},
        agreement([pair for found in pairs.values() for pair in found], FITS, papers * len(pairs)),
    )


def _ids(criteria: Sequence[Criterion]) -> Iterable[str]:
    return dict.fromkeys(criterion.id for criterion in criteria)


def _verdict(said: ReviewerScreening | None) -> ScreeningVerdict | None:
    return None if said is None else said.verdict


def _fits(side: Sequence[ReviewerScreening | None], criterion: str) -> list[Fit | None]:
    return [None if said is None else said.fits.get(criterion) for said in side]
