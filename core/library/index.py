"""The index of a library: passages with their words and vectors, in LanceDB.

A library has two tables, `NAME-papers` and `NAME-passages`. A paper counts as indexed once it has a row in the first,
which is written last. So a paper whose indexing was killed is indexed again, and its rows are replaced. All rows have
the paper's id, so that adding, changing or removing a paper touches only its rows.
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

if TYPE_CHECKING:  # imported late at run time, so that commands and pages without a library start sooner
    from lancedb import DBConnection
    from lancedb.query import LanceHybridQueryBuilder, LanceQueryBuilder, LanceVectorQueryBuilder
    from lancedb.table import Table

AT_ONCE = 16  # papers that are saved together
_DEPTH = 100  # passages that each way of searching returns
_MANY = 200_000  # passages from which on vectors and papers are searched with an index; below, the search is exact
_PROBES = 50  # parts of that index that are searched; with 5 million passages, one part in forty
# Every change leaves a version with its files. Versions are deleted when they are older than any search could take. A
# process that has the library open looks for newer versions more often than that.
_KEEPS_VERSIONS = timedelta(minutes=1)
_LOOKS_FOR_NEWER = timedelta(seconds=5)
ANY_YEAR = Years()
_CUT_BY = sha256(MADE_BY.encode()).hexdigest()[
    :8
]  # part of the names of other encoders' tables, because other passages need other vectors
_NAME = re.compile(r"[\w-]+")
_SYSTEM_ERROR = re.compile(r"\(os error (\d+)\)")  # the format of Rust's messages

_ENCODING = Lock()  # two threads that encode the same papers would store them twice
_MAKING = Lock()  # if two threads opened a new library at once, the second would overwrite the first one's tables

Vector = NDArray[np.float32]

os.environ.setdefault("LANCEDB_LOG", "error")  # its warnings (empty part of an index) are of no use to users

# A column that `papers` does not read, because that is called for every question. Only following citations needs it.
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
_FILTERED = ("id", "paper", "year", "designs")  # columns that a search can be limited by
_COLUMNS = [name for name in _PASSAGES.names if name not in ("id", "year", "designs", "text", "vector")]


def open_library(name: str, embedder: Embedder, settings: Settings | None = None) -> Library:
    """The library of this name, which is created if it does not exist. Raises `LibraryError` if it cannot be opened."""
    return Library(name, (settings or load_settings()).library, embedder)


def drop_library(name: str, settings: Settings) -> None:
    """Delete a library with all its tables, if it exists. Raises `LibraryError` if the database fails."""
    with _told("changed", (OSError, RuntimeError, ValueError)):
        database = _connect(settings.library)
        for table in list(_tables(database)):
            if table in (f"{name}-papers", f"{name}-passages") or table.startswith(f"{name}-by-"):
                database.drop_table(table)


class Library:
    """An index of papers. Several processes may read it, but only one may write at a time."""

    def __init__(
        self,
        name: str,
        url: str,
        embedder: Embedder,
        *,
        keeps_versions: timedelta = _KEEPS_VERSIONS,
        looks_for_newer: timedelta = _LOOKS_FOR_NEWER,
    ) -> None:
        """Open or create the library.

        `keeps_versions` is how long old versions are kept for those who still read them; `looks_for_newer` is how often
        changes by other processes are looked for.
        """
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
        """Every paper that is indexed, sorted by name."""
        with _told("read"):
            rows = self._papers.search().select(_OF_PAPER).to_arrow().to_pylist()
        return sorted((_paper(row) for row in rows), key=lambda paper: (paper.name, paper.id))

    def references(self) -> dict[str, tuple[CitedWork, ...]]:
        """The works that each paper cites, by the paper's id; empty if its file has no readable list of references."""
        with _told("read"):
            rows = self._papers.search().select(["id", _REFERENCES.name]).to_arrow().to_pylist()
        return {row["id"]: tuple(map(_cited_work, row[_REFERENCES.name] or ())) for row in rows}

    def stale(self) -> list[LibraryPaper]:
        """The papers that were indexed with another encoder or splitter, or by an older Vouch.

        A search may miss them or rank them wrongly, or their references may be missing.
        """
        return [paper for paper in self.papers() if paper.made_by != MADE_BY]

    def indexed(self) -> set[str]:
        """The ids of the papers that need not be indexed again."""
        return {paper.id for paper in self.papers() if paper.made_by == MADE_BY}

    def __len__(self) -> int:
        """The number of passages."""
        with _told("read"):
            return int(self._passages.count_rows())

    # ---- changes ----

    def add(self, papers: Iterable[Paper], *, progress: Progress = silent, count: int = 0) -> int:
        """Index papers that are missing or stale, and return how many. Raises `LibraryError` if the database fails.

        `count` is the number of papers, for the progress. Papers that are saved before a cancel stay.
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
        """Save encoded papers, replacing their old rows. If this is killed, none of them counts as indexed.

        Only one process may do this at a time. Call `tidy` after the last one. Raises `LibraryError` if the database
        fails.
        """
        ids = [one.paper.id for one in papers]
        self.remove(ids)
        entries = [asdict(one.paper) | {_REFERENCES.name: [asdict(work) for work in one.references]} for one in papers]
        with _told("changed"):
            if any(one.passages for one in papers):
                self._passages.add(_table(papers))
            self._papers.add(pa.Table.from_pylist(entries, schema=_PAPERS))  # last: now they count as indexed

    def remove(self, papers: Collection[str]) -> None:
        """Remove papers by their ids; unknown ids are ignored. Raises `LibraryError` if the database fails."""
        if papers:
            with _told("changed"):
                self._papers.delete(_one_of("id", papers))
                self._passages.delete(_one_of("paper", papers))

    def tidy(self) -> None:
        """Add new rows to the indexes, and delete old versions and tables. Searches find all rows even before it."""
        if len(self):
            with _told("changed"):
                self._tidy()

    def _tidy(self) -> None:
        from lancedb.index import FTS, BTree, IvfSq  # noqa: PLC0415

        for name in list(_tables(self._database)):  # vectors of passages as an older Vouch cut them
            if name.startswith(f"{self.name}-by-") and not name.endswith(f"-{_CUT_BY}"):
                self._database.drop_table(name)
        indexed = {index.name for index in self._passages.list_indices()}
        if "text_idx" not in indexed:
            self._passages.create_index("text", config=FTS())
        if len(self) >= _MANY:
            if "paper_idx" not in indexed:
                self._passages.create_index("paper", config=BTree())
            if "vector_idx" not in indexed:
                # One byte per dimension: nearly as exact as the vectors, and built many times faster than a product
                # index.
                self._passages.create_index("vector", config=IvfSq(distance_type="cosine"))
        self._passages.optimize(cleanup_older_than=self._keeps_versions)
        self._papers.optimize(cleanup_older_than=self._keeps_versions)

    # ---- search ----

    def encode(self, texts: Sequence[str]) -> Vector:
        """The vectors of texts by the library's encoder. Shape: (len(texts), dimensions)."""
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
        """The passages nearest to the question, best first, at most `depth` of them from each way of searching.

        `only` and `without` are ids of papers; `design` is a study design that the papers report; `passages` are ids of
        the only passages to search, which overrides all other limits. Hybrid search merges by reciprocal ranks (Cormack
        et al. 2009).
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
        """Search by the vectors of another encoder, which have their own table. The first search encodes the library.

        `key` identifies the content of the encoder's files; `question` is the encoder's vector for `words`. Vectors
        that are encoded before a cancel stay.
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
        """The table of an encoder's vectors, brought up to date. Tables of older versions are left to `tidy`."""
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
    """Turn errors of the database or its disk into a `LibraryError`, whose message says what failed and why.

    The database raises `OSError` and `RuntimeError` with the number of the system's error in their text. Only that
    number is used for the message, because the rest of the text may contain an address with its key.
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
    """The names of all tables, which the database lists in pages."""
    token: str | None = None
    while True:
        page = database.list_tables(page_token=token)
        yield from page.tables
        token = page.page_token
        if not token:
            return


def _table_of(database: DBConnection, name: str, schema: pa.Schema) -> Table:
    """A table, which is created if it does not exist.

    New columns are added to one of an older Vouch (its papers are stale).
    """
    try:
        table = database.open_table(name)
    except ValueError:  # it does not exist
        return database.create_table(name, schema=schema, exist_ok=True)
    if missing := [field for field in schema if field.name not in table.schema.names]:
        table.add_columns(missing)
    return table


def _table(papers: Sequence[EncodedPaper]) -> pa.Table:
    """The rows of the papers' passages."""
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
    if passages is not None:  # a user chose them one by one
        return _one_of("id", passages)
    told = [] if only is None else [_one_of("paper", only)]
    if without:
        told.append(f"NOT {_one_of('paper', without)}")
    told += [f"year >= {int(years.first)}"] if years.first is not None else []
    told += [f"year <= {int(years.last)}"] if years.last is not None else []
    told += [f"array_has(designs, {_quoted(design)})"] if design is not None else []
    return " AND ".join(told)


def _one_of(column: str, values: Iterable[str]) -> str:
    """A condition in SQL, with the values quoted."""
    return f"{column} IN ({', '.join(map(_quoted, sorted(set(values))))})"


def _quoted(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
