"""Files on their way into a project: put into the store one by one, and counted. Nothing of Streamlit is asked here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from core.errors import ReferencesError
from core.review.intake import REFERENCE, add_references, begin_of_entries, files_of, holds_references
from core.review.queue import Hands
from core.settings import load_settings
from core.store import QueueMode, Store, storable_name
from pages._ui.review.queue_runner import Runner
from pages._ui.review.work import Taken
from pages._ui.running import Running
from pages._ui.uploads import LARGEST_MB


@dataclass(frozen=True, slots=True)
class Intake:
    """Where files go to, who puts them in, and who is to read them."""

    store: Store
    runner: Runner
    project: str
    who: str
    hands: Hands

    def files(self, files: Sequence[tuple[str, bytes]]) -> Taken:
        """Take in files by name and content. Raises `StoreError`."""
        taken = Taken(self.project)
        try:
            for name, data in files:
                self._one(name, data, taken)
        finally:
            self._begin_reading()
        return taken

    def folder(self, folder: Path, report: Running[Taken]) -> Taken:
        """Take in the files of a folder and of the folders in it. Raises `QueryError` where there is none, `StoreError`."""
        taken = Taken(self.project, str(folder))
        report(0.0, f"Looking into {folder}")
        files = files_of(folder, without=[load_settings().home])
        try:
            for number, path in enumerate(files):
                report(number / len(files), f"Taking in {number + 1:,} of {len(files):,}: {storable_name(path.name)}")
                try:
                    large = path.stat().st_size > LARGEST_MB * 1_000_000
                    data = b"" if large else path.read_bytes()
                except OSError:
                    taken.leave("not readable for this user")
                    continue
                if large:
                    taken.leave(f"larger than {LARGEST_MB} MB")
                else:
                    self._one(path.name, data, taken)
        finally:
            self._begin_reading()  # what is in is read, also after a stop
        return taken

    def _one(self, name: str, data: bytes, taken: Taken) -> None:
        """Put one file in, by what it holds."""
        name = storable_name(name)
        if holds_references(name, data):
            self._references(name, data, taken)
            return
        with self.store.writing(self.who) as change:
            new = change.put_in(self.project, name, data)
        if new:
            taken.files.append(sha256(data).hexdigest())
        else:
            taken.again += 1

    def _references(self, name: str, data: bytes, taken: Taken) -> None:
        """A file that holds no reference at all is listed, as a wrong entry is."""
        place = f"{REFERENCE}: the file"
        try:
            found = add_references(self.store, self.project, data, name=name, who=self.who)
        except ReferencesError as error:
            taken.wrong += 1
            with self.store.writing(self.who) as change:
                change.note_failure(self.project, name, place, str(error))
            return
        with self.store.writing(self.who) as change:
            change.forget_failures(self.project, name, place)
        taken.references += found.added
        if found.added:
            taken.lists.append(begin_of_entries(data))
        taken.references_again += found.again
        taken.wrong += found.wrong

    def _begin_reading(self) -> None:
        """Let the queue run, unless a reviewer paused it."""
        with self.store.reading() as now:
            mode = now.queue(self.project).mode
        if mode is not QueueMode.PAUSED:
            self.runner.start(self.project, self.who, self.hands)
