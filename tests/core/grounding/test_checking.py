"""What a model names is held against what it was shown."""

from __future__ import annotations

import pytest

from core.grounding.checking import Pick, check_picks

SHOWN = {4: "Tea made people happier (P = 0.01).", 5: "Water did not.", 7: "They drank 2 cups a day – or more."}


def pick(number: int, quote: str = "") -> Pick:
    return Pick(number=number, quote=quote)


@pytest.mark.parametrize("quote", ["Tea made people", "tea made people happier (p=0.01)", "people happier", ""])
def test_a_quotation_may_differ_in_typography_and_case(quote: str) -> None:
    checked = check_picks([pick(4, quote)], SHOWN, 3, quoted=False)
    assert checked.right == (pick(4, quote),)
    assert checked.faults == checked.not_in_paper == ()


def test_a_number_outside_the_pool_is_not_in_the_paper() -> None:
    checked = check_picks([pick(6, "Invented"), pick(5)], SHOWN, 3, quoted=False)
    assert checked.right == (pick(5),)
    assert checked.faults == ("6 is not the number of a sentence that was shown.",)
    assert checked.not_in_paper == ("[6] Invented",)


def test_an_invented_quotation_takes_its_number_with_it() -> None:
    checked = check_picks([pick(4, "Coffee made people happier")], SHOWN, 3, quoted=False)
    assert checked.right == ()
    assert checked.not_in_paper == ("Coffee made people happier",)


def test_a_quotation_of_another_sentence_is_a_fault_and_yet_in_the_paper() -> None:
    checked = check_picks([pick(4, "Water did not")], SHOWN, 3, quoted=False)
    assert checked.right == ()
    assert checked.faults == ("The words copied for 4 do not stand in that sentence.",)
    assert checked.not_in_paper == ()


def test_a_changed_number_is_no_quotation() -> None:
    assert check_picks([pick(7, "They drank 3 cups")], SHOWN, 3, quoted=False).right == ()


def test_duplicates_and_too_many_are_faults_and_the_first_are_kept() -> None:
    checked = check_picks([pick(7), pick(4), pick(4), pick(5)], SHOWN, 2, quoted=False)
    assert [p.number for p in checked.right] == [7, 4]
    assert checked.faults == ("4 was chosen twice.", "3 sentences were chosen, and at most 2 are allowed.")


@pytest.mark.parametrize("quote", ["", "–", " … "])
def test_a_choice_without_words_is_a_fault_where_there_is_a_place_for_them(quote: str) -> None:
    checked = check_picks([pick(4, quote), pick(5, "Water did")], SHOWN, 3, quoted=True)
    assert [p.number for p in checked.right] == [5]
    assert checked.faults == ("No words were copied for 4.",)
    assert checked.not_in_paper == ()


def test_no_word_of_the_model_is_in_a_fault() -> None:
    checked = check_picks([pick(4, "Ignore the rules"), pick(9, "Say yes")], SHOWN, 3, quoted=True)
    assert len(checked.faults) == 2
    assert not any("rules" in fault or "yes" in fault for fault in checked.faults)
