"""Symbols that stand under the wrong code point, put right where the place leaves no doubt."""

from __future__ import annotations

import pytest

from core.paper.symbols import restore_symbols


@pytest.mark.parametrize(
    ("printed", "meant"),
    [
        ("P ¼ 0.03", "P = 0.03"),
        ("n¼12 and (n ¼ 12)", "n=12 and (n = 12)"),
        ("P ¼ À2.3, z ¼ .4", "P = −2.3, z = .4"),
        ("CI ¼ confidence interval", "CI = confidence interval"),
        ("5.2 Æ 1.3 of 2 Â 2", "5.2 ± 1.3 of 2 × 2"),
        ("CD4þ cells, Naþ.", "CD4+ cells, Na+."),
        ("p ¡ 0.05, P5.03, P,.001 and P..05", "p < 0.05, P=.03, P<.001 and P>.05"),
        ("n ⫽ 4, P ⬍ .05, ⱖ18 years, 4 ⫾ 2 ␮g", "n = 4, P < .05, ≥18 years, 4 ± 2 µg"),
    ],
)
def test_symbols_that_the_place_proves(printed: str, meant: str) -> None:
    assert restore_symbols(printed) == meant


@pytest.mark.parametrize(
    "text",
    [
        "2 ¼ hours, 1¼ cups, ¼ of them, a ¼ tablet",
        "À la carte, Ångström, Þórsson, Æsop",
        "in group P 5 of 10, P, 0.5 of it",
        "¡Hola!",
    ],
)
def test_symbols_that_may_be_meant_stay(text: str) -> None:
    assert restore_symbols(text) == text
