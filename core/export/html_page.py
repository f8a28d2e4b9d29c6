"""HTML files that need nothing beside them: no address, no font from elsewhere, no script but the page's own.

Whatever comes from papers, people or engines is escaped in one place: the templates' autoescape.
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

_FRAME = Path(__file__).with_suffix(".html")  # what every template extends


def render(
    template: Path,
    style: Path,
    *,
    script: Path | None = None,
    filters: Mapping[str, Callable[..., Any]] = MappingProxyType({}),
    **values: object,
) -> str:
    """The template, which extends `html_page.html` by the blocks `title` and `body`, with its values.

    It also has `style` and `script` with `style_hash` and `script_hash` for the security policy, and `version`. A
    script may only make a page handier that says everything without it.
    """
    css = style.read_text(encoding="utf-8")
    code = script.read_text(encoding="utf-8") if script else ""
    environment = Environment(
        loader=FileSystemLoader([template.parent, _FRAME.parent]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_without_steering,
    )
    environment.filters |= filters
    return environment.get_template(template.name).render(
        style=Markup(css),  # noqa: S704 - our own file
        style_hash=_hash(css),
        script=Markup(code),  # noqa: S704 - our own file
        script_hash=_hash(code),
        version=__version__,
        **values,
    )


def _hash(text: str) -> str:
    return base64.b64encode(sha256(text.encode()).digest()).decode()


def _without_steering(value: object) -> object:
    """Text without characters that would reorder what stands around it."""
    return displayable(value) if isinstance(value, str) and not isinstance(value, Markup) else value
