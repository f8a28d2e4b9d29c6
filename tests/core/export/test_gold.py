"""Gold of one's own and of a project: out in the benchmarks' layouts, and back as the same gold."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from core.__main__ import main
from core.benchmarks.evidencebench import read_evidencebench
from core.benchmarks.farebio import read_farebio
from core.benchmarks.gold import Instance
from core.benchmarks.robbr import JudgedCase, read_main, read_support
from core.benchmarks.runner import here, run_task
from core.benchmarks.samples import Sample, gold_for, samples
from core.benchmarks.task import EngineChoice
from core.benchmarks.tasks import task_named
from core.bias import StudyContext, tool_named
from core.bias.model import HIGH, LOW
from core.bias.tools.rob1 import UNCLEAR
from core.bias.tools.rob2 import SOME_CONCERNS
from core.errors import DatasetError
from core.evidence.model import Decision
from core.export.gold import (
    EVIDENCE,
    LEVELS,
    SUPPORT,
    BiasGold,
    OwnAspect,
    SummaryGold,
    evidencebench_json,
    farebio_json,
    gold_files,
    own_gold,
    robbr_main_json,
    robbr_support_json,
)
from core.export.own_aspects import aspects_table, own_aspects
from core.paper import Kind, Paper
from core.store.items import record_of
from core.store.model import ProjectState, SentenceDecisions
from core.store.project_file import project_to_file, project_to_json
from core.summary.model import FaithfulnessReport, Label, SentenceCheck, SummarySource, Support
from tests.core.export.reviews import both, judged, saved, settled, state

# ---- Written in the benchmarks' layouts, and read back as the same gold ----

each_sample = pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.id)


@each_sample
def test_evidence_comes_back_as_it_was_marked(sample: Sample) -> None:
    paper = sample.read()
    table = next(sentence.index for sentence in paper.sentences if sentence.kind is Kind.TABLE)
    aspects = [
        OwnAspect("What was done", frozenset({8, 12})),
        OwnAspect("What was found", frozenset({20, table}), True),
    ]
    gold = own_gold(paper, aspects, accepted=[12, 15])  # 12 covers an aspect already; 15 is one by itself
    text = evidencebench_json([Instance("own_1", "Tea helps.", paper, gold, ("Tea is good.",))])
    file = read_evidencebench(text.encode(), name="own.json")
    assert file.broken == ()
    (back,) = file.instances
    assert (back.id, back.hypothesis, back.paraphrases) == ("own_1", "Tea helps.", ("Tea is good.",))
    assert [s.text for s in back.paper.sentences] == [s.text for s in paper.sentences]
    assert list(back.gold.aspects.values()) == [frozenset({8, 12}), frozenset({20, table}), frozenset({15})]
    assert [back.gold.label(id) for id in back.gold.aspects] == [
        "What was done", "What was found", paper.sentences[15].text,
    ]  # fmt: skip
    assert list(back.gold.results_only.aspects.values()) == [frozenset({20, table})]
    assert gold_for(paper, back).gold.aspects == back.gold.aspects


def test_a_sentence_of_another_paper_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="not in the paper"):
        own_gold(samples()[0].read(), [OwnAspect("x", frozenset({9_999}))])


@each_sample
@pytest.mark.parametrize("tool", ["rob1", "rob2"])
def test_judgements_come_back_as_they_were_settled(sample: Sample, tool: str, tmp_path: Path) -> None:
    paper = sample.read()
    study = StudyContext("Does tea help?", "Adults: all", "Tea", "Water", "Sleep\nand rest")
    levels = tool_named(tool).scale
    settled = [
        BiasGold(
            f"study/{domain.id}",
            paper,
            domain,
            study,
            levels[number % 3],
            own_gold(paper, (), [number + 3] if number else ()),
        )
        for number, domain in enumerate(tool_named(tool).domains)
    ]
    main, support = tmp_path / "Main_task_own.json", tmp_path / "SSR_own.json"
    main.write_text(robbr_main_json(settled), encoding="utf-8")
    support.write_text(robbr_support_json(settled), encoding="utf-8")
    judged = list(read_main(main))
    assert len(judged) == len(settled)
    for one, back in zip(settled, judged, strict=True):
        assert isinstance(back, JudgedCase), back
        assert (back.id, back.doi) == (one.id, paper.doi)
        assert back.gold == (UNCLEAR if one.level == SOME_CONCERNS else one.level)
        assert back.case.study == replace(study, outcome="Sleep and rest")
        assert back.case.domain.definition == one.domain.definition
        if tool == "rob1":
            assert (back.case.domain.id, back.case.domain.criteria) == (one.domain.id, one.domain.criteria)
            assert back.case.domain.bias == one.domain.bias
        assert [s.text for s in back.case.paper.sentences] == [" ".join(s.text.split()) for s in paper.sentences]
    found = list(read_support(support))
    assert [back.id for back in found] == [one.id for one in settled[1:]]  # the first rests on nothing
    for one, back in zip(settled[1:], found, strict=True):
        assert isinstance(back, JudgedCase)
        assert back.gold.gold.aspects == one.gold.aspects
        assert back.gold.gold.labels == one.gold.labels
        assert [s.text for s in back.case.paper.sentences] == [s.text for s in paper.sentences]


def test_the_categories_of_our_own_tools_are_robbrs(tmp_path: Path) -> None:
    paper = samples()[0].read()
    path = tmp_path / "Main_task_own.json"
    expected = {
        "rob1": ["selection", "selection", "performance", "detection", "attrition", "reporting", ""],
        "rob2": ["selection", "deviation", "attrition", "detection", "reporting"],
    }
    for tool, categories in expected.items():
        domains = tool_named(tool).domains
        settled = [BiasGold(d.id, paper, d, StudyContext("o"), LOW, own_gold(paper, ())) for d in domains]
        path.write_text(robbr_main_json(settled), encoding="utf-8")
        found = [back for back in read_main(path) if isinstance(back, JudgedCase)]
        assert [" ".join(back.categories) for back in found] == categories


def checked(text: str, label: Label, *support: int | None) -> SentenceCheck:
    part_of_paper = tuple(Support(index) for index in support)
    return SentenceCheck(text, 0, len(text), label, None, part_of_paper, None, (), "Because it is so.")


@pytest.mark.parametrize("source", list(SummarySource))
def test_checked_labels_come_back_with_their_support(source: SummarySource) -> None:
    paper = samples()[0].read()
    start = next(s.index for s in paper.sentences if s.kind is Kind.ABSTRACT)
    report = FaithfulnessReport(
        summary="",
        paper=paper.id,
        engine="offline",
        source=source,
        sentences=(
            checked("Magnesium did not help.", Label.SUPPORTED, start, start + 1, None),
            checked("It cures all.", Label.SUPPORTED, start),
            checked("Nobody looked at this one.", Label.SUPPORTED, start),
            checked("The moon is round.", Label.NOT_IN_PAPER),
        ),
        seconds=0.0,
    )
    own = {
        0: Label.SUPPORTED,
        1: Label.CONTRADICTS,
        3: Label.NOT_IN_PAPER,
    }
    text = farebio_json([SummaryGold("plain", paper, report, own), SummaryGold("other", paper, report, {3: own[3]})])
    file = read_farebio(text.encode(), name="own.json")
    assert file.broken == ()
    plain, other = file.summaries
    assert (plain.id, other.id) == (f"{paper.doi}/plain", f"{paper.doi}/other")
    assert [(s.text, s.labels) for s in plain.sentences] == [
        ("Magnesium did not help.", (Label.SUPPORTED,)),
        ("It cures all.", (Label.CONTRADICTS,)),
        ("The moon is round.", (Label.NOT_IN_PAPER,)),
    ]
    first, second, third = plain.sentences
    found = [plain.paper.sentences[support.index].text for support in first.support if support.index is not None]
    assert found == [paper.sentences[start].text, paper.sentences[start + 1].text]
    assert second.support == third.support == ()  # what the engine gave for another label is no gold
    assert [row for row in json.loads(text) if "abstract" in row] == json.loads(text)[:1]
    assert plain.paper.title == paper.title


def test_bench_runs_on_gold_of_ones_own(tmp_path: Path) -> None:
    paper = samples()[0].read()
    gold = own_gold(paper, [OwnAspect("What was found", frozenset({20}))])
    path = tmp_path / "evidencebench_own.json"
    path.write_text(evidencebench_json([Instance("own", "Magnesium reduces cramps.", paper, gold)]), encoding="utf-8")
    task = task_named("evidencebench/er@10")
    result = run_task(task, task.items(path), here(task, task.open(EngineChoice("bm25"))))
    assert result.failed == 0
    assert result.metrics["aspect_recall"].value in (0.0, 1.0)


# ---- What a project's reviewers settled and accepted, as gold ----

HYPOTHESIS = "Magnesium reduces cramps."


def review(paper: Paper, data: bytes) -> ProjectState:
    """One domain settled, one agreed, one in dispute; Ann and Ben took sentences in, and refused one."""
    record = replace(record_of(paper, project="p"), file=sha256(data).hexdigest())
    begun = state(
        record,
        judged("Ann", paper.id, "D1", LOW, support=(12, 14)),
        judged("Ben", paper.id, "D1", HIGH, support=(14,)),
        settled(paper.id, "D1", SOME_CONCERNS),
        *both(paper.id, "D2", HIGH),
        judged("Ann", paper.id, "D3", LOW),
        judged("Ben", paper.id, "D3", HIGH),
    )
    decisions = (
        SentenceDecisions("p", paper.id, "Ann", HYPOTHESIS, {20: Decision.ACCEPTED, 21: Decision.REJECTED}),
        SentenceDecisions("p", paper.id, "Ben", HYPOTHESIS, {22: Decision.ADDED}),
        SentenceDecisions("p", paper.id, "Ben", "Nothing fits.", {3: Decision.REJECTED}),
    )
    return replace(begun, decisions=tuple(map(saved, decisions)), files={sha256(data).hexdigest(): data})


@pytest.fixture
def paper() -> Paper:
    return samples()[0].read()


def test_what_is_settled_is_gold_and_what_is_open_is_not(paper: Paper, tmp_path: Path) -> None:
    project = review(paper, samples()[0].path.read_bytes())
    files = gold_files(project, tool_named("rob2"), {paper.id: paper})
    assert list(files) == [LEVELS, SUPPORT, EVIDENCE]
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    levels = [one for one in read_main(tmp_path / LEVELS) if isinstance(one, JudgedCase)]
    assert [(one.id.rpartition("/")[2], one.gold) for one in levels] == [("D1", UNCLEAR), ("D2", HIGH)]
    assert levels[0].case.study.objective == "Does tea help?"
    (support,) = read_support(tmp_path / SUPPORT)
    assert isinstance(support, JudgedCase)
    assert list(support.gold.gold.aspects.values()) == [frozenset({12}), frozenset({14})]
    (instance,) = read_evidencebench(files[EVIDENCE].encode(), name=EVIDENCE).instances
    assert instance.hypothesis == HYPOTHESIS
    assert list(instance.gold.aspects.values()) == [frozenset({20}), frozenset({22})]


def test_the_command_writes_what_bench_reads(paper: Paper, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = tmp_path / "project.json"
    project.write_text(project_to_json(review(paper, samples()[0].path.read_bytes())), encoding="utf-8")
    whole, again = tmp_path / "project.vouch", tmp_path / "again"
    whole.write_bytes(project_to_file(review(paper, samples()[0].path.read_bytes())))
    assert main(["gold", str(whole), "--out", str(again)]) == 0
    out = tmp_path / "gold"
    assert main(["gold", str(project), "--out", str(out)]) == 0
    assert {path.name: path.read_bytes() for path in again.iterdir()} == {
        path.name: path.read_bytes() for path in out.iterdir()
    }
    assert sorted(path.name for path in out.iterdir()) == sorted([LEVELS, SUPPORT, EVIDENCE])
    assert main(["bench", "robbr/ssr", "--data", str(out), "--engine", "bm25"]) == 0
    assert main(["bench", "evidencebench/er@10", "--data", str(out), "--engine", "bm25"]) == 0
    assert "1 item on 1 paper" in capsys.readouterr().out


def test_no_gold_is_one_clear_sentence(paper: Paper, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = tmp_path / "project.json"
    project.write_text(project_to_json(state(record_of(paper, project="p"))), encoding="utf-8")
    assert main(["gold", str(project), "--out", str(tmp_path / "gold")]) == 2
    error = capsys.readouterr().err
    assert "is not kept" in error
    assert "no gold in it" in error


# ---- Aspects in reviewers' own words, from a table that they fill ----


def filled(text: str, rows: dict[int, tuple[str, str]]) -> bytes:
    """The table with words and result for these sentences; its byte order mark stays."""
    first, *lines = csv.reader(io.StringIO(text, newline=""))
    changed = io.StringIO(newline="")
    csv.writer(changed).writerows([first, *([*line[:4], *rows.get(int(line[2]), ("", ""))] for line in lines)])
    return changed.getvalue().encode()


def test_sentences_that_tell_one_thing_in_the_reviewers_words_are_one_aspect(paper: Paper) -> None:
    project, tool, papers = review(paper, samples()[0].path.read_bytes()), tool_named("rob2"), {paper.id: paper}
    table = aspects_table(project, tool, papers)
    assert [line[2] for line in csv.reader(io.StringIO(table, newline=""))] == ["sentence", "12", "14", "20", "22"]
    words = {20: ("Cramps were as many.", "yes"), 22: ("Cramps  were as many.", ""), 14: ("Drawn by a computer.", "no")}
    own = own_aspects(filled(table, words), project, tool, papers, name="a.csv")
    files = gold_files(project, tool, papers, own)
    (instance,) = read_evidencebench(files[EVIDENCE].encode(), name=EVIDENCE).instances
    assert instance.gold.aspects == {"aspect_0": frozenset({20, 22})}
    assert instance.gold.labels == {"aspect_0": "Cramps were as many."}
    assert instance.gold.results == {"aspect_0"}
    (case,) = json.loads(files[SUPPORT]).values()
    assert case["aspects"] == {"aspect_0": "Drawn by a computer.", "aspect_1": paper.sentences[12].text}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("aspect", "words"), "no column aspect"),
        (("cramps", "colds"), "Row 4 .* nothing on this paper"),
        ((",20,", ",21,"), "sentence 21 is not among"),
        ((",yes", ",perhaps"), "“perhaps” is neither yes nor no"),
    ],
)
def test_a_table_that_does_not_fit_is_one_clear_sentence(paper: Paper, change: tuple[str, str], told: str) -> None:
    project, tool, papers = review(paper, samples()[0].path.read_bytes()), tool_named("rob2"), {paper.id: paper}
    data = filled(aspects_table(project, tool, papers), {20: ("Cramps.", "yes")}).decode().replace(*change)
    with pytest.raises(DatasetError, match=told):
        own_aspects(data.encode(), project, tool, papers, name="a.csv")


def test_the_command_writes_the_table_once_and_then_reads_it(
    paper: Paper, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project, table, out = tmp_path / "project.json", tmp_path / "aspects.csv", tmp_path / "gold"
    project.write_text(project_to_json(review(paper, samples()[0].path.read_bytes())), encoding="utf-8")
    command = ["gold", str(project), "--out", str(out), "--aspects", str(table)]
    assert main(command) == 0
    assert "fill “aspect”" in capsys.readouterr().out
    words = filled(table.read_bytes().decode(), {20: ("Cramps were as many.", "yes"), 22: ("Cramps were as many.", "")})
    table.write_bytes(words)
    assert main(command) == 0
    assert table.read_bytes() == words  # what was typed stays
    assert "Cramps were as many." in (out / EVIDENCE).read_text(encoding="utf-8")
    assert main(["bench", "evidencebench/result-er@5", "--data", str(out), "--engine", "bm25"]) == 0
