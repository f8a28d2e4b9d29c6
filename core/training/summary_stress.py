"""A stress set for checking plain summaries: sentences that a paper supports, and copies with one thing made wrong."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import Any

from core.paper import Kind, Paper, SectionKind, Sentence, read_paper
from core.text.words import content_words

# The words with which sentences are changed (`stress_words.toml`).

Pairs = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class StressWords:
    """Words and sentence templates. Pairs are (old words, replacement)."""

    plain: Pairs
    opposites: Pairs
    roles: Pairs
    surer: Pairs
    absolute: Pairs
    frames: Sequence[str]
    sure_frames: Sequence[str]
    absolute_ends: Sequence[str]
    added: Sequence[str]
    claims: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> StressWords:
        """The words in a table of the file, in which pairs are keys with values."""
        pairs = {name: tuple(table[name].items()) for name in ("plain", "opposites", "roles", "surer", "absolute")}
        return cls(**{**table, **pairs})


_FILE = tomllib.loads(Path(__file__).with_name("stress_words.toml").read_text(encoding="utf-8"))
WORDS, HELD_BACK = (
    StressWords.of(_FILE["tuning"]),
    StressWords.of(_FILE["held_back"]),
)  # the latter for test papers only

# One sentence of the stress set, and the set's file.


class StressWording(StrEnum):
    """How a sentence's wording relates to the paper's."""

    VERBATIM = "verbatim"
    COMPRESSED = "compressed"
    PLAIN = "plain"  # reworded by rule, two sentences merged, or one split
    CLAIM = "claim"  # made from the experts' labels in Evidence Inference
    INVENTED = "invented"  # made from a name in the paper and a statement that is not in it


class Wrong(StrEnum):
    """What was made wrong."""

    NUMBER = "number"
    DIRECTION = "direction"
    ROLE = "role"
    CERTAINTY = "certainty"
    ABSOLUTE = "absolute"
    ENTITY = "entity"
    ADDED = "added"  # a statement that the paper does not make
    CLAIM = "claim"  # another direction than that of the experts' label


@dataclass(frozen=True, slots=True)
class StressItem:
    """A sentence to check against a paper. `wrong` is None if the paper supports it."""

    paper: str  # PMC number
    text: str
    wording: StressWording
    wrong: Wrong | None
    test: bool  # whether its paper was not used for tuning


def write_items(items: Iterable[StressItem], path: Path) -> None:
    """Write one JSON object per line."""
    path.write_text("".join(json.dumps(asdict(item), ensure_ascii=False) + "\n" for item in items), encoding="utf-8")


# Sentences with the paper's meaning, compressed or in plain words.

_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*[)\]]")
_OPENING = re.compile(
    r"^(?:in conclusion|in summary|however|furthermore|moreover|in addition|additionally|overall|finally|thus|therefore"
    r"|interestingly|importantly|in contrast|similarly|as expected|notably|consequently|in the present study),\s+",
    re.IGNORECASE,
)
_ASIDE = re.compile(r",\s+(?:which|who|where|respectively|in turn|as described|as shown|for example)\b[^,.;]*(?=[,.;])")
_SAID = re.compile(
    r"^(?:our (?:results|findings|data)|these (?:results|findings|data)|we|the results)"
    r" (?:showed?|found|observed|indicated?) that ",
    re.IGNORECASE,
)
_NUMBER_WORDS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen"
    " nineteen twenty"
).split()
_COUNTED = "patients|participants|subjects|women|men|children|weeks|months|years|days|groups|hours|people|studies|cases"
_VERBS = (
    "measured|assessed|evaluated|compared|examined|recorded|analysed|analyzed|collected|studied|investigated|tested"
    "|excluded|included|enrolled|recruited|identified|calculated|performed|used"
)
_ACTIVE = re.compile(
    rf"^We ({_VERBS}) (?P<what>(?:(?! (?:in|to|by|using|at|for|from|with|on|and|that|whether) )[^,;.])+)(?P<rest>.*)$"
)
_PASSIVE = re.compile(
    r"^(?P<what>(?:The|All|Blood|Data|Patients|Participants|A|An)[^,;.()]{3,60}?)"
    rf" (?:was|were) (?P<verb>{_VERBS})(?P<rest>\b.*)$"
)
_SPLIT = re.compile(r"(?:; |, whereas |, while |, but |, and )(?=(?:the|there|it|this|these|no|we|in)\b)")


def compressed(text: str, random: Random) -> str | None:
    """The sentence without asides, brackets and opening words; None if nothing can be left out."""
    short = _BRACKETS.sub("", text)
    short = _capital(_OPENING.sub("", short))
    short = _capital(_SAID.sub("", short))
    if random.random() < 0.5:
        short = _ASIDE.sub("", short)
    short = _tidy(short)
    return short if short != text and len(short.split()) >= 6 else None


def plain(text: str, following: str | None, random: Random, *, test: bool) -> str | None:
    """The sentence reworded by at least two rules; None if fewer apply."""
    start = compressed(text, random) or text
    changed, rules = start, 0
    steps: list[Callable[[str], str]] = [
        lambda s: _split(s, random),
        _numbers_in_words,
        _rounded,
        _voice,
        lambda s: _synonyms(s, WORDS.plain, random, most=3),
        lambda s: _synonyms(s, HELD_BACK.plain, random, most=3) if test else s,
        lambda s: _merged(s, following, random),
        lambda s: _framed(s, HELD_BACK.frames if test and random.random() < 0.6 else WORDS.frames, random),
    ]
    for step in steps:
        after = step(changed)
        rules += after != changed
        changed = after
    return _tidy(changed) if rules >= 2 else None


def replace_words(text: str, old: str, new: str) -> str:
    """The text with the first occurrence of these whole words replaced, keeping an initial capital."""
    match = re.search(rf"(?<![\w-]){re.escape(old)}(?![\w-])", text, re.IGNORECASE)
    if not match:
        return text
    if match.group()[0].isupper():
        new = _capital(new)
    return text[: match.start()] + new + text[match.end() :]


def _synonyms(text: str, pairs: Pairs, random: Random, *, most: int) -> str:
    order = list(pairs)
    random.shuffle(order)
    done = 0
    for old, new in order:
        after = replace_words(text, old, new)
        done += after != text
        text = after
        if done == most:
            break
    return text


def _numbers_in_words(text: str) -> str:
    """The text with whole numbers from two to twenty spelt out, and some round percentages as fractions."""
    text = re.sub(r"\b50(?:\.0)?\s?%", "half", text, count=1)
    text = re.sub(r"\b(?:20(?:\.0)?)\s?%(?= of)", "one in five", text, count=1)
    text = re.sub(r"\b(?:25(?:\.0)?)\s?%(?= of)", "a quarter", text, count=1)
    return re.sub(
        r"(?<![\d.,/=<>±+–-])(?<![=<>±] )\b([2-9]|1\d|20)(?= (?:" + _COUNTED + "))",
        lambda match: _NUMBER_WORDS[int(match.group(1)) - 2],
        text,
    )


def _rounded(text: str) -> str:
    """The text with its first percentage with decimals rounded, as in "about 43%"."""
    return re.sub(
        r"(?<![\w.])(\d{2})\.(\d+)\s?%",
        lambda match: f"about {round(float(match[1] + '.' + match[2]))}%",
        text,
        count=1,
    )


def _voice(text: str) -> str:
    """The text with active voice changed to passive, or passive to active."""
    if match := _ACTIVE.match(text):
        what = match["what"]
        verb = "were" if what.endswith("s") else "was"
        return f"{_capital(what)} {verb} {match.group(1)}{match['rest']}"
    if match := _PASSIVE.match(text):
        what = match["what"]
        return f"The researchers {match['verb']} {what[0].lower()}{what[1:]}{match['rest']}"
    return text


def _split(text: str, random: Random) -> str:
    parts = _SPLIT.split(text)
    if len(parts) < 2 or min(len(part.split()) for part in parts) < 6 or random.random() < 0.4:
        return text
    return _capital(random.choice(parts).rstrip(" .") + ".")


def _merged(text: str, following: str | None, random: Random) -> str:
    if not following or len(text.split()) + len(following.split()) > 40 or random.random() < 0.5:
        return text
    return f"{text.rstrip('. ')}, and {_lower(following)}"


def _framed(text: str, frames: Sequence[str], random: Random) -> str:
    return random.choice(frames).format(_lower(text)) if random.random() < 0.4 else text


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _lower(text: str) -> str:
    """The text with a lower-case beginning, unless it begins with a name or abbreviation."""
    return (
        text[0].lower() + text[1:]
        if len(text) > 1 and text[1].islower() and text.split(maxsplit=1)[0] in _STARTS
        else text
    )


_STARTS = frozenset(
    "The There This These Those In A An It We Our All No At After Both Most Patients Participants Although Mean Women Men Children Subjects".split()
)


def _tidy(text: str) -> str:
    text = re.sub(r"\s+([,.;])", r"\1", re.sub(r"\s+", " ", text)).strip()
    return re.sub(r"([,;])(?=[.;,])", "", text)


# Make one thing wrong in a right sentence, for each kind of mistake.

_FIGURE = re.compile(
    r"(?<![\w.,/–-])(?P<n>\d+(?:\.\d+)?)"
    r"(?P<unit>\s?%| (?:weeks|months|years|days|hours|minutes|mg|g|kg|ml|cm|mm)\b)?(?![\w/]|\.\d|,\d)"
)
_P = re.compile(r"\b(?P<p>[Pp]\s?)(?P<bound>[<>=])(?P<gap>\s?)(?P<n>0?\.\d+)")
_CITED = re.compile(r"[\[(]\d[\d,;–\s-]*[\])]|\^\S+")  # references, and exponents
_SPELT = {
    "two": "four", "three": "five", "four": "seven", "five": "eight", "six": "ten", "eight": "five", "ten": "six",
    "twelve": "twenty", "half": "a third", "one in five": "one in three", "a quarter": "a half",
}  # fmt: skip
_OTHER_UNITS = {
    "weeks": "months", "months": "weeks", "years": "months", "days": "weeks", "hours": "minutes", "minutes": "hours",
    "mg": "g", "g": "mg", "kg": "g", "ml": "l", "cm": "mm", "mm": "cm",
}  # fmt: skip
_NAME = r"(?:the |an? )?[\w-]+(?: [\w-]+)?"
_AROUND = re.compile(
    rf"(?P<one>{_NAME}) (?P<hinge>than|versus|vs\.?|compared with|compared to)"
    rf" (?P<in>(?:in |with |for |those in )?)(?P<two>{_NAME})"
)
_HINGES = ("than", "versus", "compared", "vs")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a corruption may use."""

    numbers: Sequence[str]  # figures of the same paper, as written
    own_terms: Sequence[str]  # rare words that the paper uses more than once
    foreign_terms: Sequence[str]  # rare words of other papers that this one never uses
    arms: tuple[str, str] | None  # intervention and comparator, in the paper's words


def corrupted(text: str, wrong: Wrong, around: Surroundings, random: Random, *, test: bool) -> str | None:
    """The sentence with one thing made wrong; None if this mistake cannot be made in it."""
    match wrong:
        case Wrong.NUMBER:
            return _number(text, around, random)
        case Wrong.DIRECTION:
            return _one_of(text, _mixed(WORDS.opposites, HELD_BACK.opposites, random, test=test))
        case Wrong.ROLE:
            return _role(text, around, random, test=test)
        case Wrong.CERTAINTY:
            return _certainty(text, random, test=test)
        case Wrong.ABSOLUTE:
            return _absolute(text, random, test=test)
        case Wrong.ENTITY:
            return _entity(text, around, random)
        case _:
            raise ValueError(f"{wrong} is not made from a sentence of the paper")


def _mixed(common: Pairs, held_back: Pairs, random: Random, *, test: bool) -> list[tuple[str, str]]:
    """The pairs in random order. For test papers, pairs that are held back from tuning usually come first."""
    first, second = list(common), list(held_back) if test else []
    random.shuffle(first)
    random.shuffle(second)
    return second + first if random.random() < 0.6 else first + second


def _one_of(text: str, pairs: Sequence[tuple[str, str]]) -> str | None:
    return next((after for old, new in pairs if (after := replace_words(text, old, new)) != text), None)


def _number(text: str, around: Surroundings, random: Random) -> str | None:
    ways = [_other_figure, _other_unit, _other_p]
    random.shuffle(ways)
    for way in [ways[0], _other_figure, *ways]:
        after = way(text, around, random)
        if after and after != text:
            return after
    for old, new in random.sample(sorted(_SPELT.items()), len(_SPELT)):
        after = replace_words(text, old, new)
        if after != text:
            return after
    return None


def _other_figure(text: str, around: Surroundings, random: Random) -> str | None:
    cited = [place for match in _CITED.finditer(text) for place in range(*match.span())]
    figures = [match for match in _FIGURE.finditer(text) if float(match["n"]) > 1 and match.start() not in cited]
    if not figures:
        return None
    match = random.choice(figures)
    old, here = match["n"], {other["n"] for other in figures}
    decimals = len(old.partition(".")[2])
    others = [
        n
        for n in around.numbers
        if n not in here and len(n.partition(".")[2]) == decimals and 0.2 < float(n) / float(old) < 5
    ]
    times = random.choice((0.4, 0.6, 0.75, 1.3, 1.6, 2.5))
    new = random.choice(others) if others and random.random() < 0.3 else f"{float(old) * times:.{decimals}f}"
    if new in here or float(new) == float(old):
        new = f"{float(old) + 3:.{decimals}f}"
    return text[: match.start("n")] + new + text[match.end("n") :]


def _other_unit(text: str, around: Surroundings, random: Random) -> str | None:
    found = [match for match in _FIGURE.finditer(text) if (match["unit"] or "").strip() in _OTHER_UNITS]
    if not found:
        return None
    match = random.choice(found)
    return f"{text[: match.start('unit')]} {_OTHER_UNITS[match['unit'].strip()]}{text[match.end('unit') :]}"


def _other_p(text: str, around: Surroundings, random: Random) -> str | None:
    match = _P.search(text)
    if not match:
        return None
    value = float(match["n"])
    if match["bound"] == "=":
        new = f"{value * 10:.2f}" if value < 0.05 else f"{value / 20:.3f}"
        return text[: match.start("n")] + new + text[match.end("n") :]
    bound = "<" if match["bound"] == ">" else ">"
    return text[: match.start("bound")] + bound + text[match.end("bound") :]


def _role(text: str, around: Surroundings, random: Random, *, test: bool) -> str | None:
    ways = ["arms", "around", "word"]
    random.shuffle(ways)
    for way in ways:
        after = None
        if way == "arms" and around.arms:
            after = _exchanged(text, *around.arms)
        elif way == "around" and (match := _AROUND.search(text)):
            after = (
                f"{text[: match.start()]}{match['two']} {match['hinge']} {match['in']}{match['one']}{text[match.end() :]}"
                if match["one"].split()[-1] not in _HINGES and match["one"] != match["two"]
                else None
            )
        elif way == "word":
            after = _one_of(text, _mixed(WORDS.roles, HELD_BACK.roles, random, test=test))
        if after and after != text:
            return after
    return None


def _exchanged(text: str, one: str, two: str) -> str | None:
    places = [re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) for name in (one, two)]
    if not all(places):
        return None
    first, second = sorted((place for place in places if place), key=lambda place: place.start())
    if first.end() > second.start():
        return None
    return (
        text[: first.start()]
        + second.group()
        + text[first.end() : second.start()]
        + first.group()
        + text[second.end() :]
    )


def _certainty(text: str, random: Random, *, test: bool) -> str | None:
    after = _one_of(text, _mixed(WORDS.surer, HELD_BACK.surer, random, test=test))
    if after or random.random() < 0.6:
        return after
    frames = HELD_BACK.sure_frames if test and random.random() < 0.6 else WORDS.sure_frames
    return random.choice(frames).format(text[0].lower() + text[1:] if text[1].islower() else text)


def _absolute(text: str, random: Random, *, test: bool) -> str | None:
    if random.random() < 0.3:
        ends = HELD_BACK.absolute_ends if test and random.random() < 0.6 else WORDS.absolute_ends
        return f"{text.rstrip('. ')}{random.choice(ends)}."
    return _one_of(text, _mixed(WORDS.absolute, HELD_BACK.absolute, random, test=test))


def _entity(text: str, around: Surroundings, random: Random) -> str | None:
    """The text with a rare word of the paper replaced by one of another paper, or with such a word added."""
    own = [
        term for term in around.own_terms if re.search(rf"(?<![\w-]){re.escape(term)}(?![\w-])", text, re.IGNORECASE)
    ]
    if not own or not around.foreign_terms:
        return None
    term = random.choice(own)
    alike = [other for other in around.foreign_terms if other[-2:] == term[-2:]]
    other = random.choice(alike or list(around.foreign_terms))
    return replace_words(text, term, other if random.random() < 0.7 else f"{term} and {other}")


# Make the stress set from papers: choose sentences, split papers into tuning and test, and change each sentence.

SEED = 7
TEST_SHARE = 0.4  # of the papers
_FAITHFUL = {StressWording.VERBATIM: 2, StressWording.COMPRESSED: 2, StressWording.PLAIN: 5}  # per paper
_FROM_PAPER = (
    Wrong.NUMBER,
    Wrong.DIRECTION,
    Wrong.ROLE,
    Wrong.CERTAINTY,
    Wrong.ABSOLUTE,
    Wrong.ENTITY,
)  # one per wording and paper
_CLEAN = re.compile(r"[A-Z][^|{}<>\t\n]{30,320}\.")
_TERM = re.compile(r"[A-Za-z][a-z-]{5,}")
_PAPERS_OF_A_RARE_WORD = 6


@dataclass(frozen=True, slots=True)
class StressTrial:
    """One paper with the experts' labels on it."""

    name: str
    paper: Paper
    prompts: Sequence[Mapping[str, str]]


def read_trials(folder: Path, *, most: int | None = None) -> list[StressTrial]:
    """The papers of Evidence Inference, sorted by name; only the first `most`, if given."""
    prompts: dict[str, list[dict[str, str]]] = {}
    for item in json.loads((folder / "items.json").read_text(encoding="utf-8")):
        labels = {annotation["label"] for annotation in item["annotations"]}
        if len(labels) == 1:  # the experts agree
            prompts.setdefault(item["pmcid"], []).append({**item, "label": labels.pop()})
    return [
        StressTrial(
            path.name.split(".")[0],
            read_paper(path.read_bytes(), name=path.name),
            prompts.get(path.name.split(".")[0], []),
        )
        for path in sorted((folder / "xml").iterdir())[:most]
    ]


def make_items(trials: Sequence[StressTrial], *, seed: int = SEED) -> Iterator[StressItem]:
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


def _of_trial(
    trial: StressTrial, rare: list[str], foreign: list[str], *, test: bool, seed: int
) -> Iterator[StressItem]:
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
            StressWording.VERBATIM: sentence.text,
            StressWording.COMPRESSED: compressed(sentence.text, random),
            StressWording.PLAIN: plain(sentence.text, following, random, test=test),
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
            yield StressItem(trial.name, broken[1], wording, broken[0], test)
        elif faithful_left:
            made[wording] += 1
            yield StressItem(trial.name, text, wording, None, test)
    yield from _added(trial, rare, random, test=test)
    yield from _claims(trial, random, test=test)


def _added(trial: StressTrial, rare: list[str], random: Random, *, test: bool) -> Iterator[StressItem]:
    templates = HELD_BACK.added if test else WORDS.added
    for term in random.sample(rare, min(2, len(rare))):
        text = random.choice(templates).format(term)
        yield StressItem(trial.name, text[0].upper() + text[1:], StressWording.INVENTED, Wrong.ADDED, test)


def _claims(trial: StressTrial, random: Random, *, test: bool) -> Iterator[StressItem]:
    """Claims by the experts' labels, and the same with another direction, from at most three prompts per paper."""
    templates = HELD_BACK.claims if test else WORDS.claims
    usable = [prompt for prompt in trial.prompts if prompt["label"] in templates]
    for prompt in random.sample(usable, min(3, len(usable))):
        names = {key[0]: prompt[key].strip().rstrip(".") for key in ("intervention", "comparator", "outcome")}
        other = random.choice(sorted(set(templates) - {prompt["label"]}))
        for label, wrong in ((prompt["label"], None), (other, Wrong.CLAIM)):
            text = random.choice(templates[label]).format(**names)
            yield StressItem(trial.name, text[0].upper() + text[1:], StressWording.CLAIM, wrong, test)


def _usable(paper: Paper) -> list[Sentence]:
    """Whole sentences of prose that a summary could use, from the abstract, introduction, results and discussion."""
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


def _arms(trial: StressTrial, text: str) -> tuple[str, str] | None:
    lowered = text.lower()
    for prompt in trial.prompts:
        one, two = prompt["intervention"].strip().lower(), prompt["comparator"].strip().lower()
        if one != two and one in lowered and two in lowered:
            return one, two
    return None
