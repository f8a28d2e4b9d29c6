"""Small trials of our own as files, and a project that they go into."""

from __future__ import annotations

from pathlib import Path

from core.screening.model import Criterion, CriterionKind
from core.store import Plan, Project, Store

HYPOTHESIS = "Walking improves sleep in adults with insomnia"
ADULTS = Criterion(CriterionKind.POPULATION, "adults with insomnia")
ONLY_BM25 = Plan(criteria=None, evidence="bm25", bias=None)


def trial(number: int) -> bytes:
    """A paper like no other: half of the trials find that walking helps."""
    helped = number % 2 == 0
    result = "improved sleep significantly" if helped else "did not change sleep"
    return f"""# Walking and sleep in town {number}: a randomised trial

## Abstract

We asked whether walking improves sleep in {40 + number} adults with insomnia.
Walking {result} compared with usual care (mean difference {1 + number / 10:.1f} points, 95% CI 0.5 to 9.0, p = 0.01).

## Methods

Adults with insomnia were assigned by a computer-generated list to walking or usual care.
The list was kept in sealed opaque envelopes in town {number}.
Assessors did not know the group.

## Results

After {number + 4} weeks walking {result} in the walking group.
Two people of {40 + number} left the trial.

## Discussion

Walking in town {number} is easy to do.
""".encode()


def write_trials(folder: Path, count: int) -> list[Path]:
    """So many trials as Markdown files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"trial-{number:02}.md" for number in range(count)]
    for number, file in enumerate(files):
        file.write_bytes(trial(number))
    return files


def begin(store: Store, *, plan: Plan = ONLY_BM25, trials: int = 0, **rest: object) -> Project:
    """A project with a hypothesis and so many files that wait to be read."""
    values = {"criteria": (ADULTS,), "hypotheses": (HYPOTHESIS,), "plan": plan, "blind": False} | rest
    project = Project("towns", "Walking in towns", ("Ann", "Ben"), **values)
    with store.writing("Ann") as change:
        change.save(project)
        for number in range(trials):
            change.queue.add_file(project.id, f"trial-{number:02}.md", trial(number))
    return project
