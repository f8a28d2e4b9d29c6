"""The words in which a model is asked about a summary sentence: templates chosen, filled and remembered by hash."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from core.evidence.llm.asking import asked_again
from core.llm import ReplySchema, Request
from core.llm.wire import set_apart
from core.paper import Kind, Paper, Sentence
from core.prompts import load_prompt
from core.summary.llm.answers import LabelAlone, LabelAndParts, LabelAndSentences
from core.summary.splitting import SummarySentence

_BEFORE = 3  # sentences of the summary that are shown before the one to check


class Strategy(StrEnum):
    """What a model is asked for (FaReBio, appendix D, and a third one after section 3.3). The first is the default."""

    SUPPORT = "support"  # the label and the sentences that it rests on
    LABEL = "label"  # the label alone
    PARTS = "parts"  # the same as SUPPORT, and the inconsistent part with its kind


_SCHEMAS: dict[Strategy, type[ReplySchema]] = {
    Strategy.SUPPORT: LabelAndSentences,
    Strategy.LABEL: LabelAlone,
    Strategy.PARTS: LabelAndParts,
}


class Wording:
    """Fills the templates for one source. Raises `PromptError` if a template is wrong."""

    def __init__(self, strategy: Strategy, paper: Paper, source: Iterable[Sentence]) -> None:
        self._schema = _SCHEMAS[strategy]
        self._frame = load_prompt(
            "summary-frame",
            variables=("title", "authors", "text", "before", "sentence"),
            parts=("system", "context", "summary"),
        )
        self._question = load_prompt(f"summary-{strategy}", variables=(), parts=("task", "plain"))
        self._again = load_prompt("summary-again", variables=("task", "faults"))
        self._context = self._frame.fill("context", **source_fields(paper, source))
        self.hashes = tuple((prompt.name, prompt.hash) for prompt in (self._frame, self._question, self._again))

    def judgement(self, sentence: SummarySentence, before: Sequence[SummarySentence], *, label: str) -> Request:
        """Ask about one sentence; the last ones before it in the summary tell what it speaks of."""
        told = " ".join(one_line(other.text) for other in before[-_BEFORE:]) or "(nothing)"
        shown = set_apart(self._frame.fill("summary", before=told, sentence=one_line(sentence.text)))
        return Request(
            system=self._frame.fill("system"),
            context=self._context,
            task=f"{shown}\n\n{self._question.fill('task')}",
            schema=self._schema,
            plain=self._question.fill("plain"),
            cache_context=True,  # the source is sent again for each sentence
            label=label,
        )

    def once_more(self, request: Request, faults: Iterable[str]) -> Request:
        """Ask again, naming the faults of the first answer."""
        return asked_again(self._again, request, faults)


def source_fields(paper: Paper, source: Iterable[Sentence]) -> dict[str, str]:
    """The source as the templates take it (FaReBio, appendix C): title, authors and text, a sentence a line."""
    lines = [
        f"\n## {one_line(sentence.text)}" if sentence.kind is Kind.HEADING else one_line(sentence.text)
        for sentence in source
        if sentence.kind is not Kind.TITLE
    ]
    return {
        "title": one_line(paper.title or paper.name),
        "authors": ", ".join(map(one_line, paper.authors)) or "not named",
        "text": "\n".join(lines).strip(),
    }


def one_line(text: str) -> str:
    """Text without line breaks."""
    return " ".join(text.split())
