"""Text for Streamlit's Markdown, with hostile text made harmless (only here); and dates.

Not needed inside the paper's own component, which sets text as text nodes.
"""

from __future__ import annotations

import re
from datetime import datetime

# All characters with a meaning in Markdown, LaTeX or Streamlit's own directives (`:red[...]`, `:material/...:`).
_ACTIVE = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:&\"'@/])")
# Bare addresses become links even if every character is escaped. A word joiner, which is invisible, prevents that.
_ADDRESS = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)|(?=@)", re.IGNORECASE)
_WORD_JOINER = "\u2060"


def plain(text: str, *, limit: int | None = None) -> str:
    """Escape `text` so that `st.markdown`, labels and messages show it literally, on one line and without links.

    `limit` is the largest number of letters to show; longer text ends with an ellipsis.
    """
    return _ACTIVE.sub(r"\\\1", _ADDRESS.sub(_WORD_JOINER, short(text, limit)))


def short(text: str, limit: int | None) -> str:
    """`text` on one line and shortened, for places that show it literally, such as the options of a select box."""
    line = " ".join(text.split())
    return line if limit is None or len(line) <= limit else line[: limit - 1].rstrip() + "…"


def date_in_words(when: datetime) -> str:
    """A date with its time, in the local time zone."""
    return f"{when.astimezone():%d %B %Y, %H:%M}"
