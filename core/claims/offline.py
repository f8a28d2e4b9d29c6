"""Find a paper's claims on this machine: its result and conclusion sentences, cut, without duplicates.

A regression ranks them by the reader's probabilities and by features of their words. It was fitted to claims that
people judged (`python -m core.training claims`).
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.claims.cutting import cut
from core.claims.model import Claim, ClaimEngine, PaperClaims
from core.claims.statements import comparison_in
from core.engines import Opening
from core.entailment import Direction, Reader, in_context, installed_reader, part_of
from core.entailment.regression import Regression
from core.evidence.sentence_roles import ROLES, SentenceRole, load_roles, role_by_title
from core.paper import Kind, Paper, Sentence
from core.progress import Progress, silent
from core.text.abbreviations import abbreviations
from core.text.similarity import Embedder
from core.text.words import word_starts

MOST = 8  # the most claims of a paper
MODEL = Path(__file__).parent / "claims.json"
OF_CLAIM = (
    "finding", "about the title", "abstract", "discussion", "words of the title", "share of them", "needed", "more than needed",
    "nameless", "unexplained", "effect", "compared", "length", "terms", "capitals", "like the title",
)  # fmt: skip
LEAST_WORTH = 6.5
LEAST = 8.0  # the least score: ten times the probability that it is a result or conclusion that makes sense alone
_SAME = 0.85  # the least cosine at which two claims count as the same
_WORDS = (7, 60)  # the least and most words of a sentence that can be a claim
_READ = 60  # sentences that the reader reads
_FINDING = 0.5
_PARTS = frozenset({"abstract", "results", "discussion", "other"})

# Beginnings that refer to earlier text, or to the rest of the paper.
_LEANS = re.compile(
    r"^(?:this|these|those|such|it|they|he|she|its|their|both|the former|the latter|neither|one|here|there"
    r"|another|other"
    r"|all (?:of )?(?:these|three|four|groups)|among (?:these|them)|of (?:these|them|the)|for (?:this"
    r"|these)|in (?:this|these|both)|similar|at (?:this|that)|"
    r"the (?:same|difference|differences|effect|effects|incidence|prevalence|rates?|risk|risk reduction"
    r"|scores?|mean|length of stay|outcomes?|(?:primary|secondary) (?:outcomes?|endpoints?)|increase"
    r"|decrease|reduction|improvement|change|changes|results?|findings?|latter|remaining|other|two"
    r"|three)\b(?! of\b| in\b| on\b| between\b)|"
    r"for example|treatment (?:did|was|had|does)\b|only |virtually |groups |pat(?:ients|icipants) were "
    r"|when |as |although |while |whereas |if |because |since |whilst |despite |after |in terms |for none "
    r"|however|analys|adjusted |unadjusted |secondly|firstly|third)",
    re.IGNORECASE,
)
_LETTERED = re.compile(
    r"\b(?:group|arm|cohort|cluster|visit|period|phase|model)s?\s(?:[A-F]|[1-9]|I{1,3})\b"
    r"|\b(?:[A-F]) group\b|\bsee\b|\bbelow\b|\babove\b",
    re.IGNORECASE,
)
_POINTS = re.compile(
    r"^(?:\(?(?:tables?|figs?\.?|figures?|appendix)\b)|\b(?:is|are|was|were) (?:shown|presented|displayed"
    r"|summari[sz]ed|listed|given|depicted|reported|illustrated|provided) in\b|^\W*$",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"\[\d|\bet al\b|\(\w+,? (?:et al\.?,? )?(?:19|20)\d\d|\b(?:previous|earlier|prior|other|several"
    r"|recent|many|some|past) "
    r"(?:[\w-]+ ){0,2}(?:trials?|stud(?:y|ies)|reports?|reviews?|authors?|research(?:ers)?|work|literature"
    r"|meta-analys[ei]s)\b"
    r"|\bmeta-analys|\bsystematic reviews?\b|\b(?:has|have) been (?:shown|reported|suggested|demonstrated"
    r"|associated|found|used)\b"
    r"|\b(?:in line|consistent|in agreement|in accordance|agree) with\b|\bconsistent(?:ly)? with\b",
    re.IGNORECASE,
)
_NO_CLAIM = re.compile(
    r"\?|\b(?:further|future|larger|additional|more) (?:[\w-]+ ){0,3}(?:research|studies|study|trials?"
    r"|work|investigations?)\b"
    r"|\blimitations?\b|\bstrengths?\b|\bhypothesi[sz]e|\baimed?\b|\bobjectives?\b|\bpurpose\b"
    r"|\bto our knowledge\b|\bfirst (?:study|trial)\b"
    r"|\brandom(?:ly|i[sz]ed)? (?:assign|allocat)|\bat baseline\b|\bbaseline (?:levels?|values?|scores?)\b"
    r"|\brandom effect|\bintercept\b|\binteraction\b"
    r"|\b(?:in|between|from|to) (?:19|20)\d\d\b|\bwho (?:did not )?return|\bloss to follow"
    r"|\bintent(?:ion)?[- ]to[- ]treat\b|\bhard to\b|\bit seems\b"
    r"|\bpatient \w*\d|\brecruitment\b|\bprocess evaluation\b|\bdoing so\b|\bno other\b|\badvice of\b"
    r"|\bsensitivity analys|\btends? to\b"
    r"|\bANOVA\b|\bmain effects?\b|\banalys[ei]s of .{3,40} (?:concerned|included)\b|\bfulfilling\b"
    r"|\bwell matched\b|\bsequence of (?:treatment|allocation)|\bthe [A-Z]\w+ (?:study|trial)\b"
    r"|\bwarrant|\bshould be\b|\bwe (?:recommend|propose|believe|speculate|used|performed|conducted"
    r"|calculated|measured|assessed|included|excluded|enrolled|randomi)"
    r"|\b(?:was|were) (?:randomi[sz]ed|enrolled|recruited|screened|excluded|included|assigned|allocated"
    r"|invited|eligible|lost to follow)"
    r"|\bbaseline (?:characteristics|demographics?|data)\b|\bwithdrew\b|\bdropped out\b|\bconsent\b"
    r"|\bregist(?:ered|ration)\b|\bsample size\b|\bpower\b"
    r"|\bmissing data\b|\bcompleted the (?:study|trial)\b|\bpossible (?:explanation|reason|that)\b"
    r"|\bcould be (?:due|explained|because|attributed)\b"
    r"|\bmay be (?:due|explained|because|attributed|related)\b|\bmight be (?:due|explained|because"
    r"|attributed|related)\b",
    re.IGNORECASE,
)
# Generic names of arms and groups. A sentence with one must share more words with the title to make sense alone.
_NAMELESS = re.compile(
    r"\b(?:the|both|our|two|three|all|study|intervention|treatment|treated|control|experimental|active"
    r"|between|among|multiple)"
    r" (?:\w+ )?(?:groups?|arms?|cohorts?|conditions?|strategies|regimens|locations|methods|treatments"
    r"|systems|techniques|products|devices|sessions|periods|facilities)\b"
    r"|\bthe (?:\w+ed|other|remaining) (?:patients|participants|subjects|children|adults|animals|women|men"
    r"|individuals)\b|\bin patients(?=[.,;]|$)"
    r"|\b(?:this|these) (?!study|trial|analysis|population|sample|report|work|paper|data)\w+"
    r"|\bthe (?:intervention|program(?:me)?|treatment|study|drug|device|procedure|mapping)\b"
    r"|\bbetween (?:groups|arms|conditions|treatments)\b",
    re.IGNORECASE,
)
_NO_DIFFERENCE = re.compile(
    r"\bno (?:[\w-]+ ){0,3}(?:differences?|effects?|changes?)\b|\bnot (?:[\w-]+ ){0,2}differ", re.IGNORECASE
)
_SHORT_ARM = re.compile(
    r"\b([A-Z][A-Za-z]*[A-Z0-9][\w+-]*)(?: \+ [\w-]+)? (?:groups?|arms?|patients|participants|approach)\b"
)
_CAPITALS = re.compile(r"\b[A-Z][A-Z0-9&+-]+\b")
_CODE = re.compile(r"\b(?!FEV1|CO2|H2O|O2|B12|D[23]\b|T[1-4]\b|CD[48]|TH[12]|IL|PGE|HB|VO2)[A-Z]{2,}\d\b")
# Starts of words that titles have whatever their subject.
_EVERY_TRIAL = frozenset(
    "random trial trials contro study studie effect effica compar patien clinic interv treatm outcom group groups result analys"
    " placeb double blind pilot phase safety versus with from using after before during among and the for two three year years month"
    " months week weeks open label multic center centre cross crosso adults person people partic associ impact evalua prospe second"
    " subgro follow paralle parall cluste".split()
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|had|has|have|did|does|do|may|can|could|might|will|would|led|leads?|showed?|shows|gave|fell|rose|\w{3,}ed"
    r"|(?:reduc|increas|decreas|improv|provid|caus|produc|enhanc|influenc|indicat|rais|alleviat|attenuat|induc|promot|stabili[sz]|decreas)es?"
    r"|(?:result|prevent|affect|suggest|remain|support|predict|shorten|prolong|lower|appear|seem|tend|inhibit|delay|correlat|protect|help|depend|differ)e?s?)\b",
    re.IGNORECASE,
)
_COMPARED = re.compile(r"\b(?:compared|versus|vs|than|between|associated|relative to|control|placebo)\b", re.IGNORECASE)
_EFFECT = re.compile(
    r"signific|\bdiffer|\b(?:increas|decreas|reduc|improv|lower|higher|greater|fewer|less|more|better"
    r"|worse|effective|safe|superior|inferior"
    r"|similar|no (?:effect|difference)|prevent|associated|benefi|faster|shorter|longer)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class OfflineClaims:
    """Selects and cuts sentences, so that a claim says only what its sentence says."""

    name: str
    reader: Reader
    embedder: Embedder

    def claims(self, paper: Paper, *, progress: Progress = silent) -> PaperClaims:
        """What the paper claims, the best first."""
        started = time.perf_counter()
        progress(0.1, "Looking for results and conclusions")
        likely = candidates(paper)
        progress(0.3, "Reading them")
        found = [one for one in self._scored(paper, likely) if one.score >= LEAST]
        best_first = sorted(found, key=lambda one: (-one.score, one.sentence))
        progress(1.0, "Done")
        return PaperClaims(self.name, tuple(merged(best_first, self.embedder)[:MOST]), time.perf_counter() - started)

    def _scored(self, paper: Paper, likely: Sequence[tuple[Sentence, float]]) -> list[Claim]:
        model = shipped()
        return [
            replace(claim, score=round(10 * model.probability(row), 1))
            for claim, row in zip(*self.described(paper, likely), strict=True)
            if worth(row) >= LEAST_WORTH
        ]

    def described(
        self, paper: Paper, likely: Sequence[tuple[Sentence, float]]
    ) -> tuple[list[Claim], NDArray[np.float64]]:
        """Sentences as claims without a score, and the features that predict it.

        Shape: (len(likely), len(OF_CLAIM)).
        """
        if not likely:
            return [], np.empty((0, len(OF_CLAIM)))
        sentences = [one for one, _ in likely]
        title = paper.title or " ".join(one.text for one in paper.pool[:2])
        read = self.reader.directions(title, [in_context(paper, one) for one in sentences])
        known = abbreviations(one.text for one in paper.pool)
        texts = [cut(one.text) for one in sentences]
        claims = [
            Claim(text, one.index, 0.0, terms=_terms(text, known)) for text, one in zip(texts, sentences, strict=True)
        ]
        # A claim that resembles the title names what was compared, and so makes sense alone.
        *vectors, titles = self.embedder.encode([*map(_spelled_out, claims), title])
        rows = []
        for claim, vector, sentence, finding, on_title in zip(
            claims, vectors, sentences, [share for _, share in likely], 1 - read[:, Direction.NOT_ON_THIS], strict=True
        ):
            part = part_of(paper, sentence)
            rows.append(
                [
                    finding,
                    float(on_title),
                    part == "abstract",
                    part == "discussion",
                    *_words_of(claim, title, known),
                    float(vector @ titles),
                ]
            )
        return claims, np.array(rows, dtype=np.float64)


def worth(features: NDArray[np.float64]) -> float:
    """A hand-made score.

    The regression was fitted only to claims with at least `LEAST_WORTH`, and is unreliable below.
    """
    of = dict(zip(OF_CLAIM, map(float, features), strict=True))
    return (
        3.0 * of["finding"]
        + 2.5 * of["about the title"]
        + 2.0 * min(1.0, of["share of them"])
        + 1.0 * of["effect"]
        + 0.5 * of["compared"]
        + 1.0 * of["abstract"]
        - 3.0 * (of["more than needed"] < 0)
        - 2.0 * min(2.0, of["unexplained"])
    )


def _words_of(claim: Claim, title: str, known: Mapping[str, str]) -> list[float]:
    """The features of a claim that depend only on its words."""
    text, named = claim.text, word_starts(title) - _EVERY_TRIAL
    own, needed = len(named & word_starts(text)), _needed(claim.text, claim.terms)
    unexplained = [
        one for one in (*_CODE.findall(text), *_SHORT_ARM.findall(text)) if one not in title and one not in known
    ]
    return [
        own, own / max(1, min(len(named), 6)), needed, own - needed, bool(_NAMELESS.search(text)), len(unexplained),
        bool(_EFFECT.search(text)), bool(_COMPARED.search(text)), np.log(len(text.split())), len(claim.terms),
        len(_CAPITALS.findall(text)),
    ]  # fmt: skip


def _spelled_out(claim: Claim) -> str:
    """A claim with its abbreviations replaced by their long forms."""
    text = claim.text
    for short, long in claim.terms:
        text = re.sub(_word(short), long.replace("\\", r"\\"), text)
    return text


def _word(short: str) -> str:
    """A pattern that matches an abbreviation as a whole word."""
    return rf"(?<!\w){re.escape(short)}(?!\w)"


def _needed(text: str, terms: Sequence[tuple[str, str]]) -> int:
    """How many words of the title a sentence must contain to make sense alone."""
    nameless = _NAMELESS.search(text) or any("group" in long.lower() for _, long in terms)
    alone = _NO_DIFFERENCE.search(text) and not _COMPARED.search(text)
    return 1 + 2 * bool(nameless) + bool(_NO_DIFFERENCE.search(text)) + 2 * bool(alone)


def _terms(text: str, known: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The abbreviations in a claim that its paper explains, with their long forms."""
    return tuple((short, long) for short, long in known.items() if re.search(_word(short), text))


def merged(claims: Sequence[Claim], embedder: Embedder | None = None) -> list[Claim]:
    """Merge claims that say the same into one, with all their sentences. Without an encoder, words are compared.

    The claim that is kept is the first with a comparison in a known form, which suits a library search best; otherwise
    the first.
    """
    if not claims:
        return []
    likeness = _by_meaning(claims, embedder) if embedder else _by_words(claims)
    alike: dict[int, list[int]] = {}
    for place in range(len(claims)):
        like = next((other for other in alike if likeness[place, other] >= _SAME), place)
        alike.setdefault(like, []).append(place)
    found = (_one_of([claims[place] for place in places]) for places in alike.values())
    return sorted(found, key=lambda one: -one.score)


def _one_of(same: Sequence[Claim]) -> Claim:
    chosen = next((one for one in same if comparison_in(one.text) is not None), same[0])
    others = {one.sentence for one in same} - {chosen.sentence}
    return replace(chosen, also=tuple(sorted(others)))


def _by_meaning(claims: Sequence[Claim], embedder: Embedder) -> NDArray[np.float64]:
    vectors = embedder.encode([one.text for one in claims])
    found: NDArray[np.float64] = (vectors @ vectors.T).astype(np.float64)
    return found


def _by_words(claims: Sequence[Claim]) -> NDArray[np.float64]:
    words = [word_starts(one.text) for one in claims]
    return np.array([[len(one & other) / max(1, len(one | other)) for other in words] for one in words])


def candidates(paper: Paper) -> list[tuple[Sentence, float]]:
    """Sentences that may state a result or conclusion and make sense alone, with their probability of a finding."""
    by_title = role_by_title(paper)
    prose = [
        one
        for one in paper.pool
        if one.kind in (Kind.ABSTRACT, Kind.BODY)
        and part_of(paper, one) in _PARTS
        and by_title[one.index] in (None, SentenceRole.FINDING)
        and _WORDS[0] <= len(one.text.split()) <= _WORDS[1]
    ]
    if not prose:
        return []
    finding = load_roles().probabilities(paper, prose)[:, ROLES.index(SentenceRole.FINDING)]
    rows = [
        (one, float(share))
        for one, share in zip(prose, finding, strict=True)
        if share >= _FINDING and stands_alone(one.text)
    ]
    return sorted(rows, key=lambda row: (-row[1], row[0].index))[:_READ]


def stands_alone(sentence: str) -> bool:
    """Whether a sentence, once cut, seems to make a claim of this paper that makes sense alone."""
    if _OTHERS.search(sentence) or _NO_CLAIM.search(sentence) or _POINTS.search(sentence):
        return False
    text = cut(sentence)
    if not _VERB.search(text):
        return False
    return len(text.split()) >= _WORDS[0] and not _LEANS.match(text) and not _LETTERED.search(text)


@cache
def shipped() -> Regression:
    """The regression that `python -m core.training claims` fitted to labelled claims, loaded once per process."""
    return Regression.from_json(json.loads(MODEL.read_text(encoding="utf-8")))


def open_offline(opening: Opening) -> ClaimEngine:
    """The offline engine. Raises `EngineUnavailable` if the encoder's word vectors are not installed."""
    return OfflineClaims("offline", installed_reader(), Embedder.installed(opening.settings.embeddings))
