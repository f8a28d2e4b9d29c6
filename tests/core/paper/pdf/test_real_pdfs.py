"""Seven published trial reports from six publishers, checked by hand against their pages.

Nothing of the papers is copied here: what their pages say is pinned by hashes of a few words that follow each other.
"""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from core.paper import Kind, Paper, SectionKind, read_paper


@dataclass(frozen=True)
class Words:
    """So many words that follow each other, by the hash of them."""

    count: int
    digest: str

    def are(self, words: list[str]) -> bool:
        return len(words) == self.count and digest(" ".join(words)) == self.digest

    def stand_in(self, text: str) -> bool:
        words = text.split()
        return any(self.are(words[at : at + self.count]) for at in range(len(words) - self.count + 1))


@dataclass(frozen=True)
class Pin:
    """Words that stand within one sentence, as printed."""

    what: str
    near: int  # the index of the sentence, which is shown where the words are missed
    words: Words


@dataclass(frozen=True)
class Expected:
    """What a reader of the printed page sees."""

    doi: str
    title: Words  # its first words
    sections: str  # the initials of the kinds of its first-level sections
    sentences: tuple[int, int]  # in the abstract, in the body
    ends: tuple[tuple[str, Words, Words], ...]  # section, its first and its last words
    present: tuple[Pin, ...]
    absent: tuple[Words, ...]  # running heads, addresses and other things beside the text
    rows: tuple[str, ...]  # of tables, by the hash of the row
    warnings: frozenset[tuple[str, int]] = frozenset()


def digest(text: str) -> str:
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:12]


def nearest(paper: Paper, pin: Pin) -> str:
    """The sentences around the place where the words of a pin are expected."""
    around = paper.sentences[max(pin.near - 2, 0) : pin.near + 3]
    return f"{pin.what}, near:\n" + "\n".join(f"  {s.index}: {s.text}" for s in around)


EXPECTED = {
    "PMC4655321": Expected(
        warnings=frozenset({("figure-text", page) for page in (3, 4, 6, 7)}),
        doi="10.1016/S0140-6736(15)00257-3",
        title=Words(6, "bd2889e71d10"),
        sections="AIMRD",
        sentences=(18, 168),
        ends=(
            ("Introduction", Words(4, "8baa85da14f1"), Words(3, "bfb1e67e92c1")),
            ("Randomisation and masking", Words(4, "862259ce2771"), Words(4, "e0a859c5a9c1")),
            ("Results", Words(4, "bfab061e1596"), Words(4, "38e96cb08e08")),
            ("Discussion", Words(4, "985a064e61d1"), Words(4, "ea67bad420ad")),
        ),
        present=(
            Pin("raised citation", 26, Words(6, "c2c6546a7dac")),
            Pin("words over the end of a line or column", 33, Words(5, "5d50723b2a52")),
            Pin("signs and Greek letters", 6, Words(8, "2b7a9a753ce7")),
            Pin("words over the end of a line or column", 82, Words(8, "11b42b6a34ed")),
            Pin("signs and Greek letters", 75, Words(6, "65aeffd8bfbc")),
            Pin("signs and Greek letters", 38, Words(4, "cc658f759e40")),
            Pin("figures and brackets", 128, Words(5, "685cd3707437")),
            Pin("signs and Greek letters", 17, Words(7, "7b0cfb600159")),
            Pin("compound word with its hyphen", 54, Words(6, "3ce87daaaabe")),
            Pin("words over the end of a line or column", 216, Words(3, "ee4b1d5a899f")),
        ),
        absent=(
            Words(1, "56779c6fdd85"),
            Words(1, "b14ac78a46e9"),
            Words(3, "417d39596df0"),
            Words(2, "f46bb9f196a2"),
            Words(2, "001c28a19983"),
        ),
        rows=("9ca5f10f198d",),
    ),
    "PMC7068068": Expected(
        warnings=frozenset({("figure-text", 5)}),
        doi="10.1002/clc.23309",
        title=Words(5, "3d92f59194d5"),
        sections="AIMRDD",
        sentences=(12, 77),
        ends=(
            ("INTRODUCTION", Words(4, "3a47b20611b6"), Words(4, "1c3b0b2f8e77")),
            ("Safety", Words(4, "951b0b94c8ba"), Words(3, "746a55075a44")),
            ("CONCLUSION", Words(4, "1e1449ed928a"), Words(4, "16e7c32d404e")),
        ),
        present=(
            Pin("compound word with its hyphen", 20, Words(4, "ba8da88ded11")),
            Pin("raised citation", 20, Words(6, "b0795de0ef7c")),
            Pin("words over the end of a line or column", 36, Words(7, "4fa3647d333a")),
            Pin("figures and brackets", 79, Words(5, "f6e04f3fa49d")),
            Pin("signs and Greek letters", 34, Words(7, "0dd2baf2cd93")),
            Pin("words over the end of a line or column", 82, Words(7, "9dd42ffcdecb")),
            Pin("words over the end of a line or column", 95, Words(5, "9ceb924ec5ad")),
            Pin("words over the end of a line or column", 155, Words(6, "1de260bc9885")),
            Pin("figures and brackets", 84, Words(9, "09a6572e6600")),
            Pin("raised citation", 23, Words(4, "2d74cb3a543a")),
        ),
        absent=(
            Words(1, "c1f722ee7818"),
            Words(1, "186eec6c579e"),
            Words(1, "dcdd73c5c353"),
            Words(3, "698d55b7ea16"),
            Words(2, "3b5dc6d3df33"),
        ),
        rows=("0a9033f2dd21",),
    ),
    "PMC7594536": Expected(
        warnings=frozenset({("equation", 3)}),
        doi="10.1161/CIRCULATIONAHA.120.048739",
        title=Words(7, "2697851c4a52"),
        sections="AIMRD",
        sentences=(12, 175),
        ends=(
            ("Study Design", Words(4, "cd5d43169d7a"), Words(4, "77eb7812e5a0")),
            ("Baseline Characteristics", Words(4, "eff900d8acb2"), Words(4, "6033032ceb86")),
            ("Conclusions", Words(4, "c05ad64f0090"), Words(4, "c1b667ceb822")),
        ),
        present=(
            Pin("compound word with its hyphen", 18, Words(6, "8459d228325d")),
            Pin("signs and Greek letters", 23, Words(7, "843ac41a500d")),
            Pin("raised citation", 18, Words(5, "181852e5eeea")),
            Pin("words over the end of a line or column", 26, Words(6, "f944e9fa4c57")),
            Pin("signs and Greek letters", 51, Words(4, "69ea24a08ebe")),
            Pin("signs and Greek letters", 84, Words(6, "1b6eb98408e5")),
            Pin("raised citation", 84, Words(4, "2679f8f98d44")),
            Pin("signs and Greek letters", 105, Words(4, "eea3cc0a3412")),
            Pin("raised citation", 223, Words(4, "9a355afa52a3")),
            Pin("signs and Greek letters", 10, Words(8, "fff6cc35e426")),
        ),
        absent=(
            Words(2, "fb2ee676fead"),
            Words(3, "d308cc45e381"),
            Words(2, "3490e8303bac"),
            Words(2, "36933e1de347"),
            Words(4, "339f5ec72ba2"),
        ),
        rows=("bd4b3d8b6c57",),
    ),
    "PMC7864599": Expected(
        doi="10.1161/CIRCULATIONAHA.120.052186",
        title=Words(7, "71d847186ce0"),
        sections="AIMRD",
        sentences=(16, 106),
        ends=(
            ("Introduction", Words(4, "03904bea48b2"), Words(4, "b2c98969ef54")),
            ("Randomization and Stratification", Words(4, "398ac0b45a2b"), Words(3, "69d667f7c438")),
            ("Limitations", Words(4, "c73618ca35e9"), Words(3, "f649aebb3340")),
        ),
        present=(
            Pin("words over the end of a line or column", 24, Words(8, "3ec26561fe5d")),
            Pin("words over the end of a line or column", 28, Words(6, "f4661c80c2c4")),
            Pin("signs and Greek letters", 44, Words(4, "a8e2643e28d6")),
            Pin("signs and Greek letters", 45, Words(6, "6a58e8f676ca")),
            Pin("figures and brackets", 56, Words(7, "19f9846d57c9")),
            Pin("signs and Greek letters", 12, Words(6, "7202ab22d6cf")),
            Pin("figures and brackets", 29, Words(6, "a39218e6b364")),
            Pin("figures and brackets", 219, Words(6, "4e286c791f0f")),
            Pin("raised citation", 59, Words(3, "4b3604cb76a0")),
            Pin("figures and brackets", 14, Words(6, "618b49642e3c")),
        ),
        absent=(
            Words(2, "fb2ee676fead"),
            Words(4, "9af5e9fce09d"),
            Words(2, "2fda1a875263"),
            Words(2, "cad8d17decdc"),
            Words(4, "32155e6bb807"),
        ),
        rows=("94b4d5454356",),
    ),
    "PMC9669535": Expected(
        doi="10.1186/s13098-022-00951-5",
        title=Words(8, "a78d52c06faa"),
        sections="AIMRDD",
        sentences=(13, 166),
        ends=(
            ("Introduction", Words(4, "983efb60c0f2"), Words(3, "5cd75067d6ca")),
            ("Trial design", Words(4, "a35151321994"), Words(3, "5d3acab53447")),
            ("Adverse events", Words(4, "18819df7098e"), Words(3, "e5500e60698a")),
        ),
        present=(
            Pin("compound word with its hyphen", 3, Words(4, "caa624879469")),
            Pin("figures and brackets", 11, Words(7, "ef99a8c1dada")),
            Pin("signs and Greek letters", 6, Words(5, "e7f4c32deca2")),
            Pin("signs and Greek letters", 39, Words(4, "febf7e85ede4")),
            Pin("signs and Greek letters", 89, Words(5, "f8a2c8abfd72")),
            Pin("figures and brackets", 75, Words(4, "6b4cc33e02b2")),
            Pin("words over the end of a line or column", 103, Words(3, "4c0612bcb45a")),
            Pin("raised citation", 111, Words(2, "da12c3dd002d")),
            Pin("figures and brackets", 101, Words(1, "3526b191c809")),
            Pin("signs and Greek letters", 203, Words(5, "116bcc0e03a7")),
        ),
        absent=(
            Words(4, "612ae57ceca7"),
            Words(3, "c0f723d630b7"),
            Words(2, "43590cba26a9"),
            Words(4, "77817cfcdc20"),
            Words(1, "54006df6b3da"),
        ),
        rows=("e3faab4cb928",),
    ),
    "38914124pmid": Expected(
        doi="10.1038/s41591-024-03133-0",
        title=Words(6, "6c32359f4db1"),
        sections="AIRDM",
        sentences=(12, 174),
        ends=(
            ("Introduction", Words(4, "976ce881aec0"), Words(3, "efd7846488ab")),
            ("Discussion", Words(4, "4210840e264d"), Words(3, "5b90c9458714")),
            ("Methods", Words(4, "d4df4aaff2d5"), Words(3, "182364edc85f")),
        ),
        present=(
            Pin("figures and brackets", 13, Words(8, "71e5efa7670c")),
            Pin("words over the end of a line or column", 15, Words(9, "aa83c316e470")),
            Pin("raised citation", 15, Words(2, "8fabbbf5105e")),
            Pin("signs and Greek letters", 5, Words(6, "653a5c26eea4")),
            Pin("signs and Greek letters", 9, Words(3, "a5ba4827c7e9")),
            Pin("figures and brackets", 29, Words(7, "d1c49592de5e")),
            Pin("figures and brackets", 42, Words(7, "5de7ddefc1e5")),
            Pin("compound word with its hyphen", 18, Words(5, "1d559d86e556")),
            Pin("raised citation", 134, Words(4, "60e9888ad37f")),
            Pin("compound word with its hyphen", 28, Words(4, "40355cd8e695")),
        ),
        absent=(
            Words(3, "a3f8f757952b"),
            Words(3, "f26f3275e735"),
            Words(3, "a238c1e40259"),
            Words(1, "3aca6e3f4b4c"),
            Words(3, "b730777d7b26"),
        ),
        rows=("fdfd05fdafff",),
        warnings=frozenset(
            {("page-without-text", 21), ("page-without-text", 22)}
            | {("figure-text", page) for page in (3, 4, 5, *range(12, 20))}
        ),
    ),
    "PMC12113407": Expected(
        doi="10.3390/life15050802",
        title=Words(5, "6f593c1ca02a"),
        sections="AIMRDD",
        sentences=(9, 90),
        ends=(
            ("Endpoints", Words(4, "09200d76e560"), Words(4, "c577c2702b71")),
            ("Statistical Analysis", Words(4, "68bfbe6eeeaf"), Words(3, "2e168c89d697")),
            ("Conclusions", Words(4, "a2034d1f20d9"), Words(3, "03a0acfa9d9a")),
        ),
        present=(
            Pin("signs and Greek letters", 2, Words(5, "7b008b109ccd")),
            Pin("words over the end of a line or column", 13, Words(7, "37d1d8b2a77a")),
            Pin("figures and brackets", 30, Words(6, "355c1a7ef03b")),
            Pin("figures and brackets", 30, Words(5, "ece1391beab5")),
            Pin("signs and Greek letters", 41, Words(4, "df168a632462")),
            Pin("figures and brackets", 50, Words(5, "594f3c1c268d")),
            Pin("words over the end of a line or column", 51, Words(6, "633776d28123")),
            Pin("figures and brackets", 80, Words(4, "ceb9d0aaa158")),
            Pin("signs and Greek letters", 107, Words(5, "57962a87527d")),
            Pin("words over the end of a line or column", 108, Words(6, "61ff140e193c")),
        ),
        absent=(
            Words(2, "ac2e12ad456f"),
            Words(3, "26dd0d3db036"),
            Words(2, "c6479944284a"),
            Words(2, "633a82bdefe5"),
            Words(2, "f98872608bff"),
        ),
        rows=("f67a8ef44978",),
    ),
}
KINDS = {
    "A": SectionKind.ABSTRACT, "I": SectionKind.INTRODUCTION, "M": SectionKind.METHODS,
    "R": SectionKind.RESULTS, "D": SectionKind.DISCUSSION,
}  # fmt: skip


@cache
def content(folder: Path, name: str) -> bytes:
    return (folder / "pdf" / f"{name}.pdf").read_bytes()


@cache
def read(folder: Path, name: str) -> Paper:
    return read_paper(content(folder, name), name=f"{name}.pdf")


def prose(paper: Paper, kind: Kind) -> list[str]:
    return [s.text for s in paper.sentences if s.kind is kind]


@pytest.mark.parametrize("name", EXPECTED)
def test_identity_and_offsets(shared_data: Path, name: str) -> None:
    paper = read(shared_data, name)
    assert paper.doi == EXPECTED[name].doi
    title = EXPECTED[name].title
    assert title.are((paper.title or "").split()[: title.count]), paper.title
    assert all(paper.text[s.start : s.end] == s.text for s in paper.sentences)
    pages = [s.page for s in paper.sentences if s.kind is Kind.BODY]
    assert None not in pages
    assert {(w.kind, w.page) for w in paper.warnings} == EXPECTED[name].warnings


@pytest.mark.parametrize("name", EXPECTED)
def test_sections_and_their_first_and_last_words(shared_data: Path, name: str) -> None:
    paper = read(shared_data, name)
    main = [s.kind for s in paper.sections if s.level == 1 and s.title != "Title"]
    assert main == [KINDS[letter] for letter in EXPECTED[name].sections]
    for title, first, last in EXPECTED[name].ends:
        section = next(s for s in paper.sections if s.title == title)
        # A section's own text, without the boxes and subsections below it.
        text = [s.text for s in paper.sentences_of(section) if s.kind in {Kind.BODY, Kind.ABSTRACT}]
        assert first.are(text[0].split()[: first.count]), text[0]
        assert last.are(text[-1].split()[-last.count :]), text[-1]


@pytest.mark.parametrize("name", EXPECTED)
def test_number_of_sentences(shared_data: Path, name: str) -> None:
    paper = read(shared_data, name)
    for kind, expected in zip((Kind.ABSTRACT, Kind.BODY), EXPECTED[name].sentences, strict=True):
        assert len(prose(paper, kind)) == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize("name", EXPECTED)
def test_hard_sentences(shared_data: Path, name: str) -> None:
    sentences = [s.text for s in read(shared_data, name).sentences if s.kind in {Kind.BODY, Kind.ABSTRACT}]
    missing = [pin for pin in EXPECTED[name].present if not any(map(pin.words.stand_in, sentences))]
    assert not missing, "\n".join(nearest(read(shared_data, name), pin) for pin in missing)


@pytest.mark.parametrize("name", EXPECTED)
def test_nothing_that_is_not_text(shared_data: Path, name: str) -> None:
    paper = read(shared_data, name)
    assert [words for words in EXPECTED[name].absent if words.stand_in(paper.text)] == []
    assert {*EXPECTED[name].rows} <= {*map(digest, prose(paper, Kind.TABLE))}


def test_eight_threads_read_what_one_reads(shared_data: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        papers = pool.map(lambda name: read_paper(content(shared_data, name), name=f"{name}.pdf"), [*EXPECTED] * 3)
        assert list(papers) == [read(shared_data, name) for name in EXPECTED] * 3
