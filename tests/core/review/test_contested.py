"""Claims held against a project's library: again where it changed, and never over what a reviewer said meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

import pytest

from core.claims import Claim, Contested, Place, Statement
from core.claims.model import PaperClaims
from core.grounding.model import ModelRun, Step
from core.library.index import Library
from core.library.model import LibraryPaper
from core.paper import Paper, read_paper
from core.progress import Progress, silent
from core.review.contested import hold_paper
from core.settings import Settings
from core.store import Project, Store, open_store, record_of

PAPER = read_paper(b"# Zinc for colds\n\n## Results\n\nZinc shortened colds. It caused nausea.\n", name="zinc.md")
ONE, TWO = Claim("Zinc shortened colds.", 1, 8.0), Claim("Zinc caused nausea.", 2, 7.0)


@dataclass
class Papers:
    ids: list[str] = field(default_factory=lambda: ["a"])

    def papers(self) -> list[LibraryPaper]:
        return [
            LibraryPaper(one, f"{one}.md", f"A trial called {one}", (), None, None, None, None, 1) for one in self.ids
        ]


@dataclass
class Finder:
    name: str = "offline"
    asked: int = 0

    def claims(self, paper: Paper, *, progress: Progress = silent) -> PaperClaims:
        self.asked += 1
        return PaperClaims("offline", (ONE, TWO))


@dataclass
class Engine:
    name: str = "offline"
    meanwhile: Callable[[str], None] = lambda text: None
    held: list[str] = field(default_factory=list)
    run: ModelRun | None = None

    def compare(self, statement: Statement, library: Library, *, progress: Progress = silent) -> Contested:
        self.held.append(statement.text)
        self.meanwhile(statement.text)
        return Contested(
            self.name,
            statement,
            Place.LACK_OF_EVIDENCE,
            "Nothing.",
            (),
            1,
            0.5,
            run=self.run,
            notes=self.run.gaps if self.run else (),
        )


@pytest.fixture
def store(tmp_path: Path) -> Store:
    found = open_store(Settings(tmp_path, None))
    with found.writing("Ann") as change:
        change.save(Project("p", "Colds", ("Ann",), blind=False))
        change.save(record_of(PAPER, project="p"))
    return found


def hold(store: Store, engine: Engine, finder: Finder, papers: Papers) -> int:
    library = cast(Library, papers)
    return hold_paper(store, "p", PAPER, engine=engine, finder=finder, library=library, who="Ann")


def test_held_again_when_papers_came_in(store: Store) -> None:
    engine, finder, papers = Engine(), Finder(), Papers()
    assert hold(store, engine, finder, papers) == 2
    assert hold(store, engine, finder, papers) == 0
    papers.ids.append("b")
    assert hold(store, engine, finder, papers) == 2
    assert finder.asked == 1


def test_held_again_until_everything_was_read(store: Store) -> None:
    part, judged = Step("Lee 2020, Results", "", (), error="The server is busy."), Step("Who contradicts it", "", ())
    engine, finder, papers = Engine(run=ModelRun("openai:x", "read", (), (part, judged))), Finder(), Papers()
    assert hold(store, engine, finder, papers) == 2
    with store.reading() as reading:
        contests = [saved.record.contest for saved in reading.claims("p", PAPER.id)]
    assert [one.notes for one in contests if one] == [("Not read: “Lee 2020, Results”. The server is busy.",)] * 2
    engine.run = ModelRun("openai:x", "read", (), (judged,))
    assert hold(store, engine, finder, papers) == 2
    assert hold(store, engine, finder, papers) == 0


def test_what_a_reviewer_does_meanwhile_stands(store: Store) -> None:
    def meanwhile(text: str) -> None:
        with store.writing("Ann") as change:
            for saved in change.claims("p", PAPER.id):
                if text == TWO.text == saved.record.text:
                    change.remove(saved)
                elif text == ONE.text == saved.record.text:
                    change.save(replace(saved.record, verdict="good"), seen=saved.version)

    engine, finder, papers = Engine(meanwhile=meanwhile), Finder(), Papers()
    hold(store, engine, finder, papers)
    with store.reading() as reading:
        [left] = reading.claims("p", PAPER.id)
    assert (left.record.text, left.record.verdict) == (ONE.text, "good")
    assert left.record.contest is not None
    with store.writing("Ann") as change:
        change.remove(left)
    assert hold(store, engine, finder, papers) == 0
    with store.reading() as reading:
        assert reading.claims("p", PAPER.id) == ()
    assert finder.asked == 1, "what was dropped does not come back"
