"""What a reviewer is told once settings are saved: what was changed, and whether the queue works because of it."""

from __future__ import annotations

from core.review.status import QueueStatus
from core.review.working import models_of
from core.store import Project, QueueMode
from pages._ui.review.queue_words import counted

_FIELDS = {
    "name": "name",
    "reviewers": "reviewers",
    "blind": "blinding",  # and whether on or off
    "study": "review question",
    "criteria": "criteria",
    "reasons": "reasons to exclude",
    "hypotheses": "hypotheses",
    "plan": "engines",
}


def saved_in_words(before: Project, after: Project) -> str:
    """What was changed, by the names of the fields; that nothing was, where they are the same."""
    fields = _FIELDS | {"blind": f"{_FIELDS['blind']} {'on' if after.blind else 'off'}"}
    changed = [words for name, words in fields.items() if getattr(before, name) != getattr(after, name)]
    return f"Saved: {', '.join(changed)}." if changed else "Nothing was changed."


def queue_in_words(status: QueueStatus, project: Project) -> str:
    """What happens to the questions that are open now; empty where there are none. `status`: before the queue is told."""
    if not status.open_questions:
        return ""
    open_ = f"{counted(status.open_questions, 'question')} {'is' if status.open_questions == 1 else 'are'} open"
    if status.state.mode is QueueMode.PAUSED:
        return f"{open_}: the queue is paused until you resume it."
    if models_of(project.plan) and status.state.mode is not QueueMode.RUNNING:
        return f"{open_}: press Start to have the language model asked."
    return f"{open_}: the queue works on them."
