"""Whose values a sentence sets beside each other."""

from __future__ import annotations

import pytest

from core.findings.claim import claim_of
from core.findings.group_values import compared_values

STINGS = claim_of("Naps increase stings compared with walks")


@pytest.mark.parametrize(
    ("sentence", "sign"),
    [
        ("Stings were 24% with naps and 14% with walks (P = 0.01).", 1),
        ("The nap group had 14% and the walk group 24% stings (P = 0.01).", -1),
        # of several groups, those two
        ("Stings were 9% with swims, 24% with naps and 14% with walks (P = 0.01).", 1),
        ("Stings were found in 9 hives with naps, 40 with swims and 20 with walks (P = 0.01).", -1),
        ("Stings were 9% with swims, 24% with runs and 14% with walks (P = 0.01).", None),
        # a share beside its count
        ("Stings came to 24/73 (33%) of hives with naps and 40/66 (61%) with walks (P = 0.01).", -1),
        ("Stings came to 24 of 30 (80%) hives with naps and 40 of 80 (50%) with walks (P = 0.01).", 1),
        # what spreads around a value is none
        ("Stings were 3.1% (95% confidence interval (CI) 2 to 5%) with naps, 7.2% (6 to 9%) with walks.", -1),
        ("Stings were 3.4 with naps versus 6.6 with walks (P-value for the difference 0.0001).", -1),
        ("Stings were 24% with naps.", None),
        ("Stings were 24% with naps and 24% with walks.", None),
    ],
)
def test_values_go_to_their_groups(sentence: str, sign: int | None) -> None:
    found = compared_values(sentence, STINGS)
    assert (found[0] if found else None) == sign


def test_the_values_are_quoted() -> None:
    found = compared_values("Stings were 9% with swims, 24% with naps and 14% with walks.", STINGS)
    assert found == (1, "24% with naps and 14")
