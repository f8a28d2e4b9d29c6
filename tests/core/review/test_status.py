"""How a queue stands is counted in the database, and agrees with what is named one by one."""

from __future__ import annotations

from dataclasses import replace

from core.bias.model import Judgement, Level
from core.review.intake import BY_HAND, match_references, unmatched
from core.review.job import READ, bias_task, criterion_task
from core.review.planning import missing
from core.review.status import queue_status
from core.review.working import in_full, models_of
from core.store import Pairing, Plan, Store, Suggestion
from tests.core.review.large import CRITERIA, DOMAINS, fill, paper, reference


def test_what_is_open_is_counted_as_it_is_named(store: Store) -> None:
    project = fill(store, papers=12)
    new = [f"{number:064x}" for number in (100, 101, 102, 103)]
    with store.writing("Ann") as change:
        for number, id in enumerate(new, start=100):
            change.save(paper("large", id, number))
        change.put(Suggestion("large", new[0], "offline", Judgement(DOMAINS[0], Level.LOW, "So.")))
        change.put(Suggestion("large", new[0], "bm25", Judgement(DOMAINS[1], None, "Another engine's.")))
        change.note_failure("large", new[0], bias_task("offline", DOMAINS[2]), "It broke.")
        change.note_failure("large", new[1], READ, "Its file is not here.")
        change.save(Pairing("large", new[0], new[2], same=True))
        change.save(reference("large", 500, None))
        change.note_failure("large", "export-500", criterion_task("offline", CRITERIA[0].id), "It broke.")
    with store.reading() as now:
        status = queue_status(now, project)
        named = missing(now, project, in_full(project.plan))
    assert status.open_questions == sum(one.questions for one in named)
    assert status.open_items == len(named)
    # 7 domains, 2 hypotheses, 3 criteria: of the first paper one is answered and one failed, the fourth has all open,
    # and three references without a paper have their criteria open, one of which failed.
    assert status.open_questions == 10 + 12 + 3 + 3 + 2
    assert status.answered == 12 * 12 + 1
    assert (status.papers, status.references) == (16, 13)


def test_a_model_counts_by_its_full_name() -> None:
    plan = Plan("offline", "openai:some-model", "compatible:other@highlights")
    assert in_full(plan) == Plan("offline", "openai:some-model@sections", "compatible:other@highlights")
    assert [str(model) for model in models_of(plan)] == ["openai:some-model", "compatible:other@highlights"]
    assert in_full(Plan("Offline ", None, None)) == Plan("offline", None, None)


def test_what_a_reviewer_says_of_a_reference_stays(store: Store) -> None:
    fill(store, papers=11)
    with store.writing("Ann") as change:
        saved = next(one for one in change.references("large") if one.record.paper is not None)
        change.save(replace(saved.record, paper=None, matched=BY_HAND), seen=saved.version)
    match_references(store, "large")
    with store.reading() as now:
        (after,) = (one.record for one in now.references("large") if one.record.id == saved.record.id)
        assert (after.paper, after.matched) == (None, BY_HAND)
        assert saved.record.id not in {one.reference for one in unmatched(now, "large")}
        others = [one.record for one in now.references("large") if one.record.id != saved.record.id]
        assert {one.matched for one in others} == {"DOI"}, "the others are matched"
