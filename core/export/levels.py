"""A project's levels by paper and domain, or why a level is missing, and the agreement of reviewers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations, count, product
from string import ascii_lowercase

from core.bias.agreement import Agreement, agreement
from core.bias.model import OVERALL, Level, Tool
from core.errors import QueryError
from core.paper import Paper
from core.progress import Progress, silent
from core.store.items import excluded_of, left_out_of, paper_of, study_of, with_bibliography
from core.store.model import Place, Project, ProjectState, R, Saved, StoredPaper, place_of, scope_of

# ---- A level for each paper and domain, or why there is none yet ----

OVERALL_NAME = "Overall"
DIFFER = "reviewers differ"
NOT_REPORTED = "the paper does not report this outcome"


class Basis(StrEnum):
    """Where a level comes from."""

    CONSENSUS = "consensus"  # settled by the reviewers, with a reason
    AGREED = "agreed"  # every reviewer gave it
    JUDGED = "judged"  # by the only reviewer
    GIVEN = "given"  # by some of the reviewers, not settled
    DERIVED = "from the domains"  # an overall level that follows from the domains
    SUGGESTED = "suggested"  # an engine's suggestion
    UNREPORTED = "not reported"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class LevelCell:
    """A paper's level in one domain. `why` says what is missing if there is none."""

    level: Level | None
    basis: Basis
    why: str = ""
    no_information: bool = False  # an engine searched the paper and found nothing to base a judgement on
    by: tuple[str, ...] = ()  # the reviewers who gave a level that is not settled
    rule: Level | None = None  # for the overall level: the level that follows from the domains

    @property
    def overrides(self) -> bool:
        """Whether people set another overall level than follows from the domains."""
        return self.rule is not None and self.level not in (None, self.rule)


@dataclass(frozen=True, slots=True)
class Study:
    """A paper's cells by domain id, and `OVERALL` if the tool has it. If results are judged, those of one outcome."""

    paper: str
    name: str  # unique; includes the outcome
    cells: Mapping[str, LevelCell]
    outcome: str = ""  # "": the study was judged as a whole, or the outcome has no name
    unreported: bool = False  # the paper does not report the outcome, so there is nothing to judge


@dataclass(frozen=True, slots=True)
class LevelTable:
    """All papers of a project."""

    tool: Tool
    studies: tuple[Study, ...]
    suggested_by: str | None = None  # the engine, if these are suggestions and not people's judgements

    @property
    def columns(self) -> dict[str, str]:
        """The names of the columns by id: the domains, and the overall level if the tool has it."""
        names = {domain.id: domain.name for domain in self.tool.domains}
        return names | {OVERALL: OVERALL_NAME} if self.tool.overall else names

    @property
    def by_outcome(self) -> dict[str, LevelTable]:
        """A table for each outcome, in order. If studies were judged as a whole, there is only this one table."""
        outcomes = dict.fromkeys(study.outcome for study in self.studies)
        return {one: replace(self, studies=tuple(s for s in self.studies if s.outcome == one)) for one in outcomes}

    @property
    def noun(self) -> str:
        """The noun for a row."""
        return "result" if any(study.outcome for study in self.studies) else "paper"

    @property
    def basis_in_words(self) -> str:
        """A text on where the levels come from, for the top of a plot."""
        if self.suggested_by is not None:
            return f"Not judged by a person: suggested by the engine {self.suggested_by}"
        return "Judged by people: consensus, or the level that all reviewers gave"


def settled_levels(state: ProjectState, tool: Tool) -> LevelTable:
    """The levels that people settled: the consensus, or the level that all reviewers gave, or none.

    Raises `QueryError` if the project contains a level that the tool does not have.
    """
    return _table(state, tool, _settled(state), _whole_settled(state), None)


def given_levels(state: ProjectState, tool: Tool, *, reader: str) -> LevelTable:
    """People's levels so far: the settled one, else the reader's own, else one that the others agree on.

    Raises `QueryError` as `settled_levels` does.
    """
    settled, given = _settled(state), _given(state)

    def cell(place: Place) -> LevelCell:
        if (found := settled(place)).level is not None:
            return found
        levels = {name: level for name, level in given.get(place, {}).items() if level is not None}
        if reader in levels:
            levels = {reader: levels[reader]}
        if len(set(levels.values())) > 1:
            return LevelCell(None, Basis.OPEN, DIFFER)
        return LevelCell(next(iter(levels.values())), Basis.GIVEN, by=tuple(levels)) if levels else found

    settled_whole = _whole_settled(state)

    def whole(place: Place, rule: Level) -> LevelCell:
        own = given.get(place, {}).get(reader)
        found = settled_whole(place, rule)
        if own is None or found.level is not None:
            return found
        return LevelCell(own, Basis.GIVEN, by=(reader,), rule=rule)

    return _table(state, tool, cell, whole, None)


def suggested_levels(state: ProjectState, tool: Tool, engine: str) -> LevelTable:
    """One engine's suggestions, regardless of people's levels. Raises `QueryError` as `settled_levels` does."""
    made = {place_of(one): one.judgement for one in present(state.suggestions) if one.engine == engine}

    def cell(place: Place) -> LevelCell:
        judgement = made.get(place)
        if judgement is None:
            return LevelCell(None, Basis.OPEN, f"{engine} has suggested nothing")
        nothing = judgement.level is None and bool(judgement.searched)
        return LevelCell(judgement.level, Basis.SUGGESTED, "" if judgement.level else judgement.rationale, nothing)

    return _table(state, tool, cell, lambda place, rule: LevelCell(rule, Basis.DERIVED, rule=rule), engine)


def judged_by_people(state: ProjectState) -> bool:
    """Whether any person has given a level yet."""
    return any(one.level is not None for one in present(state.judgements)) or bool(present(state.consensus))


def open_places(table: LevelTable) -> str:
    """A sentence that names all papers and domains without a level, and one that names results that are not reported.

    Empty if all have a level.
    """
    unreported = [study.name for study in table.studies if study.unreported]
    said = f"Not reported by the paper, and so not judged: {', '.join(unreported)}." if unreported else ""
    reported = replace(table, studies=tuple(study for study in table.studies if not study.unreported))
    return " ".join(filter(None, (_open_places(reported), said)))


def _open_places(table: LevelTable) -> str:
    names = {domain.id: domain.name for domain in table.tool.domains}
    missing = []
    for study in table.studies:
        domains = [name for id, name in names.items() if study.cells[id].level is None]
        if domains:
            missing.append(f"{study.name} ({'all domains' if len(domains) == len(names) else '; '.join(domains)})")
    if not missing:
        return ""
    if not any(study.cells[id].level for study in table.studies for id in names):
        return f"No domain of any paper has a {'suggested' if table.suggested_by is not None else 'settled'} level yet."
    papers = f"1 {table.noun} has" if len(missing) == 1 else f"{len(missing)} {table.noun}s have"
    state = "no suggested level" if table.suggested_by is not None else "no settled level"
    return f"{papers} {state} in some domains: {', '.join(missing)}."


def papers_of(state: ProjectState) -> dict[str, StoredPaper]:
    """The papers of the review by id, in the order in which they were added, without deleted ones and duplicates."""
    left_out = left_out_of(state)
    papers = with_bibliography(present(state.papers), present(state.references))
    return {id: paper for id, paper in papers.items() if id not in left_out}


def papers_to_judge(state: ProjectState) -> dict[str, StoredPaper]:
    """The papers whose risk of bias is to be judged: those that screening has not excluded."""
    excluded = excluded_of(state)
    return {id: paper for id, paper in papers_of(state).items() if id not in excluded}


def study_names(papers: Iterable[StoredPaper]) -> dict[str, str]:
    """A short, unique name on one line for each paper, by id, as plots and robvis need it.

    Papers with the same author and year get letters, as in Cochrane reviews: "Rossi 2020a", "Rossi 2020b".
    """
    wanted = {paper.id: _name(paper) for paper in papers}
    times = Counter(wanted.values())
    taken = {name for name in wanted.values() if times[name] == 1}
    names: dict[str, str] = {}
    for paper, name in wanted.items():
        alone = times[name] == 1
        names[paper] = name if alone else next(one for one in _apart(name) if one not in taken)
        taken.add(names[paper])
    return names


def named_result(study: str, outcome: str) -> str:
    """The name of a study's row, with the outcome if it has a name."""
    return ", ".join(filter(None, (study, outcome)))


def _name(paper: StoredPaper) -> str:
    return " ".join((study_of(paper) or paper.citation or paper.title or paper.name).split()) or paper.id[:8]


def _apart(name: str) -> Iterator[str]:
    """Unique names for several papers that would all have the same name."""
    if name[-4:].isdigit():
        yield from (name + "".join(letters) for many in count(1) for letters in product(ascii_lowercase, repeat=many))
    yield name
    yield from (f"{name} ({number})" for number in count(2))


def present(records: Iterable[Saved[R]]) -> list[R]:
    """The records that are not deleted."""
    return [saved.record for saved in records if not saved.removed]


def _table(
    state: ProjectState,
    tool: Tool,
    cell: Callable[[Place], LevelCell],
    whole: Callable[[Place, Level], LevelCell],
    engine: str | None,
) -> LevelTable:
    """A table. `whole` makes the overall cell, given the level that follows from the domains."""
    papers = papers_to_judge(state)
    names = study_names(papers.values())
    unreported = set(state.project.record.unreported)
    studies = []
    for paper, outcome in product(papers, scope_of(state.project.record, tool).outcomes):
        name = named_result(names[paper], outcome)
        if (paper, outcome) in unreported:
            nothing = LevelCell(None, Basis.UNREPORTED, NOT_REPORTED)
            columns = [domain.id for domain in tool.domains] + [OVERALL] * tool.overall
            studies.append(Study(paper, name, dict.fromkeys(columns, nothing), outcome, unreported=True))
            continue
        cells = {domain.id: cell((paper, tool.id, outcome, domain.id)) for domain in tool.domains}
        if tool.overall:
            rule = tool.overall_level({domain: one.level for domain, one in cells.items()})
            open_ = LevelCell(None, Basis.OPEN, "not every domain has a level")
            cells[OVERALL] = whole((paper, tool.id, outcome, OVERALL), rule) if rule else open_
        for domain, one in cells.items():
            if one.level is not None and one.level not in tool.scale:
                raise QueryError(
                    f"The project says “{one.level}” of {name} ({domain}), which is no level of {tool.name}. "
                    "Choose the tool that it was judged with."
                )
        studies.append(Study(paper, name, cells, outcome))
    return LevelTable(tool, tuple(studies), engine)


def _given(state: ProjectState) -> Mapping[Place, Mapping[str, Level | None]]:
    """The level of each reviewer, in the order of the project's reviewers."""
    in_order = {name: number for number, name in enumerate(state.project.record.reviewers)}
    judged = [one for one in present(state.judgements) if one.reviewer in in_order]
    given: dict[Place, dict[str, Level | None]] = {}
    for one in sorted(judged, key=lambda one: in_order[one.reviewer]):
        given.setdefault(place_of(one), {})[one.reviewer] = one.level
    return given


def _settled(state: ProjectState) -> Callable[[Place], LevelCell]:
    consensus = {place_of(one): one.level for one in present(state.consensus)}
    given = _given(state)

    def cell(place: Place) -> LevelCell:
        if place in consensus:
            return LevelCell(consensus[place], Basis.CONSENSUS)
        return _agreed(state.project.record, given.get(place, {}))

    return cell


def _agreed(project: Project, given: Mapping[str, Level | None]) -> LevelCell:
    levels = {reviewer: given.get(reviewer) for reviewer in project.reviewers}
    alike = set(levels.values())
    if len(alike) == 1 and (level := alike.pop()) is not None:
        return LevelCell(level, Basis.AGREED if len(levels) > 1 else Basis.JUDGED)
    said = ", ".join(f"{reviewer}: {level or 'not judged'}" for reviewer, level in levels.items())
    return LevelCell(None, Basis.OPEN, said if any(levels.values()) else "not judged")


def _whole_settled(state: ProjectState) -> Callable[[Place, Level], LevelCell]:
    """The overall level: the settled one, or the one that all reviewers hold.

    Who set none holds what follows from the rule.
    """
    consensus = {place_of(one): one.level for one in present(state.consensus)}
    given, reviewers = _given(state), state.project.record.reviewers

    def whole(place: Place, rule: Level) -> LevelCell:
        if place in consensus:
            return LevelCell(consensus[place], Basis.CONSENSUS, rule=rule)
        stated = given.get(place, {})
        levels = {reviewer: stated.get(reviewer) or rule for reviewer in reviewers}
        if set(levels.values()) <= {rule}:
            return LevelCell(rule, Basis.DERIVED, rule=rule)
        return replace(_agreed(state.project.record, levels), rule=rule)

    return whole


# ---- The papers, read from the files stored in the project ----


def read_papers(
    state: ProjectState, *, known: Mapping[str, Paper] | None = None, progress: Progress = silent
) -> dict[str, Paper]:
    """The papers by id; those in `known` are not read again.

    Papers whose file is not stored, or whose file now gives another paper, are left out.
    """
    read = dict(known or {})
    wanted = papers_of(state)
    for number, (id, record) in enumerate(wanted.items()):
        progress(number / len(wanted), f"Reading {record.name}")
        data = state.files.get(record.file) if record.file else None
        if id not in read and data is not None and (paper := paper_of(record, data)) is not None:
            read[id] = paper
    return {id: read[id] for id in wanted if id in read}


# ---- Agreement between each two reviewers, domain by domain ----


@dataclass(frozen=True, slots=True)
class ReviewerPair:
    """Two reviewers on one domain."""

    reviewers: tuple[str, str]
    domain: str  # its name
    agreement: Agreement


def reviewer_agreement(state: ProjectState, tool: Tool) -> Iterator[ReviewerPair]:
    """The agreement of every pair of reviewers on every domain, by their own judgements, without the consensus."""
    judged = list(product(papers_to_judge(state), (tool.id,), scope_of(state.project.record, tool).outcomes))
    given = _given(state)
    for one, other in combinations(state.project.record.reviewers, 2):
        for domain in tool.domains:
            here = [given.get((*result, domain.id), {}) for result in judged]
            levels = [(levels.get(one), levels.get(other)) for levels in here]
            yield ReviewerPair((one, other), domain.name, agreement(levels, tool.scale))
