"""Scripts and styles of the components that draw in the browser, joined out of small files."""

from __future__ import annotations

from pathlib import Path

_DOM = Path(__file__).with_name("dom.js")


def styles(*files: Path) -> str:
    """One sheet out of these files; what comes later wins."""
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def scripts(*files: Path) -> str:
    """One module out of these files, in the order of use, behind what all components draw with (dom.js)."""
    return styles(_DOM, *files)
