"""The demo server's answers to questions about evidence, risk of bias, screening and summaries."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.llm.demo.literature import answer_on_literature
from core.llm.demo.making import answer_on_making
from core.llm.demo.questions import (
    DemoChoice,
    DemoQuestion,
    DemoRequest,
    Fault,
    NumberedSentence,
    choose,
    documents_in,
    is_negative,
    misled,
    question_in,
    task_in,
    words_of,
)
from core.llm.provider import Ending, Json

# ---- judging ----
# Risk of bias: answers depend only on the words that sentences share with criteria and questions.

_QUESTION = re.compile(r"^- (\w+\.\w+) (?:\(only [^)]*\) )?(.+) \(([A-Z, ]+)\)$", re.MULTILINE)
_SCALE = re.compile(r"level in exactly one of these words: ([a-z, ]+)\.")
_CRITERION = re.compile(r"^- ([a-z ]+): (.+)$", re.MULTILINE)
_LETTERS = re.compile(r"decide for one of these letters: ([A-Z, ]+)\.")
_OPTION = re.compile(r"^([A-Z]): (.+)$", re.MULTILINE)
_SURE = 2  # shared words


@dataclass(frozen=True, slots=True)
class _Judged:
    """An answer as JSON and in the plain form."""

    content: Json
    plain: str


def answer_on_bias(asked: DemoRequest, fault: Fault | None, *, schema: bool) -> str | None:
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


def _level(scale: Sequence[str], criteria: dict[str, str], question: DemoQuestion, fault: Fault | None) -> _Judged:
    """The level whose criterion shares the most words with the best sentences; the middle one if none shares any."""
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


def _answer(id: str, text: str, allowed: str, question: DemoQuestion, fault: Fault | None) -> Json:
    """Yes or no, by the best sentence, or no information if no sentence shares a word with the question."""
    asked = replace(question, hypothesis=text)
    chosen = misled(choose(asked), asked, fault)
    return {
        "question": id,
        "reason": _why(chosen[0]) if chosen else "Nothing shares a word with the question.",
        "sentences": [_pick(one) for one in chosen],
        "answer": "maybe" if fault is Fault.ODD else _word(chosen, allowed.split(", ")),
    }


def _word(chosen: Sequence[DemoChoice], allowed: Sequence[str]) -> str:
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


def _option(letters: Sequence[str], listed: str, question: DemoQuestion, fault: Fault | None) -> _Judged:
    """The option that shares the most words with the sentences chosen for the domain."""
    said = {word for one in choose(question) for word in words_of(one.sentence.text)}
    options = dict(_OPTION.findall(listed))
    best = max(letters, key=lambda letter: len(words_of(options[letter]) & said))
    decision = "?" if fault is Fault.ODD else best
    reason = f"Of all, {best} shares most words with the paper."
    return _Judged({"reason": reason, "decision": decision}, f"REASON: {reason}\nDECISION: {decision}")


def _pick(one: DemoChoice) -> Json:
    return {"number": one.sentence.index, "quote": " ".join(one.sentence.text.split()[:8])}


def _why(one: DemoChoice) -> str:
    return f"It shares “{'”, “'.join(one.shared[:4])}” with what is asked."


def _numbers(sentences: Sequence[Json]) -> str:
    return str([one["number"] for one in sentences])


# ---- screening ----
# Screening: answers depend only on the words that sentences share with a criterion.

_FITS = re.compile(r"chosen for the criterion: ([a-z, ]+)\.")
_ENOUGH = 0.6  # share of the criterion's words that the best sentences must have


def answer_on_criterion(asked: DemoRequest, fault: Fault | None, *, schema: bool) -> str | None:
    """The text of the answer to a question about a criterion; None if the question is about something else."""
    documents = documents_in(asked)
    if not (fits := _FITS.search(task_in(asked))) or len(documents) < 2:
        return None
    met, _, unclear = fits[1].split(", ")
    question = replace(question_in(asked), hypothesis=documents[1])
    chosen = misled(choose(question), question, fault)
    wanted = words_of(documents[1])
    shared = wanted & {word for one in chosen for word in words_of(one.sentence.text)}
    fit = met if wanted and len(shared) >= _ENOUGH * len(wanted) else unclear
    fit = "perhaps" if fault is Fault.ODD else fit
    reason = f"The sentences share {len(shared)} of {len(wanted)} words with the criterion."
    picks = [
        {"number": one.sentence.index, "quote": " ".join(one.sentence.text.split()[:8]), "why": one.reason}
        for one in chosen
    ]
    if schema:
        return json.dumps({"reason": reason, "sentences": picks, "fit": fit}, ensure_ascii=False)
    numbers = [one.sentence.index for one in chosen]
    return f"REASON: {reason}\nSENTENCES: {numbers}\nDECISION: {fit}" if question.plain else reason


# ---- definitions ----
# A passage that defines biases: the first line of a block is a bias's name, and a line "Low risk: ..." a criterion.

_SORT = "Sort the passage into the biases"
_LEVEL = re.compile(r"^(Low|Unclear|Some concerns|High)(?: risk)?: (\S.*)$")


def answer_on_definition(asked: DemoRequest, fault: Fault | None, *, schema: bool) -> str | None:
    """The text of the answer to a question about a passage; None if the question is about something else."""
    if _SORT not in task_in(asked):
        return None
    biases = []
    for block in documents_in(asked)[0].strip().split("\n\n"):
        name, *lines = [line for line in block.splitlines() if line.strip()] or [""]
        levels = [(match[1], match[2]) for line in lines if (match := _LEVEL.match(line))]
        definition = " ".join(line for line in lines if not _LEVEL.match(line))
        if fault is Fault.INVENTED:
            definition = "Nothing of the kind was written."
        if name:
            biases.append((name, definition, levels))
    reason = f"There are {len(biases)} blocks."
    if schema:
        listed = [
            {
                "name": name,
                "definition": said,
                "criteria": [{"level": level, "words": words} for level, words in levels],
            }
            for name, said, levels in biases
        ]
        return json.dumps({"reason": reason, "biases": listed}, ensure_ascii=False)
    told = [
        f"BIAS: {name}\nDEFINITION: {said}\nLEVELS:\n" + "\n".join(f"{level} = {words}" for level, words in levels)
        for name, said, levels in biases
    ]
    return "\n".join([f"REASON: {reason}", *told])


# ---- summaries ----
# Plain summaries: the demo server compares words and numbers, and writes a summary from the paper's first sentences.
#
# The summary ends with a sentence that is in no paper, so that there is something to find and to repair.

_SENTENCE = re.compile(r"^Sentence to check: (\S.*)$", re.MULTILINE)
_WRITE = re.compile(r"^Write a plain summary\b", re.MULTILINE)
_NUMBERED = re.compile(r"^(\d+)\. (\S.*)$", re.MULTILINE)
_FAULTY = re.compile(r"^- (\d+): ", re.MULTILINE)
_FIGURE = re.compile(r"\d+(?:\.\d+)?")
_WORD = re.compile(r"[a-z]{4,}")
_HOPE = "One day this could help everybody."
_SUPPORTS, _SENTENCES = 2, 5
_SUMMARIES_ENOUGH = 0.5  # share of a sentence's words that the paper must have


def answer_on_summary(asked: DemoRequest, fault: Fault | None, *, schema: bool) -> str | None:
    """The text of the answer to a question about a summary; None if the question is about something else."""
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


def _judged(sentence: str, pool: tuple[NumberedSentence, ...], fault: Fault | None) -> dict[str, Any]:
    """A sentence is supported if the best sentences contain most of its words and all its figures."""
    question = DemoQuestion(pool, sentence, _SUPPORTS, results_only=False, plain=False)
    chosen = choose(question)
    said = " ".join(one.sentence.text.lower() for one in chosen)
    words = set(_WORD.findall(sentence.lower()))
    strange = [word for word in _WORD.findall(sentence.lower()) if word not in said]
    figure = next((figure for figure in _FIGURE.findall(sentence) if figure not in _FIGURE.findall(said)), None)
    if not chosen or len(set(strange)) > _SUMMARIES_ENOUGH * len(words):
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


def _mended(summary: str, pool: tuple[NumberedSentence, ...]) -> Iterator[dict[str, Any]]:
    """A replacement for each faulty sentence: the paper's best sentence if the two share enough words, else nothing."""
    texts = {int(number): text for number, text in _NUMBERED.findall(summary)}
    for number in map(int, dict.fromkeys(_FAULTY.findall(summary))):
        best: list[DemoChoice] = choose(DemoQuestion(pool, texts.get(number, ""), 1, results_only=False, plain=False))
        alike = best and len(best[0].shared) > 1
        yield {"number": number, "text": best[0].sentence.text if alike else ""}


def _pool(asked: DemoRequest) -> tuple[NumberedSentence, ...]:
    """The source's sentences, one per line, without headings, title and authors."""
    text = "".join(documents_in(asked)[:1]).partition("\n\n")[2]
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("## ")]
    return tuple(NumberedSentence(index, line) for index, line in enumerate(lines))


def _plain(values: dict[str, Any], task: str) -> str:
    """The answer in the plain form, with the keywords that the task names."""
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


# ---- answers ----
# Evidence: the answer is a choice of sentences, in the form that the request's schema or instructions require.

_STANCES = {
    "supports": ("support", "for", "yes"),
    "refutes": ("refut", "contradict", "against", "oppos", "no"),
    "neutral": ("neutral", "neither", "mixed", "unclear", "insufficient"),
}


@dataclass(frozen=True, slots=True)
class DemoAnswer:
    """What the server says."""

    text: str
    ending: Ending = Ending.FINISHED


def answer(asked: DemoRequest, fault: Fault | None) -> DemoAnswer:
    """The answer to a request, changed as the fault requires."""
    if fault is Fault.REFUSAL:
        return DemoAnswer("I can't help with that.", Ending.REFUSED)
    if fault is Fault.EMPTY:
        return DemoAnswer("")
    schema = asked.schema is not None and fault is not Fault.UNHEEDED
    text = (
        answer_on_literature(asked, fault, schema=schema)
        or answer_on_making(asked, fault, schema=schema)
        or answer_on_summary(asked, fault, schema=schema)
        or answer_on_definition(asked, fault, schema=schema)
        or answer_on_criterion(asked, fault, schema=schema)
        or answer_on_bias(asked, fault, schema=schema)
        or _choice(asked, fault, schema=schema)
    )
    if fault is Fault.PROSE:
        return DemoAnswer(f"Here is what I found.\n\n{text}\n\nLet me know if you need more.")
    if fault in (Fault.CUT_OFF, Fault.CUT_JSON):
        return DemoAnswer(text[: len(text) // 2], Ending.CUT_OFF if fault is Fault.CUT_OFF else Ending.FINISHED)
    return DemoAnswer(text)


def _choice(asked: DemoRequest, fault: Fault | None, *, schema: bool) -> str:
    """The answer to a question for evidence."""
    question = question_in(asked)
    chosen = misled(choose(question), question, fault)
    if schema and asked.schema is not None:
        return json.dumps(_Form(question.hypothesis, chosen).fill(asked.schema, ""), ensure_ascii=False)
    indices = [one.sentence.index for one in chosen]
    return f"REASON: {_reason(chosen)}\nDECISION: {indices}" if question.plain else _reason(chosen)


def _reason(chosen: list[DemoChoice]) -> str:
    if not chosen:
        return "Nothing in the text shares a word with the hypothesis."
    return " ".join(f"Sentence {one.sentence.index}: {one.reason}" for one in chosen[:3])


@dataclass(frozen=True, slots=True)
class _Form:
    """Fills any JSON schema from a choice of sentences, by the types and names of its fields."""

    hypothesis: str
    chosen: list[DemoChoice]

    def fill(self, node: Json, name: str, one: DemoChoice | None = None) -> Any:
        """A value for `node`, the schema of the field `name`; inside a list, it is about the sentence `one`."""
        if "anyOf" in node:
            return self._option(node["anyOf"], name, one)
        if "enum" in node:
            return self._named(node["enum"], one)
        match node.get("type"):
            case "object":
                return {field: self.fill(inner, field, one) for field, inner in node["properties"].items()}
            case "array":
                return [self.fill(node["items"], name, each) for each in self.chosen]
            case "integer" | "number":
                return self._index(name, one)
            case "boolean":
                return False
            case "null":
                return None
        return self._words(name, one)

    def _words(self, name: str, one: DemoChoice | None) -> str:
        if "paraphrase" in name:
            return f"It is the case that {self.hypothesis}"
        if "negation" in name:
            return f"It is not the case that {self.hypothesis}"
        if one and "begin" in name:
            return " ".join(one.sentence.text.split()[:8])
        if one and any(word in name for word in ("quote", "text", "sentence")):
            return one.sentence.text
        return one.reason if one else _reason(self.chosen)

    def _option(self, options: list[Json], name: str, one: DemoChoice | None) -> Any:
        """A value of the first option that is not null; None if no sentence has the stance that the name refers to."""
        number = next((node for node in options if node.get("type") == "integer"), None)
        if number and one is None and self._of_stance(name) is None:
            return None
        return self.fill(next(node for node in options if node.get("type") != "null"), name, one)

    def _index(self, name: str, one: DemoChoice | None) -> int:
        found = one or self._of_stance(name)
        return found.sentence.index if found else -1

    def _of_stance(self, name: str) -> DemoChoice | None:
        """The best sentence with the stance that a field's name refers to (such as `strongest_against`)."""
        for stance, words in _STANCES.items():
            if any(part.startswith(word) for part in name.lower().split("_") for word in words):
                return next((one for one in self.chosen if one.stance == stance), None)
        return self.chosen[0] if self.chosen else None

    def _named(self, values: list[str], one: DemoChoice | None) -> str:
        """The value of an enum that matches the stance of a sentence, or of most sentences."""
        if not self.chosen and "not reported" in values:
            return "not reported"
        stances = [one.stance] if one else [each.stance for each in self.chosen if each.stance != "neutral"]
        if len(set(stances)) > 1 and "mixed" in values:
            return "mixed"
        stance = max(sorted(set(stances)), key=stances.count) if stances else "neutral"
        for value in values:
            if str(value).lower().startswith(_STANCES[stance]):
                return value
        return values[0]
