"""The plain form of an answer, for servers without schemas: keywords in capitals, numbers in square brackets.

`REASON: ... DECISION: [3, 7]`. Read strictly: what is not exactly right is no answer.
"""

from __future__ import annotations

import re

_NUMBERS = re.compile(r"\[\s*(?:[0-9]{1,9}\s*(?:,\s*[0-9]{1,9}\s*)*)?\]")


class NotPlain(ValueError):
    """The text is not in the plain form; the message says what is amiss, without a word of the text."""


def fields(text: str, *keywords: str) -> tuple[str, ...]:
    """What stands after each keyword. The text begins with the first one, and each stands once, in this order.

    Raises `NotPlain`.
    """
    values = []
    before, rest = "", text
    for keyword in keywords:
        if rest.count(f"{keyword}:") != 1:
            raise NotPlain(_amiss(keywords))
        before, _, rest = rest.partition(f"{keyword}:")
        values.append(before.strip())
    if values[0]:
        raise NotPlain(_amiss(keywords))
    return (*values[1:], rest.strip())


def numbers(text: str, keyword: str) -> list[int]:
    """The numbers of a list that is all there is after a keyword. Raises `NotPlain`."""
    if not _NUMBERS.fullmatch(text):
        raise NotPlain(f"after {keyword}: stands something else than numbers in square brackets")
    return [int(number) for number in re.findall(r"[0-9]+", text)]  # models write 07, which JSON does not know


def reason_and_numbers(text: str) -> tuple[str, list[int]]:
    """A choice of numbers: `REASON: ... DECISION: [3, 7]`. Raises `NotPlain`."""
    reason, decision = fields(text, "REASON", "DECISION")
    return reason, numbers(decision, "DECISION")


def _amiss(keywords: tuple[str, ...]) -> str:
    named = " ".join(f"{keyword}: ..." for keyword in keywords)
    return f"it is not “{named}” with each word once"
