"""The tasks on risk of bias."""

from __future__ import annotations

from functools import partial

from core.benchmarks import bias_papers, bias_sentences, support
from core.benchmarks.bias_papers import PaperGold, PaperQuestion
from core.benchmarks.bias_sentences import SentencesQuestion
from core.benchmarks.support import SupportQuestion
from core.benchmarks.task import EngineChoice, Kind, Task, data_file
from core.bias.engine import BiasEngine
from core.bias.engines import bias_engine_named
from core.bias.model import Level
from core.bias.ranker.model import was_trained_on

SEEN = (
    "The engine offline was trained on this very file, so that its figures here say nothing of new papers. "
    "docs/bias.md gives those on papers that it had not seen; python -m core.training.train_bias --check measures them."
)


def open_engine(choice: EngineChoice) -> BiasEngine:
    """The engine for risk of bias that was chosen."""
    return bias_engine_named(choice.name, key=choice.key, budget=choice.budget, seed=choice.seed)


def seen(engine: str, sha256: str) -> tuple[str, ...]:
    """Says so where the engine was trained on the file."""
    return (SEEN,) if engine == "offline" and was_trained_on(sha256) else ()


SUPPORT: Task[BiasEngine, SupportQuestion, frozenset[int]] = Task(
    name="consort/support",
    kind=Kind.BIAS,
    open=open_engine,
    source=partial(data_file, "consort_tm", "t*.json"),
    items=support.read_support_items,
    ask=support.ask,
    score=support.hits,
    metrics=support.metrics,
    estimate=support.estimated,
    notes=seen,
)
FROM_SENTENCES: Task[BiasEngine, SentencesQuestion, Level] = Task(
    name="bias/from-sentences",
    kind=Kind.BIAS,
    open=open_engine,
    source=partial(data_file, "bias", "sentences*.json"),
    items=bias_sentences.read_sentence_items,
    ask=bias_sentences.ask,
    score=bias_sentences.correct,
    metrics=bias_sentences.metrics,
    estimate=bias_sentences.estimated,
)
PAPERS: Task[BiasEngine, PaperQuestion, PaperGold] = Task(
    name="bias/papers",
    kind=Kind.BIAS,
    open=open_engine,
    source=partial(data_file, "rob1_papers", "*.jsonl"),
    items=bias_papers.read_paper_items,
    ask=bias_papers.ask,
    score=bias_papers.score,
    metrics=bias_papers.metrics,
    files=bias_papers.paper_files,
    notes=seen,
    estimate=bias_papers.estimated,
)
BIAS_TASKS = (SUPPORT, FROM_SENTENCES, PAPERS)
