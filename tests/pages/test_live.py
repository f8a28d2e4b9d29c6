"""How a run is shown while it runs."""

from __future__ import annotations

import pytest

from core.evidence.llm.live import Row, Standing
from pages._ui.live import row_in_words


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (Row("Methods"), ":gray[waiting]"),
        (Row("Methods", Standing.ANSWERED), ":gray[answered]"),
        (Row("Methods", Standing.ANSWERED, from_cache=True), ":gray[kept from before]"),
        (Row("Methods", Standing.AGAIN), ":gray[asked again]"),
        (Row("Methods", Standing.FAILED), ":gray[failed]"),
    ],
)
def test_every_standing_has_a_sign_and_a_word(row: Row, words: str) -> None:
    shown = row_in_words(row).replace("\u00a0", " ")
    assert shown.startswith(":material/")
    assert shown.endswith(f" Methods {words}")


def test_a_section_title_is_shown_letter_by_letter_and_fits_a_telephone() -> None:
    shown = row_in_words(Row("<b>:red[x]</b> [click](http://x) " + "long " * 30))
    assert r"\<b\>\:red\[x\]" in shown
    assert " " not in shown
    assert "…" in shown
