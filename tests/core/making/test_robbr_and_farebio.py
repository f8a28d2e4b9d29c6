"""RoBBR's and FaReBio's pipelines with the demo server, from invented judgements and summaries to gold that `bench` runs on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.__main__ import main
from core.benchmarks.farebio import read_farebio
from core.benchmarks.model import BrokenRecord
from core.benchmarks.robbr import read_main, read_selection, read_support
from core.benchmarks.samples import SAMPLE_DATA
from core.bias.model import Level
from core.errors import ReplyError
from core.grounding.checking import Selection
from core.grounding.questions import run_plan
from core.llm import Reply, ReplySchema, Request, Usage
from core.llm.demo import DemoServer
from core.llm.model import Form
from core.making.asking import Listed, PieceKind
from core.making.farebio import SUMMARIES, FarebioPipeline, compared, summaries
from core.making.judgements import NO_JUDGEMENT, Judgement, OtherJudgements, judgements
from core.making.robbr import Prepared, RobbrPipeline, plan
from core.making.shelf import NO_LICENCE, Shelf, Shelved
from core.paper import read_paper
from core.progress import Progress, silent

MADE = SAMPLE_DATA / "making"
PAPERS = ["--papers", str(MADE / "papers"), "--engine", "openai:demo"]
JUDGEMENTS = MADE / "judgements.csv"


@pytest.fixture
def made(demo: DemoServer, tmp_path: Path) -> Path:
    """RoBBR's three tasks from the sample judgements."""
    out = tmp_path / "made"
    assert main(["make", "robbr", str(JUDGEMENTS), *PAPERS, "--out", str(out), "--test-share", "1"]) == 0
    return out


def test_judgements_of_both_tables_are_the_same(tmp_path: Path) -> None:
    wide = tmp_path / "revman.csv"
    wide.write_text(
        "Study,Paper,Domain (judgement): Sequence: All outcomes,Domain (support): Sequence,Domain (judgement): Other bias\n"
        "A 2020,10.1234/a,Low risk of bias,By computer.,\nB 2021,10.1234/b,Some concerns,Not told.,High\n",
        encoding="utf-8",
    )
    long = tmp_path / "long.csv"
    long.write_text(
        "study,paper,domain,judgement,support\nA 2020,10.1234/a,Sequence,Low,By computer.\n"
        "B 2021,10.1234/b,Sequence,unclear,Not told.\nB 2021,10.1234/b,Other bias,High risk,\n",
        encoding="utf-8",
    )
    both = [
        [(one.bias, one.papers, one.level, one.support, bool(one.excluded)) for one in judgements(file)]
        for file in (wide, long)
    ]
    assert both[0] == both[1]
    assert [one[2] for one in both[0]] == ["low", "unclear", "high"]


def test_others_are_of_the_same_bias_and_other_studies() -> None:
    first = next(judgements(JUDGEMENTS))
    others = OtherJudgements(JUDGEMENTS).of(first)
    assert len(others) == 4
    assert first.support not in others
    assert OtherJudgements(JUDGEMENTS).of(first) == others


def test_three_tasks_that_load_and_run(made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    levels, support, selection = (
        [one for one in read(made / f"{name}_test.json") if not isinstance(one, BrokenRecord)]
        for read, name in ((read_main, "Main_task"), (read_support, "SSR"), (read_selection, "SJS"))
    )
    assert [one.gold for one in levels] == ["low", "low", "high", "unclear", "unclear"]
    assert {one.categories for one in levels} == {("selection",)}
    # The reviewer's comment is no aspect, and a judgement of nothing but a comment has none.
    concealment = next(one for one in support if "concealment" in one.case.bias)
    assert list(concealment.gold.gold.labels.values()) == ["Allocation was concealed in sealed opaque envelopes."]  # type: ignore[union-attr]
    assert len(support) == 4
    assert all(len(one.gold.texts) == 7 for one in selection)
    known = {one.support for one in judgements(JUDGEMENTS)}
    assert all(one.gold.texts[one.gold.right] in known for one in selection)
    assert len({one.gold.right for one in selection}) > 1
    sheet = json.loads((made / "datasheet.json").read_bytes())
    assert sheet["categories"] == {"selection": 5}
    assert sheet["left_out"][NO_JUDGEMENT] == 1
    capsys.readouterr()
    for task, engine in (("robbr/main", "openai:demo"), ("robbr/ssr", "bm25"), ("robbr/sjs", "openai:demo")):
        assert main(["bench", task, "--data", str(made), "--engine", engine, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["failed"] == 0


class _OneBadReply:
    """Calls every piece specific, and gives a bad reply to the first question about sentences."""

    name = "openai:made-up"
    asked = 0

    def ask_all(self, requests: Sequence[Request], *, progress: Progress = silent) -> list[Reply]:
        self.asked += len(requests)
        said = [self._said(request) for request in requests]
        if requests[0].schema is Selection:
            said[0] = None
        return [
            Reply("?", one, None if one else ReplyError("It breaks off."), Usage(1, 1), 0.0, "made-up", Form.SCHEMA)
            for one in said
        ]

    @staticmethod
    def _said(request: Request) -> ReplySchema | None:
        if request.schema is Listed:
            return Listed(reason="", items=["One piece.", "Another piece."])
        return (
            PieceKind(reason="", decision="specific")
            if request.schema is PieceKind
            else Selection(reason="", decision=[])
        )

    def cost_of(self, reply: Reply) -> float | None:
        return 0.01


def test_replies_beside_a_bad_one_are_in_the_record() -> None:
    text = b" ".join(b"Patient number %d was drawn." % number for number in range(30))
    paper = read_paper(b"# Draws\n\n## Methods\n\n" + text, name="draws.md")
    judgement = Judgement("k", "r", "s", ("a",), "selection", "By computer.", Level("low"))
    asker = _OneBadReply()
    made = run_plan(plan(Prepared(judgement, Shelved("a", "a", paper, "cc"), ()), asker.cost_of), asker, silent)
    assert made.told["no SSR"].startswith("no usable answer")
    assert len(made.steps) == asker.asked > 10


def test_summaries_to_labels_that_load_and_run(
    demo: DemoServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "made"
    assert main(["make", "farebio", str(MADE / "summaries.csv"), *PAPERS, "--out", str(out), "--test-share", "1"]) == 0
    found = read_farebio((out / "farebio_test.json").read_bytes(), name="made")
    assert not found.broken
    walks, light = found.summaries
    labels = [sentence.labels[0] for sentence in walks.sentences]
    assert labels[0] == "supported"
    assert labels[2] == "not in the paper"
    assert walks.sentences[0].support
    assert walks.sentences[2].part
    assert {sentence.labels[0] for sentence in light.sentences} == {"supported"}
    capsys.readouterr()
    assert main(["bench", "farebio/faithfulness", "--data", str(out), "--engine", "bm25@1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["failed"] == 0


def test_summaries_may_be_written_by_models_and_are_written_once(demo: DemoServer, tmp_path: Path) -> None:
    out = tmp_path / "made"
    words = ["make", "farebio", "--writer", "openai:demo", "--writer", "anthropic:demo", *PAPERS, "--out", str(out)]
    assert main(words) == 0
    written = (out / "summaries.csv").read_text(encoding="utf-8")
    assert written.count("anthropic:demo") == written.count("openai:demo") == 3  # the fourth paper's licence forbids it
    assert main(words) == 0
    assert (out / "summaries.csv").read_text(encoding="utf-8") == written


WRITING = ["make", "farebio", "--writer", "openai:demo", *PAPERS]


@pytest.mark.parametrize("options", [["--estimate"], ["--batch-out", "asked"]])
def test_writers_send_nothing_where_nothing_is_to_be_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], options: list[str]
) -> None:
    """There is no server here: a request would be another error."""
    monkeypatch.chdir(tmp_path)
    assert main([*WRITING, "--out", "made", *options]) == 2
    assert "not written yet" in capsys.readouterr().err
    assert not Path("made").exists()


def test_writers_keep_to_the_limit_and_the_budget(
    demo: DemoServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*WRITING, "--out", str(tmp_path / "poor"), "--budget-tokens", "1"]) != 0
    assert "udget" in capsys.readouterr().err
    assert not list(summaries(tmp_path / "poor" / SUMMARIES))
    out = tmp_path / "made"
    assert main([*WRITING, "--out", str(out), "--limit", "2"]) == 0
    assert len(list(summaries(out / SUMMARIES))) == 2
    assert main([*WRITING, "--out", str(out)]) == 0  # the table has grown, and what is done is the same
    assert len(list(summaries(out / SUMMARIES))) == 3


def test_a_table_may_tell_the_licence(demo: DemoServer, tmp_path: Path) -> None:
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "p1.md").write_text("# Walks\n\n## Abstract\n\nWalks helped people to sleep. Light did not.\n")
    rows = {
        FarebioPipeline: "paper,text,licence\np1,Walks helped.,CC BY\np1,Light did not.,\n",
        RobbrPipeline: "study,domain,judgement,support,licence\np1,B,low,By computer.,CC BY\np1,C,low,By dice.,\n",
    }
    for pipeline, text in rows.items():
        table = tmp_path / "table.csv"
        table.write_text(text, encoding="utf-8")
        made = pipeline(table, Shelf(papers))
        told, untold = (made.prepared(one) for one in made.candidates())
        assert not isinstance(told, str)
        assert told.shelved.licence == "CC BY"
        assert untold == NO_LICENCE


def test_agreement_by_sentence_by_summary_and_on_support(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By hand: two sentences of one summary, one of another; the people differ on the second, and on one support."""
    sentences = ["Walks helped.", "Cats slept.", "Light helped."]
    source = {"title": "T", "abstract": "Walks helped. Light helped. Nothing else was seen."}

    def file(labels: list[str], supports: list[list[str]]) -> bytes:
        rows = [
            {"paper": "p", "summary": "s1" if place < 2 else "s2", "text": text, "label": label, "support": support}
            | source
            for place, (text, label, support) in enumerate(zip(sentences, labels, supports, strict=True))
        ]
        return json.dumps(rows).encode()

    one = file(["supported", "not supported", "supported"], [["Walks helped."], [], ["Light helped."]])
    other = file(["supported", "supported", "supported"], [["Walks helped."], ["Walks helped."], []])
    found = compared([read_farebio(data, name="f") for data in (one, other)])
    assert (list(found.sentences.one), list(found.sentences.other)) == ([False, True, False], [False, False, False])
    assert (list(found.summaries.one), list(found.summaries.other)) == ([True, False], [False, False])
    assert (sum(found.support.one), sum(found.support.other)) == (2, 1)
    paths = []
    for name, data in (("one", one), ("other", other)):
        paths.append(tmp_path / f"{name}.json")
        paths[-1].write_bytes(data)
    assert main(["make", "agreement", *map(str, paths), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [part["items"] for part in document.values()] == [3, 2, len(found.support.papers)]
    # A part without an item is told as such, and the others still count.
    wrong = tmp_path / "wrong.json"
    wrong.write_bytes(file(["not supported"] * 3, [[], [], []]))
    assert main(["make", "agreement", str(wrong), str(wrong)]) == 0
    assert "all call supported: none\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["robbr", "nowhere.csv"], "cannot be opened"),
        (["robbr", str(MADE / "reviews.csv")], "neither the columns"),
        (["farebio", str(MADE / "reviews.csv")], "has no column text"),
        (["farebio"], "Name a table of summaries"),
        (["farebio", "--writer", "bm25"], "no language model"),
    ],
)
def test_mistakes_are_one_line(
    demo: DemoServer, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert main(["make", *words, *PAPERS, "--out", str(tmp_path / "out")]) == 2
    assert message in capsys.readouterr().err
