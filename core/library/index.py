"""The index of a library: passages with their words and vectors, in LanceDB.

A library is two tables, `NAME-papers` and `NAME-passages`. A paper is there once it has its row in the first, which is
written last: what was killed on the way is done again, and replaces what stands there. Everything is told by the paper's
id, so that adding, changing and removing one touches its rows only.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.errors import LibraryError
from core.library.encoding import MADE_BY, EncodedPaper, encoded, searched_text
from core.library.model import Found, LibraryPaper, Passage, SearchMethod, Years
from core.paper import CitedWork, Paper
from core.progress import Progress, silent
from core.settings import Settings, load_settings
from core.text.encoder import DIMENSIONS
from core.text.similarity import Embedder, PaperVectors

if TYPE_CHECKING:  # commands and pages that open no library need not wait for it
    from lancedb import DBConnection
    from lancedb.query import LanceHybridQueryBuilder, LanceQueryBuilder, LanceVectorQueryBuilder
    from lancedb.table import Table

AT_ONCE = 16  # papers that are saved together
_DEPTH = 100  # passages that each way of searching brings
_MANY = 200_000  # passages, from which on vectors and papers are found by an index; below, exactly
_PROBES = 50  # parts of that index that are searched; of 5 million passages, one part in forty
# Every change leaves a version with its files. They are deleted when they are older than a search can take, and whoever
# has a library open looks for a newer version sooner.
_KEEPS_VERSIONS = timedelta(minutes=1)
_LOOKS_FOR_NEWER = timedelta(seconds=5)
ANY_YEAR = Years()
_CUT_BY = sha256(MADE_BY.encode()).hexdigest()[
    :8
]  # in the names of other encoders' tables: other passages, other vectors
_NAME = re.compile(r"[\w-]+")
_SYSTEM_ERROR = re.compile(r"\(os error (\d+)\)")  # as Rust writes it

_ENCODING = Lock()  # two threads that encode the same papers would keep them twice
_MAKING = Lock()  # of two threads that open a new library at once, the second would overwrite the first one's tables

Vector = NDArray[np.float32]

os.environ.setdefault("LANCEDB_LOG", "error")  # its warnings (an empty part of an index) tell a reader nothing

# Kept beside the paper, and read only where citations are followed: `papers` is asked for with every question.
_REFERENCES = pa.field(
    "references",
    pa.list_(
        pa.struct(
            [
                ("title", pa.string()), ("authors", pa.list_(pa.string())), ("journal", pa.string()),
                ("year", pa.int32()), ("doi", pa.string()), ("pmid", pa.string()),
            ]
        )
    ),
)  # fmt: skip
_PAPERS = pa.schema(
    [
        ("id", pa.string()), ("name", pa.string()), ("title", pa.string()), ("authors", pa.list_(pa.string())),
        ("journal", pa.string()), ("year", pa.int32()), ("doi", pa.string()), ("pmid", pa.string()),
        ("passages", pa.int32()), ("made_by", pa.string()), ("designs", pa.list_(pa.string())), ("retracted", pa.bool_()),
        _REFERENCES,
    ]
)  # fmt: skip
_PASSAGES = pa.schema(
    [
        ("id", pa.string()), ("paper", pa.string()), ("first", pa.int32()), ("section", pa.string()),
        ("part", pa.string()), ("page", pa.int32()), ("sentences", pa.list_(pa.string())),
        ("findings", pa.list_(pa.float32())), ("before", pa.string()), ("year", pa.int32()),
        ("designs", pa.list_(pa.string())), ("text", pa.string()), ("vector", pa.list_(pa.float32(), DIMENSIONS)),
    ]
)  # fmt: skip
_OF_PAPER = [name for name in _PAPERS.names if name != _REFERENCES.name]
_FILTERED = ("id", "paper", "year", "designs")  # by what a search may be limited
_COLUMNS = [name for name in _PASSAGES.names if name not in ("id", "year", "designs", "text", "vector")]


def open_library(name: str, embedder: Embedder, settings: Settings | None = None) -> Library:
    """The library of this name, made when it is not there yet. Raises `LibraryError` where it cannot be opened."""
    return Library(name, (settings or load_settings()).library, embedder)


def drop_library(name: str, settings: Settings) -> None:
    """Delete a library with all its tables, if it is there. Raises `LibraryError`."""
    with _told("changed", (OSError, RuntimeError, ValueError)):
        database = _connect(settings.library)
        for table in list(_tables(database)):
            if table in (f"{name}-papers", f"{name}-passages") or table.startswith(f"{name}-by-"):
                database.drop_table(table)


class Library:
    """Papers to which questions are put. Several processes may read; one writes at a time."""

    def __init__(
        self,
        name: str,
        url: str,
        embedder: Embedder,
        *,
        keeps_versions: timedelta = _KEEPS_VERSIONS,
        looks_for_newer: timedelta = _LOOKS_FOR_NEWER,
    ) -> None:
        """Open it, or make it. Versions of before are kept for who reads them still, others' changes looked for so often."""
        if not _NAME.fullmatch(name):
            raise LibraryError(f"“{name}” is no name for a library. Use letters, digits, _ and -.")
        self.name = name
        self.folder = None if "://" in url else Path(url)  # where it is on this machine
        self._embedder = embedder
        self._keeps_versions = keeps_versions
        with _told("opened", (OSError, RuntimeError, ValueError)):
            database = _connect(url, looks_for_newer)
            self._database = database
            with _MAKING:
                self._papers = _table_of(database, f"{name}-papers", _PAPERS)
                self._passages = _table_of(database, f"{name}-passages", _PASSAGES)

    # ---- what there is ----

    def papers(self) -> list[LibraryPaper]:
        """Every paper that is indexed, in the order of their names."""
        with _told("read"):
            rows = self._papers.search().select(_OF_PAPER).to_arrow().to_pylist()
        return sorted((_paper(row) for row in rows), key=lambda paper: (paper.name, paper.id))

    def references(self) -> dict[str, tuple[CitedWork, ...]]:
        """The works that each paper cites, by the paper's id; none where its file has no list that can be read."""
        with _told("read"):
            rows = self._papers.search().select(["id", _REFERENCES.name]).to_arrow().to_pylist()
        return {row["id"]: tuple(map(_cited_work, row[_REFERENCES.name] or ())) for row in rows}

    def stale(self) -> list[LibraryPaper]:
        """The papers that another encoder or splitter made, or an older Vouch.

        A search finds them wrongly or not at all, or their references are not there.
        """
        return [paper for paper in self.papers() if paper.made_by != MADE_BY]

    def indexed(self) -> set[str]:
        """The ids of the papers that need not be indexed again."""
        return {paper.id for paper in self.papers() if paper.made_by == MADE_BY}

    def __len__(self) -> int:
        """How many passages there are."""
        with _told("read"):
            return int(self._passages.count_rows())

    # ---- changes ----

    def add(self, papers: Iterable[Paper], *, progress: Progress = silent, count: int = 0) -> int:
        """Index papers that are not there yet, or stale. Returns how many were. Raises `LibraryError`.

        `count`: how many papers come, for the progress. What is saved before it is cancelled stays.
        """
        there = self.indexed()
        waiting: list[Paper] = []
        added = 0
        for done, paper in enumerate(papers, 1):
            progress(min(1.0, done / max(count, done)), f"Indexing {paper.name}")
            if paper.id not in there:
                there.add(paper.id)
                waiting.append(paper)
            if len(waiting) == AT_ONCE:
                self.put(encoded(waiting, self._embedder))
                added, waiting = added + AT_ONCE, []
        if waiting:
            self.put(encoded(waiting, self._embedder))
        if added + len(waiting):
            self.tidy()
        return added + len(waiting)

    def put(self, papers: Sequence[EncodedPaper]) -> None:
        """Save papers that are encoded, in place of what is there of them. Killed on the way, none of them counts.

        One process does this at a time. `tidy` is due after the last. Raises `LibraryError`.
        """
        ids = [one.paper.id for one in papers]
        self.remove(ids)
        entries = [asdict(one.paper) | {_REFERENCES.name: [asdict(work) for work in one.references]} for one in papers]
        with _told("changed"):
            if any(one.passages for one in papers):
                self._passages.add(_table(papers))
            self._papers.add(pa.Table.from_pylist(entries, schema=_PAPERS))  # last: from now on they are there

    def remove(self, papers: Collection[str]) -> None:
        """Take papers out, by their ids; what is not there is no mistake. Raises `LibraryError`."""
        if papers:
            with _told("changed"):
                self._papers.delete(_one_of("id", papers))
                self._passages.delete(_one_of("paper", papers))

    def tidy(self) -> None:
        """Take new rows into the indexes, and old versions and old tables away. Nothing is missing from a search before it."""
        if len(self):
            with _told("changed"):
                self._tidy()

    def _tidy(self) -> None:
        from lancedb.index import FTS, BTree, IvfSq  # noqa: PLC0415

        for name in list(_tables(self._database)):  # of passages as an older Vouch cut them
            if name.startswith(f"{self.name}-by-") and not name.endswith(f"-{_CUT_BY}"):
                self._database.drop_table(name)
        indexed = {index.name for index in self._passages.list_indices()}
        if "text_idx" not in indexed:
            self._passages.create_index("text", config=FTS())
        if len(self) >= _MANY:
            if "paper_idx" not in indexed:
                self._passages.create_index("paper", config=BTree())
            if "vector_idx" not in indexed:
                # A byte a dimension: nearly as exact as the vectors themselves, and made many times faster than products.
                self._passages.create_index("vector", config=IvfSq(distance_type="cosine"))
        self._passages.optimize(cleanup_older_than=self._keeps_versions)
        self._papers.optimize(cleanup_older_than=self._keeps_versions)

    # ---- search ----

    def encode(self, texts: Sequence[str]) -> Vector:
        """The vectors of texts by the encoder of the library. Shape: (len(texts), dimensions)."""
        return self._embedder.encode(list(texts))

    def search(
        self,
        question: str,
        *,
        depth: int = _DEPTH,
        method: SearchMethod = SearchMethod.HYBRID,
        only: Collection[str] | None = None,
        without: Collection[str] = (),
        years: Years = ANY_YEAR,
        design: str | None = None,
        passages: Collection[str] | None = None,
    ) -> list[Found]:
        """The passages nearest to the question, best first, `depth` of each way of searching at most.

        `only` and `without`: ids of papers; `design`: one that they have by their own account; `passages`: ids of the only
        passages that count, whatever else is given. Hybrid joins by reciprocal ranks (Cormack et al. 2009).
        """
        among = only if passages is None else passages
        if among is not None and not among:
            return []
        vector = self._embedder.encode([question])[0]
        if not len(self):
            return []
        query = self._query(question, vector, method)
        if where := _conditions(only, without, years, design, passages):
            query = query.where(where, prefilter=True)
        with _told("searched"):
            return [_found(row, vector) for row in query.limit(depth).to_list()]

    def search_by(
        self,
        vectors: PaperVectors[Any],
        key: str,
        words: str,
        question: Vector,
        *,
        depth: int = _DEPTH,
        only: Collection[str] | None = None,
        without: Collection[str] = (),
        years: Years = ANY_YEAR,
        design: str | None = None,
        passages: Collection[str] | None = None,
        progress: Progress = silent,
    ) -> list[Found]:
        """The same by the vectors of another encoder, which stand in a table of their own: the first search makes them.

        `key` names what the encoder's files hold, `question` is its vector of the `words`. What was encoded before a cancel stays.
        """
        if (only is not None and not only) or (passages is not None and not passages):
            return []
        while not _ENCODING.acquire(timeout=0.5):
            progress(0.0, "Waiting for another question, which encodes passages")
        try:
            table = self._encoded_by(vectors, key, progress)
        finally:
            _ENCODING.release()
        near = cast("LanceVectorQueryBuilder", table.search(question, query_type="vector")).distance_type("cosine")
        query = near.nprobes(_PROBES)
        if where := _conditions(only, without, years, design, passages):
            query = query.where(where, prefilter=True)
        with _told("searched"):
            best = {row["id"]: 1 - row["_distance"] for row in query.select(["id", "_distance"]).limit(depth).to_list()}
            rows = self._passages.search().where(_one_of("id", best)).limit(len(best)).to_list() if best else []
        own = self._embedder.encode([words])[0]
        return sorted((_found(row, own) for row in rows), key=lambda one: -best[one.passage.id])

    def _encoded_by(self, vectors: PaperVectors[Any], key: str, progress: Progress) -> Table:
        """The table of an encoder's vectors, brought up to date. Those of another version are left to it (`tidy`)."""
        vector = pa.field("vector", pa.list_(pa.float32(), vectors.dimensions))
        schema = pa.schema([*map(_PASSAGES.field, _FILTERED), vector])
        papers = {paper.id: paper.passages for paper in self.papers()}
        with _told("changed"):
            with _MAKING:
                table = self._database.create_table(f"{self.name}-by-{key}-{_CUT_BY}", schema=schema, exist_ok=True)
            there = set(table.search().select(["paper"]).to_arrow()["paper"].to_pylist())
            if gone := there - set(papers):
                table.delete(_one_of("paper", gone))
        left = sorted(id for id, count in papers.items() if count and id not in there)
        for first in range(0, len(left), AT_ONCE):
            progress(first / len(left), f"Encoding passages ({first:,} of {len(left):,} papers)")
            some = _one_of("paper", left[first : first + AT_ONCE])
            with _told("read"):
                rows = self._passages.search().where(some).select([*_FILTERED, "text"]).to_arrow()
            numbers = vectors.encode(rows["text"].to_pylist()).ravel()
            column = pa.FixedSizeListArray.from_arrays(numbers, vectors.dimensions)
            with _told("changed"):
                table.add(rows.select([*_FILTERED]).append_column(vector, column))
        if left or gone:
            with _told("changed"):
                table.optimize(cleanup_older_than=self._keeps_versions)
        return table

    def _query(self, question: str, vector: Vector, method: SearchMethod) -> LanceQueryBuilder:
        from lancedb.query import MatchQuery  # noqa: PLC0415
        from lancedb.rerankers import RRFReranker  # noqa: PLC0415

        words = MatchQuery(question, "text")  # type: ignore[call-arg]  # its defaults are not in its types
        if method is SearchMethod.WORDS:
            return self._passages.search(words, query_type="fts")
        if method is SearchMethod.MEANING:
            near = cast("LanceVectorQueryBuilder", self._passages.search(vector, query_type="vector"))
            return near.distance_type("cosine").nprobes(_PROBES)
        both = cast("LanceHybridQueryBuilder", self._passages.search(query_type="hybrid"))
        near_too = both.vector(vector).text(words).distance_type("cosine").nprobes(_PROBES)
        return near_too.rerank(RRFReranker(return_score="all"))


@contextmanager
def _told(what: str, kinds: tuple[type[Exception], ...] = (OSError, RuntimeError)) -> Iterator[None]:
    """What the database or its disk cannot do, as one sentence: what the library cannot be, and why. Raises `LibraryError`.

    Its errors are `OSError` and `RuntimeError` with the number of the system's error in their text; by the number alone is
    the reason told, for the rest may name an address with its key.
    """
    try:
        yield
    except kinds as error:
        number = error.errno if isinstance(error, OSError) and error.errno else None
        if number is None and (said := _SYSTEM_ERROR.search(str(error))):
            number = int(said[1])
        why = os.strerror(number) if number else type(error).__name__
        raise LibraryError(
            f"The library cannot be {what} ({why}). Check the space on the disk and VOUCH_LIBRARY_URL, or the folder “library” "
            "in VOUCH_HOME; it can be deleted, and is made anew from the papers. What was indexed before is kept."
        ) from error


def _connect(url: str, looks_for_newer: timedelta | None = None) -> DBConnection:
    import lancedb  # noqa: PLC0415  # takes two seconds to import

    return lancedb.connect(url, read_consistency_interval=looks_for_newer)


def _tables(database: DBConnection) -> Iterator[str]:
    """The names of all tables, which come page by page."""
    token: str | None = None
    while True:
        page = database.list_tables(page_token=token)
        yield from page.tables
        token = page.page_token
        if not token:
            return


def _table_of(database: DBConnection, name: str, schema: pa.Schema) -> Table:
    """A table, made when it is not there yet. That of an older Vouch gets its columns; its papers are stale."""
    try:
        table = database.open_table(name)
    except ValueError:  # there is none
        return database.create_table(name, schema=schema, exist_ok=True)
    if missing := [field for field in schema if field.name not in table.schema.names]:
        table.add_columns(missing)
    return table


def _table(papers: Sequence[EncodedPaper]) -> pa.Table:
    """The rows of their passages."""
    rows = [
        {name: getattr(passage, name) for name in _COLUMNS}
        | {
            "id": passage.id,
            "year": one.paper.year,
            "designs": one.paper.designs,
            "text": searched_text(one.paper.title, passage),
        }
        for one in papers
        for passage in one.passages
    ]
    table = pa.Table.from_pylist(rows, schema=_PASSAGES.remove(_PASSAGES.get_field_index("vector")))
    numbers = np.concatenate([one.vectors for one in papers]).astype(np.float32, copy=False).ravel()
    return table.append_column(_PASSAGES.field("vector"), pa.FixedSizeListArray.from_arrays(numbers, DIMENSIONS))


def _paper(row: Mapping[str, Any]) -> LibraryPaper:
    return LibraryPaper(
        **{
            **row,
            "authors": tuple(row["authors"]),
            "designs": tuple(row["designs"] or ()),
            "retracted": bool(row["retracted"]),
        }
    )


def _cited_work(row: Mapping[str, Any]) -> CitedWork:
    return CitedWork(**{**row, "authors": tuple(row["authors"] or ())})


def _found(row: Mapping[str, Any], question: Vector) -> Found:
    passage = Passage(
        row["paper"], row["first"], row["section"], row["part"], row["page"], tuple(row["sentences"]),
        tuple(row["findings"]), row["before"],
    )  # fmt: skip
    return Found(passage, row.get("_score") or 0.0, float(np.asarray(row["vector"], dtype=np.float32) @ question))


def _conditions(
    only: Collection[str] | None,
    without: Collection[str],
    years: Years,
    design: str | None,
    passages: Collection[str] | None,
) -> str:
    """The filter of a search, in SQL."""
    if passages is not None:  # somebody chose them one by one
        return _one_of("id", passages)
    told = [] if only is None else [_one_of("paper", only)]
    if without:
        told.append(f"NOT {_one_of('paper', without)}")
    told += [f"year >= {int(years.first)}"] if years.first is not None else []
    told += [f"year <= {int(years.last)}"] if years.last is not None else []
    told += [f"array_has(designs, {_quoted(design)})"] if design is not None else []
    return " AND ".join(told)


def _one_of(column: str, values: Iterable[str]) -> str:
    """A condition in SQL, whatever the values hold."""
    return f"{column} IN ({', '.join(map(_quoted, sorted(set(values))))})"


def _quoted(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
