"""What a reviewer takes away of a checked summary."""

from __future__ import annotations

from pages._ui.state import OpenPaper
from pages._ui.summary.work import Version


def show(opened: OpenPaper, version: Version) -> None:
    """Draw the buttons. A file is made when it is asked for."""
