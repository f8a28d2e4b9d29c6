"""Hostile text as plain text: the one place where it is made harmless for Streamlit's Markdown.

Inside the paper's own component text is set as text nodes and needs nothing of this.
"""

from __future__ import annotations

import re

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
    line = " ".join(text.split())
    if limit is not None and len(line) > limit:
        line = line[: limit - 1].rstrip() + "…"
    return _ACTIVE.sub(r"\\\1", _ADDRESS.sub(_WORD_JOINER, line))


def short(text: str, limit: int) -> str:
    """`text` cut for a place that shows it as it is, such as an option of a select box."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
