"""Which words of an arm name it, and that a trial of another drug stands on no side."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.claims import Place, Statement, Way, contradiction_engine_named
from core.claims.naming import names, own_words
from core.claims.statements import Comparison, comparison_in
from core.library import open_library
from core.paper import read_paper
from core.settings import Settings
from core.text.similarity import Embedder
from tests.core.claims.papers import DEMENTIA, GOUT


def comparison(statement: str) -> Comparison:
    found = comparison_in(statement)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("Adverse events were similar with memantine added to donepezil and placebo.", {"memant", "donepe"}),
        ("Pain was lower with the control treatment than with 5 mg morphine.", {"morphi"}),
        ("Magnesium in women with cramps, compared with placebo, reduces pain.", {"magnes"}),
        ("The high-dose treatment group, compared with the control group, had fewer falls.", set()),
        ("Placebo, compared with usual care, reduces pain.", set()),
    ],
)
def test_an_arm_is_named_by_words_that_trials_of_other_subjects_lack(statement: str, words: set[str]) -> None:
    assert own_words(comparison(statement)) == words


def test_a_text_names_an_arm_by_one_of_its_words_in_any_form() -> None:
    claim = comparison("Adverse events were similar with memantine added to donepezil and placebo.")
    assert names(claim, "MEMANTINE for dementia: a randomised trial")
    assert not names(claim, "Colchicine added to placebo: adverse events were similar.")


def test_where_nothing_is_named_nothing_is_asked() -> None:
    assert names(None, "Colchicine for gout")
    assert names(comparison("Placebo, compared with usual care, reduces pain."), "Colchicine for gout")


@pytest.mark.slow
def test_a_trial_of_another_drug_is_on_no_side(tmp_path: Path) -> None:
    library = open_library("drugs", Embedder.installed(tmp_path / "vectors"), Settings(tmp_path, None))
    library.add([read_paper(DEMENTIA, name="dementia.md"), read_paper(GOUT, name="gout.md")])
    engine = contradiction_engine_named("offline")
    claim = "The incidence of adverse events over 24 weeks was similar with memantine added to donepezil and placebo."
    both = engine.compare(Statement(claim), library)
    assert [(one.paper.name, one.way) for one in both.sides] == [("dementia.md", Way.AGREES)]
    [dementia] = {one.paper.id for one in both.sides}
    other = engine.compare(Statement(claim, without=frozenset({dementia})), library)
    assert (other.place, other.sides, other.searched) == (Place.LACK_OF_EVIDENCE, (), 1)
