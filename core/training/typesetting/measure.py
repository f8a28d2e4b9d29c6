"""What a reader made of a PDF, against the paper that was set in it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise

from core.paper import Kind, Paper, Sentence
from core.paper.model import SectionKind
from core.training.typesetting import matter
from core.training.typesetting.article import Article, without_number

_PROSE = frozenset({Kind.ABSTRACT, Kind.BODY})
_TELLING = 25  # letters and digits: shorter pieces of print occur in a paper's own text
_STRANGERS = (matter.RUNNING_TITLE, matter.SITE, matter.MARGIN_NOTE, matter.LICENCE, matter.CORRESPONDENCE)


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    right: int
    of: int

    def __add__(self, other: Share) -> Share:
        return Share(self.right + other.right, self.of + other.of)


@dataclass(frozen=True, slots=True)
class Reading:
    """How a paper was read. Sentences are the same where their letters and digits are."""

    recall: Share  # of the paper's sentences (abstract and body), those read
    precision: Share  # of the sentences read, those that are the paper's, boxes beside it left aside
    order: Share  # of its pairs of neighbours, both read, those that are still neighbours in the prose
    words: Share  # of the words of sentences read, those neither glued nor split
    kinds: Share  # of its sentences read, those in a section of the right kind
    headings: Share  # of its headings, those read as headings
    real_headings: Share  # of the headings read, those that are its own
    levels: Share  # of its headings read, those at the right level, where they open a section
    captions: Share  # of the sentences of captions, those read as such
    rows: Share  # of its table rows, those read with their cells apart
    references: Share  # of its references, those kept out
    clean: Share  # of the sentences read, those without running heads, licences and the like in them
    title: Share
    doi: Share

    def __add__(self, other: Reading) -> Reading:
        names = (field.name for field in fields(self))
        return Reading(*(getattr(self, name) + getattr(other, name) for name in names))


def key(text: str) -> str:
    """The letters and digits of a text."""
    return "".join(filter(str.isalnum, text.casefold()))


def compare(article: Article, read: Paper) -> Reading:
    """Measure one reading."""
    truth = article.paper
    asides = {key(text) for _, texts in matter.BOX for text in texts}
    true_prose = _prose(truth)
    read_prose = [sentence for sentence in _prose(read) if key(sentence.text) not in asides]
    places: dict[str, list[int]] = defaultdict(list)
    for place, sentence in enumerate(read_prose):
        places[key(sentence.text)].append(place)
    pairs = _matched(true_prose, places)
    found = [(true, read_prose[place]) for true, place in pairs if place is not None]
    expected = Counter(key(sentence.text) for sentence in true_prose)
    real = sum((Counter(key(sentence.text) for sentence in read_prose) & expected).values())
    neighbours = [(a, b) for (_, a), (_, b) in pairwise(pairs) if a is not None and b is not None]
    headings, read_headings = _headings(truth), _headings(read)
    boxes = {key(title) for title, _ in matter.BOX}
    levels = [(level, read_headings[name]) for name, level in headings.items() if name in read_headings]
    known = [(wanted, got) for wanted, got in levels if wanted and got]
    pool = [key(sentence.text) for sentence in read.sentences]
    return Reading(
        recall=Share(len(found), len(true_prose)),
        precision=Share(real, len(read_prose)),
        order=Share(sum(b == a + 1 for a, b in neighbours), len(neighbours)),
        words=_sum(_same_words(true.text, sentence.text) for true, sentence in found),
        kinds=Share(sum(_kind(truth, a) is _kind(read, b) for a, b in found), len(found)),
        headings=Share(len(levels), len(headings)),
        real_headings=Share(len(levels), len(read_headings.keys() - boxes)),
        levels=Share(sum(wanted == got for wanted, got in known), len(known)),
        captions=_kept(truth, read, Kind.CAPTION),
        rows=_kept(truth, read, Kind.TABLE),
        references=_kept_out(article.references, "".join(pool)),
        clean=Share(sum(not any(key(text) in sentence for text in _STRANGERS) for sentence in pool), len(pool)),
        title=Share(key(truth.title or "") == key(read.title or ""), 1),
        doi=Share(truth.doi == read.doi, 1),
    )


def missing(article: Article, read: Paper) -> list[str]:
    """The sentences of the paper that were not read, and those read that are not the paper's, for a closer look."""
    texts = {key(text) for _, lines in matter.BOX for text in lines}
    true = {key(sentence.text): sentence.text for sentence in _prose(article.paper)}
    got = {key(sentence.text): sentence.text for sentence in _prose(read)}
    lost = [f"- {text}" for name, text in true.items() if name not in got]
    return lost + [f"+ {text}" for name, text in got.items() if name not in true and name not in texts]


def _prose(paper: Paper) -> list[Sentence]:
    return [sentence for sentence in paper.sentences if sentence.kind in _PROSE and key(sentence.text)]


def _matched(true: Sequence[Sentence], places: dict[str, list[int]]) -> list[tuple[Sentence, int | None]]:
    """Each true sentence with its place in what was read; of equal sentences the first takes the first place."""
    queues = {name: iter(found) for name, found in places.items()}
    return [(sentence, next(queues.get(key(sentence.text), iter(())), None)) for sentence in true]


def _same_words(true: str, read: str) -> Share:
    """How many words, in order, stand between the same spaces and hyphens."""
    wanted, got = _words(true), _words(read)
    return Share(sum((Counter(wanted) & Counter(got)).values()), len(wanted))


def _words(text: str) -> list[str]:
    apart = "".join(character if character.isalnum() else " " for character in text.casefold())
    return apart.split()


def _kind(paper: Paper, sentence: Sentence) -> SectionKind:
    return paper.section_of(sentence).kind


def _headings(paper: Paper) -> dict[str, int]:
    """Each heading below the abstract, and its level; 0 where it runs in with its paragraph."""
    found = {}
    for sentence in paper.sentences:
        section = paper.section_of(sentence)
        if sentence.kind is Kind.HEADING and section.kind is not SectionKind.ABSTRACT:
            level = section.level if sentence.index == section.first else 0
            found[key(without_number(sentence.text))] = level
    return found


def _kept(truth: Paper, read: Paper, kind: Kind) -> Share:
    """How many sentences of a kind are read as that kind; the cells of table rows are told apart."""
    wanted, got = (
        Counter(
            _cells(sentence.text) if kind is Kind.TABLE else key(sentence.text)
            for sentence in paper.sentences
            if sentence.kind is kind
        )
        for paper in (truth, read)
    )
    return Share(sum((wanted & got).values()), sum(wanted.values()))


def _cells(row: str) -> str:
    return "|".join(filter(None, (key(cell) for cell in row.split("|"))))


def _kept_out(references: Sequence[str], pool: str) -> Share:
    telling = [start for reference in references if len(start := key(reference)[:60]) >= _TELLING]
    return Share(sum(start not in pool for start in telling), len(telling))


def _sum(shares: Iterable[Share]) -> Share:
    return sum(shares, start=Share(0, 0))
