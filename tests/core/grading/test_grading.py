"""Statements for blinded grading, their figures, and a model that grades."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from core.__main__ import main
from core.errors import QueryError
from core.export.grades import key_of, origins_json, statements_csv
from core.grading import Grade, GradedStatement, grade_from
from core.grading.figures import agreement, figures
from core.grading.model import without_gaps
from core.grading.statements import drawn, paper_named, statements_of_text
from core.library.model import LibraryPaper
from core.llm.demo import DemoServer
from core.llm.demo.wires import RESPONSES

OTHER = """Heading

Magnesium relieves cramps in some people.[2] It causes loose stools (Rossi, 2019), as many report [1, 3].
Nobody knows why it does.[citation needed]

References
[1] Rossi A. Loose stools. 2019.
2. Bianchi B. Cramps at night. 2001.
"""


def graded(origin: str, *grades: str) -> tuple[list[GradedStatement], dict[str, Grade]]:
    statements = [GradedStatement(f"{origin}{place}", origin, "It is so.") for place in range(len(grades))]  # type: ignore[arg-type]
    given = {one.id: Grade(grade) for one, grade in zip(statements, grades, strict=True) if grade}
    return statements, given


def test_another_text_is_cut_into_statements_that_do_not_show_where_they_are_from() -> None:
    found = list(statements_of_text(OTHER))
    assert [one.text for one in found] == [
        "Magnesium relieves cramps in some people.",
        "It causes loose stools, as many report.",
        "Nobody knows why it does.",
    ]
    rossi = "Rossi A. Loose stools. 2019."
    assert [one.sources for one in found] == [("Bianchi B. Cramps at night. 2001.",), (rossi, "[3]"), ()]
    assert {one.origin for one in found} == {"other"}
    assert drawn(found, 1) == drawn(found, 1) != drawn(found, 5)
    assert sorted(one.id for one in drawn([*found, *found], 1)) == sorted(one.id for one in found)


def test_the_same_words_with_other_sources_are_another_statement() -> None:
    found = list(statements_of_text(OTHER + "\nNobody knows why it does.[1] Nobody knows why it does.[1]\n"))
    drawn_once = [one.sources for one in drawn(found, 1) if one.text == "Nobody knows why it does."]
    assert sorted(drawn_once) == [(), ("Rossi A. Loose stools. 2019.",)]


def test_a_reference_names_the_paper_of_its_doi_or_else_of_the_longest_title() -> None:
    short = "Magnesium for cramps at night"
    long = f"{short}: a trial in adults who walk"
    first, second, bare = (
        library_paper("a", short, doi="10.1000/a"), library_paper("b", long, doi="10.1000/b"), library_paper("c", short)
    )  # fmt: skip
    papers = (first, bare, second)
    assert paper_named(f"Rossi A. {long}. 2019. doi:10.1000/b", papers) == second
    assert paper_named(f"Rossi A. {long}. 2019.", papers) == second
    assert paper_named(f"Rossi A. {short}. 2019. doi:10.1000/x", papers) == bare
    assert paper_named(f"Rossi A. {short}. 2019. doi:10.1000/x", (first, second)) is None


def library_paper(id: str, title: str, doi: str | None = None) -> LibraryPaper:
    return LibraryPaper(id, f"{id}.pdf", title, ("Rossi, A.",), None, 2019, doi, None, 3)


def test_shares_are_of_what_was_graded_and_precision_of_what_is_cited() -> None:
    grades = ["cited and supported"] * 8 + ["missing citation", "cited and unsupported", "not applicable"]
    ours, of_ours = graded("article", *grades)
    theirs, of_theirs = graded("other", "cited and supported", "missing citation", "", "cited and unsupported")
    of_theirs = without_gaps((one.id for one in theirs), of_theirs)
    found = figures([*ours, *theirs], of_ours | of_theirs)
    supported, precision = found["article"]["cited and supported"], found["article"]["precision"]
    assert (supported.count, supported.of, supported.share) == (8, 10, 80.0)
    assert (supported.low, supported.high) == (49.0, 94.3)  # Wilson's interval of 8 in 10, by hand
    assert (precision.count, precision.of) == (8, 9)
    assert found["other"]["missing citation"].of == 2, "what stands after a gap does not count"
    with pytest.raises(QueryError, match="No statement is graded"):
        figures(ours, {})


def test_how_far_graders_agree() -> None:
    _, ann = graded("a", "cited and supported", "missing citation", "cited and supported", "")
    _, ben = graded("a", "cited and supported", "missing citation", "cited and unsupported", "not applicable")
    found = agreement(ann, ben)
    assert found is not None
    assert (found.count, found.of) == (2, 3)
    assert agreement(ann, {}) is None


def test_a_word_that_is_no_grade_is_told() -> None:
    assert grade_from("  Cited and  supported ") is Grade.SUPPORTED
    assert grade_from(" ") is None
    with pytest.raises(QueryError, match="is no grade"):
        grade_from("good")


def test_the_command_reads_the_list_and_its_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "list.csv"
    ours, grades = graded("article", "cited and supported", "missing citation", "", "cited and unsupported")
    file.write_text(statements_csv(ours, grades), encoding="utf-8")
    assert main(["grades", str(file)]) == 2
    assert "list.key.json" in capsys.readouterr().err
    key_of(file).write_text(origins_json(ours), encoding="utf-8")
    assert main(["grades", str(file), "--json"]) == 0
    typed = file.read_bytes()
    with_model = ["grades", str(file), "--engine", "openai:demo", "--library", str(file.parent), "--out", str(file)]
    assert main(with_model) == 2, "what people typed would be lost"
    assert file.read_bytes() == typed
    told = capsys.readouterr()
    assert json.loads(told.out)["article"]["cited and supported"]["of"] == 2
    assert "after the first empty cell do not count: 1." in told.err
    key_of(file).write_text("{}")
    assert main(["grades", str(file)]) == 2
    assert "is not in" in capsys.readouterr().err


SAID = "Magnesium citrate did cause diarrhoea compared with placebo."
MODELS = pytest.mark.parametrize(
    ("model", "grades"),
    [
        ("openai:demo", ["cited and supported", "cited and unsupported", "not applicable", "missing citation"]),
        ("openai:demo-wrong", ["", "cited and unsupported", "not applicable", "missing citation"]),
        ("openai:demo-odd", ["", "", "not applicable", ""]),
    ],
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of papers."""
    monkeypatch.setenv("VOUCH_HOME", str(tmp_path / "home"))
    (tmp_path / "papers").mkdir()
    return tmp_path / "papers"


def listed(folder: Path) -> Path:
    """A list of statements, and the paper that two of them cite."""
    title = "Magnesium citrate compared with placebo for cramps at night"
    (folder / "trial.md").write_text(f"# {title}\n\n## Results\n\n{SAID} They were seen once.\n", encoding="utf-8")
    cited, elsewhere = (f"Rossi A. {title}. 2019.",), ("Bianchi B. Something else. 2001.",)
    statements = [
        GradedStatement("a", "article", SAID, cited),
        GradedStatement("b", "other", "Walking on mountains makes people happy for years.", cited),
        GradedStatement("c", "other", SAID, elsewhere),
        GradedStatement("d", "article", SAID),
    ]
    file = folder.parent / "list.csv"
    file.write_text(statements_csv(statements, {"a": Grade.SUPPORTED}), encoding="utf-8")
    key_of(file).write_text(origins_json(statements), encoding="utf-8")
    return file


@pytest.mark.slow
@MODELS
def test_a_model_grades_by_what_the_library_has_of_the_works_that_are_cited(
    model: str, grades: list[str], demo: DemoServer, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = listed(folder), folder.parent / "graded.csv"
    command = ["grades", str(file), "--engine", model, "--library", str(folder), "--out", str(out), "--json"]
    status = main(command)
    told = capsys.readouterr()
    with out.open(encoding="utf-8-sig", newline="") as table:
        assert [row["grade"] for row in csv.DictReader(table)] == grades
    if grades[0]:
        assert status == 0
        assert json.loads(told.out)["agreement"]["share"] == 100.0
        assert main(["grades", str(out), "--json"]) == 0
    else:
        assert status == 2
        assert "Statement 1: The grade does not hold together" in told.err


@pytest.mark.slow
def test_a_model_grades_through_batch_files(demo: DemoServer, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out, batch = listed(folder), folder.parent / "graded.csv", folder.parent / "batch"
    command = ["grades", str(file), "--engine", "openai:demo", "--library", str(folder), "--out", str(out), "--json"]
    command += ["--batch-out", str(batch)]
    assert main(command) == 0
    [requests] = json.loads(capsys.readouterr().out)["waiting_for"]
    lines = [json.loads(line) for line in Path(requests).read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 3, "what nobody can look into is not asked"
    served = [demo.desk.serve(RESPONSES, one["body"], "key") for one in lines]
    answered = [
        {"custom_id": one["custom_id"], "response": {"status_code": reply.status, "body": reply.body}}
        for one, reply in zip(lines, served, strict=True)
    ]
    results = folder.parent / "results.jsonl"
    results.write_text("".join(json.dumps(one) + "\n" for one in answered), encoding="utf-8")
    assert main([*command, "--batch-in", str(results)]) == 0
    assert json.loads(capsys.readouterr().out)["article"]["cited and supported"]["count"] == 1
    assert main([*command[:-2], "--batch-in", str(results)]) == 2
    assert "--batch-out" in capsys.readouterr().err
