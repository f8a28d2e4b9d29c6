"""Near-copies: a sentence that repeats one of the paper's but for a few words, which may turn its meaning round.

The reader may miss one word among thirty: "not", the name of another group, another number. A sentence that is copied and
then changed is therefore never called supported; the changed words are named instead.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import dropwhile

from core.paper.sections import main_kind
from core.text.words import NEGATIVE, light_stem

_WORD = re.compile(r"\d+(?:[.,·]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?|\d+|[<>=≤≥±%]")
_FEWEST_WORDS = 6
_REPEATED = 0.75  # the least share of a sentence's words that stand in the paper's sentence in the same order
_GRAMMAR = frozenset("a an the and of that which was were is are has have had it its this these those".split())


def changed_words(text: str, sources: Sequence[str]) -> str:
    """The first words that differ from the source sentence that `text` repeats; "" if it repeats none, or nothing differs.

    Words that are left out count only where they negate. A section's title in front of the sentence ("Results:") does not
    count, nor do words that are put in front of it and stand in the sources, as where a sentence was cut differently.
    """
    said = list(dropwhile(main_kind, _words(text)))
    if len(said) < _FEWEST_WORDS:
        return ""
    closest = max(((_blocks(_words(source), said), source) for source in sources), key=lambda one: one[0], default=None)
    if closest is None or closest[0] < _REPEATED * len(said):
        return ""
    original = _words(closest[1])
    known = {word for source in sources for word in _words(source)} - NEGATIVE
    for _, first, last, start, end in SequenceMatcher(None, original, said, autojunk=False).get_opcodes():
        before, after = original[first:last], said[start:end]
        if before == after or (not start and not before and known.issuperset(after)):
            continue
        stems = {*map(light_stem, before)}
        new = [word for word in after if word not in _GRAMMAR and (not word.isalpha() or light_stem(word) not in stems)]
        if new:
            return " ".join(after)
        if gone := NEGATIVE.intersection(before) - NEGATIVE.intersection(after):
            return " ".join(sorted(gone))
    return ""


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _blocks(original: list[str], said: list[str]) -> int:
    """How many words they share in the same order."""
    if len(set(said).intersection(original)) < _REPEATED * len(set(said)):
        return 0
    return sum(block.size for block in SequenceMatcher(None, original, said, autojunk=False).get_matching_blocks())
