"""RoBBR's files as published, records that are not, and papers given as lists of text elements."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from core.benchmarks.model import BrokenRecord
from core.benchmarks.robbr import (
    CATEGORIES,
    JudgedCase,
    categories_of,
    count,
    domain_of,
    elements_of,
    paper_of_elements,
    read_main,
    read_selection,
    read_support,
    robotreviewer_domain,
)
from core.bias import tool_named
from core.bias.model import HIGH, LOW
from core.bias.tools.rob1 import UNCLEAR
from core.errors import DatasetError, NoText
from core.paper import Kind, SectionKind
from tests.core.benchmarks import robbr_records as made

# ---- text elements ----
# Papers given as lists of text elements.


@pytest.mark.parametrize(
    ("element", "kind"),
    [
        ("Background", Kind.HEADING),
        ("2.1 Study design, setting and participants", Kind.HEADING),
        ("IV. Results", Kind.HEADING),
        ("Tea was drunk.", Kind.BODY),
        ("PATH.", Kind.BODY),
        ("The groups were:", Kind.BODY),
        ("p < 0.05 was significant", Kind.BODY),
        ("Nobody left. All were well", Kind.BODY),
        ("We asked whether tea that is drunk in the evening shortens the sleep of adults", Kind.BODY),
        ("Flow of participants.Fig. 1", Kind.CAPTION),
        ("Fig. 2 Sleep in both groups", Kind.CAPTION),
        ("\nBaseline values.\nTable 1\n", Kind.CAPTION),
        ("\nBaseline values.\nTable 1\n\n | Tea (n = 3) | Water\nAge | 40 | 41\n", Kind.TABLE),
        ("", Kind.BODY),
    ],
)
def test_what_an_element_is(element: str, kind: Kind) -> None:
    paper = paper_of_elements(["We drank tea.", element, "We slept."], name="x")
    assert [sentence.text for sentence in paper.sentences] == ["We drank tea.", element, "We slept."]
    assert paper.sentences[1].kind is kind
    assert all(paper.text[s.start : s.end] == s.text for s in paper.sentences)


def test_sections_go_by_their_headings() -> None:
    paper = paper_of_elements(["Methods", "Participants", "Adults came.", "Results", "They slept."], name="x")
    assert [(s.title, s.kind, s.level) for s in paper.sections] == [
        ("Methods", SectionKind.METHODS, 1),
        ("Participants", SectionKind.METHODS, 2),
        ("Results", SectionKind.RESULTS, 1),
    ]


def test_a_whole_text_has_an_element_a_line() -> None:
    assert elements_of("Methods\nTea\u2028was drunk.\n\n\nAge | 40\n") == ["Methods", "Tea\u2028was drunk.", "Age | 40"]


def test_no_element_is_an_error() -> None:
    with pytest.raises(NoText):
        paper_of_elements([], name="x")


# ---- robbr ----
# RoBBR's files as published, and records that are not.

Reader = Callable[[Path], Iterator[Any]]


def one(read: Reader, path: Path, record: dict[str, Any]) -> Any:
    (found,) = read(made.written(path / "data_test.json", {"first": record}))
    return found


def test_a_judgement_with_all_that_a_reviewer_sees(tmp_path: Path) -> None:
    found = one(read_main, tmp_path, made.main())
    assert (found.id, found.doi, found.gold, found.categories) == ("first", "10.5555/one", LOW, ("selection",))
    domain = found.case.domain
    assert (domain.id, domain.name, domain.bias) == ("sequence", made.SEQUENCE, "selection bias")
    assert domain.definition == "Selection bias by a poor sequence."
    assert domain.criteria == {
        LOW: "chance decides: a computer.",
        HIGH: "a rule decides.",
        UNCLEAR: "not told.",
    }
    study = found.case.study
    assert (study.objective, study.population) == (
        "To assess tea.",
        "Forty people: all well. Methods: A trial. Notes: x",
    )
    assert (study.intervention, study.comparator, study.outcome) == ("Tea.", "", "Sleep.")


def test_without_a_definition_it_is_the_tools_own(tmp_path: Path) -> None:
    record = made.main()
    del record["bias_definition"]
    rob1 = tool_named("rob1").domain("sequence")
    domain = one(read_main, tmp_path, record).case.domain
    assert (domain.definition, domain.criteria) == (rob1.definition, rob1.criteria)


def test_a_pico_may_be_an_object_of_its_parts(tmp_path: Path) -> None:
    record = made.main(PICO={"Methods": "A trial.", "Participants": "Forty people.", "Outcome": "Sleep."})
    study = one(read_main, tmp_path, record).case.study
    assert (study.population, study.outcome) == ("Forty people. Methods: A trial.", "Sleep.")


def test_the_pool_keeps_every_element_in_its_place(tmp_path: Path) -> None:
    paper = one(read_support, tmp_path, made.support()).case.paper
    assert [sentence.text for sentence in paper.sentences] == made.POOL
    assert [s.kind for s in paper.sentences] == [Kind.HEADING, Kind.BODY, Kind.BODY, Kind.BODY, Kind.TABLE]
    assert all(paper.text[s.start : s.end] == s.text for s in paper.sentences)
    assert paper.sections[0].title == "Methods"


def test_support_gold_leaves_out_aspects_that_no_sentence_covers(tmp_path: Path) -> None:
    gold = one(read_support, tmp_path, made.support()).gold
    assert gold.gold.aspects == {"a": frozenset({1}), "b": frozenset({1, 2})}
    assert gold.gold.label("a") == "A computer."
    assert (gold.optimal, gold.selection) == (1, (1,))


def test_the_optimum_is_found_where_the_file_does_not_tell_it(tmp_path: Path) -> None:
    record = made.support(bias_retrieval_at_optimal_evaluation=None, sentence_index2aspects=None)
    gold = one(read_support, tmp_path, record).gold
    assert (gold.optimal, gold.selection) == (1, (1,))


def test_options_and_the_right_one(tmp_path: Path) -> None:
    gold = one(read_selection, tmp_path, made.selection()).gold
    assert (len(gold.texts), gold.texts[gold.right]) == (7, "Option G.")


@pytest.mark.parametrize("label", ["Unclear", "some concerns", "SOME CONCERN"])
def test_the_middle_level_has_two_names(tmp_path: Path, label: str) -> None:
    assert one(read_main, tmp_path, made.main(label=label)).gold == UNCLEAR


@pytest.mark.parametrize(
    ("read", "record", "key"),
    [
        (read_main, made.main(label="medium"), "label"),
        (read_main, made.main(label=None), "label"),
        (read_main, made.main(full_paper=" \n"), "full_paper"),
        (read_main, made.main(bias=" "), "bias"),
        (read_main, made.main(objective=3), "objective"),
        (read_main, made.main(paper_doi="\ud800"), "paper_doi"),
        (read_main, "no record", "record"),
        (read_selection, made.selection(label=7), "label"),
        (read_selection, made.selection(label=-1), "label"),
        (read_selection, made.selection(options=["one"]), "options"),
        (read_support, made.support(aspect2sentence_indices={"a": [5]}), "aspect2sentence_indices"),
        (read_support, made.support(aspect2sentence_indices={"a": []}), "aspect2sentence_indices"),
        (read_support, made.support(aspects={"a": "A computer."}), "aspects"),
        (read_support, made.support(sentence_index2aspects={"1": ["a"]}), "sentence_index2aspects"),
        (read_support, made.support(paper_as_candidate_pool=None), "paper_as_candidate_pool"),
    ],
)
def test_a_broken_record_is_named_and_the_rest_goes_on(tmp_path: Path, read: Reader, record: Any, key: str) -> None:
    good = {read_main: made.main, read_selection: made.selection, read_support: made.support}[read]()
    path = made.written(tmp_path / "data_test.json", {"bad one": record, "good": good})
    broken, rest = read(path)
    assert isinstance(broken, BrokenRecord)
    assert (broken.file, broken.id, broken.key) == ("data_test.json", "bad one", key)
    assert broken.reason
    assert isinstance(rest, JudgedCase)
    assert count(path) == 2


def test_a_file_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="cannot be opened"):
        list(read_main(tmp_path / "missing.json"))
    (tmp_path / "cut.json").write_text(json.dumps({"a": made.main()})[:-5])
    with pytest.raises(DatasetError, match="cut off"):
        list(read_main(tmp_path / "cut.json"))


# The rows of RoBBR's table 12, and what the same names are without their label.
@pytest.mark.parametrize(
    ("name", "categories", "domain"),
    [
        ("random sequence generation (selection bias)", "selection", "sequence"),
        ("bias arising from the randomization process", "selection", "sequence"),
        ("bias due to deviations from intended intervention", "deviation", "performance"),
        ("bias due to missing outcome data", "attrition", "attrition"),
        ("incomplete outcome data (attrition bias) all outcomes", "attrition", "attrition"),
        (
            "similarity of other baseline characteristics (selection and performance bias)",
            "selection performance",
            "other",
        ),
        ("bias in measurement of the outcome", "detection", "detection"),
        ("blinding of outcome assessment (detection bias) all outcomes", "detection", "detection"),
        ("blinding for adverse events (performance and detection bias)", "performance detection", "performance"),
        ("blinding of participants and personnel (performance bias)", "performance", "performance"),
        ("selective reporting (reporting bias)", "reporting", "reporting"),
        ("bias in selection of the reported result", "reporting", "reporting"),
        ("blinding (performance bias and detection bias) all outcomes", "performance detection", "performance"),
        ("incomplete adverse event reporting (reporting bias)", "reporting", "reporting"),
        ("Allocation Concealment", "selection", "concealment"),
        ("blinding (performance bias/detection bias)", "performance detection", "performance"),
        ("selection, performance and detection bias", "selection performance detection", "performance"),
        ("Blinding of outcome assessors", "detection", "detection"),
        ("Masking of participants", "performance", "performance"),
        ("other bias", "", "other"),
    ],
)
def test_names_of_biases(name: str, categories: str, domain: str) -> None:
    assert categories_of(name) == tuple(categories.split())
    assert set(categories_of(name)) <= set(CATEGORIES)
    if "selection, performance" not in name:
        assert domain_of(name) == domain


def test_robotreviewer_knows_four() -> None:
    assert robotreviewer_domain("Random sequence generation (selection bias)") == "sequence"
    assert robotreviewer_domain("allocation concealment (selection bias)") == "concealment"
    assert robotreviewer_domain("blinding of participants and personnel (performance bias)") == "performance"
    assert robotreviewer_domain("blinding of outcome assessment (detection bias) all outcomes") == "detection"
    assert robotreviewer_domain("bias arising from the randomization process") is None
    assert robotreviewer_domain("selective reporting (reporting bias)") is None
