import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from core.benchmarks.evidencebench import is_evidencebench, read_evidencebench
from core.errors import DatasetError
from core.paper import Format, Kind, SectionKind
from tests.core.benchmarks.evidencebench_records import POOL, encoded, record


@pytest.mark.parametrize(
    "content", [{"id_7": record()}, [record()], record()], ids=["dict of records", "list of records", "one record"]
)
def test_reads_each_shape(content: Any) -> None:
    data = encoded(content)
    assert is_evidencebench(data)
    file = read_evidencebench(data, name="tea.json")
    assert file.broken == ()
    (instance,) = file.instances
    assert instance.id == ("id_7" if isinstance(content, dict) and "id_7" in content else "1")
    assert instance.hypothesis == "Tea in the evening shortens sleep."
    assert instance.gold.aspects == {"a": {3, 6}, "b": {8}, "c": {8, 9}}
    assert instance.gold.results == {"b", "c"}
    assert instance.gold.labels is None


def test_the_paper_is_the_pool_to_the_letter() -> None:
    paper = read_evidencebench(encoded(record()), name="tea.json").instances[0].paper
    assert [sentence.text for sentence in paper.sentences] == [text for _, text in POOL]
    assert [sentence.index for sentence in paper.sentences] == list(range(len(POOL)))
    assert all(paper.text[s.start : s.end] == s.text for s in paper.sentences)
    assert (paper.format, paper.title, paper.name) == (Format.EVIDENCEBENCH, "Tea and sleep", "tea_1 (tea.json)")
    kinds = [sentence.kind for sentence in paper.sentences]
    assert kinds[:4] == [Kind.TITLE, Kind.TITLE, Kind.ABSTRACT, Kind.ABSTRACT]
    assert kinds[4:] == [Kind.HEADING, Kind.HEADING, Kind.BODY, Kind.HEADING, Kind.BODY, Kind.BODY, Kind.HEADING]
    sections = [(section.title, section.kind, section.level) for section in paper.sections]
    assert sections == [
        ("Title", SectionKind.OTHER, 1),
        ("Abstract", SectionKind.ABSTRACT, 1),
        ("Methods", SectionKind.METHODS, 1),
        ("Participants", SectionKind.METHODS, 2),
        ("Results", SectionKind.RESULTS, 1),
        ("Acknowledgements", SectionKind.OTHER, 1),
    ]


@pytest.mark.parametrize("odd", ["", "   ", "  padded ", "\n", "two\n\nparagraphs"])
@pytest.mark.parametrize("place", range(len(POOL)))
def test_blank_and_padded_entries_shift_nothing(odd: str, place: int) -> None:
    pool = [text for _, text in POOL]
    pool[place] = odd
    paper = read_evidencebench(encoded(record(paper_as_candidate_pool=pool)), name="x").instances[0].paper
    assert [sentence.text for sentence in paper.sentences] == pool
    assert all(paper.text[s.start : s.end] == s.text for s in paper.sentences)


def test_two_hypotheses_on_one_paper_share_its_id() -> None:
    other_paper = record(paper_as_candidate_pool=[text.upper() for _, text in POOL])
    file = read_evidencebench(encoded([record(), record(hypothesis="Tea is safe."), other_paper]), name="x")
    first, second, third = (instance.paper.id for instance in file.instances)
    assert first == second != third


def test_reads_null_results_and_our_labels() -> None:
    raw = record(results_aspect_list_ids=None, aspect_labels={"a": "Forty adults took part"})
    gold = read_evidencebench(encoded(raw), name="x").instances[0].gold
    assert gold.results == frozenset()
    assert gold.results_only.aspects == {}
    assert (gold.label("a"), gold.label("b")) == ("Forty adults took part", "b")


def _without(key: str) -> dict[str, Any]:
    return {k: v for k, v in record().items() if k != key}


@pytest.mark.parametrize(
    ("raw", "key", "reason"),
    [
        (_without("hypothesis"), "hypothesis", "field required"),
        (_without("paper_as_candidate_pool"), "paper_as_candidate_pool", "field required"),
        (record(hypothesis=" "), "hypothesis", "it is empty"),
        (record(hypothesis="sleep " * 401), "hypothesis", "it has more than 400 words"),
        (record(paraphrases=["short", "sleep " * 401]), "paraphrases", "one has more than 400 words"),
        (record(paper_as_candidate_pool=[" "] * len(POOL)), "paper_as_candidate_pool", "it holds no text"),
        (record(paper_as_candidate_pool=["\ud800"] * len(POOL)), "paper_as_candidate_pool.0", "surrogate"),
        (record(paper_as_candidate_pool=[]), "paper_as_candidate_pool", "it holds no text"),
        (
            record(sentence_types_in_candidate_pool=["abstract"]),
            "sentence_types_in_candidate_pool",
            f"1 types for {len(POOL)}",
        ),
        (
            record(sentence_types_in_candidate_pool=["figure"] * len(POOL)),
            "sentence_types_in_candidate_pool.0",
            "'abstract'",
        ),
        (record(aspect_list_ids=[], aspect2sentence_indices={}), "aspect_list_ids", "lists no aspect"),
        (record(aspect_list_ids=["a", "b", "c", "c"]), "aspect_list_ids", "listed twice"),
        (record(aspect_list_ids=["a"] * 501), "aspect_list_ids", "at most 500"),
        (record(aspect_list_ids=["a", "b", "d"]), "aspect2sentence_indices", "not those of aspect_list_ids"),
        (
            record(aspect2sentence_indices={"a": [6, 3], "b": [len(POOL)], "c": [8]}),
            "aspect2sentence_indices",
            f"beyond the {len(POOL)}",
        ),
        (record(aspect2sentence_indices={"a": [-1], "b": [8], "c": [8]}), "aspect2sentence_indices.a.0", "greater"),
        (record(results_aspect_list_ids=["z"]), "results_aspect_list_ids", "not in aspect_list_ids"),
        (record(sentence_index2aspects={"3": ["a"]}), "sentence_index2aspects", "contradicts"),
        ("a string", "record", "dictionary"),
        (None, "record", "dictionary"),
    ],
)
def test_a_broken_record_is_named_and_the_rest_goes_on(raw: Any, key: str, reason: str) -> None:
    file = read_evidencebench(encoded({"one": record(), "two": raw, "three": record()}), name="tea.json")
    assert [instance.id for instance in file.instances] == ["one", "three"]
    (broken,) = file.broken
    assert (broken.file, broken.id, broken.key) == ("tea.json", "two", key)
    assert reason in broken.reason
    assert str(broken).startswith(f"“tea.json”, record two, {key}: ")


@pytest.mark.parametrize("data", [b"", b"{", b'{"a": ', b"\xff\xfe{", b"[" * 100_000, encoded({"one": record()})[:-9]])
def test_what_is_not_json_is_one_clear_error(data: bytes) -> None:
    with pytest.raises(DatasetError, match=r"not complete JSON|not text in UTF-8"):
        read_evidencebench(data, name="x.json")


@pytest.mark.parametrize("data", [b"{}", b"[]", b"3", b"null", b'"text"'])
def test_json_without_records_is_one_clear_error(data: bytes) -> None:
    with pytest.raises(DatasetError, match="no EvidenceBench record"):
        read_evidencebench(data, name="x.json")


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7", b'{"passages": []}', b"paper_as_candidate_pool", b"<article/>"])
def test_other_files_are_not_taken_for_it(data: bytes) -> None:
    assert not is_evidencebench(data)


def test_the_published_training_file(shared_data: Path) -> None:
    data = (shared_data / "evidencebench" / "evidencebench_train_set.json").read_bytes()
    assert is_evidencebench(data)
    file = read_evidencebench(data, name="train.json")
    assert (len(file.instances), file.broken) == (96, ())
    assert sum(len(instance.paper.sentences) for instance in file.instances) == 16_225
    assert sum(len(instance.gold.aspects) for instance in file.instances) == 747
    assert len({instance.paper.id for instance in file.instances}) == 95
    first, last = file.instances[0], file.instances[-1]
    assert (first.id, first.paper.name) == ("evidencebench_train_id_0", "pubmed_9819462 (train.json)")
    assert (len(first.paper.sentences), len(first.gold.aspects), len(first.gold.results)) == (130, 8, 5)
    assert first.gold.aspects["evidencebench_train_id_0_aspect_0"] == {7, 17}
    assert last.id == "evidencebench_train_id_95"
    raw = json.loads(data)
    for instance in file.instances:
        assert [s.text for s in instance.paper.sentences] == raw[instance.id]["paper_as_candidate_pool"]
        assert all(instance.paper.text[s.start : s.end] == s.text for s in instance.paper.sentences)
    digest = hashlib.sha256("\n".join(instance.hypothesis for instance in file.instances).encode()).hexdigest()
    assert digest.startswith("212a14e48333a5a7")
