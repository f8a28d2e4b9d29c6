"""The demo server's answers to the questions that build a benchmark, from marks, figures and shared words alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.llm.demo.questions import DemoRequest, Fault, documents_in, task_in, words_of

_THIS, _ANOTHER = "[this paper]", "[another paper]"
_NUMBERED = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+")
_PIECE_END = re.compile(r"(?<=[.;])\s+|,? and (?=\w+ (?:was|were|had|did)\b)")
_FOUND = re.compile(
    r"\d[\d.]*\s*%|\bp\s*[<=>]|\b(?:more|less|fewer|better|worse|higher|lower|reduc|increas|improv|differ|fell|rose|slept|effect|length|short|fast|slow)\w*",
    re.I,
)
_DONE = re.compile(
    r"\b(?:randomi[sz]ed|enrolled|recruited|allocated|assigned|adults|patients|participants|weeks|months)\b", re.I
)
_COMMENT = re.compile(
    r"\b(?:we|unclear|probably|judged|judge|likely|unlikely|insufficient|not reported|no information|risk of bias)\b",
    re.I,
)
_GENERAL = re.compile(r"^(?:this|the) (?:study|paper|article) is\b", re.I)
_GOES_ON = re.compile(r"^(?:It|They|The (?:trial|study|authors))\b")
_ENOUGH = 0.5  # the least share of a piece's words that a source must have
_WRONG = 1000  # added to a number to simulate `Fault.WRONG`

Said = tuple[dict[str, Any], str]  # the answer in the form of the schema, and in the plain form


def answer_on_making(asked: DemoRequest, fault: Fault | None, *, schema: bool) -> str | None:
    """The text of the answer to such a question; None if a request asks for something else."""
    task = task_in(asked)
    answer = next((answer for phrase, answer in _ANSWERS.items() if phrase in task), None)
    if answer is None:
        return None
    said, plain = answer(documents_in(asked), fault)
    return json.dumps(said, ensure_ascii=False) if schema else plain


def _cut(documents: Sequence[str], fault: Fault | None) -> Said:
    """The sentence with the mark, and the sentences after it that continue it."""
    shown = _listed(documents[0])
    at = next((number for number, text in shown.items() if _THIS in text), 0)
    chosen = [at]
    while (text := shown.get(chosen[-1] + 1)) and _GOES_ON.match(text) and _ANOTHER not in text:
        chosen.append(chosen[-1] + 1)
    return _picks("They stand with the mark.", chosen, shown, fault)


def _suitable(documents: Sequence[str], fault: Fault | None) -> Said:
    found, done = bool(_FOUND.search(documents[0])), bool(_DONE.search(documents[0]))
    kind = ("both" if done else "results") if found else "experiment" if done else "neither"
    return _decision("By its words.", "perhaps" if fault is Fault.ODD else kind)


def _claim(documents: Sequence[str], fault: Fault | None) -> Said:
    """The first sentence around the summary that contains no figure, or else the summary's first words."""
    summary = documents[1].removeprefix("The summary: ")
    own, _, beyond = documents[0].partition("\n\n")
    around = [one.strip() for one in _SENTENCE_END.split(f"{beyond} {own}".replace("\n", " ")) if one.strip()]
    free = [one for one in around if not re.search(r"\d", one) and one not in summary]
    return _hypothesis(
        "It stands around the summary.", free[0] if free else " ".join(re.sub(r"\d\S*", "", summary).split()[:12])
    )


def _trim(documents: Sequence[str], fault: Fault | None) -> Said:
    claim = documents[1].removeprefix("The claim: ").strip()
    return _hypothesis("Nothing is to be dropped.", claim.rstrip(".?") + ".")


def _aspects(documents: Sequence[str], fault: Fault | None) -> Said:
    statement = documents[1].removeprefix("The statement: ")
    pieces = [piece.strip(" ,;") for piece in _PIECE_END.split(statement) if piece.strip(" .,;")]
    if fault is Fault.INVENTED:
        pieces.append("Nothing of the kind was written.")
    return _items("Cut at stops.", pieces)


def _leaks(documents: Sequence[str], fault: Fault | None) -> Said:
    known = words_of(documents[0])
    return _numbers("By words.", [n for n, text in _listed(documents[1]).items() if words_of(text) - known], fault)


def _results(documents: Sequence[str], fault: Fault | None) -> Said:
    return _numbers("By words.", [n for n, text in _listed(documents[0]).items() if _FOUND.search(text)], fault)


def _align(documents: Sequence[str], fault: Fault | None) -> Said:
    shown, piece = _listed(documents[0]), words_of(documents[1].removeprefix("The piece: "))
    chosen = [n for n, text in shown.items() if piece and len(piece & words_of(text)) >= _ENOUGH * len(piece)]
    return _picks("They share most of the piece's words.", chosen, shown, fault)


def _comment(documents: Sequence[str], fault: Fault | None) -> Said:
    kind = "comment" if _COMMENT.search(documents[0]) else "general" if _GENERAL.search(documents[0]) else "specific"
    return _decision("By its words.", "perhaps" if fault is Fault.ODD else kind)


def _options(documents: Sequence[str], fault: Fault | None) -> Said:
    """The first three of the other judgements, each with the first words of this paper added."""
    title = " ".join(next(iter(_listed(documents[0]).values()), "this paper").split()[:8])
    others = list(_listed(documents[2]).values())[:3]
    return _items("By their order.", [f"{text.rstrip('.')}, as “{title}” tells." for text in others])


def _shorter(documents: Sequence[str], fault: Fault | None) -> Said:
    return _items(
        "By their first words.",
        [" ".join(text.split()[:12]).rstrip(".,") + "." for text in _listed(documents[1]).values()],
    )


def _others(documents: Sequence[str], fault: Fault | None) -> Said:
    right = words_of(documents[0])
    differ = [
        n for n, text in _listed(documents[1]).items() if len(right & words_of(text)) < _ENOUGH * max(1, len(right))
    ]
    return _numbers("By words.", differ[:3], fault)


def _entails(documents: Sequence[str], fault: Fault | None) -> Said:
    right = words_of(documents[0])
    return _numbers("By words.", [n for n, text in _listed(documents[1]).items() if right <= words_of(text)], fault)


_ANSWERS: Mapping[str, Callable[[Sequence[str], Fault | None], Said]] = {
    "Cut the summary of one paper out": _cut,
    "Sort the summary of a paper": _suitable,
    "Recover the hypothesis": _claim,
    "Trim a hypothesis": _trim,
    "Cut a statement about a paper": _aspects,
    "Find pieces that say more": _leaks,
    "Find the pieces that are results": _results,
    "Find the sentences that each tell a piece": _align,
    "Sort a piece of a reviewer's judgement": _comment,
    "Write three wrong judgements": _options,
    "Shorten judgements": _shorter,
    "Choose wrong answers": _others,
    "Find judgements that are right after all": _entails,
}


def _listed(text: str) -> dict[int, str]:
    return {int(number): line for number, line in _NUMBERED.findall(text)}


def _picks(reason: str, chosen: Sequence[int], shown: Mapping[int, str], fault: Fault | None) -> Said:
    beyond = _WRONG if fault is Fault.WRONG else 0
    quotes = ["Nothing of the kind." if fault is Fault.INVENTED else " ".join(shown[n].split()[:8]) for n in chosen]
    picks = [{"number": n + beyond, "quote": quote} for n, quote in zip(chosen, quotes, strict=True)]
    return {"reason": reason, "decision": picks}, f"REASON: {reason}\nDECISION: {[pick['number'] for pick in picks]}"


def _numbers(reason: str, chosen: Sequence[int], fault: Fault | None) -> Said:
    decision = [n + (_WRONG if fault is Fault.WRONG else 0) for n in chosen]
    return {"reason": reason, "decision": decision}, f"REASON: {reason}\nDECISION: {decision}"


def _decision(reason: str, word: str) -> Said:
    return {"reason": reason, "decision": word}, f"REASON: {reason}\nDECISION: {word}"


def _hypothesis(reason: str, text: str) -> Said:
    return {"reason": reason, "hypothesis": text}, f"REASON: {reason}\nHYPOTHESIS: {text}"


def _items(reason: str, items: Sequence[str]) -> Said:
    return {"reason": reason, "items": list(items)}, "\n".join(
        [f"REASON: {reason}", "ITEMS:", *(f"- {item}" for item in items)]
    )
