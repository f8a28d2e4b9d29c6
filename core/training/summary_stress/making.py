"""The stress set made of papers: which sentences, which papers are for tuning, and what is done to each sentence."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from core.evidence.words import content_words
from core.paper import Kind, Paper, SectionKind, Sentence, read_paper
from core.training.summary_stress import held_back
from core.training.summary_stress import vocabulary as words
from core.training.summary_stress.corrupt import Surroundings, corrupted
from core.training.summary_stress.faithful import compressed, plain
from core.training.summary_stress.items import Item, Wording, Wrong

SEED = 7
TEST_SHARE = 0.4  # of the papers
_FAITHFUL = {Wording.VERBATIM: 2, Wording.COMPRESSED: 2, Wording.PLAIN: 5}  # a paper
_FROM_PAPER = (
    Wrong.NUMBER,
    Wrong.DIRECTION,
    Wrong.ROLE,
    Wrong.CERTAINTY,
    Wrong.ABSOLUTE,
    Wrong.ENTITY,
)  # one a wording and paper
_CLEAN = re.compile(r"[A-Z][^|{}<>\t\n]{30,320}\.")
_TERM = re.compile(r"[A-Za-z][a-z-]{5,}")
_PAPERS_OF_A_RARE_WORD = 6


@dataclass(frozen=True, slots=True)
class Trial:
    """One paper with the experts' labels on it."""

    name: str
    paper: Paper
    prompts: Sequence[Mapping[str, str]]


def read_trials(folder: Path, *, most: int | None = None) -> list[Trial]:
    """The papers of Evidence Inference, in the order of their names; only the first `most`, if it is given."""
    prompts: dict[str, list[dict[str, str]]] = {}
    for item in json.loads((folder / "items.json").read_text(encoding="utf-8")):
        labels = {annotation["label"] for annotation in item["annotations"]}
        if len(labels) == 1:  # the experts agree
            prompts.setdefault(item["pmcid"], []).append({**item, "label": labels.pop()})
    return [
        Trial(
            path.name.split(".")[0],
            read_paper(path.read_bytes(), name=path.name),
            prompts.get(path.name.split(".")[0], []),
        )
        for path in sorted((folder / "xml").iterdir())[:most]
    ]


def make_items(trials: Sequence[Trial], *, seed: int = SEED) -> Iterator[Item]:
    """The stress set; the same for the same papers and seed."""
    names = [trial.name for trial in trials]
    Random(seed).shuffle(names)  # noqa: S311 (a draw, not a secret)
    for_test = frozenset(names[: round(TEST_SHARE * len(names))])
    vocabulary = {trial.name: Counter(_terms(trial.paper)) for trial in trials}
    spread = Counter(term for terms in vocabulary.values() for term in terms)
    for trial in trials:
        own = vocabulary[trial.name]
        rare = [term for term, count in own.items() if count > 1 and spread[term] <= _PAPERS_OF_A_RARE_WORD]
        foreign = [term for term in spread if 2 <= spread[term] <= _PAPERS_OF_A_RARE_WORD and term not in own]
        yield from _of_trial(trial, sorted(rare), sorted(foreign), test=trial.name in for_test, seed=seed)


def _of_trial(trial: Trial, rare: list[str], foreign: list[str], *, test: bool, seed: int) -> Iterator[Item]:
    random = Random(f"{seed} {trial.name}")  # noqa: S311 (as above)
    foreign = random.sample(foreign, min(400, len(foreign)))
    figures = sorted(set(re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])", trial.paper.text)) - {"0", "1"})
    figures = [figure for figure in figures if 1 < float(figure) < 1e6]
    usable = _usable(trial.paper)
    random.shuffle(usable)
    made: Counter[object] = Counter()
    for sentence in usable:
        following = _following(trial.paper, sentence)
        variants = {
            Wording.VERBATIM: sentence.text,
            Wording.COMPRESSED: compressed(sentence.text, random),
            Wording.PLAIN: plain(sentence.text, following, random, test=test),
        }
        usual = [wording for wording, text in variants.items() if text]
        wording = random.choice(usual)
        text = variants[wording] or sentence.text
        around = Surroundings(figures, rare, foreign, _arms(trial, text))
        wanted = [wrong for wrong in _FROM_PAPER if not made[wrong, wording]]
        random.shuffle(wanted)
        faithful_left = made[wording] < _FAITHFUL[wording]
        if faithful_left and random.random() < 0.45:
            wanted = []
        broken = next(
            ((wrong, after) for wrong in wanted if (after := corrupted(text, wrong, around, random, test=test))), None
        )
        if broken:
            made[broken[0], wording] += 1
            yield Item(trial.name, broken[1], wording, broken[0], test)
        elif faithful_left:
            made[wording] += 1
            yield Item(trial.name, text, wording, None, test)
    yield from _added(trial, rare, random, test=test)
    yield from _claims(trial, random, test=test)


def _added(trial: Trial, rare: list[str], random: Random, *, test: bool) -> Iterator[Item]:
    templates = held_back.ADDED if test else words.ADDED
    for term in random.sample(rare, min(2, len(rare))):
        text = random.choice(templates).format(term)
        yield Item(trial.name, text[0].upper() + text[1:], Wording.INVENTED, Wrong.ADDED, test)


def _claims(trial: Trial, random: Random, *, test: bool) -> Iterator[Item]:
    """What the experts read in the paper, and the same with another direction: one of each at most three times a paper."""
    templates = held_back.CLAIMS if test else words.CLAIMS
    usable = [prompt for prompt in trial.prompts if prompt["label"] in templates]
    for prompt in random.sample(usable, min(3, len(usable))):
        names = {key[0]: prompt[key].strip().rstrip(".") for key in ("intervention", "comparator", "outcome")}
        other = random.choice(sorted(set(templates) - {prompt["label"]}))
        for label, wrong in ((prompt["label"], None), (other, Wrong.CLAIM)):
            text = random.choice(templates[label]).format(**names)
            yield Item(trial.name, text[0].upper() + text[1:], Wording.CLAIM, wrong, test)


def _usable(paper: Paper) -> list[Sentence]:
    """Whole sentences of prose that a summary could be made of, the abstract's and the results' most of all."""
    kinds = {SectionKind.ABSTRACT, SectionKind.RESULTS, SectionKind.DISCUSSION, SectionKind.INTRODUCTION}
    return [
        sentence
        for sentence in paper.sentences
        if sentence.kind in (Kind.ABSTRACT, Kind.BODY)
        and (sentence.kind is Kind.ABSTRACT or paper.section_of(sentence).kind in kinds)
        and _CLEAN.fullmatch(sentence.text)
        and 8 <= len(sentence.text.split()) <= 45
        and not re.search(r"\b(?:Fig|Table|et al|see)\b", sentence.text)
    ]


def _following(paper: Paper, sentence: Sentence) -> str | None:
    """The next sentence of the same paragraph, if it is short."""
    if sentence.index + 1 >= len(paper.sentences):
        return None
    following = paper.sentences[sentence.index + 1]
    near = following.section == sentence.section and "\n" not in paper.text[sentence.end : following.start]
    return following.text if near and len(following.text.split()) <= 20 and _CLEAN.fullmatch(following.text) else None


def _terms(paper: Paper) -> Iterator[str]:
    for sentence in paper.sentences:
        if sentence.kind in (Kind.ABSTRACT, Kind.BODY, Kind.TITLE):
            kept = set(content_words(sentence.text))
            yield from (term for term in _TERM.findall(sentence.text.lower()) if term in kept)


def _arms(trial: Trial, text: str) -> tuple[str, str] | None:
    lowered = text.lower()
    for prompt in trial.prompts:
        one, two = prompt["intervention"].strip().lower(), prompt["comparator"].strip().lower()
        if one != two and one in lowered and two in lowered:
            return one, two
    return None
