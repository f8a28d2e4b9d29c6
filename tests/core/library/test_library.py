"""Papers cut into passages, and the index of them: what is added, changed, removed, found and killed on the way."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import lancedb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.entailment import readable
from core.errors import LibraryError
from core.library import Library, SearchMethod, Years, open_library, passages_of
from core.library.encoding import encoded
from core.library.passages import MOST_SENTENCES, MOST_WORDS
from core.paper import RETRACTED, Paper, read_paper
from core.settings import Settings
from core.text.similarity import Embedder
from run import ROOT

if TYPE_CHECKING:
    from core.text.similarity import PaperVectors

SAMPLES = ("leg-cramps.xml", "pharmacy-ecg-screening.md", "sleep-app.pdf", "stair-climbing.tei.xml")


def sample(name: str) -> Paper:
    return read_paper((ROOT / "sample_data" / name).read_bytes(), name=name)


@pytest.fixture(scope="module")
def papers() -> list[Paper]:
    return [sample(name) for name in SAMPLES]


@pytest.fixture
def library(tmp_path: Path, embedder: Embedder) -> Library:
    return open_library("papers", embedder, Settings(tmp_path, None))


def ids(library: Library) -> list[str]:
    return [paper.id for paper in library.papers()]


@pytest.mark.parametrize("name", SAMPLES)
def test_every_sentence_stands_in_one_passage_of_its_own_section(name: str) -> None:
    paper = sample(name)
    passages = passages_of(paper)
    held = [(one.first + place, text) for one in passages for place, text in enumerate(one.sentences)]
    assert held == [(one.index, one.text) for one in readable(paper)]
    for one in passages:
        assert {paper.sentences[index].section for index in range(one.first, one.last + 1)} == {
            paper.sentences[one.first].section
        }
        assert one.page == paper.sentences[one.first].page
        assert len(one.findings) == len(one.sentences)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 260), min_size=1, max_size=25))
def test_passages_are_short_and_end_only_where_they_must(lengths: list[int]) -> None:
    text = "# Results\n\n" + " ".join("Tea " + "well " * (length - 2) + "helped." for length in lengths)
    passages = passages_of(read_paper(text.encode(), name="tea.md"))
    for one in passages:
        words = [len(sentence.split()) for sentence in one.sentences]
        assert len(words) == 1 or (len(words) <= MOST_SENTENCES and sum(words) <= MOST_WORDS)
    for one, other in itertools.pairwise(passages):
        joined = [len(sentence.split()) for sentence in (*one.sentences, other.sentences[0])]
        assert len(joined) > MOST_SENTENCES or sum(joined) > MOST_WORDS


def test_what_is_added_is_found_and_what_is_removed_is_not(library: Library, papers: Sequence[Paper]) -> None:
    assert library.search("leg cramps") == []
    assert library.add(papers) == len(papers)
    assert library.add(papers) == 0, "nothing is indexed twice"
    assert len(library) == sum(len(passages_of(paper)) for paper in papers)
    assert sorted(ids(library)) == sorted(paper.id for paper in papers)
    cramps = papers[0]
    for method in SearchMethod:
        found = library.search("Does magnesium reduce nocturnal leg cramps?", method=method)
        assert found[0].passage.paper == cramps.id
        own = cramps.sentences[found[0].passage.first : found[0].passage.last + 1]
        assert found[0].passage.sentences == tuple(one.text for one in own)
    library.remove([cramps.id])
    assert all(one.passage.paper != cramps.id for one in library.search("magnesium leg cramps"))
    assert len(library) == sum(len(passages_of(paper)) for paper in papers[1:])


def test_a_paper_that_is_added_later_is_found_at_once(library: Library, papers: Sequence[Paper]) -> None:
    library.add(papers[1:])
    library.add(papers[:1])
    for method in SearchMethod:
        assert library.search("magnesium and leg cramps", method=method)[0].passage.paper == papers[0].id


def test_two_that_open_a_new_library_at_once_make_its_tables_once(
    embedder: Embedder, papers: Sequence[Paper], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a page does that tells what a question costs, while the first is asked. LanceDB would overwrite one by the other."""
    make, making = lancedb.db.LanceDBConnection.create_table, list[str]()

    def slowly(database: Any, name: str, **options: Any) -> Any:
        making.append(name)
        time.sleep(0.1)
        return make(database, name, **options)

    monkeypatch.setattr(lancedb.db.LanceDBConnection, "create_table", slowly)

    def opened(_: int) -> Library:
        return open_library("new", embedder, Settings(tmp_path, None))

    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(opened, range(2)))
    assert making == ["new-papers", "new-passages"]
    for one, paper in zip(both, papers, strict=False):
        one.add([paper])
    assert {*ids(opened(0))} == {paper.id for paper in papers[:2]}


def test_a_search_keeps_to_its_papers_and_years(library: Library, papers: Sequence[Paper]) -> None:
    dated = [replace(paper, year=year) for paper, year in zip(papers, (1999, 2005, 2020, None), strict=True)]
    library.add(dated)
    question = "participants in the intervention group"

    def found(**options: object) -> set[str]:
        return {one.passage.paper for one in library.search(question, **options)}  # type: ignore[arg-type]

    assert found(only={dated[1].id}) == {dated[1].id}
    assert found(only=frozenset()) == set()
    assert dated[1].id not in found(without={dated[1].id})
    assert found(years=Years(2000, None)) == {dated[1].id, dated[2].id}
    assert found(years=Years(None, 2005)) == {dated[0].id, dated[1].id}
    assert found(only={"it's', 'none"}) == set(), "an id is data, not SQL"


def test_a_search_keeps_to_a_design(library: Library, papers: Sequence[Paper]) -> None:
    library.add(papers)
    for design, named in (("randomised trial", {0, 2, 3}), ("cohort study", {1}), ("it's", set())):
        for method in SearchMethod:
            found = library.search("participants in the intervention group", design=design, method=method)
            assert {one.passage.paper for one in found} <= {papers[place].id for place in named}
        assert {one.id for one in library.papers() if design in one.designs} == {papers[place].id for place in named}
    chosen = {library.search("leg cramps")[0].passage.id}
    found = library.search("leg cramps", passages=chosen, design="cohort study", only=())
    assert {one.passage.id for one in found} == chosen, "what was chosen one by one counts"


@pytest.mark.parametrize(
    ("title", "retracted"),
    [
        ("RETRACTED: Tea and sleep", True), ("[Retracted] Tea", True), ("Retracted article. Tea", True),
        ("Retraction: Tea and sleep", False), ("Retracted eyelids in mice", False), (None, False),
    ],
)  # fmt: skip
def test_a_title_tells_what_was_taken_back(
    library: Library, papers: Sequence[Paper], title: str, retracted: bool
) -> None:
    library.add([replace(papers[0], title=title)])
    assert [one.retracted for one in library.papers()] == [retracted]


def test_a_jats_file_tells_what_was_taken_back(library: Library) -> None:
    data = (ROOT / "sample_data" / "leg-cramps.xml").read_bytes()
    told = data.replace(
        b"</article-meta>", b'<related-article related-article-type="retraction-forward"/></article-meta>', 1
    )
    paper = read_paper(told, name="leg-cramps.xml")
    assert [one.kind for one in paper.warnings] == [RETRACTED]
    library.add([paper, read_paper(data, name="other.xml")])
    assert {one.id: one.retracted for one in library.papers()}[paper.id]
    assert sum(one.retracted for one in library.papers()) == 1


@pytest.mark.parametrize("question", ["it's", '"quoted" AND (', "[x] OR *", "a" * 3000, "?!"])
def test_any_words_can_be_searched(library: Library, papers: Sequence[Paper], question: str) -> None:
    library.add(papers[:1])
    assert {one.passage.paper for one in library.search(question)} == {papers[0].id}


def test_what_another_splitter_made_is_stale_until_it_is_indexed_again(
    library: Library, papers: Sequence[Paper], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("core.library.encoding.MADE_BY", "an older splitter")
        library.add(papers[:2])
    assert len(library.stale()) == 2
    before = len(library)
    assert library.add(papers[:2]) == 2
    assert library.stale() == []
    assert len(library) == before


CITING = """<article><front><article-meta><title-group><article-title>Naps in bees</article-title></title-group>
</article-meta></front><body><p>Bees nap at night.</p></body><back><ref-list><ref><mixed-citation><name><surname>Rossi</surname>
<given-names>Ada</given-names></name><article-title>It's "sleep"; DROP</article-title><source>Bee Notes</source><year>2001</year>
<pub-id pub-id-type="doi">10.1000/ABC</pub-id></mixed-citation></ref><ref><mixed-citation><pub-id pub-id-type="pmid">77</pub-id>
</mixed-citation></ref></ref-list></back></article>"""


def test_references_are_kept_with_their_paper(library: Library, papers: Sequence[Paper]) -> None:
    citing = read_paper(CITING.encode(), name="bees.xml")
    assert len(citing.references) == 2
    library.add([*papers, citing])
    assert library.references() == {paper.id: paper.references for paper in [*papers, citing]}
    library.remove([citing.id])
    assert citing.id not in library.references()


def test_a_library_of_before_there_were_references_opens_and_is_stale(
    tmp_path: Path, embedder: Embedder, papers: Sequence[Paper]
) -> None:
    citing = read_paper(CITING.encode(), name="bees.xml")
    kept = Settings(tmp_path, None)
    library = open_library("papers", embedder, kept)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.library.encoding.MADE_BY", "minilm, passages-1-8-200")
        library.add([citing, papers[0]])
    table = lancedb.connect(kept.library).open_table("papers-papers")
    table.drop_columns(["references", "designs", "retracted"])
    lancedb.connect(kept.library).open_table("papers-passages").drop_columns(["designs"])
    opened = open_library("papers", embedder, kept)
    assert opened.references() == {citing.id: (), papers[0].id: ()}
    assert [paper.name for paper in opened.papers()] == ["bees.xml", papers[0].name]
    assert len(opened.stale()) == 2
    assert opened.add([citing, papers[0]]) == 2
    assert opened.stale() == []
    assert opened.references()[citing.id] == citing.references


def test_versions_of_before_go_and_who_has_the_library_open_goes_on(
    tmp_path: Path, embedder: Embedder, papers: Sequence[Paper]
) -> None:
    kept, at_once = Settings(tmp_path, None), timedelta(0)
    writer = Library("papers", kept.library, embedder, keeps_versions=at_once, looks_for_newer=at_once)
    writer.add(papers[:1])
    reader = Library("papers", kept.library, embedder, looks_for_newer=at_once)
    for paper in papers[1:]:
        writer.add([paper])
    assert sorted(ids(reader)) == sorted(paper.id for paper in papers)
    assert {one.passage.paper for one in reader.search("the", method=SearchMethod.MEANING, depth=1000)} == {
        *ids(reader)
    }
    for name in ("papers-papers", "papers-passages"):
        assert len(lancedb.connect(kept.library).open_table(name).list_versions()) <= 3


def test_a_name_or_place_that_cannot_be_used_is_one_clear_sentence(tmp_path: Path, embedder: Embedder) -> None:
    with pytest.raises(LibraryError, match="no name for a library"):
        open_library("../elsewhere", embedder, Settings(tmp_path, None))
    (tmp_path / "library").write_text("a file")
    with pytest.raises(LibraryError, match="VOUCH_LIBRARY_URL"):
        open_library("papers", embedder, Settings(tmp_path, None))


KILLED = """
import sys
from pathlib import Path
import core.library.index as index
from core.library import open_library
from core.paper import read_paper
from core.settings import Settings
from core.text.similarity import Embedder
index.AT_ONCE = 1
home, folder, names = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
papers = [read_paper((folder / name).read_bytes(), name=name) for name in names]
def said(done, step):
    print(step, flush=True)
open_library("papers", Embedder.installed(home / "vectors"), Settings(home, None)).add(papers, progress=said)
"""


@pytest.mark.slow
def test_killed_while_indexing_it_goes_on_and_nothing_is_there_twice(
    tmp_path: Path, embedder: Embedder, papers: Sequence[Paper]
) -> None:
    told = [sys.executable, "-c", KILLED, str(tmp_path), str(ROOT / "sample_data"), *SAMPLES]
    process = subprocess.Popen(
        told, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": str(ROOT)}
    )
    assert process.stdout is not None
    for line in process.stdout:
        if SAMPLES[2] in line:
            break
    time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    library = open_library("papers", embedder, Settings(tmp_path, None))
    assert 0 < len(library.papers()) < len(papers)
    library.add(papers)
    assert sorted(ids(library)) == sorted(paper.id for paper in papers)
    assert len(library) == sum(len(passages_of(paper)) for paper in papers)
    assert len({one.passage.id for one in library.search("the", method=SearchMethod.MEANING, depth=1000)}) == len(
        library
    )


def test_what_the_disk_cannot_do_is_one_clear_sentence(tmp_path: Path, embedder: Embedder) -> None:
    library = open_library("papers", embedder, Settings(tmp_path, None))
    made = encoded([read_paper(CITING.encode(), name="bees.xml")], embedder)
    library.put(made)
    shutil.rmtree(tmp_path / "library")
    (tmp_path / "library").write_text("a file in its place")
    opened = "The library cannot be (read|changed|searched) (.+)VOUCH_HOME"
    for use in (lambda: library.put(made), library.papers, library.references, lambda: library.search("leg cramps")):
        with pytest.raises(LibraryError, match=opened):
            use()


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (RuntimeError("lance error: LanceError(IO): /srv/key=1: No space left on device (os error 28), at x.rs"), "No space left on device"),
        (PermissionError(13, "Permission denied", "/srv/x?key=1"), "Permission denied"),
        (RuntimeError("https://s3/x?X-Amz-Signature=1 refused"), "RuntimeError"),
    ],
)  # fmt: skip
def test_why_is_told_without_what_the_database_says_of_addresses(
    library: Library, papers: Sequence[Paper], embedder: Embedder, error: Exception, why: str
) -> None:
    def fails(*_: object) -> None:
        raise error

    made = encoded(papers[:1], embedder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(library._passages, "add", fails)
        with pytest.raises(LibraryError) as told:
            library.put(made)
    assert f"({why})" in str(told.value)
    assert not re.search("key=|Signature|srv", str(told.value))


class TwoNumbers:
    """Another encoder: how long a text is, and whether it speaks of magnesium."""

    dimensions = 2

    def encode(self, texts: Sequence[str]) -> np.ndarray[Any, Any]:
        rows = np.array([[1.0, 9.0 * ("agnesium" in text)] for text in texts], dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def test_another_encoders_vectors_are_kept_and_those_of_older_passages_go(
    tmp_path: Path, embedder: Embedder, papers: Sequence[Paper]
) -> None:
    library = open_library("papers", embedder, Settings(tmp_path, None))
    library.add(papers)
    database = lancedb.connect(Settings(tmp_path, None).library)
    for name in ("papers-by-tiny-01234567", "others-by-tiny-01234567"):
        database.create_table(name, [{"paper": "x"}])
    encoder = cast("PaperVectors[Any]", TwoNumbers())
    for _ in range(2):
        found = library.search_by(encoder, "tiny", "magnesium", encoder.encode(["Magnesium"])[0], depth=3)
        assert {one.passage.paper for one in found} == {papers[0].id}
    tables = {name for name in database.list_tables().tables if "-by-" in name}
    assert "others-by-tiny-01234567" in tables, "another library's"
    assert "papers-by-tiny-01234567" in tables, "a search leaves that of another version to it"
    assert len(tables) == 3
    library.tidy()
    tables = {name for name in database.list_tables().tables if "-by-" in name}
    assert len(tables) == 2
    assert "papers-by-tiny-01234567" not in tables
