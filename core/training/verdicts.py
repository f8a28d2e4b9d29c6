"""Fit and measure the regressions on top of the reader that give the evidence table's verdicts."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from core.benchmarks.bootstrap import Interval, estimate, interval
from core.benchmarks.evidence_tasks import TrialQuestion, read_evidence_inference
from core.benchmarks.label_metrics import Labelled, accuracy, macro_f1
from core.benchmarks.seen import for_development
from core.entailment import Direction, InContext, Reader, reader
from core.entailment.regression import Features, Regression
from core.findings.alone import read_alone
from core.findings.question_parts import QuestionParts
from core.findings.verdict import (
    MODEL,
    SentenceReadings,
    VerdictModel,
    of_alone,
    of_reported,
    of_sentences,
    read_sentences,
    shipped,
    weigh,
    weights_of,
)
from core.grounding.model import PaperVerdict
from core.paper import Paper
from core.settings import load_settings
from core.text.encoder import Matrix
from core.text.similarity import Embedder
from core.text.words import content_words, light_stem
from core.training import data, parser_of
from core.training.data import READINGS, REVIEWS, SPANS, Trial, readings, rows
from core.training.firm_verdicts import FirmCounts, WeighedCell, development_cells, in_file, left_out, threshold
from core.training.reader import for_the_top, trials_of

# Questions that a trial does not answer: its own treatments, with an outcome that another trial of its field reports.
#
# For a trial A, take the other trials in order of the similarity of their titles (cosine of MiniLM vectors). From each,
# take the first outcome that shares no word with the outcomes of A's own prompts. Nobody checked that A does not report
# it. Some of these outcomes are reported by A, so a firm verdict is not always wrong.

_VERBS = ("increases", "reduces")
_LONGEST = 400  # the most words of a hypothesis


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A hypothesis on which the paper should get no firm verdict, and the prompt from which its outcome comes."""

    article: str
    paper: Paper
    hypothesis: str
    of: str


def neighbours(prompts: list[TrialQuestion], articles: list[str], embedder: Embedder, each: int) -> Iterator[Neighbour]:
    """At most `each` questions for every article, each from a different other article."""
    by_article: dict[str, list[TrialQuestion]] = {}
    for prompt in prompts:
        by_article.setdefault(prompt.article, []).append(prompt)
    names = list(by_article)
    vectors: Matrix = embedder.encode([by_article[name][0].paper.title or "" for name in names])
    for article in articles:
        own = by_article[article]
        order = np.argsort(-(vectors @ vectors[names.index(article)]), kind="stable")
        others = (by_article[names[place]] for place in order if names[place] != article)
        taken = [topic(prompt.outcome) for prompt in own]
        made = 0
        for other in others:
            strange = next((one for one in other if _shares_none(topic(one.outcome), taken)), None)
            if strange is None:
                continue
            yield Neighbour(article, own[0].paper, _hypothesis(own[0], strange), strange.id)
            taken.append(topic(strange.outcome))
            made += 1
            if made == each:
                break


def _shares_none(outcome: frozenset[str], taken: list[frozenset[str]]) -> bool:
    return bool(outcome) and not any(outcome & one for one in taken)


def _hypothesis(own: TrialQuestion, strange: TrialQuestion) -> str:
    verb = _VERBS[int(strange.id) % len(_VERBS)]
    text = f"{own.intervention} {verb} {strange.outcome} compared with {own.comparator}"
    return " ".join(text.split()[:_LONGEST])


PARTS = ("spans", "prompts", "neighbours")
DIRECTIONS = ("up", "down", "no difference")
_NAMED = {Direction.UP: "up", Direction.DOWN: "down", Direction.SAME: "no difference"}
_CLAIMED = {"increases": "up", "reduces": "down"}
_FIRM = (PaperVerdict.SUPPORTS, PaperVerdict.REFUTES)
_NEIGHBOURS = 2  # questions per trial

Figures = dict[str, Interval | None]


def measure_findings() -> None:
    """Measure how well the reader predicts the direction of a trial's results, on trials of Evidence Inference that it
    was not trained on.

        python -m core.training findings [--data FOLDER] [--part spans] [--part prompts] [--part neighbours] [--json]

    - `spans`: the direction of each annotated span, read as the annotators gave it, and as the whole sentence that
    contains it, if any, with title and neighbour; for comparison, always the commonest direction.
    - `prompts`: each question (intervention, comparator, outcome) as a hypothesis, "I increases O compared with C"
    if its number is even, "I reduces O ..." if it is odd. A significant change as claimed supports it; the opposite
    change, or no significant difference, refutes it. The side that the model finds more likely is counted for every
    prompt, because each has an answer; the firm verdicts are counted as well.
    - `neighbours`: the trial's own treatments with an outcome of another trial (`neighbours`). Few verdicts should be
    firm.

    The trials are those of the development sets, and those to which the regressions on top of the reader were fitted;
    `--strict` leaves the latter out. Reads the data folder (annotations MIT, articles CC BY).
    """
    parser = parser_of(measure_findings)
    parser.add_argument("--data", type=Path, help="the data folder (default: VOUCH_DATA)")
    parser.add_argument("--part", action="append", choices=PARTS, help="default: all three")
    parser.add_argument("--strict", action="store_true", help="only trials that nothing was fitted to")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    folder, model, embedder = (
        options.data or data.data_folder(),
        reader(),
        Embedder.if_installed(load_settings().embeddings),
    )
    if model is None or embedder is None:
        raise SystemExit("The reader needs the sentence encoder, which is not installed.")
    unseen = for_development(folder) | (frozenset() if options.strict else for_the_top(folder))
    found: dict[str, Figures] = {}
    for part in options.part or PARTS:
        if part == "spans":
            found[part] = _spans(folder, trials_of(folder, embedder, unseen), unseen, model)
        else:
            prompts = [
                one for one in read_evidence_inference(folder / "evidence_inference") if isinstance(one, TrialQuestion)
            ]
            measure = _prompts if part == "prompts" else _neighbours
            found[part] = measure(folder / "evidence_inference", prompts, unseen, model, embedder)
    if options.json:
        print(json.dumps({part: {k: v and asdict(v) for k, v in own.items()} for part, own in found.items()}, indent=1))
        return
    for part, own in found.items():
        for name, figure in own.items():
            print(f"{part}: {name}: {_in_words(figure)}")


def _spans(folder: Path, trials: dict[str, Trial], unseen: frozenset[str], model: Reader) -> Figures:
    asked = [
        row
        for row in rows(folder / "evidence_inference" / "annotations.jsonl")
        if row["label"] in SPANS and row["pmcid"] in unseen
    ]
    gold = [_NAMED[SPANS[row["label"]]] for row in asked]
    alone: list[str] = []
    by_reader: list[str] = []
    in_place: list[str] = []
    for row in asked:
        parts = QuestionParts(row["intervention"], row["comparator"] or "", row["outcome"])
        trial, span = trials.get(row["pmcid"]), InContext(row["evidence"])
        places = trial.find(row["evidence"]) if trial else []
        shown = trial.at(places[0]) if trial and len(places) == 1 else span
        alone.append(DIRECTIONS[int(read_alone(parts, [row["evidence"]], model).told[0].argmax())])
        for given, sentence in ((by_reader, span), (in_place, shown)):
            told = model.directions(parts.template, [sentence])[0]
            given.append(_NAMED[Direction(int(told[Direction.UP :].argmax()) + 1)])
    groups = [row["pmcid"] for row in asked]
    most = Counter(gold).most_common(1)[0][0]
    return {
        f"{way}, {name}": estimate(Labelled(gold, said, DIRECTIONS).statistic(measure), groups)
        for way, said in (
            ("the span as given", alone),
            ("the span as given, without its words", by_reader),
            ("its sentence with what stands around it", in_place),
            ("majority", [most] * len(gold)),
        )
        for name, measure in (("accuracy", accuracy), ("macro-F1", macro_f1))
    }


def gold_labels(folder: Path) -> dict[str, str]:
    """Prompt -> direction by the majority of annotators; prompts without a majority are left out."""
    gold = {}
    for item in json.loads((folder / "items.json").read_text(encoding="utf-8")):
        counts = Counter(annotation["label"] for annotation in item["annotations"]).most_common(2)
        if counts and (len(counts) == 1 or counts[0][1] > counts[1][1]) and counts[0][0] in SPANS:
            gold[str(item["prompt_id"])] = _NAMED[SPANS[counts[0][0]]]
    return gold


def hypothesis_of(prompt: TrialQuestion) -> tuple[str, str]:
    """(claimed direction, hypothesis)."""
    verb = list(_CLAIMED)[int(prompt.id) % 2]
    text = f"{prompt.intervention} {verb} {prompt.outcome} compared with {prompt.comparator}"
    return _CLAIMED[verb], " ".join(text.split()[:_LONGEST])


def _prompts(
    folder: Path, prompts: Sequence[TrialQuestion], unseen: frozenset[str], model: Reader, embedder: Embedder
) -> Figures:
    gold = gold_labels(folder)
    asked = [one for one in prompts if one.article in unseen and one.id in gold]
    verdicts: list[float] = []
    firm_right: list[float] = []
    firm: list[str] = []
    groups = [one.article for one in asked]
    directions: dict[str, list[float]] = {"of the best sentence": [], "of all sentences together": []}
    for prompt in asked:
        claimed, hypothesis = hypothesis_of(prompt)
        right = "supports" if gold[prompt.id] == claimed else "refutes"
        reading = read_sentences(prompt.paper, hypothesis, model, embedder)
        if reading is None:
            for figures in (verdicts, *directions.values()):
                figures.append(0.0)
            continue
        weighed = weigh(reading, shipped())
        told = of_alone(reading, weights_of(reading, shipped().order))
        for figures, shares in zip(directions.values(), (told.best, told.together), strict=True):
            figures.append(float(DIRECTIONS[int(shares.argmax())] == gold[prompt.id]))
        verdicts.append(float(("supports" if weighed.supports > 0.5 else "refutes") == right))
        if weighed.verdict in _FIRM:
            firm.append(prompt.article)
            firm_right.append(float(weighed.verdict.value == right))
    return {
        "the likelier verdict is right": interval(verdicts, groups),
        **{f"direction {way}": interval(figures, groups) for way, figures in directions.items()},
        "firm verdicts that are right": interval(firm_right, firm) if firm else None,
        "firm": interval([1.0] * len(firm) + [0.0] * (len(asked) - len(firm)), firm + _without(groups, firm)),
        "always refutes": interval([float(gold[one.id] != hypothesis_of(one)[0]) for one in asked], groups),
    }


def _without(groups: Sequence[str], taken: Sequence[str]) -> list[str]:
    return list((Counter(groups) - Counter(taken)).elements())


def _neighbours(
    folder: Path, prompts: list[TrialQuestion], unseen: frozenset[str], model: Reader, embedder: Embedder
) -> Figures:
    articles = sorted({one.article for one in prompts if one.article in unseen})
    firm, groups = [], []
    for one in neighbours(prompts, articles, embedder, _NEIGHBOURS):
        reading = read_sentences(one.paper, one.hypothesis, model, embedder)
        firm.append(float(reading is not None and weigh(reading, shipped()).verdict in _FIRM))
        groups.append(one.article)
    return {"firm": interval(firm, groups)}


def _in_words(figure: Interval | None) -> str:
    if figure is None:
        return "not defined"
    return f"{100 * figure.value:.1f} ({100 * figure.low:.1f} to {100 * figure.high:.1f})"


_STRENGTH = 0.1  # inverse regularisation strength; smaller values keep weights nearer to 0
FOLDS = 5
_NOT_REPORTED = 0.92  # the least share of verdicts "not reported" that must be right
# Weight of a reading's cell relative to one of the matrix, for predicting whether a paper reports.
_OF_READING = 0.05
_ORDER_OF_READING, _ORDER_STRENGTH = 0.3, 0.01  # the same for which sentences decide, and its strength


@dataclass(frozen=True, slots=True)
class VerdictCell:
    """A hypothesis and a paper, with the label of what the paper says about it, and the reader's output."""

    group: str  # cells of the same group are held out together
    label: str
    of_matrix: bool  # from the matrix (a hypothesis for papers on many topics, as in a review), not from a reading
    reading: SentenceReadings
    decide: frozenset[int] = frozenset()  # the sentences that decide


def fit_verdicts() -> None:
    """Fit the regressions on top of the reader for the evidence table, and print their figures on held-out clusters.

        python -m core.training verdicts [--data FOLDER]

    Learns from papers that the reader was not trained on (`reader.for_the_top`): cells of the training matrix, and
    hypotheses of the readings. The latter have a low weight for predicting whether a paper reports, because each of
    their questions is about its own paper, whereas a review asks one question of papers on many topics, for which
    similarity is the best predictor. The threshold for firm verdicts is chosen so that enough of them are right on
    cells of the matrix that were not used for fitting: those of held-out groups, and the development cells. The figures
    for each cluster use the threshold chosen on the other clusters. The hypotheses of the readings are close to what
    their paper compared, but over half of them ask for another arm, group or outcome: how many of their firm verdicts
    are right is printed and shipped as well. Writes `core/findings/verdict.json`.
    """
    parser = parser_of(fit_verdicts)
    parser.add_argument("--data", type=Path, help="the data folder (default: VOUCH_DATA)")
    folder = parser.parse_args().data or data.data_folder()
    cells = list(cells_of(folder))
    by_fold = [fitted_to([cell for cell in cells if fold_of(cell.group) != fold]) for fold in range(FOLDS)]
    model = fitted_to(cells)
    new = [*_weighed(cells, by_fold, of_matrix=True), *development_cells(folder, model)]
    least, counts = threshold(new), left_out(new)
    print(f"firm from {least:.2f}; clusters left out: {counts}")
    close = FirmCounts.of([(cell, cell.is_firm(least)) for cell in _weighed(cells, by_fold, of_matrix=False)])
    print(f"hypotheses close to the paper's own, papers left out: {close}")
    found = {
        "reported": model.reported.to_json(),
        "order": model.order.to_json(),
        "not_reported": _not_reported_up_to(cells, by_fold),
        **in_file(least, counts),
        "right_if_close": close.right_in_100,
    }
    MODEL.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def cells_of(folder: Path) -> Iterator[VerdictCell]:
    """The cells of the papers that are set aside for these regressions, with the reader's output."""
    model, embedder = reader(), Embedder.if_installed(load_settings().embeddings)
    if model is None or embedder is None:
        raise SystemExit("The reader needs the sentence encoder, which is not installed.")
    for trial, cell in _asked(folder, trials_of(folder, embedder, for_the_top(folder))):
        reading = read_sentences(trial.paper, cell.hypothesis, model, embedder)
        if reading is not None:
            yield VerdictCell(cell.group, cell.label, cell.of_matrix, reading, cell.decide)


class _Asked(NamedTuple):
    hypothesis: str
    label: str
    group: str
    of_matrix: bool
    decide: frozenset[int] = frozenset()


def _asked(folder: Path, trials: dict[str, Trial]) -> Iterator[tuple[Trial, _Asked]]:
    for row in rows(folder / "review_matrix" / "train.jsonl"):
        if trial := trials.get(row["paper"]):
            decide = frozenset(place for text in row["evidence"] for place in trial.find(text))
            yield trial, _Asked(row["hypothesis"], row["label"], row["cluster"], True, decide)
    for file in (READINGS, REVIEWS):
        for trial, row, places in readings(trials, file):
            for cell in row["hypotheses"]:
                decide, cluster = frozenset(places(cell["decide"])), cell.get("cluster")
                yield trial, _Asked(cell["hypothesis"], cell["label"], cluster or row["paper"], bool(cluster), decide)


def fitted_to(cells: Sequence[VerdictCell]) -> VerdictModel:
    """A model fitted to these cells, with the threshold for "not reported" set to 0."""
    return replace(shipped(), reported=reported(cells), order=order(cells), not_reported=0.0)


def reported(cells: Sequence[VerdictCell]) -> Regression:
    """The regression that predicts whether the paper reports on the question."""
    return fitted(
        [of_reported(one.reading) for one in cells],
        [one.label != "not reported" for one in cells],
        [1.0 if one.of_matrix else _OF_READING for one in cells],
    )


def order(cells: Sequence[VerdictCell]) -> Regression:
    """The regression that predicts which of the sentences that were read decide."""
    reported = [cell for cell in cells if cell.label != "not reported" and cell.decide]
    features, gold, weights = [], [], []
    for cell in reported:
        decides = [one.index in cell.decide for one in cell.reading.sentences]
        features += [*of_sentences(cell.reading)]
        gold += decides
        weights += [(1.0 if cell.of_matrix else _ORDER_OF_READING) / max(1, sum(decides)) ** 0.5] * len(decides)
    return fitted(features, gold, weights, strength=_ORDER_STRENGTH)


def fitted(
    features: Sequence[Features], gold: Sequence[bool], weights: Sequence[float], *, strength: float = _STRENGTH
) -> Regression:
    """A logistic regression on standardised features."""
    table = np.array(features)
    mean, scale = table.mean(axis=0), np.maximum(table.std(axis=0), 1e-6)
    model = LogisticRegression(C=strength, max_iter=2000).fit((table - mean) / scale, gold, sample_weight=weights)
    return Regression(mean, scale, model.coef_[0], float(model.intercept_[0]))


def fold_of(group: str) -> int:
    """The fold in which a group is held out."""
    return int(hashlib.sha256(group.encode()).hexdigest(), 16) % FOLDS


def _weighed(
    cells: Sequence[VerdictCell], by_fold: Sequence[VerdictModel], *, of_matrix: bool
) -> Iterator[WeighedCell]:
    """The cells of the matrix, or those of the readings, each weighed by regressions that have not seen its group."""
    for cell in cells:
        if cell.of_matrix is of_matrix:
            yield WeighedCell.of(cell.group, cell.label, cell.reading, by_fold[fold_of(cell.group)])


def _not_reported_up_to(cells: Sequence[VerdictCell], by_fold: Sequence[VerdictModel]) -> float:
    """The greatest probability of reporting for the verdict "not reported", chosen on held-out cells of the matrix."""
    of_matrix = [cell for cell in cells if cell.of_matrix]
    weighed = [weigh(cell.reading, by_fold[fold_of(cell.group)]).reported for cell in of_matrix]
    probability, is_reported = np.array(weighed), np.array([cell.label != "not reported" for cell in of_matrix])
    auroc = roc_auc_score(is_reported, probability)
    print(f"{len(of_matrix)} cells, {is_reported.sum()} reported, AUROC {auroc:.3f}")
    tried = [float(most) for most in np.arange(0.02, 0.5, 0.01)]
    most = max((one for one in tried if _share(~is_reported, probability <= one) >= _NOT_REPORTED), default=tried[0])
    print(f"not reported up to {most:.2f}: said of {_share(probability <= most, ~is_reported):.2f} of the unreported")
    return round(most, 3)


def _share(what: NDArray[np.bool_], among: NDArray[np.bool_]) -> float:
    return float(what[among].mean()) if among.any() else 1.0


# ---- topics ----
# The topic of an outcome. Medical terms and the plain words for them are treated as the same.

# The entries are beginnings of words: "hypertensi" matches "hypertension" and "hypertensive".
_PLAIN_WORDS: tuple[tuple[str, ...], ...] = tuple(
    tuple(form.strip() for form in line.split("=") if form.strip())
    for line in """
    hypertensi = high blood pressure = elevated blood pressure = raised blood pressure
    hypotensi = low blood pressure
    hyperglyc = high blood sugar = high blood glucose = raised blood sugar
    hypoglyc = low blood sugar = low blood glucose
    blood glucose = blood sugar = glycaemi = glycemi = plasma glucose = serum glucose
    myocardial infarction = heart attack
    cardiovascular = heart and blood vessel
    cardiac = heart
    coronary = heart arter
    renal = kidney = nephr
    hepatic = liver
    pulmonary = lung = respiratory
    cerebral = brain
    gastric = stomach
    intestin = gut = bowel
    dermal = skin = dermat = cutaneous
    ocular = eye = ophthalm
    oral = by mouth = mouth
    ortho = bone = osseous
    osteoporo = weak bones = brittle bones = bone loss
    fracture = broken bone
    cerebrovascular accident = stroke
    neoplas = cancer = malignan = tumour = tumor = carcinoma = oncolog
    metasta = spread of cancer = cancer spread = spread to other
    chemotherap = cancer drug
    mortality = death = died = dying = dead = deceas = fatal
    morbidity = illness = disease = disorder = sickness
    adverse event = side effect = adverse effect = adverse reaction = unwanted effect
    analges = pain relief = painkiller = pain relief = pain medication
    antipyretic = fever medicine
    pyrexia = fever = febrile
    antibiotic = antimicrob = antibacterial
    antihypertensive = blood pressure drug = blood pressure medication
    anticoagul = blood thinner = blood-thin
    thrombo = blood clot = clot
    haemorrhag = hemorrhag = bleed
    anaemi = anemi = low iron
    emesis = vomit = throwing up
    nausea = feeling sick
    diarrh = loose stool
    constipat = hard stool
    dyspnoea = dyspnea = shortness of breath = breathless = breathing difficult
    fatigue = tired
    insomni = sleepless = trouble sleeping = sleep problem
    pruritus = itch
    oedema = edema = swelling
    erythema = redness
    lesion = sore = wound
    obes = very overweight
    bmi = body mass index
    body weight = weigh
    depressi = low mood
    anxiet = anxious = worry
    cognit = thinking = mental abilit
    dementia = alzheimer
    gait = walking = walk = ambulat
    physical activity = exercis = training
    paediatric = pediatric = child = kids = youngster = boys = girls
    infant = bab = newborn = neonat
    adolescen = teen = young people
    elderly = older = geriatric = aged people = seniors
    pregnan = expecting = gestation
    parturi = giving birth = childbirth = deliver = labour = labor
    caesarean = cesarean = c-section
    lactat = breastfe = breast-fe = nursing mother
    post-operative = postoperative = after surgery = after the operation = after an operation
    pre-operative = preoperative = before surgery
    surg = operat
    arthroplast = joint replacement
    anaesthe = anesthe = numb
    placebo = dummy = sham = inactive = sugar pill
    participants = patients = people = subjects = individuals = volunteers = persons = persons = cases
    women = woman = female = girls
    men = man = male = boys
    randomi = random = by chance = chance = at random = allocat = assign
    double-blind = double blind = blinded = did not know
    trial = study = research = experiment = investigat
    physician = doctor = clinician = medic
    practitioner = gp = family doctor
    hospitali = admitted = hospital stay = inpatient = in hospital
    efficac = effective = works = worked = work well = effectiv = benefi
    toleran = tolerab = tolerat
    administ = given = gave = receiv = took = taking
    pharmac = drug = medicine = medication
    dose = dosage = amount
    therap = treat = intervention
    vaccin = immuni = jab
    infect = sepsis
    virus = viral
    bacteri = germ
    inflamm = swollen
    lipid = fat = cholesterol
    diet = food = eating = nutrition = intake
    supplement = vitamin pill
    smok = tobacco = cigarette
    alcohol = drinking
    follow-up = followed up = were followed = follow up
    baseline = at the start = start of the study = beginning of the study = initial
    assess = measur = evaluat = test = examin
    questionnaire = survey
    prevalence = how common
    inciden = new cases = rate of
    quality of life = well-being = wellbeing
    recurren = relaps = came back = coming back = return of
    remission = recover = symptom-free
    surviv = lived = alive = living
    cost-effective = value for money
    screening = checking for
    diagnos = identif = detect
    prophyla = prevent = avoid = protect
    significan = clear = real = meaningful
    """.strip().splitlines()
)


@lru_cache(maxsize=8192)
def topic(sentence: str) -> frozenset[str]:
    """The stems of a sentence's content words without numbers, with plain words and medical terms merged."""
    lowered = sentence.lower().replace("’", "'")
    folded = [(phrase, key) for phrase, key in _FOLDED if phrase in lowered]
    stems = {light_stem(word) for word in content_words(sentence) if word not in _NUMBERS and not word[0].isdigit()}
    for phrase, key in folded:
        if re.search(rf"\b{re.escape(phrase)}", lowered):
            stems -= {light_stem(word) for word in content_words(phrase)}
            stems.add(key)
    return frozenset(stems)


_NUMBERS = frozenset(
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    " twenty thirty forty fifty sixty seventy eighty ninety hundred thousand half third quarter fifth percent".split()
)
_FOLDED = sorted(((form, f"={group[0]}") for group in _PLAIN_WORDS for form in group), key=lambda pair: -len(pair[0]))
