"""Claims held beside what literature services bring, and what a model will cost, told before it is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from core.answering.beyond import Beyond, FetchedPaper
from core.claims.checking import compare_claim, searched_words
from core.claims.contradictions_llm import estimate_comparison
from core.claims.llm import estimate_claims
from core.claims.model import Claim, Contested, Place, Statement
from core.library import Library
from core.library.model import LibraryPaper
from core.llm import model_named
from core.paper import Paper, read_paper
from core.progress import Progress, silent
from core.settings import Settings
from core.sources.stand_in import StandIn

_MODEL = model_named("openai:gpt-6-luna")


@dataclass
class Shelf:
    """A library of which only the papers are asked, and what puts papers there."""

    held: list[LibraryPaper] = field(default_factory=list)

    def papers(self) -> list[LibraryPaper]:
        return self.held

    def __call__(self, fetched: Sequence[FetchedPaper], progress: Progress) -> Mapping[str, str]:
        self.held += [LibraryPaper.of(one.paper, passages=0, made_by="") for one in fetched]
        return {}


class Engine:
    """Remembers what it was to leave out."""

    name = "offline"
    without: frozenset[str] = frozenset()

    def compare(self, statement: Statement, library: Library, *, progress: Progress = silent) -> Contested:
        self.without = statement.without
        progress(0.5, "Reading")
        return Contested(self.name, statement, Place.LACK_OF_EVIDENCE, "Nothing.", (), len(library.papers()), 0.5)


def test_what_is_open_comes_in_first_and_the_paper_itself_does_not(tmp_path: Path) -> None:
    own = read_paper(b"# Walking\n\n## Results\n\nWalking improved sleep more than waiting.\n", name="own.md")
    claim, shelf, engine = Claim("Walking improved sleep.", 1, 8.0), Shelf(), Engine()
    told: list[tuple[float, str]] = []
    with StandIn(16) as server:
        settings = Settings(tmp_path, None, sources_url=server.address, mail="ann@example.org")
        with Beyond.of(["europepmc"], settings, shelf) as beyond:
            first = compare_claim(
                claim,
                own,
                engine,
                shelf,  # type: ignore[arg-type]
                beyond=beyond,
                progress=lambda done, step: told.append((done, step)),
            )
    brought = list(shelf.held)
    assert brought
    assert first.searched == len(brought), "held after they came in"
    assert told[-1] == (0.75, "Reading")
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert any(line.startswith("Fetched: ") for line in first.outside)
    with StandIn(16) as server:
        settings = Settings(tmp_path / "other", None, sources_url=server.address, mail="ann@example.org")
        double, again = read_paper(own.text.encode(), name="double.md"), Shelf()
        double = type(own)(**{**{name: getattr(own, name) for name in own.__dataclass_fields__}, "doi": brought[0].doi})
        with Beyond.of(["europepmc"], settings, again) as beyond:
            compare_claim(claim, double, engine, again, beyond=beyond)  # type: ignore[arg-type]
    assert brought[0].doi not in {one.doi for one in again.held}, "a paper is not fetched to be held against itself"


def test_without_an_agreement_nothing_is_asked(own: Paper, library: Library) -> None:
    told: list[float] = []
    claim = Claim("Zinc shortened colds.", 1, 8.0)
    found = compare_claim(claim, own, Engine(), library, progress=lambda done, step: told.append(done))
    assert found.outside == ()
    assert told == [0.5]


def test_a_claim_is_searched_for_by_its_arms_and_its_outcome() -> None:
    assert searched_words("Diarrhoea was more frequent with zinc than with placebo.") == "zinc placebo Diarrhoea"
    assert searched_words("Zinc is a better treatment.") == "Zinc is a better treatment."


def test_what_a_model_will_use_is_told(own: Paper, library: Library) -> None:
    assert _MODEL is not None
    one = Statement("Magnesium increases diarrhoea.")
    single, both = (estimate_comparison(_MODEL, [one] * count, library) for count in (1, 2))
    assert single.calls > 1
    assert (both.calls, both.input_tokens) == (2 * single.calls, 2 * single.input_tokens)
    passages = model_named("openai:gpt-6-luna@passages")
    assert passages is not None
    assert estimate_comparison(passages, [one], library).calls == 1
    assert estimate_claims(_MODEL, own).calls > 1


@pytest.mark.parametrize("claims", [[], [Statement("Magnesium increases diarrhoea.", only=frozenset({"none"}))]])
def test_what_asks_nothing_costs_nothing(library: Library, claims: list[Statement]) -> None:
    assert _MODEL is not None
    assert estimate_comparison(_MODEL, claims, library).calls == 0
