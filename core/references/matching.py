"""Match references to papers by DOI, PMID or title, and compare titles and names."""

from __future__ import annotations

import html
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from core.paper import Paper
from core.references.model import Reference, bare_doi

# ---- Comparing titles and names ----

_MARKUP = re.compile(r"<[^<>]{0,80}>")
_WORD = re.compile(r"[^\W_]+")
_NO_LETTERS = re.compile("[™®©℠\u00ad]")
_LETTERS = {
    ord(letter): f" {name} "
    for letter, name in zip(
        "αβγδεζηθικλμνξοπρστυφχψω",
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi "
        "chi psi omega".split(),
        strict=True,
    )
} | {ord("ς"): " sigma ", ord("ı"): "i", ord("ø"): "o", ord("ł"): "l", ord("đ"): "d"}
# Small words. The titles of one paper may differ in them.
_EMPTY = frozenset("a an the of and in on for to with by from at as is are its s".split())
# Words that tell one report of a study from another, or a text about a paper from the paper.
_TELLING = frozenset(
    """
    abridged abstract addendum author authors baseline chapter comment commentary comments corrected correction
    corrections corrigendum cost costs design editorial errata erratum extended extension follow followup interim
    introduction invited letter letters long longterm methods part phase pilot posthoc preliminary protocol protocols
    rationale re rejoinder replies reply report reports response responses retracted retraction secondary series stage
    subgroup substudy supplement supplementary term update updated volume withdrawn
    """.split()
)
# Titles that return every year or issue.
_PERIODIC = re.compile(r"\b(?:annual|registr(?:y|ies)|surveillance|statistics|yearbook|proceedings|weekly|monthly)\b")
_ROMAN = re.compile(r"[ivx]{1,5}")
_SAME_WORDS = {"vs": "versus", "v": "versus"}
_BRITISH = (("isation", "ization"), ("ising", "izing"), ("ised", "ized"), ("ise", "ize"), ("our", "or"))
_MOST_SLIPS = 2
_FEWEST_WORDS = 4  # words, at least, of a title that names one paper; "Editorial" and "Authors' reply" do not


@lru_cache(maxsize=20_000)
def words_of(title: str) -> tuple[str, ...]:
    """The words of a title in lower case, without punctuation and accents, in American spelling, Greek letters spelt out."""
    return tuple(map(_one_spelling, _as_spelled(title)))


@lru_cache(maxsize=20_000)
def _as_spelled(title: str) -> tuple[str, ...]:
    text = _NO_LETTERS.sub("", html.unescape(_MARKUP.sub("", title))).casefold()
    text = unicodedata.normalize("NFKD", text).casefold().translate(_LETTERS)
    return tuple(_WORD.findall("".join(letter for letter in text if not unicodedata.combining(letter))))


def title_key(title: str) -> str:
    """The letters and digits of a title, the same for two copies of it."""
    return "".join(words_of(title))


def names_one_paper(title: str) -> bool:
    """Whether a title is more than a heading shared by many papers."""
    return len(words_of(title)) >= _FEWEST_WORDS


def is_periodic(title: str) -> bool:
    """Whether a title may return in every year's report."""
    return bool(_PERIODIC.search(title.casefold()))


def nearly_same(first: str, second: str) -> str | None:
    """Why two different titles may still belong to one paper, in words; None if they belong to two.

    They may differ by a letter in one or two long words, or by small words, or one may begin or end with the other. A
    difference in a number, "Part II", "protocol", "erratum" and the like makes them two papers.
    """
    one, two = words_of(first), words_of(second)
    longer, shorter = (one, two) if len(one) >= len(two) else (two, one)
    if len(shorter) < _FEWEST_WORDS:
        return None
    if _key_without_small_words(one) == _key_without_small_words(two):
        return "the titles differ by small words"
    rest = len(longer) - len(shorter)
    if longer[: len(shorter)] == shorter:
        return None if _tells_apart(longer[-rest:]) else "one title is the beginning of the other"
    if longer[rest:] == shorter:
        return None if _tells_apart(longer[:rest]) else "one title is the end of the other"
    left, right = _differences(_as_spelled(first), _as_spelled(second))
    slips = len(left) == len(right) <= _MOST_SLIPS and all(map(_is_slip, left, right))
    return "the titles differ by single letters" if slips else None


def is_same_person(one: tuple[str, ...], other: tuple[str, ...]) -> bool | None:
    """Whether the first author of one can be an author of the other; None if either has no authors.

    Names are written in many ways ("Rossi A", "Rossi, Ada", "Ada Rossi"), so one family name in common is enough.
    """
    if not one or not other:
        return None
    firsts = (name_words(one[:1]), name_words(other[:1]))
    return bool(
        firsts[0] & name_words(other)
        or firsts[1] & name_words(one)
        or any(_is_slip(a, b) for a in firsts[0] for b in firsts[1])
    )


@lru_cache(maxsize=20_000)
def name_words(names: tuple[str, ...]) -> frozenset[str]:
    """The words of names: only the family name if a comma marks it, and no initials if anything else is left."""
    found: set[str] = set()
    for name in names:
        family = name.partition(",")[0]
        plain = "".join(c for c in unicodedata.normalize("NFKD", family) if not unicodedata.combining(c))
        every = _WORD.findall(plain)
        long = [word for word in every if len(word) > 2 or not word.isupper()] or every
        found.update(word.casefold() for word in long if len(word) > 1 or len(long) == 1)
    return frozenset(found)


def blocks_of(title: str, authors: tuple[str, ...], year: int | None) -> frozenset[tuple[str, ...]]:
    """Keys of which nearly equal titles share at least one: their first words, last words, or first author and year."""
    words = [word for word in words_of(title) if word not in _EMPTY]
    keys: set[tuple[str, ...]] = {("begins", *words[:3]), ("ends", *words[-3:])} if words else set()
    if year:
        keys |= {("of", name, str(y)) for name in name_words(authors[:1]) for y in (year, year + 1)}
    return frozenset(keys)


def _key_without_small_words(words: Iterable[str]) -> str:
    return "".join(word for word in words if word not in _EMPTY)


def _is_slip(one: str, other: str) -> bool:
    """Whether two words differ by a typing error: one letter, or two swapped ones."""
    if min(len(one), len(other)) <= 4 or not (one.isalpha() and other.isalpha()):
        return False
    return OSA.distance(one, other, score_cutoff=1) <= 1


def _differences(one: Sequence[str], other: Sequence[str]) -> tuple[list[str], list[str]]:
    """The words that only one of two titles has, in order, without small words and spelling variants."""
    left, right = ([word for word in words if word not in _EMPTY] for words in (one, other))
    spelled = list(map(_one_spelling, right))
    for word in tuple(left):
        if (same := _one_spelling(word)) in spelled:
            del right[spelled.index(same)]
            spelled.remove(same)
            left.remove(word)
    return left, right


def _tells_apart(words: Iterable[str]) -> bool:
    return any(word in _TELLING or word[0].isdigit() or _ROMAN.fullmatch(word) or len(word) == 1 for word in words)


def _one_spelling(word: str) -> str:
    if word in _SAME_WORDS:
        return _SAME_WORDS[word]
    if len(word) > 5:
        for british, american in _BRITISH:
            if word.endswith(british):
                word = word.removesuffix(british) + american
                break
        word = word.replace("ae", "e").replace("oe", "e")
    return word


# ---- Matching: unclear cases are reported and left unmatched ----

_SOME_LIKENESS = 60  # of 100: below it, two titles have little in common


@dataclass(frozen=True, slots=True)
class Entry:
    """The parts of a reference or paper that are compared. `id` is the caller's; an empty part is unknown."""

    id: str
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    doi: str | None = None
    pmid: str | None = None
    registrations: tuple[str, ...] = ()


def entry_of_reference(id: str, reference: Reference) -> Entry:
    """The entry of a reference."""
    return Entry(
        id,
        reference.title,
        reference.authors,
        reference.year,
        reference.doi,
        reference.pmid,
        reference.registrations,
    )


def entry_of_paper(paper: Paper) -> Entry:
    """The entry of a paper, under the paper's id."""
    return Entry(
        paper.id,
        paper.title or "",
        paper.authors,
        paper.year,
        bare_doi(paper.doi or ""),
        paper.pmid,
        paper.registrations,
    )


class MatchedBy(StrEnum):
    """What a reference and its paper have in common."""

    DOI = "DOI"
    PMID = "PMID"
    TITLE = "title"


@dataclass(frozen=True, slots=True)
class ReferenceMatch:
    """The result for one reference. If it has candidates but no paper, it is ambiguous, and a person must choose."""

    reference: str
    paper: str | None
    by: MatchedBy | None = None
    candidates: tuple[str, ...] = ()  # papers that it could belong to, if none is chosen
    reason: str = ""  # one sentence: why it is not matched, or what to look at in the match

    @property
    def is_ambiguous(self) -> bool:
        return self.paper is None and bool(self.candidates)


def match(references: Sequence[Entry], papers: Sequence[Entry]) -> tuple[ReferenceMatch, ...]:
    """One result for each reference, in order. Two references of one paper are duplicates."""
    index = _Index(papers)
    return tuple(index.match(reference) for reference in references)


class _Index:
    """Papers by DOI, PMID and title."""

    def __init__(self, papers: Iterable[Entry]) -> None:
        self.by_doi: defaultdict[str, list[Entry]] = defaultdict(list)
        self.by_pmid: defaultdict[str, list[Entry]] = defaultdict(list)
        self.by_title: defaultdict[str, list[Entry]] = defaultdict(list)
        self.by_block: defaultdict[tuple[str, ...], list[Entry]] = defaultdict(list)
        for paper in papers:
            if paper.doi:
                self.by_doi[paper.doi].append(paper)
            if paper.pmid:
                self.by_pmid[paper.pmid].append(paper)
            if key := title_key(paper.title):
                self.by_title[key].append(paper)
                for block in blocks_of(paper.title, paper.authors, paper.year):
                    self.by_block[block].append(paper)

    def match(self, reference: Entry) -> ReferenceMatch:
        found = {
            MatchedBy.DOI: self.by_doi.get(reference.doi or "", []),
            MatchedBy.PMID: self.by_pmid.get(reference.pmid or "", []),
            MatchedBy.TITLE: self._of_title(reference),
        }
        named = [by for by, papers in found.items() if papers]
        if not named:
            return self._nearest(reference)
        common = set.intersection(*({paper.id for paper in found[by]} for by in named))
        if not common:
            said = " and ".join(f"its {by.value} is that of “{_short(found[by][0])}”" for by in named)
            return self._unclear(reference, found, f"The entry contradicts itself: {said}.")
        if len(common) > 1:
            return self._unclear(reference, found, f"{len(common)} papers have its {named[0].value}.")
        by = named[0]
        paper = next(paper for paper in found[by] if paper.id in common)
        if by is MatchedBy.TITLE:
            wrong = _speaks_against(reference, paper)
            return self._unclear(reference, found, wrong) if wrong else ReferenceMatch(reference.id, paper.id, by)
        return ReferenceMatch(reference.id, paper.id, by, reason=_to_look_at(reference, paper, by))

    def _of_title(self, reference: Entry) -> list[Entry]:
        papers = self.by_title.get(title_key(reference.title), [])
        if len(papers) > 1:  # a title that returns: the year or the authors tell the papers apart
            return [paper for paper in papers if not _speaks_against(reference, paper)] or papers
        return papers

    def _nearest(self, reference: Entry) -> ReferenceMatch:
        """Papers close to a reference that fits none; a person decides."""
        near: dict[str, str] = {}
        for block in blocks_of(reference.title, reference.authors, reference.year):
            for paper in self.by_block.get(block, []):
                alike = nearly_same(reference.title, paper.title)
                if alike and not _speaks_against(reference, paper):
                    near[paper.id] = alike
        if not near:
            return ReferenceMatch(reference.id, None, reason="No paper has its DOI, PMID or title.")
        how = next(iter(near.values()))
        reason = (
            f"A paper has nearly its title: {how}." if len(near) == 1 else f"{len(near)} papers have nearly its title."
        )
        return ReferenceMatch(reference.id, None, candidates=tuple(sorted(near)), reason=reason)

    def _unclear(self, reference: Entry, found: dict[MatchedBy, list[Entry]], reason: str) -> ReferenceMatch:
        candidates = dict.fromkeys(paper.id for papers in found.values() for paper in papers)
        return ReferenceMatch(reference.id, None, candidates=tuple(candidates), reason=reason)


def _speaks_against(reference: Entry, paper: Entry) -> str:
    """Why a paper with the same title is not the reference's; empty if nothing speaks against it."""
    if reference.doi and paper.doi and reference.doi != paper.doi:
        return "A paper has its title, but another DOI."
    if reference.pmid and paper.pmid and reference.pmid != paper.pmid:
        return "A paper has its title, but another PMID."
    years = reference.year, paper.year
    if reference.year and paper.year and abs(reference.year - paper.year) > (0 if is_periodic(paper.title) else 1):
        return f"A paper has its title, but is of {years[1]}, not {years[0]}."
    same_person = is_same_person(reference.authors, paper.authors)
    if same_person is False:
        return "A paper has its title, but other authors."
    if not names_one_paper(reference.title) and not (same_person and reference.year and reference.year == paper.year):
        return "A paper has its title, but so could others: it is short, and year and author do not confirm it."
    return ""


def _to_look_at(reference: Entry, paper: Entry, by: MatchedBy) -> str:
    if by is MatchedBy.PMID and reference.doi and paper.doi and reference.doi != paper.doi:
        return "The DOIs differ."
    if reference.title and paper.title:
        titles = (" ".join(words_of(title)) for title in (reference.title, paper.title))
        if fuzz.token_set_ratio(*titles) < _SOME_LIKENESS:
            return f"The titles differ: check that the {by.value} is right."
    return ""


def _short(paper: Entry) -> str:
    title = paper.title or paper.id
    return title if len(title) <= 60 else f"{title[:59]}…"
