"""What the demo server says of risk of bias: by words that sentences share with criteria and questions, no more."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.llm.demo.choosing import Chosen, choose, is_negative, misled, words_of
from core.llm.demo.faults import Fault
from core.llm.demo.question import Asked, Question, documents_in, question_in, task_in
from core.llm.wire import Json

_QUESTION = re.compile(r"^- (\d+\.\d+) (?:\(only [^)]*\) )?(.+) \(([A-Z, ]+)\)$", re.MULTILINE)
_SCALE = re.compile(r"level in exactly one of these words: ([a-z, ]+)\.")
_CRITERION = re.compile(r"^- ([a-z ]+): (.+)$", re.MULTILINE)
_LETTERS = re.compile(r"decide for one of these letters: ([A-Z, ]+)\.")
_OPTION = re.compile(r"^([A-Z]): (.+)$", re.MULTILINE)
_SURE = 2  # shared words


@dataclass(frozen=True, slots=True)
class _Judged:
    """An answer in both forms."""

    content: Json
    plain: str


def answer_on_bias(asked: Asked, fault: Fault | None, *, schema: bool) -> str | None:
    """The text of the answer to a question on risk of bias; None if a request asks for no judgement."""
    task, question = task_in(asked), question_in(asked)
    if questions := _QUESTION.findall(task):
        answers = [_answer(id, text, allowed, question, fault) for id, text, allowed in questions]
        said = _answers(answers[1:] if fault is Fault.MISSING else answers)
    elif scale := _SCALE.search(task):
        said = _level(scale[1].split(", "), dict(_CRITERION.findall(task)), question, fault)
    elif letters := _LETTERS.search(task):
        said = _option(letters[1].split(", "), documents_in(asked)[1], question, fault)
    else:
        return None
    if schema:
        return json.dumps(said.content, ensure_ascii=False)
    return said.plain if question.plain else str(said.content.get("reason", "It depends."))


def _level(scale: Sequence[str], criteria: dict[str, str], question: Question, fault: Fault | None) -> _Judged:
    """The level whose criterion shares most words with the best sentences; the middle one if none does."""
    chosen = misled(choose(question), question, fault)
    said = {word for one in chosen[:3] for word in words_of(one.sentence.text)}
    shared = {level: len(words_of(criteria[level]) & said) for level in scale}
    best = max(scale, key=lambda level: (shared[level], level == scale[1]))
    level = "moderate" if fault is Fault.ODD else best
    reason = f"The sentences share {shared[best]} words with what makes it {best}."
    sentences = [_pick(one) | {"why": _why(one)} for one in chosen]
    return _Judged(
        {"reason": reason, "sentences": sentences, "level": level},
        f"REASON: {reason}\nSENTENCES: {_numbers(sentences)}\nDECISION: {level}",
    )


def _answer(id: str, text: str, allowed: str, question: Question, fault: Fault | None) -> Json:
    """Yes or no by the best sentence, no information where none shares a word with the question."""
    asked = replace(question, hypothesis=text)
    chosen = misled(choose(asked), asked, fault)
    return {
        "question": id,
        "reason": _why(chosen[0]) if chosen else "Nothing shares a word with the question.",
        "sentences": [_pick(one) for one in chosen],
        "answer": "maybe" if fault is Fault.ODD else _word(chosen, allowed.split(", ")),
    }


def _word(chosen: Sequence[Chosen], allowed: Sequence[str]) -> str:
    if not chosen:
        return "NI" if "NI" in allowed else "PN"
    sure = len(chosen[0].shared) >= _SURE
    if is_negative(chosen[0].sentence.text):
        return "N" if sure else "PN"
    return "Y" if sure else "PY"


def _answers(answers: Sequence[Json]) -> _Judged:
    def lines() -> Iterator[str]:
        for one in answers:
            yield f"QUESTION: {one['question']}\nREASON: {one['reason']}"
            yield f"SENTENCES: {_numbers(one['sentences'])}\nANSWER: {one['answer']}"

    return _Judged({"answers": list(answers)}, "\n".join(lines()))


def _option(letters: Sequence[str], listed: str, question: Question, fault: Fault | None) -> _Judged:
    """The option that shares most words with the sentences that share most with the domain."""
    said = {word for one in choose(question) for word in words_of(one.sentence.text)}
    options = dict(_OPTION.findall(listed))
    best = max(letters, key=lambda letter: len(words_of(options[letter]) & said))
    decision = "?" if fault is Fault.ODD else best
    reason = f"Of all, {best} shares most words with the paper."
    return _Judged({"reason": reason, "decision": decision}, f"REASON: {reason}\nDECISION: {decision}")


def _pick(one: Chosen) -> Json:
    return {"number": one.sentence.index, "quote": " ".join(one.sentence.text.split()[:8])}


def _why(one: Chosen) -> str:
    return f"It shares “{'”, “'.join(one.shared[:4])}” with what is asked."


def _numbers(sentences: Sequence[Json]) -> str:
    return str([one["number"] for one in sentences])
