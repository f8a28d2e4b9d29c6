"""A project's settled judgements and accepted evidence as gold, in the layouts of the benchmarks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from core.benchmarks.gold import Instance
from core.bias.model import Tool
from core.export.gold import evidencebench_json, own_gold
from core.export.gold_bias import BiasGold, robbr_main_json, robbr_support_json
from core.export.project.levels import papers_of, present, settled_levels
from core.paper import Paper
from core.store.judging import TAKEN_IN
from core.store.model import ProjectState

LEVELS = "Main_task_project.json"
SUPPORT = "SSR_project.json"
EVIDENCE = "evidencebench_project.json"


def gold_files(state: ProjectState, tool: Tool, papers: Mapping[str, Paper]) -> dict[str, str]:
    """The files by name, as `bench` finds them in a folder; one that would hold nothing is left out.

    A judgement is gold once it is settled or all reviewers agree; a sentence is, if a reviewer took it in. Papers that
    are not in `papers` cannot be written. Raises `QueryError` if the project was judged with another tool.
    """
    judgements = list(_judgements(state, tool, papers))
    instances = list(_instances(state, papers))
    files = {}
    if judgements:
        files[LEVELS] = robbr_main_json(judgements)
    if any(one.gold.by_sentence for one in judgements):
        files[SUPPORT] = robbr_support_json(judgements)
    if instances:
        files[EVIDENCE] = evidencebench_json(instances)
    return files


def _judgements(state: ProjectState, tool: Tool, papers: Mapping[str, Paper]) -> Iterator[BiasGold]:
    support: dict[tuple[str, str], set[int]] = {}
    for one in present(state.judgements):
        support.setdefault((one.paper, one.domain), set()).update(one.support)
    for study in settled_levels(state, tool).studies:
        for domain in tool.domains:
            level = study.cells[domain.id].level
            if level is not None and study.paper in papers:
                paper = papers[study.paper]
                gold = own_gold(paper, (), support.get((study.paper, domain.id), ()))
                yield BiasGold(f"{study.name}/{domain.id}", paper, domain, state.project.record.study, level, gold)


def _instances(state: ProjectState, papers: Mapping[str, Paper]) -> Iterator[Instance]:
    """One for each paper and hypothesis, of all reviewers together."""
    accepted: dict[tuple[str, str], set[int]] = {}
    for one in present(state.decisions):
        taken = {index for index, word in one.sentences.items() if word in TAKEN_IN}
        accepted.setdefault((one.paper, one.hypothesis), set()).update(taken)
    for record in papers_of(state).values():
        own = [(hypothesis, taken) for (paper, hypothesis), taken in accepted.items() if paper == record.id and taken]
        for number, (hypothesis, taken) in enumerate(own, 1):
            if record.id in papers:
                paper = papers[record.id]
                yield Instance(f"{record.id[:12]}_{number}", hypothesis, paper, own_gold(paper, (), taken))
