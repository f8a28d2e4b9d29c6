"""The text of an item: as it is kept, or read from its file once and kept from then on."""

from __future__ import annotations

from contextlib import suppress

from core.errors import NotStored, StoreError
from core.paper import Paper, read_paper
from core.references import as_paper
from core.store import Reading, ReviewItem, Store, paper_of
from pages._ui.open_paper import OpenPaper
from pages._ui.state import Session

_MOST_KEPT = 8  # in a session


def opened(now: Session, store: Store, project: str, item: ReviewItem, *, who: str) -> OpenPaper:
    """The item's text as the desk takes it, kept for a while. Raises as `text_of`."""
    found = now.texts.pop(item.id, None) or OpenPaper(text_of(store, project, item, who=who))
    now.texts[item.id] = found
    for old in list(now.texts)[:-_MOST_KEPT]:
        del now.texts[old]
    return found


def text_of(store: Store, project: str, item: ReviewItem, *, who: str) -> Paper:
    """The paper, or a reference's title and abstract. Of a paper whose file is not kept: what is known of it.

    Raises `NotStored` if the item is not in the project any more, `PaperError` if a reference cannot be read.
    """
    with store.reading() as now:
        kept = now.text(project, item.id)
        if kept is not None:
            return kept
        stored = now.paper(project, item.id).record if item.is_paper else None
        data = now.file(project, stored.file) if stored is not None and stored.file else None
        paper = None if item.is_paper else _reference(now, project, item.id)
    if stored is not None and data is not None:
        paper = paper_of(stored, data)
    if paper is None:
        return _known(item)  # not kept: it is not the paper
    with suppress(StoreError), store.writing(who) as change:  # else it is read again the next time
        change.keep_text(project, item.id, paper)
    return paper


def _reference(now: Reading, project: str, item: str) -> Paper:
    for saved in now.references(project):
        if saved.record.id == item:
            return as_paper(saved.record.reference, name=saved.record.source)
    raise NotStored("This reference is not in the project any more.")


def _known(item: ReviewItem) -> Paper:
    """Title and abstract as a paper."""
    title, abstract = (" ".join(part.split()) for part in (item.title, item.abstract))
    return read_paper(f"# {title}\n\n## Abstract\n\n{abstract}\n".encode(), name=f"{item.id}.md")
