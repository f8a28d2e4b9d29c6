"""The store: projects, papers, judgements and decisions, saved as they are made, with their history."""

from core.store.document import project_from_json, project_to_json
from core.store.model import (
    Action,
    Change,
    Conflict,
    Consensus,
    DomainLevels,
    DomainView,
    PaperState,
    Project,
    ProjectState,
    Record,
    ReviewerJudgement,
    Saved,
    SentenceDecisions,
    StoredPaper,
    Suggestion,
)
from core.store.papers import paper_of, record_of
from core.store.reading import Reading
from core.store.runs import Runs
from core.store.store import Store, open_store
from core.store.writing import Writing

__all__ = [
    "Action",
    "Change",
    "Conflict",
    "Consensus",
    "DomainLevels",
    "DomainView",
    "PaperState",
    "Project",
    "ProjectState",
    "Reading",
    "Record",
    "ReviewerJudgement",
    "Runs",
    "Saved",
    "SentenceDecisions",
    "Store",
    "StoredPaper",
    "Suggestion",
    "Writing",
    "open_store",
    "paper_of",
    "project_from_json",
    "project_to_json",
    "record_of",
]
