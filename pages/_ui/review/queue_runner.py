"""The queues that this server works on: one thread a project, which goes on when every window is closed.

What a queue is to do is in the store (`core.review.queue`), so that any window sees it and an app that was stopped goes on
where it was. Here is only who does the work, how it stands at this moment, and a key that was typed in.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock, Thread

from core.errors import QueueHeld, VouchError
from core.review.queue import Hands, carry_out, start
from core.store import QueueMode, Store
from core.work.standing import Standing


@dataclass(slots=True)
class Work:
    """A queue's work in this server."""

    standing: Standing | None = None  # None: getting ready
    error: BaseException | None = None  # a programmer's error, to be raised where it is seen
    thread: Thread | None = None

    @property
    def alive(self) -> bool:
        """Whether it goes on."""
        return self.thread is not None and self.thread.is_alive()


@dataclass(slots=True)
class Runner:
    """All queues at work in this server."""

    store: Store
    lock: Lock = field(default_factory=Lock)
    works: dict[str, Work] = field(default_factory=dict)

    def start(self, project: str, who: str, hands: Hands) -> None:
        """Let a project's queue run, here unless it is at work already. Raises `StoreError`."""
        start(self.store, project, who, hands)
        self._begin(project, hands)

    def take_up(self) -> None:
        """Go on with the queues that were at work when the app was stopped. Raises `StoreError`."""
        with self.store.reading() as now:
            states = {project: now.queue(project) for project in now.queues(QueueMode.RUNNING)}
        for project, state in states.items():
            self._begin(project, Hands(state.workers, state.cluster))

    def of(self, project: str) -> Work | None:
        """How a project's work stands in this server; None if it never had any."""
        return self.works.get(project)

    def _begin(self, project: str, hands: Hands) -> None:
        with self.lock:
            before = self.works.get(project)
            if before is not None and before.alive:
                return  # it looks for new work by itself before it ends
            work = self.works[project] = Work()
            work.thread = Thread(target=self._carry_out, args=(project, hands, work), name="queue", daemon=True)
            work.thread.start()

    def _carry_out(self, project: str, hands: Hands, work: Work) -> None:
        def note(standing: Standing) -> None:
            work.standing = standing

        try:
            carry_out(self.store, project, hands=hands, report=note)
        except QueueHeld:
            pass  # another server has it; the store tells how it stands
        except VouchError:
            pass  # the store tells why
        except BaseException as error:  # noqa: BLE001  raised where it is seen
            work.error = error
