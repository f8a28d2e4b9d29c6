"""Firm verdicts by their least probability, on cells made for the purpose."""

from __future__ import annotations

from core.grounding.model import PaperVerdict
from core.training.firm_verdicts import FirmCounts, WeighedCell, in_file, left_out, threshold


def cell(cluster: str, label: str, sure: float, verdict: PaperVerdict | None = PaperVerdict.SUPPORTS) -> WeighedCell:
    return WeighedCell(cluster, label, verdict, sure)


RIGHT, WRONG, UNREPORTED = "supports", "refutes", "not reported"


def test_the_threshold_is_the_least_from_which_enough_are_right() -> None:
    cells = [cell("A", RIGHT, 0.9), cell("A", RIGHT, 0.75), cell("A", WRONG, 0.7), cell("A", UNREPORTED, 0.6)]
    assert threshold(cells) == 0.71
    assert threshold([cell("A", WRONG, 0.9)]) == 1.0


def test_a_cluster_is_judged_by_the_threshold_of_the_others() -> None:
    of_a = [cell("A", RIGHT, 0.9), cell("A", WRONG, 0.7)]
    of_b = [cell("B", RIGHT, 0.95), cell("B", WRONG, 0.8), cell("B", UNREPORTED, 0.5)]
    # By its own threshold, B's wrong one would not be firm.
    assert left_out(of_a + of_b) == FirmCounts(firm=3, right=2, reported=4, decided=3, unreported=1, left=1)


def test_a_cell_without_a_firm_verdict_is_left_however_sure_it_is() -> None:
    cells = [cell("A", RIGHT, 0.9), cell("B", RIGHT, 0.9), cell("B", RIGHT, 1.0, None)]
    assert left_out(cells).decided == 2


def test_the_file_holds_shares_in_per_cent() -> None:
    assert in_file(0.7, FirmCounts(8, 7, 30, 8, 20, 20)) == {"firm": 0.7, "right": 88, "decided": 27}
    assert in_file(1.0, FirmCounts(0, 0, 30, 0, 20, 20)) == {"firm": 1.0, "right": 0, "decided": 0}
