"""Self-contained HTML files: they load nothing from elsewhere, and run no script but their own.

Text from papers, people and engines is escaped in one place, by the templates' autoescape.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from core import __version__
from core.export.table import displayable
from core.paper import Paper

TEMPLATES = Path(__file__).parent / "templates"


def render(
    template: str,
    /,
    *,
    filters: Mapping[str, Callable[..., Any]] = MappingProxyType({}),
    more_css: str = "",
    **values: object,
) -> str:
    """`TEMPLATE.html` filled with the values, with the style of `TEMPLATE.css` and the script of `TEMPLATE.js`, if any.

    `more_css` holds trusted rules that depend on the content.

    Templates extend `frame.html`, which gets `style`, `script` and their hashes for the content security policy. A
    script may make a page easier to use, but the page must show everything without it.
    """
    css = (TEMPLATES / f"{template}.css").read_text(encoding="utf-8") + more_css
    script = TEMPLATES / f"{template}.js"
    code = script.read_text(encoding="utf-8") if script.exists() else ""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_without_steering,
    )
    environment.filters |= filters
    return environment.get_template(f"{template}.html").render(
        style=Markup(css),  # noqa: S704 - our own
        style_hash=_hash(css),
        script=Markup(code),  # noqa: S704 - our own file
        script_hash=_hash(code),
        version=__version__,
        **values,
    )


def place_in_words(paper: Paper, index: int) -> str:
    """The section and page of a sentence, as far as known."""
    sentence = paper.sentences[index]
    page = "" if sentence.page is None else f"p. {sentence.page}"
    return ", ".join(filter(None, (paper.section_of(sentence).title, page)))


def _hash(text: str) -> str:
    return base64.b64encode(sha256(text.encode()).digest()).decode()


def _without_steering(value: object) -> object:
    """Text without characters that would reorder the text around them; other values stay as they are."""
    return displayable(value) if isinstance(value, str) and not isinstance(value, Markup) else value
