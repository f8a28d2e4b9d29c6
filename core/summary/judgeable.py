"""What in a summary cannot be judged, and why, in words."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.summary.splitting import SummarySentence

HEADING = "A heading: it says nothing that could be checked."
QUESTION = "A question: it says nothing that could be checked."
FRAGMENT = "One word alone says nothing that could be checked."
OTHER_LANGUAGE = "It seems to be in another language than the paper, so its words cannot be compared."

_WORD = re.compile(r"[^\W\d_]+")
_MOST_FREQUENT = 60  # words of the paper: its "the", "of" and "and", whatever its language is
_SHORT = 5  # letters at most that such words have
_FEW_WORDS = 8  # a shorter sentence goes with the summary as a whole
_USUAL_SHARE = 0.12  # of such words in a sentence; in English prose about 0.4
_WORDS_IN_COMMON = 0.5  # of a sentence that is all names and figures


@dataclass(frozen=True)
class Language:
    """The language of a paper, as far as it is needed: its script, its words, and the small ones among them."""

    scripts: frozenset[str]
    small_words: frozenset[str]
    words: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Language:
        """The language that a text is in."""
        counts = Counter(word.lower() for word in _WORD.findall(text))
        short = [word for word, _ in counts.most_common() if len(word) <= _SHORT and len(word) > 1]
        scripts = Counter(script for word in counts if (script := script_of(word)))
        main = frozenset(script for script, count in scripts.items() if count >= 0.02 * sum(scripts.values()))
        return cls(main, frozenset(short[:_MOST_FREQUENT]), frozenset(counts))

    def is_of(self, text: str) -> bool:
        """Whether a text is in this language. A text without letters is in any."""
        words = [word.lower() for word in _WORD.findall(text)]
        if not words:
            return True
        if not any(script_of(word) in self.scripts for word in words):
            return False
        small = sum(word in self.small_words for word in words) / len(words)
        known = sum(word in self.words for word in words) / len(words)
        return small >= _USUAL_SHARE or known >= _WORDS_IN_COMMON or len(words) < _FEW_WORDS


def script_of(word: str) -> str | None:
    """The script of a word's first letter, such as "LATIN"; None if it is no letter of a named script."""
    return unicodedata.name(word[0], "").partition(" ")[0] or None


def reasons_against(sentences: Sequence[SummarySentence], paper_text: str) -> list[str | None]:
    """Why each sentence cannot be judged; None if it can."""
    language = Language.of(paper_text)
    foreign = not language.is_of(" ".join(sentence.text for sentence in sentences))
    return [_reason(sentence, language, foreign=foreign) for sentence in sentences]


def _reason(sentence: SummarySentence, language: Language, *, foreign: bool) -> str | None:
    words = _WORD.findall(sentence.text)
    if not language.is_of(sentence.text) or (foreign and len(words) < _FEW_WORDS):
        return OTHER_LANGUAGE
    if sentence.heading:
        return HEADING
    if sentence.text.rstrip("\"'”’)»").endswith(("?", "？", "؟")):
        return QUESTION
    return FRAGMENT if len(sentence.text.split()) < 2 and script_of(sentence.text) in ("LATIN", None) else None
