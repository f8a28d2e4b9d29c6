"""Export people's decisions as gold in the benchmarks' layouts: evidence, risk of bias, summaries, whole projects."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.benchmarks.domain_gold import ROBBR_LEVELS, DomainGold, level_in_robbr
from core.benchmarks.gold import Gold, Instance, best_cover, optimal
from core.bias.model import OVERALL, Domain, Level, StudyContext, Tool
from core.export.levels import papers_of, present, settled_levels
from core.export.summary import words_at
from core.paper import Kind, Paper, Sentence
from core.store.model import TAKEN_IN, DomainView, Place, ProjectState, place_of
from core.summary.model import FaithfulnessReport, Label, SummarySource, first_section, in_abstract

# ---- Evidence: study aspects and the sentences that cover them, in EvidenceBench's layout ----

_TYPES = {Kind.TITLE: "section_name", Kind.HEADING: "section_name", Kind.ABSTRACT: "abstract"}
_OTHER_TYPE = "normal_paragraph"  # the layout has no type for captions and table rows


@dataclass(frozen=True, slots=True)
class OwnAspect:
    """One piece of information in the reviewer's words, and the sentences that each contain it."""

    label: str
    sentences: frozenset[int]
    result: bool = False  # whether it is a result or an analysis, which Result-ER asks for


OwnAspects = Mapping[tuple[str, str], Sequence[OwnAspect]]  # by (paper's id, hypothesis or judgement's id)
NO_ASPECTS: OwnAspects = {}


def own_gold(paper: Paper, aspects: Sequence[OwnAspect], accepted: Iterable[int] = ()) -> Gold:
    """The gold from the reviewer's aspects. An accepted sentence that covers none of them is an aspect of its own.

    Raises `ValueError` if a sentence is not in the paper.
    """
    covered = {index for aspect in aspects for index in aspect.sentences}
    alone = sorted(frozenset(accepted) - covered)
    if any(index not in range(len(paper.sentences)) for index in (*covered, *alone)):
        raise ValueError("a sentence of the gold is not in the paper")
    every = [*aspects, *(OwnAspect(paper.sentences[index].text, frozenset({index})) for index in alone)]
    named = {f"aspect_{number}": aspect for number, aspect in enumerate(every)}
    return Gold(
        aspects={id: aspect.sentences for id, aspect in named.items()},
        results=frozenset(id for id, aspect in named.items() if aspect.result),
        labels={id: aspect.label for id, aspect in named.items()},
    )


def evidencebench_json(instances: Sequence[Instance]) -> str:
    """A file in EvidenceBench's layout (its appendix A.5) with the aspects' wording, which `bench` and Vouch can read.

    The candidate pool is every sentence of the paper, including captions and table rows, so that indices stay the same.
    """
    return _json({instance.id: evidencebench_record(instance) for instance in instances})


def evidencebench_record(instance: Instance, *, paper_id: str | None = None) -> dict[str, Any]:
    """One record, including the aspects that no sentence covers."""
    gold, sentences = instance.gold, instance.paper.pool
    results = gold.results_only.aspects
    record = {
        "hypothesis": instance.hypothesis,
        "paper_as_candidate_pool": [sentence.text for sentence in sentences],
        "aspect_list_ids": list(gold.aspects),
        "results_aspect_list_ids": list(results),
        "aspect2sentence_indices": {id: sorted(covering) for id, covering in gold.aspects.items()},
        "sentence_index2aspects": {
            str(index): [id for id, covering in gold.aspects.items() if index in covering]
            for index in range(len(sentences))
        },
        "evidence_retrieval_at_optimal_evaluation": at_optimal(gold.aspects),
        "evidence_retrieval_at_10_evaluation": _at(10, gold.aspects, len(sentences)),
        "results_evidence_retrieval_at_optimal_evaluation": at_optimal(results),
        "results_evidence_retrieval_at_5_evaluation": _at(5, results, len(sentences)),
        "sentence_types_in_candidate_pool": [_TYPES.get(sentence.kind, _OTHER_TYPE) for sentence in sentences],
        "paper_id": paper_id or instance.paper.doi or instance.paper.id,
        "aspect_labels": dict(gold.labels or {}),
    }
    return record | ({"paraphrases": list(instance.paraphrases)} if instance.paraphrases else {})


def at_optimal(aspects: Mapping[str, frozenset[int]]) -> dict[str, Any]:
    """The fewest sentences that cover all aspects that can be covered, as both benchmarks define it."""
    fewest = optimal(aspects)
    cover = best_cover(aspects, fewest)
    return {
        "optimal": fewest,
        "one_selection_of_sentences": list(cover.sentences),
        "covered_aspects": [id for id in aspects if id in cover.aspects],
    }


def _at(k: int, aspects: Mapping[str, frozenset[int]], size: int) -> dict[str, Any]:
    cover = best_cover(aspects, k)
    # The layout requires exactly k sentences, so other sources are added, and then the paper's first sentences.
    sources = sorted({index for covering in aspects.values() for index in covering})
    selection = list(dict.fromkeys([*cover.sentences, *sources, *range(size)]))[:k]
    return {
        "one_selection_of_sentences": selection,
        "covered_aspects": [id for id in aspects if id in cover.aspects],
    }


def _json(content: Mapping[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


# ---- Risk of bias: settled judgements in RoBBR's layouts (its appendix A.5) ----


@dataclass(frozen=True, slots=True)
class BiasGold:
    """A domain of a study as the reviewers settled it. `gold` holds the judgement's aspects and their sentences."""

    id: str
    paper: Paper
    domain: Domain
    study: StudyContext
    level: Level
    gold: Gold


def robbr_main_json(judgements: Sequence[BiasGold]) -> str:
    """The main task's file: the paper and the level."""
    return _json_of_bias({one.id: _common(one) | _level(one) for one in judgements})


def robbr_support_json(judgements: Sequence[BiasGold]) -> str:
    """The file of Support Sentence Retrieval, with the judgements that have support sentences."""
    return _json_of_bias(
        {one.id: _common(one) | support_fields(one.paper, one.gold) for one in judgements if one.gold.by_sentence}
    )


def _common(one: BiasGold) -> dict[str, Any]:
    return {
        "paper_doi": one.paper.doi or one.paper.id,
        "bias": _name(one.domain),
        "bias_definition": _definition(one.domain),
        "PICO": _pico(one.study),
        "objective": _line(one.study.objective),
    }


def _level(one: BiasGold) -> dict[str, Any]:
    return {"full_paper": full_paper(one.paper), "label": level_in_robbr(one.level, one.domain.scale)}


def full_paper(paper: Paper) -> str:
    """A paper's whole text, one sentence per line."""
    return "\n".join(filter(None, (_line(sentence.text) for sentence in paper.pool)))


def support_fields(paper: Paper, gold: Gold) -> dict[str, Any]:
    """The fields of a Support Sentence Retrieval record on the paper, the aspects and their sentences."""
    aspects, sentences = gold.aspects, paper.pool
    return {
        "paper_as_candidate_pool": [sentence.text for sentence in sentences],
        "aspects": {id: gold.label(id) for id in aspects},
        "aspect2sentence_indices": {id: sorted(covering) for id, covering in aspects.items()},
        "sentence_index2aspects": {
            str(index): [id for id, covering in aspects.items() if index in covering] for index in range(len(sentences))
        },
        "bias_retrieval_at_optimal_evaluation": at_optimal(aspects),
    }


def _name(domain: Domain) -> str:
    """The domain and the bias for RoB 1, or the bias only for RoB 2, as in RoBBR's table 12."""
    return domain.bias if domain.bias.startswith("bias ") else f"{domain.name} ({domain.bias})"


def _definition(domain: Domain) -> str:
    """The domain's definition, and the criterion of each level after the level's name."""
    levels = (f"{_word(level)}: {_line(text)}" for level, text in domain.criteria.items())
    return "\n\n".join([_line(domain.definition), *levels])


def _word(level: Level) -> str:
    return f"{level} risk" if level in ROBBR_LEVELS else level


def _pico(study: StudyContext) -> str:
    parts = {
        "Participants": study.population,
        "Interventions": study.intervention,
        "Comparators": study.comparator,
        "Outcomes": study.outcome,
    }
    return "\n\n\n".join(f"{name}: {_line(text)}" for name, text in parts.items() if text.strip())


def _line(text: str) -> str:
    return " ".join(text.split())


def _json_of_bias(content: Mapping[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


# ---- Summaries: sentences whose labels a person has checked, in the layout of docs/summary.md (after FaReBio) ----


@dataclass(frozen=True, slots=True)
class SummaryGold:
    """A checked summary, and a person's labels of some of its sentences, by their number from 0."""

    name: str  # names it among the paper's summaries, such as its writer
    paper: Paper
    report: FaithfulnessReport
    own: Mapping[int, Label]


def farebio_json(summaries: Sequence[SummaryGold]) -> str:
    """One row per sentence with a person's label; other sentences are not gold.

    The first row of each paper also has the source that the summary was checked against.
    """
    rows: list[dict[str, Any]] = []
    for summary in summaries:
        for row in _rows(summary):
            first = all(other["paper"] != row["paper"] for other in rows)
            whole = row | (_source(summary.paper, summary.report.source) if first else {})
            rows.append({key: value for key, value in whole.items() if value})
    return json.dumps(rows, ensure_ascii=False, indent=1) + "\n"


def _rows(summary: SummaryGold) -> Iterator[dict[str, Any]]:
    for number, label in sorted(summary.own.items()):
        check = summary.report.sentences[number]
        agreed = label is check.label  # support, part and reason belong to the engine's label only
        yield {
            "paper": summary.paper.doi or summary.paper.id,
            "summary": summary.name,
            "text": check.text,
            "label": label.value,
            "part": words_at(check.part, check.text) if agreed else None,
            "support": [summary.paper.sentences[one.index].text for one in check.support if one.index is not None]
            if agreed
            else [],
            "rationale": check.reason if agreed else "",
        }


def _source(paper: Paper, source: SummarySource) -> dict[str, Any]:
    """The title, authors, abstract, and first or all sections of a paper, with one line per paragraph."""
    first = first_section(paper)
    abstract = [one for one in paper.pool if in_abstract(paper, one) and one.kind is not Kind.HEADING]
    body = [
        sentence
        for sentence in paper.pool
        if not in_abstract(paper, sentence)
        and sentence.kind not in {Kind.TITLE, Kind.HEADING}
        and (source is SummarySource.WHOLE or sentence.section in first)
    ]
    return {
        "title": paper.title,
        "authors": list(paper.authors),
        "abstract": _lines(paper, abstract),
        "section": paper.sections[first.start].title if first else "",
        "section_text": _lines(paper, body),
    }


def _lines(paper: Paper, sentences: Sequence[Sentence]) -> str:
    """The sentences, with one line per paragraph."""
    lines: list[str] = []
    end = None
    for sentence in sentences:
        text = " ".join(sentence.text.split())
        if end is None or "\n" in paper.text[end : sentence.start]:
            lines.append(text)
        else:
            lines[-1] += f" {text}"
        end = sentence.end
    return "\n".join(lines)


# ---- All of a project ----

LEVELS = "Main_task_project.json"
SUPPORT = "SSR_project.json"
EVIDENCE = "evidencebench_project.json"


def gold_files(
    state: ProjectState, tool: Tool, papers: Mapping[str, Paper], own: OwnAspects = NO_ASPECTS
) -> dict[str, str]:
    """The files by the names that `bench` expects in a folder, without empty ones.

    A judgement is gold once it is settled or all reviewers agree; a sentence is gold if a reviewer accepted it. Papers
    that are not in `papers` are left out. `own` holds aspects in reviewers' words; a sentence that covers none of them
    is an aspect of its own. Raises `QueryError` if the project was judged with another tool.
    """
    judgements = list(settled_judgements(state, tool, papers, own))
    instances = list(accepted_evidence(state, papers, own))
    files = {}
    if judgements:
        files[LEVELS] = robbr_main_json(judgements)
    if any(one.gold.by_sentence for one in judgements):
        files[SUPPORT] = robbr_support_json(judgements)
    if instances:
        files[EVIDENCE] = evidencebench_json(instances)
    return files


def settled_judgements(
    state: ProjectState, tool: Tool, papers: Mapping[str, Paper], own: OwnAspects = NO_ASPECTS
) -> Iterator[BiasGold]:
    """Each domain of a study that is settled or on which all agree, with the support sentences of all reviewers."""
    support: dict[Place, set[int]] = {}
    for one in present(state.judgements):
        support.setdefault(place_of(one), set()).update(one.support)
    for study in settled_levels(state, tool).studies:
        for domain in tool.domains:
            level = study.cells[domain.id].level
            if level is not None and study.paper in papers:
                paper = papers[study.paper]
                id = f"{study.name}/{domain.id}"
                taken = support.get((study.paper, tool.id, study.outcome, domain.id), ())
                gold = own_gold(paper, own.get((study.paper, id), ()), taken)
                asked = state.project.record.study.for_outcome(study.outcome)
                yield BiasGold(id, paper, domain, asked, level, gold)


def settled_gold(paper: Paper, views: Mapping[str, DomainView], reviewers: Sequence[str]) -> dict[str, DomainGold]:
    """The level of each domain that is settled or on which all agree, with the sentences that any reviewer accepted.

    `views` is what one reader may see; domains that are hidden from the reader are left out.
    """
    found = {}
    for id, view in views.items():
        judged = [saved.record for saved in (view.own, *view.others) if saved is not None]
        alike = {one.level for one in judged} if len(judged) == len(reviewers) else set()
        if view.consensus is not None:
            alike = {view.consensus.record.level}
        level = alike.pop() if len(alike) == 1 else None
        if level is not None and not view.hidden and id != OVERALL:
            accepted = {index for one in judged for index in one.support}
            found[id] = DomainGold((level,), own_gold(paper, (), accepted) if accepted else None)
    return found


def accepted_evidence(
    state: ProjectState, papers: Mapping[str, Paper], own: OwnAspects = NO_ASPECTS
) -> Iterator[Instance]:
    """An instance for each paper and hypothesis, with the accepted sentences of all reviewers."""
    accepted: dict[tuple[str, str], set[int]] = {}
    for one in present(state.decisions):
        taken = {index for index, word in one.sentences.items() if word in TAKEN_IN}
        accepted.setdefault((one.paper, one.hypothesis), set()).update(taken)
    for record in papers_of(state).values():
        asked = [(hypothesis, taken) for (paper, hypothesis), taken in accepted.items() if paper == record.id and taken]
        for number, (hypothesis, taken) in enumerate(asked, 1):
            if record.id in papers:
                gold = own_gold(papers[record.id], own.get((record.id, hypothesis), ()), taken)
                yield Instance(f"{record.id[:12]}_{number}", hypothesis, papers[record.id], gold)
