"""What section titles say."""

from __future__ import annotations

import pytest

from core.paper import SectionKind
from core.paper.sections import is_left_out, kind_of_title, main_kind


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Abstract", SectionKind.ABSTRACT),
        ("1. Introduction", SectionKind.INTRODUCTION),
        ("BACKGROUND", SectionKind.INTRODUCTION),
        ("Materials & Methods", SectionKind.METHODS),
        ("2 Patients, materials and methods", SectionKind.METHODS),
        ("Subjects and Methods.", SectionKind.METHODS),
        ("Research Design and Methods", SectionKind.METHODS),
        ("Methods/Design", SectionKind.METHODS),
        ("Study participants and methods", SectionKind.METHODS),
        ("Results and discussion", SectionKind.RESULTS),
        ("IV. Discussion", SectionKind.DISCUSSION),
        ("Conclusions and future perspectives", SectionKind.DISCUSSION),
    ],
)
def test_usual_names(title: str, kind: SectionKind) -> None:
    assert main_kind(title) is kind
    assert kind_of_title(title) is kind


def test_a_telling_word_decides_where_the_name_is_unusual() -> None:
    assert main_kind("Statistical analysis plan") is None
    assert kind_of_title("Statistical analysis plan") is SectionKind.METHODS
    assert kind_of_title("Key messages") is SectionKind.OTHER


@pytest.mark.parametrize(
    "title",
    [
        "References",
        "5. REFERENCES",
        "Acknowledgements",
        "Acknowledgment",
        "Funding",
        "Role of the funding source",
        "Competing interests",
        "Conflict of Interest Statement",
        "Declaration of competing interests",
        "Authors’ contributions",
        "Author contributions:",
        "Abbreviations",
        "Availability of data and materials",
        "Supplementary material",
        "Pre-publication history",
        "Publisher’s Note",
        "Additional file 1",
    ],
)
def test_left_out(title: str) -> None:
    assert is_left_out(title)
    assert is_left_out(title, inside=True)


@pytest.mark.parametrize("title", ["Methods", "Funding gaps in primary care", "Reference values", "Trial registration"])
def test_kept(title: str) -> None:
    assert not is_left_out(title)


def test_ethics_belong_to_the_methods_but_not_to_the_end() -> None:
    assert is_left_out("Ethics approval")
    assert is_left_out("Ethics Approval and Informed Consent")
    assert is_left_out("Patient consent for publication")
    assert not is_left_out("Ethics approval", inside=True)
