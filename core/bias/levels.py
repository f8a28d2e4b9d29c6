"""The RoB 1 level that a text suggests, by wordings and by one logistic regression per topic (docs/bias.md)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from core.bias.model import HIGH, LOW, Level, Topic
from core.bias.ranker.features import Matrix
from core.bias.tools.rob1 import UNCLEAR
from core.text.clauses import clauses_on_this_study, is_denied
from core.text.terms import Vocabulary, terms_of

# ---- wordings ----
# Wordings decide nothing by themselves: the model weighs them together with the words (docs/bias.md has their accuracy), and
# the reason for a level quotes them.

_PARTICIPANTS = (
    r"(?:participants?|patients?|subjects?|women|men|mothers?|children|parents?|infants?|famil(?:y|ies)|volunteers?"
    r"|adults|students?|people|individuals)"
)
_STAFF = (
    r"(?:personnel|staff|nurses?|physicians?|clinicians?|doctors?|investigators?|researchers?|care ?givers?|carers?"
    r"|(?:care |health ?care )?providers?|(?:\w+)?therapists?|midwi(?:fe|ves)|surgeons?|practitioners?"
    r"|(?:study|trial|care) team|an(?:a)?esth(?:etist|esiologist)s?|teachers?)"
)
_ASSESSORS = (
    r"(?:assessors?|evaluators?|examiners?|raters?|adjudicat\w+|(?:end ?point|outcomes?|events?|independent) committee"
    r"|observers?|interviewers?|radiologists?|pathologists?|technicians?|statisticians?|analysts?|sonographers?"
    r"|research assistants?|data collectors?|assess\w+ of (?:the )?outcomes?)"
)
_ASSESSING = (
    r"(?:assess\w*|evaluat\w*|measur\w*|read|rated|rating|adjudicat\w*|collect\w*|interview\w*|scor(?:ed|ing)|judged)"
)
_BLIND = (
    r"(?:(?<!single[- ])(?<!double[- ])(?<!triple[- ])blind(?:ed|ly)?|mask(?:ed)?|unaware|not (?:be |made |been )?aware"
    r"|ignorant|without (?:any )?knowledge|did not know|no knowledge"
    r"|(?:could|would) not (?:know|tell|guess|distinguish|identify))"
)
_CONTAINERS = (
    r"(?:bottles?|box(?:es)?|containers?|pack(?:s|ages?|ets?)?|vials?|kits?|ampoules?|syringes?|sachets?|cartons?)"
)
_TIME = r"(?:(?:dates?|days?|weeks?|months?|years?) of (?:the |their |his |her )?(?:birth|admission|week|month|enrol\w+)|birth ?dates?)"
_ASSIGNING = r"(?:allocat\w*|assign\w*|allott\w*|randomi[sz]\w*|groups?|divided)"


def _gap(longest: int) -> str:
    """A pattern for at most `longest` characters within one clause, without a negation or doubt."""
    return rf"(?:(?!\b(?:not?|nor|without|whether|if|unclear|unless)\b)[^.;]){{0,{longest}}}?"


def _near(one: str, other: str, longest: int) -> str:
    """A pattern for both, in either order, in one clause."""
    return rf"(?:\b{one}\b{_gap(longest)}\b{other}\b|\b{other}\b{_gap(longest)}\b{one}\b)"


@dataclass(frozen=True, slots=True)
class LevelWording:
    """A wording, the level that it suggests, and its meaning in words.

    If `denied` is true, a match after a negation or doubt ("not", "whether") does not count.
    """

    name: str
    level: Level
    meaning: str
    pattern: re.Pattern[str]
    denied: bool = True


@dataclass(frozen=True, slots=True)
class FoundWording:
    """A wording, the matching words of the text, and the index of their sentence among those that were read."""

    wording: LevelWording
    words: str
    sentence: int


def _wording(name: str, level: Level, meaning: str, pattern: str, *, denied: bool = True) -> LevelWording:
    return LevelWording(name, level, meaning, re.compile(pattern, re.IGNORECASE), denied)


_FORESEEABLE = _wording(
    "foreseeable rule",
    HIGH,
    "a rule that can be foreseen decides, not chance",
    _near(_TIME, _ASSIGNING, 80)
    + r"|\b(?:odd|even)(?:[- ]numbered)?\s(?:or (?:odd|even) )?(?:dates?|days?|numbers?|record|hospital|weeks?)"
    + r"|\balternation\b|\balternately\b|\b(?:record|chart|file|hospital|admission|case) numbers?\b[^.;]{0,40}\b(?:decided|determined)"
    + r"|\bquasi-?\s?random\w*|\bnot (?:truly |really )?randomi[sz]ed\b"
    + r"|\border of (?:arrival|admission|enrol\w+|presentation|attendance)",
)
_CHANCE = _wording(
    "chance",
    LOW,
    "chance decides, and the method is named",
    _near(
        r"(?:computer\w*(?:[- ]\w+)?|software|algorithm|program(?:me)?|web ?site|internet|online|electronic\w*)",
        r"(?:random\w*|generat\w*|sequences?|lists?|codes?|schedules?|allocat\w*|assign\w*)",
        70,
    )
    + r"|\brandom(?:ly)?[- ](?:generated |permuted )?(?:numbers?|digits?|permut\w+|function)s?\b|\btables? of random\b"
    + r"|\bnumber generator|\bpermuted[- ]blocks?|\bminimi[sz]ation\b|\bcoins?[- ](?:toss|flip)\w*"
    + r"|\b(?:toss\w*|flip\w*)\b[^.;,]{0,12}\bcoins?|\b(?:drew|drawn|drawing)\b[^.;]{0,15}\blots?\b|\blots decided\b",
)
_CENTRAL = _wording(
    "central",
    LOW,
    "the assignment was made away from those who enrolled",
    r"\bcentral(?:ly|i[sz]ed)?,?[- ](?:\w+[- ]){0,3}?(?:randomi\w+|allocat\w+|assign\w+|conceal\w+|telephone|phone|office"
    r"|system|service|pharmacy|computer|web|unit|facility)"
    r"|\b(?:telephon\w*|phon(?:e|ed|ing)|fax\w*|call(?:ed|ing))\b[^.;]{0,60}\b(?:randomi\w+|allocat\w+|assign\w+|cent(?:re|er|ral))"
    r"|\b(?:interactive|voice|web)[- ](?:voice |web |based )*(?:respons\w+|randomi\w+|allocat\w+)|\bI[VWX]RS\b",
)
_CONTAINED = _wording(
    "containers",
    LOW,
    "identical or numbered containers hide what is in them",
    _near(r"(?:identical\w*|indistinguishable|alike)", _CONTAINERS, 60)
    + rf"|\b(?:sequentially|consecutively|serially|identical\w*)[- ](?:numbered|coded|labell?ed)\b[^.;]{{0,30}}\b{_CONTAINERS}",
)
_OPEN = _wording(
    "open",
    HIGH,
    "no blinding, and knowing the assignment may change behaviour, care or judgement",
    r"\bno (?:attempt at )?(?:blinding|masking)\b|\bwithout (?:any )?(?:blinding|masking)\b|\black of (?:blinding|masking)\b"
    r"|\b(?:preclud\w+|prevent\w*|ruled out) (?:\w+ ){0,2}(?:blinding|masking)\b"
    r"|\b(?:blinding|masking)\b[^.;]{0,60}\b(?:not (?:be )?(?:possible|feasible|attempted|done|used|performed)|impossible|impractical)\b"
    r"|\b(?:not (?:possible|feasible)|impossible|unable) to (?:blind|mask)\b"
    rf"|\b{_PARTICIPANTS}\b[^.;]{{0,60}}\b(?:were|was|could) not (?:be )?(?:blinded|masked)\b"
    # Only of the trial itself: a drug may be given open-label alongside a blinded comparison.
    r"|\bopen[- ]label(?:led)?,? (?:[\w,-]+ ){0,4}(?:trial|study|design|comparison)\b"
    r"|\b(?:trial|study|design|comparison) (?:was|is) (?:an )?(?:open|un-?blinded|non-?blinded|unmasked)\b"
    r"|\b(?:un|non)-?(?:blinded|masked) (?:\w+ )?(?:trial|study|design|comparison)\b",
    denied=False,
)
_BOTH_BLIND = _wording(
    "both blind",
    LOW,
    "participants and personnel were blinded",
    rf"\b{_PARTICIPANTS}\b{_gap(60)}\b{_STAFF}\b{_gap(110)}\b{_BLIND}\b"
    rf"|\b{_STAFF}\b{_gap(60)}\b{_PARTICIPANTS}\b{_gap(60)}\b{_BLIND}\b"
    rf"|\b{_BLIND}\b{_gap(50)}\b{_PARTICIPANTS}\b{_gap(60)}\b{_STAFF}\b"
    rf"|\bneither\b[^.;]{{0,60}}\b{_PARTICIPANTS}\b[^.;]{{0,50}}\bnor\b[^.;]{{0,60}}\b(?:knew|know|aware|told|informed)\b",
)
_ALIKE = _wording(
    "alike",
    LOW,
    "the treatments could not be told apart",
    r"\b(?:identical|matching|matched|indistinguishable|similar|same)\b[^.;]{0,60}\b(?:appearance|tast\w*|colou?r\w*|smell|look\w*)\b"
    r"|\b(?:identical|matching|matched|indistinguishable)\b[^.;]{0,60}\b(?:size|capsules?|tablets?|placebos?)\b"
    r"|\bplacebo\b[^.;]{0,60}\b(?:identical|matching|matched|indistinguishable)\b|\bdouble[- ]?dummy\b",
)
_ASSESSORS_BLIND = _wording(
    "assessors blind",
    LOW,
    "those who assessed the outcomes did not know the assignment",
    _near(_ASSESSORS, _BLIND, 70)
    + "|"
    + _near(_ASSESSING, r"(?:masked|unaware|not aware|did not know|without knowledge|blinded)", 70)
    + r"|\b(?:assessor|observer|evaluator|rater|investigator|examiner|outcome)s?[- ](?:blind|mask)(?:ed|ing)?\b",
)
_ALL_THERE = _wording(
    "all there",
    LOW,
    "all are accounted for",
    rf"\ball (?!but)(?:the |of the )?(?:\d+ |\w+ ){{0,4}}(?:{_PARTICIPANTS}|randomi[sz]ed|cases)\b[^.;]{{0,60}}\b(?:completed"
    r"|finished|analy[sz]ed|included|followed|accounted)\b|\b100% follow|\bfollow-?up (?:was|is) complete\b"
    rf"|\bno (?:{_PARTICIPANTS}|one|body) (?:was |were )?(?:lost|dropped|withdr\w+)\b|\bno (?:drop-?outs?|withdrawals|loss(?:es)?)\b",
    denied=False,
)
WORDINGS: Mapping[Topic, tuple[LevelWording, ...]] = {
    Topic.SEQUENCE: (_CHANCE, _FORESEEABLE),
    Topic.CONCEALMENT: (_CENTRAL, _CONTAINED, _FORESEEABLE),
    Topic.PERFORMANCE: (_BOTH_BLIND, _ALIKE, _OPEN),
    Topic.DETECTION: (_ASSESSORS_BLIND, _BOTH_BLIND, _ALIKE, _OPEN),
    Topic.ATTRITION: (_ALL_THERE,),
    Topic.REPORTING: (),
}
SAFE_ENVELOPES = LevelWording(
    "safe envelopes",
    LOW,
    "sealed, opaque and numbered",
    re.compile(r"\b(?:[\w-]+,? (?:and )?){0,4}envelopes?\b", re.I),
)
_SAFEGUARDS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"(?<!un)\bsealed\b|\bSNOSE\b",
        r"(?<!non-)(?<!non)\bopaque\b|\blight-?proof|\bSNOSE\b",
        r"\b(?:sequential|consecutive|serial)(?:ly)?\b|\bnumbered\b|\bSNOSE\b",
    )
)


def wordings_in(topic: Topic, sentences: Sequence[str]) -> tuple[FoundWording, ...]:
    """Each wording of the topic that occurs, at its first occurrence."""
    found = [seen for wording in WORDINGS[topic] if (seen := _first(wording, sentences)) is not None]
    if topic is Topic.CONCEALMENT and (envelopes := _safe_envelopes(sentences)) is not None:
        found.insert(0, envelopes)
    return tuple(found)


def _first(wording: LevelWording, sentences: Sequence[str]) -> FoundWording | None:
    for number, sentence in enumerate(sentences):
        for passage in clauses_on_this_study(sentence):
            for match in wording.pattern.finditer(passage):
                if not (wording.denied and is_denied(passage[: match.start()][-60:])):
                    return FoundWording(wording, " ".join(match[0].split()), number)
    return None


def _safe_envelopes(sentences: Sequence[str]) -> FoundWording | None:
    """Envelopes count only if the text calls them sealed, opaque and numbered; words after "not" do not count."""
    read = [" ".join(clauses_on_this_study(sentence)) for sentence in sentences]
    seen = _first(SAFE_ENVELOPES, sentences)
    said = " ".join(text.split(" not ")[0] for text in read if SAFE_ENVELOPES.pattern.search(text))
    return seen if seen is not None and all(safeguard.search(said) for safeguard in _SAFEGUARDS) else None


# ---- the model ----

FILE = Path(__file__).parent / "levels.json"
LEVELS = (LOW, UNCLEAR, HIGH)
TOPICS = tuple(WORDINGS)  # one per domain of RoB 1, except "other", which no reader has judged
PAPER, GIVEN = "paper", "given"  # sentences found in a paper, or given by a reviewer as support
KINDS = (PAPER, GIVEN)
_BEST = 3  # sentences whose ranker scores are features of the model
WORDING_NAMES = tuple(dict.fromkeys(one.name for some in WORDINGS.values() for one in (*some, SAFE_ENVELOPES)))
COLUMNS = (*WORDING_NAMES, "registered", *(f"rank {place + 1}" for place in range(_BEST)))


@dataclass(frozen=True, slots=True)
class TopicText:
    """The model's input for a topic: sentences, best first, and for those of a paper, scores and registration."""

    topic: Topic
    sentences: tuple[str, ...]
    scores: tuple[float, ...] = ()  # by the ranker; () for sentences that a reviewer gave
    registered: bool = False  # whether the paper names its registration

    @property
    def kind(self) -> str:
        return PAPER if self.scores else GIVEN

    @property
    def wordings(self) -> tuple[FoundWording, ...]:
        """Each wording of the topic that occurs, at its first occurrence."""
        return wordings_in(self.topic, self.sentences)

    @property
    def terms(self) -> tuple[str, ...]:
        return tuple(term for sentence in self.sentences for term in terms_of(sentence))

    @property
    def columns(self) -> Matrix:
        """One value per name of `COLUMNS`."""
        values = np.zeros(len(COLUMNS))
        for seen in self.wordings:
            values[WORDING_NAMES.index(seen.wording.name)] = 1
        values[len(WORDING_NAMES)] = self.registered
        best = self.scores[:_BEST]
        values[len(WORDING_NAMES) + 1 :][: len(best)] = best
        return values


@dataclass(frozen=True, slots=True)
class LevelModel:
    """Weights by kind and topic, (terms + columns + 1, levels); the last row holds the intercepts.

    `shown_from` is, by kind and level, the minimum probability at which the level is right in at least 85% of unseen papers.
    """

    vocabulary: Vocabulary
    weights: Mapping[tuple[str, Topic], Matrix]
    shown_from: Mapping[str, Mapping[Level, float]]
    sha256: Mapping[str, str]  # of the files that it was trained on

    def probabilities(self, read: TopicText) -> Mapping[Level, float]:
        """The probability of each level."""
        weights = self.weights[read.kind, read.topic]
        places, values = self.vocabulary.weigh(read.terms)
        odds = values @ weights[places] + read.columns @ weights[len(self.vocabulary.place) : -1] + weights[-1]
        powers = np.exp(odds - odds.max())
        return dict(zip(LEVELS, (powers / powers.sum()).tolist(), strict=True))

    def likeliest(self, read: TopicText) -> tuple[Level, float, bool]:
        """The likeliest level, its probability, and whether that is high enough to show it."""
        found = self.probabilities(read)
        level = max(found, key=found.__getitem__)
        return level, found[level], found[level] >= self.shown_from[read.kind][level]


def to_json(model: LevelModel) -> str:
    """The model as a text file, one term per line: its rarity, then its weights by kind, topic and level."""
    terms = list(model.vocabulary.place)
    stacked = np.hstack([model.weights[kind, topic] for kind in KINDS for topic in TOPICS]).round(2)
    words = np.column_stack([model.vocabulary.rarity.round(2), stacked[: len(terms)]])
    content = {
        "sha256": model.sha256,
        "shown_from": model.shown_from,
        "domains": TOPICS,
        "columns": dict(zip((*COLUMNS, ""), stacked[len(terms) :].tolist(), strict=True)),
        "words": dict(zip(terms, words.tolist(), strict=True)),
    }
    return json.dumps(content, separators=(",", ":")).replace("],", "],\n").replace(".0,", ",") + "\n"


def from_json(text: str) -> LevelModel:
    """Read a model that `to_json` wrote. Raises `ValueError` if its columns differ from this version's."""
    content = json.loads(text)
    if tuple(content["columns"]) != (*COLUMNS, "") or tuple(content["domains"]) != TOPICS:
        raise ValueError("the model was trained on other features: run python -m core.training bias")
    words = np.array(list(content["words"].values()))
    stacked = np.vstack([words[:, 1:], np.array(list(content["columns"].values()))])
    pairs = [(kind, topic) for kind in KINDS for topic in TOPICS]
    parts = np.split(stacked, len(pairs), axis=1)
    return LevelModel(
        vocabulary=Vocabulary({term: place for place, term in enumerate(content["words"])}, words[:, 0]),
        weights=dict(zip(pairs, parts, strict=True)),
        shown_from={
            kind: {Level(level): value for level, value in levels.items()}
            for kind, levels in content["shown_from"].items()
        },
        sha256=content["sha256"],
    )


@cache
def load_levels() -> LevelModel:
    """The shipped model, read once per process."""
    return from_json(FILE.read_text(encoding="utf-8"))
