"""Effects as papers print them."""

from __future__ import annotations

import pytest

from core.findings import effects


@pytest.mark.parametrize(
    ("sentence", "stated"),
    [
        ("Deaths fell (HR 0.75 (95% CI 0.60–0.94)).", ("HR", 0.75, 0.60, 0.94, 95, "")),
        ("For pain, OR = 1.2; 95% CI: 1.0 to 1.4.", ("OR", 1.2, 1.0, 1.4, 95, "")),
        ("RR 0.75 [0.60, 0.94] favoured naps.", ("RR", 0.75, 0.60, 0.94, None, "")),
        (
            "(hazard ratio, 0.75; 95% confidence interval, 0.60 to 0.94; P = .01)",
            ("HR", 0.75, 0.6, 0.94, 95, "P = .01"),
        ),
        ("The hazard ratio was 0·75 (95% CI 0·60–0·94; p=0·01).", ("HR", 0.75, 0.6, 0.94, 95, "p=0·01")),
        ("Mean difference −1.7 (95%CI −3.1, −0.4).", ("MD", -1.7, -3.1, -0.4, 95, "")),
        ("The risk difference was 5.1% (95% CI 2.0% to 8.2%).", ("RD", 5.1, 2.0, 8.2, 95, "")),
        ("aHR=0.66, 90% CI=0.5-0.9", ("aHR", 0.66, 0.5, 0.9, 90, "")),
        ("It was better (95% CI 0.60 to 0.94; HR 0.75).", ("HR", 0.75, 0.6, 0.94, 95, "")),
        ("The number needed to treat was 12 (95% CI 8 to 25).", ("NNT", 12, 8, 25, 95, "")),
    ],
)
def test_formats(sentence: str, stated: tuple[object, ...]) -> None:
    (effect,) = effects(sentence, sentence=7)
    assert (effect.measure, effect.value, effect.low, effect.high, effect.level, effect.p) == stated
    assert effect.text in sentence
    assert effect.sentence == 7


@pytest.mark.parametrize(
    "sentence",
    [
        "The mean score was 12.1 (95% CI 10.0 to 14.2) with naps and 13 (95% CI 11 to 15) without.",
        "There was no difference: 4.2 (95% CI 3.1-5.3) vs 4.4 (95% CI 3.3-5.5).",
        "HR 0.75 (95% CI 0.80–0.94)",
        "Naps or 12 hours (95% CI 10-13).",
    ],
)
def test_what_is_no_effect(sentence: str) -> None:
    assert effects(sentence) == []
