"""Text for the page: hostile text made harmless for Streamlit's Markdown, which is done here alone; counted nouns and dates.

Inside the paper's own component text is set as text nodes and needs nothing of this.
"""

from __future__ import annotations

import re
from datetime import datetime

# Everything that Markdown, LaTeX or Streamlit's own directives (`:red[...]`, `:material/...:`) give a meaning to.
_ACTIVE = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&\"'@/])")
# Bare addresses become links even where every character of them is escaped: a word joiner, which shows as nothing,
# makes them no addresses.
_ADDRESS = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)|(?=@)", re.IGNORECASE)
_WORD_JOINER = "\u2060"


def plain(text: str, *, limit: int | None = None) -> str:
    """`text` so that `st.markdown`, labels and messages show it letter by letter, on one line and without links.

    `limit`: the most letters to show; what is longer ends with an ellipsis.
    """
    return _ACTIVE.sub(r"\\\1", _ADDRESS.sub(_WORD_JOINER, short(text, limit)))


def short(text: str, limit: int | None) -> str:
    """`text` on one line, cut for a place that shows it as it is, such as an option of a select box."""
    line = " ".join(text.split())
    return line if limit is None or len(line) <= limit else line[: limit - 1].rstrip() + "…"


def counted(number: int, noun: str) -> str:
    """A number with its noun: 1 file, 2 files."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def date_in_words(when: datetime) -> str:
    """A date with its time, here."""
    return f"{when.astimezone():%d %B %Y, %H:%M}"
