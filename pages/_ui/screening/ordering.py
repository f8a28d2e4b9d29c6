"""What comes next: most promising first, learnt from the reviewer's own decisions in a thread, or as the items came.

A new order tells what comes next, and moves nothing that is on the desk or was there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from core.screening.model import ScreeningVerdict
from core.screening.ordering import Corpus
from core.store import Project, ReviewItem
from pages._ui.running import Running
from pages._ui.screening.seen import Seen

_EVERY = 5  # decisions, after which the order is learnt anew
_FIRST = 0.5  # seconds that the first order is waited for; it is by the question alone, as learning takes longer
LEARNT = {ScreeningVerdict.INCLUDE: True, ScreeningVerdict.EXCLUDE: False, ScreeningVerdict.UNSURE: None}


@dataclass(slots=True)
class Ordering:
    """The order of one reviewer's items as it was learnt last, and the next one on its way."""

    order: tuple[str, ...] = ()
    decisions: int = -1  # that it was learnt from; -1: there is none yet
    question: str = ""
    items: tuple[str, ...] = ()
    corpus: Corpus | None = field(default=None, repr=False)  # of these items
    running: Running[tuple[str, ...]] | None = None
    under_way: int = 0  # decisions that the next one is learnt from

    def of(self, seen: Seen) -> list[str]:
        """What is not decided, most promising first; what came since the order was learnt is last."""
        self._go_on(seen)
        left, ordered = dict.fromkeys(seen.undecided), set(self.order)
        return [item for item in self.order if item in left] + [item for item in left if item not in ordered]

    def _go_on(self, seen: Seen) -> None:
        self._take()
        decided = _decisions(seen) if self.decisions >= 0 else {}
        question, items = question_of(seen.project), tuple(seen.items)
        stale = question != self.question or items != self.items
        if self.running is None and (stale or self.decisions < 0 or abs(len(decided) - self.decisions) >= _EVERY):
            if items != self.items or self.corpus is None:
                self.corpus = Corpus([text_of(item) for item in seen.items.values()])
            self.items, self.question, self.under_way = items, question, len(decided)
            self.running = Running(partial(_learn, self.corpus, items, decided, question))
            if self.decisions < 0:
                self.running.wait(_FIRST)
                self._take()

    def _take(self) -> None:
        running = self.running
        if running is None or not running.ended:
            return
        self.running = None
        if running.error is not None:
            raise running.error
        self.order, self.decisions = running.result or (), self.under_way


def _learn(
    corpus: Corpus,
    items: tuple[str, ...],
    decided: Mapping[str, bool | None],
    question: str,
    _: Running[tuple[str, ...]],
) -> tuple[str, ...]:
    places = {item: place for place, item in enumerate(items)}
    order = corpus.order({places[item]: included for item, included in decided.items()}, question=question)
    return tuple(items[place] for place in order)


def _decisions(seen: Seen) -> dict[str, bool | None]:
    """The reviewer's own, of the items that are here: nobody else's are learnt from."""
    given = {item: seen.view(item).own for item in seen.items}
    return {item: LEARNT[own.verdict] for item, own in given.items() if own is not None and own.verdict is not None}


def question_of(project: Project) -> str:
    """What the review asks, in words."""
    return "\n".join(filter(None, (project.study.objective, *(criterion.text for criterion in project.criteria))))


def text_of(item: ReviewItem) -> str:
    """Title and abstract."""
    return "\n".join(filter(None, (item.title, item.abstract)))
