"""Scripts and styles of the components that draw in the browser, joined out of small files."""

from __future__ import annotations

from pathlib import Path

_LOOK = Path(__file__).with_name("look.css")
_DOM = Path(__file__).with_name("dom.js")


def styles(*files: Path) -> str:
    """One sheet out of these files, behind what all components look like (look.css); what comes later wins."""
    return _joined(_LOOK, *files)


def scripts(*files: Path) -> str:
    """One module out of these files, in the order of use, behind what all components draw with (dom.js)."""
    return _joined(_DOM, *files)


def _joined(*files: Path) -> str:
    return "\n".join(file.read_text(encoding="utf-8") for file in files)
