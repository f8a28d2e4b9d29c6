"""Build small files in the layouts of RoBBR, Evidence Inference, CONSORT-TM and judged papers from the sample papers.

What they say of bias stands in `sample_data/build/bias/NAME.toml`; an annotation quotes the beginning of each sentence
that it rests on, and a quotation that fits no sentence, or more than one, stops the build. Run it after a change to a
sample, an annotation or a reader: `python sample_data/build/benchmarks.py` (`--check` writes nothing and fails where a
file would change).
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from core.benchmarks.gold import best_cover, optimal  # noqa: E402
from core.benchmarks.robbr import domain_of  # noqa: E402
from core.benchmarks.samples import SAMPLE_DATA, paper_path  # noqa: E402
from core.paper import Kind, Paper, read_paper  # noqa: E402

ANNOTATIONS = ROOT / "sample_data" / "build" / "bias"
_LEVELS = {"some concerns": "unclear"}  # as RoBBR has it
_TRIAL = "leg-cramps"  # the sample in Evidence Inference's layout, and its questions
_PROMPTS = (
    (
        "magnesium citrate",
        "placebo",
        "nocturnal leg cramps per week",
        "no significant difference",
        "In week 8 participants had a mean",
    ),
    ("magnesium citrate", "placebo", "diarrhoea", "significantly increased", "Diarrhoea was reported by 19 of 92"),
    ("magnesium citrate", "placebo", "severity of cramps", "no significant difference", "Mean cramp severity was 5.1"),
)
_CELLS = (  # of a review matrix: hypothesis, how it names the treatment, label, the sentence that decides, what is near
    ("Magnesium citrate reduces nocturnal leg cramps.", "named", "refutes", "The adjusted difference was", None),
    ("Oral minerals cause diarrhoea.", "class", "supports", "Diarrhoea was reported by 19 of 92", None),
    ("Quinine reduces nocturnal leg cramps.", "named", "not reported", None, "quinine in the introduction alone"),
    ("Mineral supplements lower blood pressure.", "class", "not reported", None, "nothing"),
)


@dataclass(frozen=True)
class Study:
    """A sample paper, its elements in RoBBR's order (tables last, each one element), and what is said of its biases."""

    name: str
    paper: Paper
    elements: tuple[str, ...]
    told: Mapping[str, Any]

    def find(self, start: str) -> int:
        """The one element that begins so."""
        found = [index for index, text in enumerate(self.elements) if text.startswith(start)]
        if len(found) != 1:
            raise ValueError(f"{self.name}: {len(found)} elements begin with “{start}”; quote one that only one has")
        return found[0]

    def common(self, bias: Mapping[str, Any]) -> dict[str, Any]:
        """The keys that all three layouts of RoBBR share."""
        return {
            "paper_doi": self.told["doi"],
            "bias": bias["name"],
            "PICO": "\n\n\n".join(f"{part}: {text}" for part, text in self.told["pico"].items()),
            "objective": self.told["objective"],
        }


def main() -> int:
    """Build every file; the result is the exit status."""
    stale = []
    for name, content in files().items():
        target = SAMPLE_DATA / name
        if not target.exists() or target.read_text(encoding="utf-8") != content:
            stale.append(name)
            if "--check" not in sys.argv:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(content, encoding="utf-8", newline="\n")
    print("\n".join(stale) or "nothing changed")
    return int("--check" in sys.argv and bool(stale))


def files() -> dict[str, str]:
    """Every file's text by its path in the folder of samples."""
    studies = [_study(path) for path in sorted(ANNOTATIONS.glob("*.toml"))]
    cases = [(study, bias) for study in studies for bias in study.told["bias"]]
    trial = next(study for study in studies if study.name == _TRIAL)
    return {
        "robbr/Main_task_sample.json": _json(_numbered("Main_task", [_main(*case) for case in cases])),
        "robbr/SSR_sample.json": _json(_numbered("SSR", [_support(*case) for case in cases])),
        "robbr/SJS_sample.json": _json(_numbered("SJS", list(_selections(cases)))),
        "evidence_inference/items.json": _json(list(_items(trial))),
        "evidence_inference/xml/PMC0000001.nxml": paper_path(_TRIAL).read_text(encoding="utf-8"),
        "review_matrix/dev.jsonl": "".join(_line(cell) for cell in _cells(trial)),
        "rob1_papers/sample.jsonl": "".join(_line(record) for record in _judgements(trial)),
        "litqa2/litqa-v2-sample.jsonl": "".join(_line(question) for question in _choices()),
        "contradetect/contradetect-sample.jsonl": "".join(_line(statement) for statement in _statements()),
        **{
            f"{folder}/papers/{path.name}": path.read_text(encoding="utf-8")
            for folder in ("litqa2", "contradetect")
            for path in map(paper_path, ("leg-cramps", "pharmacy-ecg-screening"))
        },
        "consort_tm/train_sample.json": _json({study.name: list(_consort(study)) for study in studies}),
    }


def _choices() -> Iterator[dict[str, Any]]:
    """Multiple choice in LitQA2's layout: of one source the paper is missing, and one question has no answer."""
    rows = (
        ("1", "How many participants reported diarrhoea with magnesium citrate?", "19", ("8", "27", "92"), "1"),
        ("2", "In how many community pharmacies did the study take place?", "51", ("26", "25", "15"), "3"),
        ("3", "How often did magnesium citrate cause a rash?", "null", ("in 1 participant", "in 4 participants"), "1"),
        ("4", "How long did the children sleep after the story?", "9 hours", ("7 hours", "8 hours"), "9"),
    )
    for number, question, ideal, distractors, source in rows:
        yield {
            "id": f"sample-{number}",
            "question": question,
            "ideal": ideal,
            "distractors": list(distractors),
            "sources": [f"https://doi.org/10.5555/vouch.sample.{source}"],
        }


def _statements() -> Iterator[dict[str, Any]]:
    """Statements on the sample papers: one that is supported, one contradicted, and one of which none of them speaks."""
    rows = (
        ("1", "Magnesium, compared with placebo, increases diarrhoea.", "supported", "1"),
        ("2", "Magnesium, compared with placebo, decreases diarrhoea.", "contradicted", "1"),
        ("3", "Zinc lozenges, compared with placebo, decrease the length of colds.", "no evidence", "9"),
    )
    for number, statement, label, source in rows:
        sources = [f"https://doi.org/10.5555/vouch.sample.{source}"]
        yield {"id": f"sample-{number}", "statement": statement, "label": label, "sources": sources}


def _study(path: Path) -> Study:
    file = paper_path(path.stem)
    paper = read_paper(file.read_bytes(), name=file.name)
    rows = [sentence.text for sentence in paper.sentences if sentence.kind is Kind.TABLE]
    elements = [sentence.text for sentence in paper.sentences if sentence.kind is not Kind.TABLE]
    return Study(path.stem, paper, (*elements, "\n".join(rows)), tomllib.loads(path.read_text(encoding="utf-8")))


def _main(study: Study, bias: Mapping[str, Any]) -> dict[str, Any]:
    label = _LEVELS.get(bias["label"], bias["label"])
    return study.common(bias) | {"full_paper": "\n".join(study.elements), "label": label}


def _support(study: Study, bias: Mapping[str, Any]) -> dict[str, Any]:
    covering = {
        f"aspect_{number}": frozenset(map(study.find, aspect["sources"]))
        for number, aspect in enumerate(bias["aspect"])
    }
    fewest = optimal(covering)
    return study.common(bias) | {
        "paper_as_candidate_pool": list(study.elements),
        "aspects": {f"aspect_{number}": aspect["text"] for number, aspect in enumerate(bias["aspect"])},
        "aspect2sentence_indices": {aspect: sorted(indices) for aspect, indices in covering.items()},
        "sentence_index2aspects": {
            str(index): [aspect for aspect, indices in covering.items() if index in indices]
            for index in range(len(study.elements))
        },
        "bias_retrieval_at_optimal_evaluation": {
            "optimal": fewest,
            "one_selection_of_sentences": list(best_cover(covering, fewest).sentences),
            "covered_aspects": list(covering),
        },
    }


def _selections(cases: Sequence[tuple[Study, Mapping[str, Any]]]) -> Iterator[dict[str, Any]]:
    """Seven options: the study's own judgement, three made up for it, and three of other studies or other biases."""
    for number, (study, bias) in enumerate(cases):
        if "wrong" not in bias:
            continue
        others = [other["judgement"] for name, other in cases if name is not study and other["label"] != bias["label"]]
        options = [*bias["wrong"], *others[:3]]
        label = number % (len(options) + 1)
        options.insert(label, bias["judgement"])
        yield study.common(bias) | {
            "full_paper": "\n".join(study.elements),
            "options": options,
            "label": label,
        }


def _items(trial: Study) -> Iterator[dict[str, Any]]:
    for number, (intervention, comparator, outcome, label, start) in enumerate(_PROMPTS, 1):
        evidence = trial.elements[trial.find(start)]
        yield {
            "pmcid": "PMC0000001",
            "prompt_id": number,
            "intervention": intervention,
            "comparator": comparator,
            "outcome": outcome,
            "annotations": [{"label": label, "evidence": evidence}],
        }


def _cells(trial: Study) -> Iterator[dict[str, Any]]:
    for hypothesis, intervention, label, start, near in _CELLS:
        yield {
            "cluster": "leg cramps",
            "paper": "PMC0000001",
            "hypothesis": hypothesis,
            "intervention": intervention,
            "label": label,
            "evidence": [trial.elements[trial.find(start)]] if start else [],
            "effect": None,
            "near": near,
            "sure": True,
        }


def _judgements(trial: Study) -> Iterator[dict[str, Any]]:
    """The trial's levels in the domains of RoB 1, with the sentences that they rest on."""
    seen = set()
    for bias in trial.told["bias"]:
        domain = domain_of(bias["name"])
        if domain in seen or domain == "other":
            continue
        seen.add(domain)
        sources = dict.fromkeys(source for aspect in bias["aspect"] for source in aspect["sources"])
        yield {
            "paper": "PMC0000001",
            "domain": domain,
            "level": _LEVELS.get(bias["label"], bias["label"]),
            "support": [trial.elements[trial.find(source)] for source in sources],
            "reason": bias["judgement"],
            "sure": True,
        }


def _consort(study: Study) -> Iterator[dict[str, Any]]:
    """The article's sentences with CONSORT items where a bias says what its sources report."""
    items: dict[str, list[str]] = {}
    for bias in study.told["bias"]:
        for start in (source for aspect in bias["aspect"] for source in aspect["sources"]):
            known = items.setdefault(study.elements[study.find(start)], [])
            known += [bias["consort"]] if bias.get("consort") and bias["consort"] not in known else []
    at = 0
    for number, sentence in enumerate(s for s in study.paper.sentences if s.kind not in {Kind.TABLE, Kind.CAPTION}):
        section = study.paper.sections[sentence.section]
        yield {
            "sentence_id": f"S{number + 1}",
            "section": "Title" if sentence.kind is Kind.TITLE else section.title,
            "text": sentence.text,
            "start": at,
            "end": at + len(sentence.text),
            "consort_items": items.get(sentence.text, []),
        }
        at += len(sentence.text) + 1


def _numbered(prefix: str, records: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {f"{prefix}_sample_{number}": record for number, record in enumerate(records)}


def _line(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"


def _json(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _line(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    raise SystemExit(main())
