"""Large initials: the first letter of a text, set over several lines, put back before its word."""

from __future__ import annotations

from core.paper.pdf.lines import PageLines
from core.paper.pdf.typography import Typography


def join_drop_caps(page: PageLines, typography: Typography) -> None:
    """Move each large initial to the line that it begins, and take back the indent it caused."""
    caps = [
        line for line in page.lines if len(line.text) == 1 and line.text.isupper() and line.size > 1.8 * typography.size
    ]
    for cap in caps:
        beside = [
            line
            for line in page.lines
            if line is not cap
            and cap.x1 - 3 < line.x0 < cap.x1 + 2 * typography.size
            and cap.y - 0.5 * line.size < line.y < cap.y + cap.size
            and line.words > 2
        ]
        if not beside:
            continue
        first = max(beside, key=lambda line: line.y)
        first.text, first.cap = cap.text + first.text, cap.at if cap.at < cap.stop else None
        first.initial = True
        for line in beside:
            line.x0 = min(line.x0, cap.x0)
        page.lines.remove(cap)
