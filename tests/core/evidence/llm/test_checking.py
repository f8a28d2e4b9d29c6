"""What a model names is held against what it was shown."""

from __future__ import annotations

import pytest

from core.evidence.llm.answers import Pick
from core.evidence.llm.checking import check

SHOWN = {4: "Tea made people happier (P = 0.01).", 5: "Water did not.", 7: "They drank 2 cups a day – or more."}


def pick(number: int, quote: str = "") -> Pick:
    return Pick(number=number, quote=quote)


@pytest.mark.parametrize("quote", ["Tea made people", "tea made people happier (p=0.01)", "people happier", ""])
def test_a_quotation_may_differ_in_typography_and_case(quote: str) -> None:
    checked = check([pick(4, quote)], SHOWN, 3)
    assert checked.right == (pick(4, quote),)
    assert checked.faults == checked.not_in_paper == ()


def test_a_number_outside_the_pool_is_not_in_the_paper() -> None:
    checked = check([pick(6, "Invented"), pick(5)], SHOWN, 3)
    assert checked.right == (pick(5),)
    assert checked.faults == ("6 is not the number of a sentence that was shown.",)
    assert checked.not_in_paper == ("[6] Invented",)


def test_an_invented_quotation_takes_its_number_with_it() -> None:
    checked = check([pick(4, "Coffee made people happier")], SHOWN, 3)
    assert checked.right == ()
    assert checked.not_in_paper == ("Coffee made people happier",)


def test_a_quotation_of_another_sentence_is_a_fault_and_yet_in_the_paper() -> None:
    checked = check([pick(4, "Water did not")], SHOWN, 3)
    assert checked.right == ()
    assert checked.faults == ("“Water did not” does not stand in sentence 4.",)
    assert checked.not_in_paper == ()


def test_a_changed_number_is_no_quotation() -> None:
    assert check([pick(7, "They drank 3 cups")], SHOWN, 3).right == ()


def test_duplicates_and_too_many_are_faults_and_the_first_are_kept() -> None:
    checked = check([pick(7), pick(4), pick(4), pick(5)], SHOWN, 2)
    assert [p.number for p in checked.right] == [7, 4]
    assert checked.faults == ("4 was chosen twice.", "3 sentences were chosen, and at most 2 are allowed.")
