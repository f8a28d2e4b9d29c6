"""The index of a library: passages with their words and vectors, in LanceDB.

A library is two tables, `NAME-papers` and `NAME-passages`. A paper is there once it has its row in the first, which is
written last: what was killed on the way is done again, and replaces what stands there. Everything is told by the paper's
id, so that adding, changing and removing one touches its rows only.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, cast

import lancedb
import numpy as np
import pyarrow as pa
from lancedb.index import FTS, IvfPq
from lancedb.query import LanceHybridQueryBuilder, LanceQueryBuilder, LanceVectorQueryBuilder, MatchQuery
from lancedb.rerankers import RRFReranker
from numpy.typing import NDArray

from core.errors import LibraryError
from core.library.model import Found, LibraryPaper, Passage, SearchMethod, Years
from core.library.passages import SPLITTER, passages_of
from core.paper import Paper
from core.progress import Progress, silent
from core.settings import Settings, load_settings
from core.text.encoder import DIMENSIONS, MODEL_NAME
from core.text.similarity import Embedder

MADE_BY = f"{MODEL_NAME}, {SPLITTER}"
AT_ONCE = 16  # papers that are saved together
_DEPTH = 100  # passages that each way of searching brings
_MANY = 200_000  # passages, from which on vectors are searched by an index; below, exactly
ANY_YEAR = Years()
_NAME = re.compile(r"[\w-]+")

Vector = NDArray[np.float32]

os.environ.setdefault("LANCE_LOG", "error")  # its warnings are about its own later versions

_PAPERS = pa.schema(
    [
        ("id", pa.string()), ("name", pa.string()), ("title", pa.string()), ("authors", pa.list_(pa.string())),
        ("journal", pa.string()), ("year", pa.int32()), ("doi", pa.string()), ("pmid", pa.string()),
        ("passages", pa.int32()), ("made_by", pa.string()),
    ]
)  # fmt: skip
_PASSAGES = pa.schema(
    [
        ("id", pa.string()), ("paper", pa.string()), ("first", pa.int32()), ("section", pa.string()),
        ("part", pa.string()), ("page", pa.int32()), ("sentences", pa.list_(pa.string())),
        ("findings", pa.list_(pa.float32())), ("before", pa.string()), ("year", pa.int32()),
        ("text", pa.string()), ("vector", pa.list_(pa.float32(), DIMENSIONS)),
    ]
)  # fmt: skip
_COLUMNS = [name for name in _PASSAGES.names if name not in ("id", "year", "text")]


def open_library(name: str, embedder: Embedder, settings: Settings | None = None) -> Library:
    """The library of this name, made when it is not there yet. Raises `LibraryError` where it cannot be opened."""
    return Library(name, (settings or load_settings()).library, embedder)


class Library:
    """Papers to which questions are put. Several processes may read; one writes at a time."""

    def __init__(self, name: str, url: str, embedder: Embedder) -> None:
        if not _NAME.fullmatch(name):
            raise LibraryError(f"“{name}” is no name for a library. Use letters, digits, _ and -.")
        self.name = name
        self._embedder = embedder
        try:
            database = lancedb.connect(url)
            self._papers = database.create_table(f"{name}-papers", schema=_PAPERS, exist_ok=True)
            self._passages = database.create_table(f"{name}-passages", schema=_PASSAGES, exist_ok=True)
        except (OSError, ValueError, RuntimeError) as error:
            raise LibraryError(
                f"The library cannot be opened ({type(error).__name__}). Check VOUCH_LIBRARY_URL, or the folder “library” in "
                "VOUCH_HOME; it can be deleted, and is made anew from the papers."
            ) from error

    # ---- what there is ----

    def papers(self) -> list[LibraryPaper]:
        """Every paper that is indexed, in the order of their names."""
        rows = self._papers.to_arrow().to_pylist()
        return sorted((_paper(row) for row in rows), key=lambda paper: (paper.name, paper.id))

    def stale(self) -> list[LibraryPaper]:
        """The papers whose passages another encoder or splitter made: a search finds them wrongly, or not at all."""
        return [paper for paper in self.papers() if paper.made_by != MADE_BY]

    def __len__(self) -> int:
        """How many passages there are."""
        return int(self._passages.count_rows())

    # ---- changes ----

    def add(self, papers: Iterable[Paper], *, progress: Progress = silent, count: int = 0) -> int:
        """Index papers that are not there yet, or stale. Returns how many were.

        `count`: how many papers come, for the progress. What is saved before it is cancelled stays.
        """
        there = {paper.id for paper in self.papers() if paper.made_by == MADE_BY}
        waiting: list[Paper] = []
        added = 0
        for done, paper in enumerate(papers, 1):
            progress(min(1.0, done / max(count, done)), f"Indexing {paper.name}")
            if paper.id not in there:
                there.add(paper.id)
                waiting.append(paper)
            if len(waiting) == AT_ONCE:
                self._save(waiting)
                added, waiting = added + AT_ONCE, []
        if waiting:
            self._save(waiting)
        if added + len(waiting):
            self.tidy()
        return added + len(waiting)

    def remove(self, papers: Collection[str]) -> None:
        """Take papers out, by their ids; what is not there is no mistake."""
        if papers:
            self._papers.delete(_one_of("id", papers))
            self._passages.delete(_one_of("paper", papers))

    def tidy(self) -> None:
        """Take new rows into the indexes, and old versions away. Nothing is missing from a search before it."""
        if not len(self):
            return
        indexed = {index.name: index for index in self._passages.list_indices()}
        if "text_idx" not in indexed:
            self._passages.create_index("text", config=FTS())
        if "vector_idx" not in indexed and len(self) >= _MANY:
            self._passages.create_index("vector", config=IvfPq(distance_type="cosine"))
        self._passages.optimize()
        self._papers.optimize()

    def _save(self, papers: Sequence[Paper]) -> None:
        rows: list[dict[str, Any]] = []
        entries = []
        for paper in papers:
            passages = passages_of(paper)
            rows += [_row(paper, passage) for passage in passages]
            entries.append(asdict(LibraryPaper.of(paper, passages=len(passages), made_by=MADE_BY)))
        vectors = self._embedder.encode([row["text"] for row in rows])
        table = pa.Table.from_pylist(
            [row | {"vector": vector} for row, vector in zip(rows, vectors, strict=True)], schema=_PASSAGES
        )
        ids = [paper.id for paper in papers]
        self._papers.delete(_one_of("id", ids))  # until all of it is there, nothing of it counts
        (
            self._passages.merge_insert("id")
            .when_matched_update_all()
            .when_not_matched_insert_all()
            .when_not_matched_by_source_delete(_one_of("paper", ids))
            .execute(table)
        )
        self._papers.add(pa.Table.from_pylist(entries, schema=_PAPERS))

    # ---- search ----

    def search(
        self,
        question: str,
        *,
        depth: int = _DEPTH,
        method: SearchMethod = SearchMethod.HYBRID,
        only: Collection[str] | None = None,
        without: Collection[str] = (),
        years: Years = ANY_YEAR,
    ) -> list[Found]:
        """The passages nearest to the question, best first, `depth` of each way of searching at most.

        `only` and `without`: ids of papers. Hybrid joins by reciprocal ranks (Cormack et al. 2009).
        """
        if only is not None and not only:
            return []
        vector = self._embedder.encode([question])[0]
        if not len(self):
            return []
        query = self._query(question, vector, method)
        if where := _conditions(only, without, years):
            query = query.where(where, prefilter=True)
        return [_found(row, vector) for row in query.limit(depth).to_list()]

    def _query(self, question: str, vector: Vector, method: SearchMethod) -> LanceQueryBuilder:
        words = MatchQuery(question, "text")  # type: ignore[call-arg]  # its defaults are not in its types
        if method is SearchMethod.WORDS:
            return self._passages.search(words, query_type="fts")
        if method is SearchMethod.MEANING:
            near = cast("LanceVectorQueryBuilder", self._passages.search(vector, query_type="vector"))
            return near.distance_type("cosine")
        both = cast("LanceHybridQueryBuilder", self._passages.search(query_type="hybrid"))
        return both.vector(vector).text(words).distance_type("cosine").rerank(RRFReranker(return_score="all"))


def _row(paper: Paper, passage: Passage) -> dict[str, Any]:
    """What is searched: the passage after the titles of paper and section, which its sentences rely on."""
    titled = ". ".join(filter(None, (paper.title, passage.section, passage.text)))
    kept = {name: getattr(passage, name) for name in _COLUMNS if name != "vector"}
    return kept | {"id": passage.id, "year": paper.year, "text": titled}


def _paper(row: Mapping[str, Any]) -> LibraryPaper:
    return LibraryPaper(**{**row, "authors": tuple(row["authors"])})


def _found(row: Mapping[str, Any], question: Vector) -> Found:
    passage = Passage(
        row["paper"], row["first"], row["section"], row["part"], row["page"], tuple(row["sentences"]),
        tuple(row["findings"]), row["before"],
    )  # fmt: skip
    return Found(passage, row.get("_score") or 0.0, float(np.asarray(row["vector"], dtype=np.float32) @ question))


def _conditions(only: Collection[str] | None, without: Collection[str], years: Years) -> str:
    """The filter of a search, in SQL."""
    told = [] if only is None else [_one_of("paper", only)]
    if without:
        told.append(f"NOT {_one_of('paper', without)}")
    told += [f"year >= {int(years.first)}"] if years.first is not None else []
    told += [f"year <= {int(years.last)}"] if years.last is not None else []
    return " AND ".join(told)


def _one_of(column: str, values: Iterable[str]) -> str:
    """A condition in SQL. The values are made safe: ids come from files."""
    quoted = ", ".join("'" + value.replace("'", "''") + "'" for value in sorted(set(values)))
    return f"{column} IN ({quoted})"
