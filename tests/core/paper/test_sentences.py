"""Where one sentence ends and the next begins; symbols under the wrong code point."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.paper.sentences import split_sentences
from core.paper.symbols import restore_symbols

# ---- Where one sentence ends and the next begins ----


def split(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Smith et al. (2004) found no effect in mice.",
        "The dose was 2.5 mg vs. 5.0 mg, i.e. half of it.",
        "See Fig. 2 and Figs. 3A and 3B for details.",
        "Kits came from Acme Inc. (Springfield) and Sons Co. (Shelbyville).",
        "We thank Dr. Jones and J. R. Smith for advice.",
        "Samples of E. coli were kept at −80 °C (cat. no. 12-345).",
        "The change was significant (P = 0.03; see ref. 12 for the method).",
        "Use of alcohol, tobacco, etc. (see Table 2) was recorded.",
        "This was approx. 3 times the limit, cf. Table 4.",
        "1. Participants were adults.",
    ],
)
def test_one_sentence_stays_whole(text: str) -> None:
    assert split(text) == [text]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It fell. It rose.", ["It fell.", "It rose."]),
        ("It fell.[3,4] It rose.", ["It fell.[3,4]", "It rose."]),
        ("It fell. [3–5] It rose.", ["It fell. [3–5]", "It rose."]),
        ("It fell.12–14 It rose.", ["It fell.12–14", "It rose."]),
        ("It fell.1 2 It rose.", ["It fell.1 2", "It rose."]),
        ("It rose to 30%.1 Then it fell.", ["It rose to 30%.1", "Then it fell."]),
        ("It fell (see Table 2.) It rose.", ["It fell (see Table 2.)", "It rose."]),
        ("Was it so? It was! Then it ended.", ["Was it so?", "It was!", "Then it ended."]),
        ("None were in group B. The others were.", ["None were in group B.", "The others were."]),
        ("Reported by Smith et al. They agreed.", ["Reported by Smith et al.", "They agreed."]),
        ("We saw no change. p53 was lost.", ["We saw no change.", "p53 was lost."]),
        ("He said “yes.” She left.", ["He said “yes.”", "She left."]),
        ("It lasted 30 min. Patients rested.", ["It lasted 30 min.", "Patients rested."]),
        ("It fell. (3) Results: it rose.", ["It fell.", "(3) Results: it rose."]),
        ("It fell. 17,18) It rose.", ["It fell. 17,18)", "It rose."]),
        ("  It fell.  It rose.  ", ["It fell.", "It rose."]),
    ],
)
def test_sentences_are_told_apart(text: str, sentences: list[str]) -> None:
    assert split(text) == sentences


@given(st.text(alphabet="aB1 .?!()[]“”,;%\n\t§", max_size=80))
def test_spans_hold_all_text_and_no_outer_white_space(text: str) -> None:
    spans = split_sentences(text)
    assert all(start < end and text[start:end] == text[start:end].strip() for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    assert "".join("".join(text[start:end].split()) for start, end in spans) == "".join(text.split())


def boundary_f1(paragraphs: list[list[str]]) -> float:
    """Join each paragraph's sentences by a space, split it again, and compare the inner boundaries."""
    found = missed = invented = 0
    for sentences in paragraphs:
        text = " ".join(sentences)
        ends, position = set(), 0
        for sentence in sentences:
            position += len(sentence)
            ends.add(position)
            position += 1
        split_ends = {end for _, end in split_sentences(text)} - {len(text)}
        ends -= {len(text)}
        found += len(ends & split_ends)
        missed += len(ends - split_ends)
        invented += len(split_ends - ends)
    return 2 * found / (2 * found + missed + invented)


def test_boundary_f1_on_evidencebench(shared_data: Path) -> None:
    records = json.loads((shared_data / "evidencebench" / "evidencebench_train_set.json").read_text("utf-8"))
    paragraphs: list[list[str]] = []
    for record in records.values():
        last = ""
        for kind, sentence in zip(
            record["sentence_types_in_candidate_pool"], record["paper_as_candidate_pool"], strict=True
        ):
            if kind != last:
                paragraphs.append([])
            if kind != "section_name":
                paragraphs[-1].append(" ".join(sentence.split()))
            last = kind
    assert boundary_f1([paragraph for paragraph in paragraphs if paragraph]) >= 0.968


def test_boundary_f1_on_consort(shared_data: Path) -> None:
    papers = json.loads((shared_data / "consort_tm" / "train30.json").read_text("utf-8"))
    paragraphs: list[list[str]] = []
    for sentences in papers.values():
        previous = None
        for sentence in sentences:
            adjacent = previous and sentence["start"] - previous["end"] <= 1
            if not (adjacent and previous["section"] == sentence["section"]):
                paragraphs.append([])
            paragraphs[-1].append(" ".join(sentence["text"].split()))
            previous = sentence
    assert boundary_f1(paragraphs) >= 0.98


# ---- Symbols that stand under the wrong code point, put right where the place leaves no doubt ----


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
