"""The demo server on plain summaries. It compares words and numbers, writes what the paper says, and understands nothing.

What it writes ends with a sentence that no paper has, so that there is something to find and to repair.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from core.llm.demo.choosing import Chosen, choose, misled
from core.llm.demo.faults import Fault
from core.llm.demo.question import Asked, Numbered, Question, documents_in, task_in

_SENTENCE = re.compile(r"^Sentence to check: (\S.*)$", re.MULTILINE)
_WRITE = re.compile(r"^Write a plain summary\b", re.MULTILINE)
_NUMBERED = re.compile(r"^(\d+)\. (\S.*)$", re.MULTILINE)
_FAULTY = re.compile(r"^- (\d+): ", re.MULTILINE)
_FIGURE = re.compile(r"\d+(?:\.\d+)?")
_WORD = re.compile(r"[a-z]{4,}")
_HOPE = "One day this could help everybody."
_SUPPORTS, _SENTENCES = 2, 5
_ENOUGH = 0.5  # share of a sentence's words that the paper must have


def answer_on_summary(asked: Asked, fault: Fault | None, *, schema: bool) -> str | None:
    """The text of the answer to a question about a summary; None if it is about something else."""
    task, pool = task_in(asked), _pool(asked)
    summary = "\n".join(documents_in(asked)[1:])
    if sentence := _SENTENCE.search(summary):
        values = _judged(sentence[1], pool, fault)
    elif _FAULTY.search(summary) and _NUMBERED.search(summary):
        values = {"sentences": list(_mended(summary, pool))}
    elif _WRITE.search(task):
        values = {"summary": " ".join([*(sentence.text for sentence in pool[:_SENTENCES]), _HOPE])}
    else:
        return None
    if schema and asked.schema is not None:
        return json.dumps({name: values[name] for name in asked.schema["properties"]}, ensure_ascii=False)
    return _plain(values, task)


def _judged(sentence: str, pool: tuple[Numbered, ...], fault: Fault | None) -> dict[str, Any]:
    """A sentence is supported if the paper has most of its words, and the best sentences all its figures."""
    question = Question(pool, sentence, _SUPPORTS, results_only=False, plain=False)
    chosen = choose(question)
    said = " ".join(one.sentence.text.lower() for one in chosen)
    words = set(_WORD.findall(sentence.lower()))
    strange = [word for word in _WORD.findall(sentence.lower()) if word not in said]
    figure = next((figure for figure in _FIGURE.findall(sentence) if figure not in _FIGURE.findall(said)), None)
    if not chosen or len(set(strange)) > _ENOUGH * len(words):
        reason, part, label = "Little of it is in the paper.", (strange or [sentence])[0], "not in the paper"
    elif figure is not None:
        reason, part, label = f"The sentences do not say {figure}.", figure, "contradicts the paper"
    else:
        reason, part, label = chosen[0].reason.replace("hypothesis", "summary"), None, "supported"
    return {
        "sentences": [one.sentence.text for one in misled(chosen, question, fault)],
        "reason": reason,
        "label": label,
        "part": part,
    }


def _mended(summary: str, pool: tuple[Numbered, ...]) -> Iterator[dict[str, Any]]:
    """The paper's best sentence in the place of each faulty one, if it shares enough words; else nothing."""
    texts = {int(number): text for number, text in _NUMBERED.findall(summary)}
    for number in map(int, dict.fromkeys(_FAULTY.findall(summary))):
        best: list[Chosen] = choose(Question(pool, texts.get(number, ""), 1, results_only=False, plain=False))
        alike = best and len(best[0].shared) > 1
        yield {"number": number, "text": best[0].sentence.text if alike else ""}


def _pool(asked: Asked) -> tuple[Numbered, ...]:
    """The source's sentences: a line each, without headings, title and authors."""
    text = "".join(documents_in(asked)[:1]).partition("\n\n")[2]
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("## ")]
    return tuple(Numbered(index, line) for index, line in enumerate(lines))


def _plain(values: dict[str, Any], task: str) -> str:
    """The answer in keywords: those that the task names, in its order."""
    if "SUMMARY:" in task:
        return f"SUMMARY: {values['summary']}"
    return "\n".join(
        f"{name.upper()}:{_in_words(values[name])}"
        for name in ("sentences", "reason", "label", "part")
        if f"{name.upper()}:" in task
    )


def _in_words(value: Any) -> str:
    if not isinstance(value, list):
        return f" {value or 'none'}"
    lines = [f"- {one}" if isinstance(one, str) else f"{one['number']}. {one['text']}".strip() for one in value]
    return "\n" + "\n".join(lines) if lines else " none"
