"""Cut a paper into passages of a few consecutive sentences of one section."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from core.entailment import part_of, readable
from core.evidence.sentence_roles import ROLES, SentenceRole, load_roles
from core.library.model import Passage
from core.paper import Kind, Paper, Sentence

MOST_SENTENCES, MOST_WORDS = 8, 200
SPLITTER = f"passages-1-{MOST_SENTENCES}-{MOST_WORDS}"  # increase the number when the same limits give other passages
_DECIMALS = 3  # of probabilities
_FINDING = ROLES.index(SentenceRole.FINDING)


def passages_of(paper: Paper) -> list[Passage]:
    """The passages of a paper, in its order. They contain every sentence once, except titles and headings."""
    sentences = readable(paper)
    if not sentences:
        return []
    findings = load_roles().probabilities(paper, sentences)[:, _FINDING].round(_DECIMALS).tolist()
    likely = dict(zip((one.index for one in sentences), findings, strict=True))
    return [
        Passage(
            paper.id,
            group[0].index,
            paper.section_of(group[0]).title,
            part_of(paper, group[0]),
            group[0].page,
            tuple(one.text for one in group),
            tuple(likely[one.index] for one in group),
            _before(paper, group[0]),
        )
        for group in _groups(sentences)
    ]


def _groups(sentences: Iterable[Sentence]) -> Iterator[list[Sentence]]:
    group: list[Sentence] = []
    words = 0
    for sentence in sentences:
        length = len(sentence.text.split())
        if group and (
            not _together(group[-1], sentence) or len(group) == MOST_SENTENCES or words + length > MOST_WORDS
        ):
            yield group
            group, words = [], 0
        group.append(sentence)
        words += length
    if group:
        yield group


def _together(one: Sentence, other: Sentence) -> bool:
    """Whether two sentences are consecutive in one section, and both, or neither, in a table or in a caption."""
    apart = {Kind.TABLE, Kind.CAPTION}
    return (
        one.section == other.section
        and other.index == one.index + 1
        and (one.kind is other.kind or not {one.kind, other.kind} & apart)
    )


def _before(paper: Paper, sentence: Sentence) -> str:
    before = paper.sentences[sentence.index - 1] if sentence.index else None
    follows = before is not None and before.section == sentence.section and before.kind is sentence.kind
    return before.text if before and follows else ""
