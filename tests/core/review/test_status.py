"""How a queue stands is counted in the database, and agrees with what is named one by one."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import delete

from core.bias.model import LOW, Judgement
from core.evidence import EvidenceQuery
from core.evidence.llm import estimate_run
from core.findings.finding import K
from core.llm import model_named
from core.review.estimating import estimate_rest
from core.review.intake import BY_HAND, match_references, unmatched_references
from core.review.jobs import models_of, with_full_names
from core.review.planning import READ, bias_task, criterion_task, finding_task, missing
from core.review.status import queue_status
from core.store import Pairing, Plan, Store, StoredSuggestion, question_key
from core.store.tables import texts
from tests.core.review.large import CRITERIA, DOMAINS, HYPOTHESES, fill, finding, paper, reference

TOOL = "rob1"


def test_what_is_open_is_counted_as_it_is_named(store: Store) -> None:
    project = fill(store, papers=12)
    new = [f"{number:064x}" for number in (100, 101, 102, 103)]
    with store.writing("Ann") as change:
        for number, id in enumerate(new, start=100):
            change.save(paper("large", id, number))
        change.put(StoredSuggestion("large", new[0], TOOL, "offline", Judgement(DOMAINS[0], LOW, "So.")))
        change.put(StoredSuggestion("large", new[0], TOOL, "bm25", Judgement(DOMAINS[1], None, "Another engine's.")))
        change.queue.note_failure("large", new[0], bias_task("offline", TOOL, "", DOMAINS[2]), "It broke.")
        change.queue.note_failure("large", new[1], READ, "Its file is not here.")
        change.save(Pairing("large", new[0], new[2], same=True))
        change.save(reference("large", 500, None))
        change.queue.note_failure("large", "export-500", criterion_task("offline", CRITERIA[0].id), "It broke.")
    with store.reading() as now:
        status = queue_status(now, project)
        named = missing(now, project, with_full_names(project.plan))
    assert status.open_questions == sum(one.questions for one in named)
    assert status.open_items == len(named)
    # 7 domains, 2 hypotheses, 3 criteria: of the first paper one is answered and one failed, the fourth has all open,
    # and three references without a paper have their criteria open, one of which failed.
    assert status.open_questions == 10 + 12 + 3 + 3 + 2
    assert status.answered == 12 * 12 + 1
    assert (status.papers, status.references) == (16, 13)


def test_a_failed_question_that_was_answered_elsewhere_has_not_failed(store: Store) -> None:
    project = fill(store, papers=1)
    new, old = f"{100:064x}", f"{0:064x}"
    with store.writing("Ann") as change:
        change.save(paper("large", new, 100))
        for id in (new, old):
            change.queue.note_failure("large", id, bias_task("offline", TOOL, "", DOMAINS[0]), "It broke.")
        change.queue.note_failure("large", new, criterion_task("offline", CRITERIA[0].id), "It broke.")
        change.queue.note_failure("large", new, finding_task("offline", question_key(HYPOTHESES[0])), "It broke.")
        change.put(StoredSuggestion("large", new, TOOL, "offline", Judgement(DOMAINS[0], LOW, "So.")))
        change.put(finding("large", new, HYPOTHESES[0]))
    with store.reading() as now:
        status = queue_status(now, project)
        named = missing(now, project, with_full_names(project.plan))
    assert [one.task for one in status.failures] == [criterion_task("offline", CRITERIA[0].id)]
    # Of the new paper three of 12 are answered or failed; the reference without a paper has its criteria open.
    assert status.open_questions == sum(one.questions for one in named) == 12 - 3 + 3
    assert status.answered == 12 + 2


def test_engines_are_not_asked_about_results_that_a_paper_does_not_report(store: Store) -> None:
    fill(store, papers=2)
    with store.writing("Ann") as change:
        for number in (100, 101):
            change.save(paper("large", f"{number:064x}", number))
        saved = change.project("large")
        rules = replace(saved.record, tool="rob2", outcomes=("pain", "sleep"))
        project = rules.reporting(f"{100:064x}", "sleep", reports=False)
        change.save(project, seen=saved.version)
        some = Judgement("D1", LOW, "So.")
        for outcome in rules.outcomes:
            change.put(StoredSuggestion("large", f"{100:064x}", "rob2", "offline", some, outcome=outcome))
        gone = bias_task("offline", "rob2", "sleep", "D5")
        change.queue.note_failure("large", f"{100:064x}", gone, "It broke.")
    with store.reading() as now:
        status = queue_status(now, project)
        named = missing(now, project, with_full_names(project.plan))
    asked = {one.item: {outcome for outcome, _ in one.domains} for one in named}
    assert asked[f"{100:064x}"] == {"pain"}
    assert asked[f"{101:064x}"] == {"pain", "sleep"}
    assert status.open_questions == sum(one.questions for one in named)


def test_a_model_counts_by_its_full_name() -> None:
    plan = Plan("offline", "openai:some-model", "compatible:other@highlights")
    assert with_full_names(plan) == Plan("offline", "openai:some-model@sections", "compatible:other@highlights")
    assert [str(model) for model in models_of(plan)] == ["openai:some-model", "compatible:other@highlights"]
    assert with_full_names(Plan("Offline ", None, None)) == Plan("offline", None, None)


def test_what_a_reviewer_says_of_a_reference_stays(store: Store) -> None:
    fill(store, papers=11)
    with store.writing("Ann") as change:
        saved = next(one for one in change.references("large") if one.record.paper is not None)
        change.save(replace(saved.record, paper=None, matched=BY_HAND), seen=saved.version)
    match_references(store, "large")
    with store.reading() as now:
        (after,) = (one.record for one in now.references("large") if one.record.id == saved.record.id)
        assert (after.paper, after.matched) == (None, BY_HAND)
        assert saved.record.id not in {one.reference for one in unmatched_references(now, "large")}
        others = [one.record for one in now.references("large") if one.record.id != saved.record.id]
        assert {one.matched for one in others} == {"DOI"}, "the others are matched"


# What the rest of a review will cost with a language model: by its first papers, for all that are open.

MODEL = "openai:gpt-4o-mini"


def test_the_first_papers_stand_for_the_rest(store: Store) -> None:
    project = replace(fill(store, papers=6), plan=Plan("offline", MODEL, "offline"))
    with store.reading() as now:
        found = estimate_rest(now, project)
        paper = now.text(project.id, f"{0:064x}")
    model = model_named(MODEL)
    assert paper is not None
    assert model is not None
    assert found is not None
    each = [estimate_run(model, paper, EvidenceQuery(h, k=K, results_only=True)) for h in HYPOTHESES]
    assert found.calls == 6 * sum(one.calls for one in each), "all six papers have the same text"
    assert found.input_tokens == 6 * sum(one.input_tokens for one in each)


def test_papers_whose_text_is_missing_cost_as_much_as_the_others(store: Store) -> None:
    project = replace(fill(store, papers=6), plan=Plan("offline", MODEL, "offline"))
    with store.reading() as now:
        whole = estimate_rest(now, project)
    with store.writing("Ann") as change:
        gone = [f"{number:064x}" for number in range(4)]
        change.connection.execute(delete(texts).where(texts.c.item.in_(gone)))
        assert whole == estimate_rest(change, project)


def test_nothing_is_estimated_where_no_model_is_asked(store: Store) -> None:
    project = fill(store, papers=2)
    with store.reading() as now:
        assert estimate_rest(now, project) is None
        assert estimate_rest(now, replace(project, plan=Plan(None, "bm25", None))) is None
