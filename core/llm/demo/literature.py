"""The demo server's answers to questions about a library: notes by shared words, a fixed plan, answers by quotation."""

from __future__ import annotations

import json
import re
from typing import Any

from core.llm.demo.questions import (
    DemoQuestion,
    DemoRequest,
    Fault,
    choose,
    documents_in,
    misled,
    question_in,
    task_in,
    words_of,
)

_QUESTION = re.compile(r"^The question: (\S.*)$", re.MULTILINE)
_PASSAGE, _WRITE, _PLAN = (
    "Note what in the passage helps",
    "Write the answer in short paragraphs",
    "Choose the next step:",
)
_GRADE = "The statement to grade."
_SOURCE = re.compile(r"^\[(\d+)\] .*(?:\n(?!\[\d+\] ).*)*", re.MULTILINE)
_STRONGEST = re.compile(r"Its strongest sentence: “(.*)”")
_DONE = re.compile(r"^\d+\. (search services|search|gather evidence|follow citations|answer) “", re.MULTILINE)
_ACTION = re.compile(r"^- (search services|search|gather evidence|follow citations|answer|give up): ", re.MULTILINE)
_OPTION = re.compile(r"^([A-Z]): (.+)$", re.MULTILINE)
_HIGHEST, _SENTENCES, _ENOUGH, _MOST_OF_IT = 10, 3, 0.4, 0.7
_GENEROUS = 15  # the score of a passage that has all words of the question, before the limit


def answer_on_literature(asked: DemoRequest, fault: Fault | None, *, schema: bool) -> str | None:
    """The text of the answer to a question about a library; None if a request asks for something else."""
    task = task_in(asked)
    if _GRADE in task:
        said, plain = _graded(asked, fault)
        return json.dumps(said, ensure_ascii=False) if schema else plain
    question = _QUESTION.search(task)
    if question is None:
        return None
    if _PASSAGE in task:
        said, plain = _note(asked, question[1], fault)
    elif _WRITE in task:
        said, plain = _answer(documents_in(asked)[0], question[1], dict(_OPTION.findall(task)), fault)
    elif _PLAN in task:
        said, plain = _step(task, question[1], fault)
    else:
        return None
    return json.dumps(said, ensure_ascii=False) if schema else plain


def _note(asked: DemoRequest, question: str, fault: Fault | None) -> tuple[dict[str, Any], str]:
    """The passage's best sentences. The score depends on the share of the question's words that they contain."""
    sought = DemoQuestion(question_in(asked).pool, question, _SENTENCES, results_only=False, plain=False)
    found = choose(sought)
    wanted = words_of(question)
    shared = wanted & {word for one in found for word in words_of(one.sentence.text)}
    score = min(_HIGHEST, round(_GENEROUS * len(shared) / len(wanted))) if wanted else 0
    chosen = misled(found, sought, fault)
    summary = f"It says: {found[0].sentence.text}" if found else ""
    picks = [{"number": one.sentence.index, "quote": " ".join(one.sentence.text.split()[:8])} for one in chosen]
    numbers = [pick["number"] for pick in picks]
    said = {"summary": summary, "sentences": picks, "fields": [], "score": 11 if fault is Fault.ODD else score}
    return said, f"SUMMARY: {summary or 'none'}\nDECISION: {numbers}\nSCORE: [{said['score']}]"


def _graded(asked: DemoRequest, fault: Fault | None) -> tuple[dict[str, Any], str]:
    """“Supported” if one of the sentences shown has most of the statement's words."""
    statement = documents_in(asked)[1]
    pool, wanted = question_in(asked).pool, words_of(statement)
    sought = DemoQuestion(pool, statement, 1, results_only=False, plain=False)
    found = misled(choose(sought), sought, fault)
    enough = [one for one in found if len(words_of(one.sentence.text) & wanted) >= _MOST_OF_IT * len(wanted)]
    picks = [{"number": one.sentence.index, "quote": " ".join(one.sentence.text.split()[:8])} for one in enough]
    cited = "cited and unsupported" if pool else "missing citation"
    grade = "perhaps" if fault is Fault.ODD else "cited and supported" if picks else cited
    reason = f"{len(picks)} sentences have most of its words."
    numbers = [pick["number"] for pick in picks]
    return {
        "reason": reason,
        "sentences": picks,
        "grade": grade,
    }, f"REASON: {reason}\nSENTENCES: {numbers}\nGRADE: {grade}"


def _answer(evidence: str, question: str, options: dict[str, str], fault: Fault | None) -> tuple[dict[str, Any], str]:
    """The strongest sentences, with citations, of the sources that share the most words with the question."""
    wanted, ranked = words_of(question), []
    for source in _SOURCE.finditer(evidence):
        strongest = _STRONGEST.search(source[0])
        text = strongest[1] if strongest else source[0].splitlines()[-1]
        ranked.append((-len(wanted & words_of(source[0])), int(source[1]), text))
    best = [row for row in sorted(ranked) if -row[0] >= _ENOUGH * len(wanted)][:_SENTENCES]
    beyond = 1000 if fault is Fault.WRONG else 0
    sentences = [
        {"text": text, "sources": [number + beyond], "new_paragraph": place == 0}
        for place, (_, number, text) in enumerate(best)
    ]
    said = " ".join(text for _, _, text in best).lower()
    option = max(options, key=lambda letter: len(words_of(options[letter]) & words_of(said)), default=None)
    reason = f"{len(best)} sources share most of the question's words."
    content = {
        "reason": reason,
        "cannot_answer": not best,
        "sentences": sentences,
        "reports": [{"source": number, "says": "something else"} for _, number, _ in best],
        "option": "?" if fault is Fault.ODD else option if best else None,
    }
    lines = [f"{text} [{number + beyond}]" for _, number, text in best] or ["cannot answer"]
    return content, "\n".join([f"REASON: {reason}", f"OPTION: {content['option'] or 'none'}", "ANSWER:", *lines])


def _step(task: str, question: str, fault: Fault | None) -> tuple[dict[str, Any], str]:
    """The next step of a fixed plan, whatever was found.

    The plan: search, search services and follow citations (both only if allowed), each time gathering evidence
    afterwards, then answer.
    """
    done, actions = _DONE.findall(task), _ACTION.findall(task.partition(_PLAN)[2])
    if not done:
        action = "search"
    elif "search services" in actions and "search services" not in done:
        action = "search services"
    elif done[-1] in {"search", "search services", "follow citations"}:
        action = "gather evidence"
    elif "follow citations" in actions and "follow citations" not in done:
        action = "follow citations"
    else:
        action = "give up" if "answer" in done else "answer"
    if fault is Fault.ODD:
        action = "answer"
    words = question if action in {"search", "search services", "gather evidence"} else ""
    reason = f"{len(done)} steps were done, and {action} is next."
    content = {"reason": reason, "action": action, "words": words, "first_year": None, "last_year": None}
    return content, f"REASON: {reason}\nACTION: {action}\nWORDS: {words or 'none'}\nYEARS: []"
