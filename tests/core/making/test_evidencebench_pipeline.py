"""EvidenceBench's pipeline with the demo server: from invented reviews to gold that loads and runs; killed, in batches, with faults."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from core.__main__ import main
from core.benchmarks.evidencebench import read_evidencebench
from core.benchmarks.samples import SAMPLE_DATA
from core.errors import DatasetError, QueryError
from core.llm import Budget, model_named
from core.llm.demo import DemoServer
from core.making import evidencebench, robbr
from core.making.alignment import windows
from core.making.carrying_out import Making
from core.making.journal import Journal, lines
from core.making.outcome import Outcome
from core.making.output import IN_BOTH, split_of, write_files
from core.making.reviews import THIS, TOGETHER, TWICE, candidates
from core.making.shelf import Shelf
from core.paper import Kind, Sentence
from core.prompts import FOLDER
from tests.core.work.dask_cluster import dask_cluster

MADE = SAMPLE_DATA / "making"
PAPERS = ["--papers", str(MADE / "papers")]


def make(out: Path, *options: str, engine: str = "openai:demo", source: Path = MADE / "reviews") -> int:
    return main(["make", "evidencebench", str(source), *PAPERS, "--engine", engine, "--out", str(out), *options])


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


def test_every_template_is_used_by_a_pipeline() -> None:
    used = {name for name, _ in (*evidencebench.PROMPTS, *robbr.PROMPTS)}
    assert used == {path.stem for path in FOLDER.glob("making-*.md")}


def test_windows_look_at_each_sentence_but_the_ends_twice() -> None:
    sentences = [Sentence(number, "A.", 0, 2, Kind.BODY, 0, None) for number in range(23)]
    seen = [[one.index for one in window] for window in windows(sentences)]
    assert seen == [list(range(10)), list(range(5, 15)), list(range(10, 20)), list(range(15, 23))]
    assert [len(window) for window in windows(sentences[:10])] == [10]
    assert [len(window) for window in windows(sentences[:3])] == [3]


def test_candidates_of_jats_with_the_exclusions() -> None:
    found = list(candidates(MADE / "reviews"))
    reasons = [one.excluded for one in found]
    assert reasons.count(TOGETHER) == 1
    assert reasons.count(TWICE) == 3
    assert len({one.key for one in found}) == len(found)
    usable = [one for one in found if not one.excluded]
    assert all(THIS in one.sentences[one.citing] for one in usable)
    walks = next(one for one in usable if "10.5555/vouch.making.2" in one.papers)
    assert walks.sentences[0].endswith(f"usual care {THIS}.")
    assert walks.surroundings.startswith("Warmth before bed")


def test_candidates_of_a_table_with_the_exclusions() -> None:
    found = list(candidates(MADE / "reviews.csv"))
    assert [bool(one.excluded) for one in found] == [False, True, False]
    assert found[0].sentences == (f"Falling asleep was 9 minutes faster in the walking group. {THIS}",)


def test_to_gold_that_loads_and_bench_runs_on(
    demo: DemoServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert make(tmp_path / "made") == 0
    test, train = (tmp_path / "made" / f"evidencebench_{split}_set.json" for split in ("test", "train"))
    loaded = [read_evidencebench(file.read_bytes(), name=file.name) for file in (test, train)]
    assert [(len(one.instances), len(one.broken)) for one in loaded] == [(2, 0), (1, 0)]
    light = loaded[1].instances[0]
    assert light.hypothesis == "Bright light keeps people on night shifts awake by day."
    assert light.gold.labels is not None
    assert light.gold.results
    (covering,) = set(light.gold.aspects.values())
    assert any("3.1 points" in light.paper.sentences[index].text for index in covering)
    sheet = json.loads((tmp_path / "made" / "datasheet.json").read_bytes())
    assert sheet["left_out"]["its licence does not allow it, or is not told"] == 1
    assert sheet["licences"] == {"https://creativecommons.org/licenses/by/4.0/": 3}
    assert len(sheet["made_by"]["prompts"]) == 10
    capsys.readouterr()
    for file in (test, train):
        assert main(["bench", "evidencebench/er@10", "--data", str(file), "--engine", "bm25", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["failed"] == 0


def test_what_is_cut_off_anywhere_is_gone_on_with_to_the_same_files(demo: DemoServer, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    assert make(whole) == 0
    wanted = files(whole)
    journal = wanted["done.jsonl"]
    header = journal.index(b"\n") + 1
    for number, size in enumerate(range(header, len(journal), max(1, (len(journal) - header) // 5))):
        broken = tmp_path / f"broken-{number}"
        broken.mkdir()
        (broken / "done.jsonl").write_bytes(journal[:size])
        assert make(broken) == 0
        assert files(broken) == wanted


@pytest.mark.parametrize("change", ["text", "papers", "licence"])
def test_a_run_goes_on_with_the_same_data_and_options_only(
    demo: DemoServer, tmp_path: Path, capsys: pytest.CaptureFixture[str], change: str
) -> None:
    table, papers = tmp_path / "reviews.csv", tmp_path / "papers"
    shutil.copy(MADE / "reviews.csv", table)
    shutil.copytree(MADE / "papers", papers)
    words = ["make", "evidencebench", str(table), "--papers", str(papers), "--engine", "openai:demo"]
    words += ["--out", str(tmp_path / "made")]
    assert main(words) == 0
    if change == "text":
        table.write_text(table.read_text(encoding="utf-8").replace("9 minutes", "8 minutes"), encoding="utf-8")
    elif change == "papers":
        (papers / "another.md").write_text("# Another\n\nIt is another.\n", encoding="utf-8")
    options = ["--any-licence"] if change == "licence" else []
    assert main([*words, *options]) == 2
    assert "was begun with another" in capsys.readouterr().err


def test_a_cluster_has_no_budget(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert make(tmp_path / "made", "--cluster", "tcp://127.0.0.1:1", "--budget-usd", "1") == 2
    assert "share no budget" in capsys.readouterr().err
    model = model_named("openai:demo")
    assert model is not None
    pipeline = evidencebench.EvidenceBenchPipeline(MADE / "reviews", Shelf(MADE / "papers"))
    with pytest.raises(QueryError, match="share no budget"):
        Making(pipeline, model, tmp_path / "made", 0.2).live(budget=Budget(1.0), cluster="tcp://127.0.0.1:1")


@pytest.mark.slow
def test_on_a_cluster_to_the_same_gold(demo: DemoServer, tmp_path: Path) -> None:
    assert make(tmp_path / "here", source=MADE / "reviews.csv") == 0
    with dask_cluster(tmp_path) as cluster:
        cluster.waits_for_workers(2)
        assert make(tmp_path / "there", "--cluster", cluster.address, source=MADE / "reviews.csv") == 0
    assert files(tmp_path / "there") == files(tmp_path / "here")


def test_a_paper_is_the_same_by_any_of_its_identifiers(tmp_path: Path) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    ids = '<article-id pub-id-type="doi">10.1234/A</article-id><article-id pub-id-type="pmid">123</article-id>'
    (papers / "a.xml").write_text(
        f"<article><front><article-meta>{ids}<title-group><article-title>T</article-title></title-group>"
        "</article-meta></front><body><p>Walks helped.</p></body></article>",
        encoding="utf-8",
    )
    (papers / "b_123.md").write_text("# Another\n\nIt is another.", encoding="utf-8")
    (papers / "123.md").write_text("# T\n\nWalks helped.", encoding="utf-8")  # the same paper, in another form
    shelf = Shelf(papers)
    found = [shelf.take([id], any_licence=True) for id in ("10.1234/a", "123", "https://doi.org/10.1234/A", "b_123")]
    keys = [one.key for one in found if not isinstance(one, str)]
    assert keys[0] == keys[1] == keys[2] != keys[3]
    assert len(shelf.ids()) == 2


def test_a_paper_that_two_reviews_name_differently_is_in_one_split(tmp_path: Path) -> None:
    write_journal(tmp_path, ("r1", "10.1234/a", "key"), ("r2", "123", "key"))
    share = next(share for share in (0.1 * n for n in range(11)) if len(splits_of(("r1", "r2"), share)) == 2)
    write_files(tmp_path, test_share=share)
    assert json.loads((tmp_path / "datasheet.json").read_bytes())["left_out"] == {IN_BOTH: 1}


def splits_of(reviews: tuple[str, ...], share: float) -> set[str]:
    return {split_of(review, share) for review in reviews}


def write_journal(folder: Path, *made: tuple[str, str, str]) -> None:
    """A line for each (review, paper, its key) with a row of a layout that has no figures."""
    setup = {"pipeline": "farebio", "model": "openai:demo", "source": "s.csv", "prompts": []}
    with Journal(folder, setup) as journal:
        for place, (review, paper, key) in enumerate(made):
            outcome = Outcome(
                f"{review}#1", review, paper=paper, paper_key=key, records={"farebio": [{"paper": paper}]}
            )
            journal.take(place, outcome.line("openai:demo", batch=False))


def test_a_broken_line_of_what_is_done_is_told(tmp_path: Path) -> None:
    write_journal(tmp_path, ("r1", "p", "p"))
    with (tmp_path / "done.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"key": ')  # of a run that goes on, or was killed
    assert len(list(lines(tmp_path))) == 1
    with (tmp_path / "done.jsonl").open("a", encoding="utf-8") as file:
        file.write("\n")
    with pytest.raises(DatasetError, match="broken line"):
        list(lines(tmp_path))


def test_files_of_the_same_review_have_candidates_of_their_own(tmp_path: Path) -> None:
    first = min((MADE / "reviews").iterdir())
    for name in ("a.xml", "b.xml"):
        shutil.copy(first, tmp_path / name)
    found = list(candidates(tmp_path))
    assert len({one.key for one in found}) == len(found)
    assert len({one.review for one in found}) == 1


def test_in_batches_to_the_same_gold(demo: DemoServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert make(tmp_path / "live", source=MADE / "reviews.csv") == 0
    made = tmp_path / "batches"
    assert make(made, "--batch-out", str(tmp_path / "files"), "--submit", source=MADE / "reviews.csv") == 0
    gold = [name for name in files(made) if name.startswith("evidencebench")]
    assert gold
    assert {name: files(made)[name] for name in gold} == {name: files(tmp_path / "live")[name] for name in gold}
    # Without sending anything: the first stage's requests are written, and asked for.
    capsys.readouterr()
    assert make(tmp_path / "none", "--batch-out", str(tmp_path / "asked"), "--json", source=MADE / "reviews.csv") == 0
    waiting = json.loads(capsys.readouterr().out)
    assert waiting["requests"] == 2
    assert Path(waiting["waiting_for"][0]).is_file()


@pytest.mark.parametrize("fault", ["wrong", "invented", "odd", "prose"])
def test_a_model_that_answers_wrongly_makes_no_gold(
    demo: DemoServer, tmp_path: Path, capsys: pytest.CaptureFixture[str], fault: str
) -> None:
    """What is named wrongly twice is no gold: the candidate is left out with its reason, or has it not."""
    status = make(tmp_path / "made", engine=f"openai:demo-{fault}", source=MADE / "reviews.csv")
    assert status == 2
    assert "became a record" in capsys.readouterr().err


def test_the_plain_form_makes_the_same_gold(demo: DemoServer, tmp_path: Path) -> None:
    assert make(tmp_path / "schema", source=MADE / "reviews.csv") == 0
    assert make(tmp_path / "plain", engine="compatible:demo-noschema", source=MADE / "reviews.csv") == 0
    for name in ("evidencebench_train_set.json", "evidencebench_test_set.json"):
        assert files(tmp_path / "schema").get(name) == files(tmp_path / "plain").get(name)


def test_the_cost_is_told_and_nothing_asked(
    demo: DemoServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert make(tmp_path / "made", "--estimate", "--json", engine="openai:gpt-5-mini") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["candidates"] == 5
    assert told["estimate"]["calls"] > 100
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda out, reviews: make(out, engine="openai:another"), "another model"),
        (
            lambda out, reviews: (reviews / "sleep-without-drugs.xml").unlink() or make(out, source=reviews),
            "another content of its source",
        ),
    ],
)
def test_a_folder_that_was_begun_otherwise_is_refused(
    demo: DemoServer,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[Path, Path], int],
    message: str,
) -> None:
    reviews = tmp_path / "reviews"
    shutil.copytree(MADE / "reviews", reviews)
    out = tmp_path / "made"
    assert make(out, source=reviews) == 0
    assert change(out, reviews) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere", *PAPERS, "--engine", "openai:demo"], "is not there"),
        ([str(MADE / "reviews"), "--papers", "nowhere", "--engine", "openai:demo"], "is no folder"),
        ([str(MADE / "reviews"), *PAPERS, "--engine", "bm25"], "no language model"),
        ([str(MADE / "reviews"), *PAPERS, "--engine", "openai:demo", "--test-share", "2"], "from 0 to 1"),
        ([str(MADE / "reviews"), *PAPERS, "--engine", "openai:demo", "--submit"], "--batch-out"),
        ([str(MADE / "reviews"), *PAPERS, "--engine", "openai:demo", "--at-once", "0"], "above 0"),
        ([str(MADE / "reviews"), *PAPERS, "--engine", "openai:demo", "--batch-out", "b", "--batch-in", "no"], "opened"),
        ([str(MADE / "papers"), *PAPERS, "--engine", "openai:demo"], "became a record"),
    ],
)
def test_mistakes_are_one_line(
    demo: DemoServer, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert main(["make", "evidencebench", *words, "--out", str(tmp_path / "out")]) == 2
    assert message in capsys.readouterr().err
