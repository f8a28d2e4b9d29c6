"""A paper as a model is shown it: in parts, every sentence with its number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.paper import Kind, Paper, Sentence


@dataclass(frozen=True, slots=True)
class Part:
    """Sentences that a model sees at once. `shown` holds those that it may choose, by number."""

    title: str
    listing: str  # a line each: "[number] text", or a heading without a number
    shown: Mapping[int, str]


def whole(paper: Paper, candidates: Iterable[Sentence]) -> Part:
    """All of the paper."""
    return _part("The whole", paper.pool, candidates)


def sections(paper: Paper, candidates: Iterable[Sentence]) -> tuple[Part, ...]:
    """The paper's main sections, each with its subsections; those without a sentence to choose are left out."""
    candidates = tuple(candidates)
    parts = (_part(title, sentences, candidates) for title, sentences in _main_sections(paper))
    return tuple(part for part in parts if part.shown)


def chosen(paper: Paper, numbers: Iterable[int]) -> Part:
    """Sentences of several sections, in the paper's order, each under its section's heading."""
    wanted = [paper.sentences[number] for number in sorted(numbers)]
    lines: list[str] = []
    section = -1
    for sentence in wanted:
        if sentence.section != section:
            section = sentence.section
            lines.append(_heading(paper.sections[section].title))
        lines.append(_numbered(sentence))
    return Part("What was chosen", "\n".join(lines), {s.index: s.text for s in wanted})


def given(sentences: Sequence[str]) -> Part:
    """Sentences of no paper in particular, numbered from 0."""
    lines = [f"[{number}] {_one_line(text)}" for number, text in enumerate(sentences)]
    return Part("What was given", "\n".join(lines), dict(enumerate(sentences)))


def _main_sections(paper: Paper) -> Iterator[tuple[str, tuple[Sentence, ...]]]:
    """(title, sentences) of each section of the first level and what stands below it."""
    starts = [section for section in paper.sections if section.level <= 1] or list(paper.sections[:1])
    firsts = [0, *(section.first for section in starts[1:]), len(paper.sentences)]
    for section, first, end in zip(starts, firsts, firsts[1:], strict=False):
        yield section.title, paper.sentences[first:end]


def _part(title: str, sentences: Iterable[Sentence], candidates: Iterable[Sentence]) -> Part:
    may_be_chosen = {sentence.index for sentence in candidates}
    sentences = tuple(sentences)
    lines = [
        _numbered(s) if s.index in may_be_chosen else _heading(s.text)
        for s in sentences
        if _is_listed(s, may_be_chosen)
    ]
    return Part(title, "\n".join(lines), {s.index: s.text for s in sentences if s.index in may_be_chosen})


def _is_listed(sentence: Sentence, may_be_chosen: set[int]) -> bool:
    return sentence.index in may_be_chosen or sentence.kind in {Kind.TITLE, Kind.HEADING}


def _numbered(sentence: Sentence) -> str:
    return f"[{sentence.index}] {_one_line(sentence.text)}"


def _heading(text: str) -> str:
    return f"## {_one_line(text)}"


def _one_line(text: str) -> str:
    return " ".join(text.split())
