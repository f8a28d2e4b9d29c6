"""`offline` for risk of bias: a trained ranker finds the sentences, and rules over their wording judge.

It needs no key, no network and no encoder. Every level names the words that decided; where nothing was found, it says
where it searched and which sentences came nearest. docs/bias.md tells how good it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.bias.assessment import Suggestion
from core.bias.engine import SUPPORT_SENTENCES
from core.bias.model import Answer, Domain, Judgement, Level, Retrieved, StudyContext, Support
from core.bias.ranker.ranking import ranked
from core.bias.ranker.topics import TOPICS_OF
from core.bias.retrieval import retrieved
from core.bias.rules import RULEBOOKS, Finding
from core.bias.rules.signalling import ANSWERED_BY
from core.evidence import engine_named
from core.paper import Paper
from core.progress import Progress, silent
from core.settings import Settings

_READ = 8  # sentences that the rules read
# Below this score a sentence is only the nearest there is. Nine in ten of the training papers that report on a domain
# have a sentence above it, when they are scored by models that have not seen them.
_TOUCHES = 0.27
_WORTH_READING = 0.05  # a rule may still find in it what decides
# Reports tell both in one breath; CONSORT's labels make one of it.
_READ_TOO = {"sequence": "concealment", "concealment": "sequence"}
_NEAREST = 3  # rejected sentences that are shown where nothing was found

_Found = Callable[[str], tuple[Finding | None, Support | None]]  # rulebook -> what decided, and the sentence it is in


class OfflineEngine:
    """Ranks with the shipped model, judges with the rules of `core.bias.rules`."""

    name = "offline"

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def support(
        self, domain: Domain, paper: Paper, study: StudyContext, *, k: int, progress: Progress = silent
    ) -> Retrieved:
        """A domain that the model was not trained for is searched as evidence for its own definition."""
        if domain.id in TOPICS_OF:
            return Retrieved(ranked(domain.id, paper, k=k))
        engine = engine_named("offline", settings=self._settings)
        return retrieved(engine, domain, paper, k=k, progress=progress)

    def suggest(self, domain: Domain, paper: Paper, study: StudyContext, *, progress: Progress = silent) -> Suggestion:
        return Suggestion(self.name, self._judgement(domain, paper, study, progress))

    def suggest_from_sentences(
        self, domain: Domain, sentences: Sequence[str], *, progress: Progress = silent
    ) -> Suggestion:
        return Suggestion(self.name, _judgement_from(domain, sentences))

    def _judgement(self, domain: Domain, paper: Paper, study: StudyContext, progress: Progress) -> Judgement:
        support = self.support(domain, paper, study, k=SUPPORT_SENTENCES, progress=progress).support
        if domain.id in RULEBOOKS:
            finding, sentence = _in_paper(domain.id, paper)
            if finding is None and not _above(_TOUCHES, support):
                return _nothing_found(domain, paper, support)
            return _judged(domain, finding, sentence, _above(_TOUCHES, support))
        if domain.questions:
            return _answered(domain, lambda rulebook: _in_paper(rulebook, paper), support)
        return Judgement(domain.id, None, _no_rules(domain), support)


def _judgement_from(domain: Domain, sentences: Sequence[str]) -> Judgement:
    def found(rulebook: str) -> tuple[Finding | None, Support | None]:
        finding = RULEBOOKS[rulebook].decide(sentences)
        return finding, None if finding is None else Support(finding.sentence)

    if domain.id in RULEBOOKS:
        return _judged(domain, *found(domain.id), ())
    if domain.questions:
        return _answered(domain, found, ())
    return Judgement(domain.id, None, _no_rules(domain))


def _in_paper(rulebook: str, paper: Paper) -> tuple[Finding | None, Support | None]:
    """What decides among the paper's best sentences; words that only touch on the domain count in likely ones alone."""
    read = list(_above(_WORTH_READING, ranked(rulebook, paper, k=_READ)))
    if rulebook in _READ_TOO:
        known = {sentence.index for sentence in read}
        others = _above(_TOUCHES, ranked(_READ_TOO[rulebook], paper, k=_READ))
        # With no score for this domain, only words that decide count in them.
        read += [Support(other.index, 0.0) for other in others if other.index not in known]
    finding = RULEBOOKS[rulebook].decide([paper.sentences[sentence.index].text for sentence in read], of_paper=True)
    if finding is None or not (finding.decides or read[finding.sentence].score >= _TOUCHES):
        return None, None
    return finding, read[finding.sentence]


def _above(score: float, support: Sequence[Support]) -> tuple[Support, ...]:
    return tuple(sentence for sentence in support if sentence.score >= score)


def _judged(domain: Domain, finding: Finding | None, sentence: Support | None, others: Sequence[Support]) -> Judgement:
    """The rule's level. Sentences that no rule makes anything of leave the domain unclear, as its criteria say."""
    if finding is None or sentence is None:
        rulebook = RULEBOOKS[domain.id]
        return Judgement(domain.id, Level.UNCLEAR, f"{_capital(rulebook.silent)}: unclear.", tuple(others))
    decided = Support(sentence.index, sentence.score, finding.reason)
    rest = [other for other in others if other.index != sentence.index]
    support = (decided, *rest[: SUPPORT_SENTENCES - 1])
    return Judgement(domain.id, finding.level, finding.rationale, support, deciding_words=(finding.words,))


def _nothing_found(domain: Domain, paper: Paper, nearest: Sequence[Support]) -> Judgement:
    """No information, with the proof: where was searched, and what came nearest."""
    searched = tuple(section.title for section in paper.sections)
    return Judgement(
        domain.id,
        Level.UNCLEAR,
        f"No information: {RULEBOOKS[domain.id].silent}. All {len(searched)} sections were searched: unclear.",
        searched=searched,
        rejected=tuple(sentence.index for sentence in nearest[:_NEAREST]),
    )


def _answered(domain: Domain, found: _Found, support: Sequence[Support]) -> Judgement:
    """RoB 2: answers where a rule is sure, and the algorithm's level if that makes them complete."""
    answers: dict[str, Answer] = {}
    reasons, decided, words = [], {}, []
    for question in domain.questions:
        rule = ANSWERED_BY.get(question.id)
        if rule is None:
            continue
        finding, sentence = found(rule.rulebook)
        answer = rule.by(finding)
        if finding is None or sentence is None or answer is None:
            continue
        answers[question.id] = answer
        reasons.append(f"{question.id} {answer.value}: “{finding.words}”, {finding.reason}.")
        decided[sentence.index] = Support(sentence.index, sentence.score, finding.reason)
        words.append(finding.words)
    level = domain.level(answers)
    missing = ", ".join(question.id for question in domain.missing(answers))
    if missing:
        reasons.append(f"No judgement: no rule is sure of {missing}.")
    rest = [other for other in support if other.index not in decided]
    return Judgement(
        domain.id,
        level,
        " ".join(reasons),
        (*decided.values(), *rest)[:SUPPORT_SENTENCES],
        answers=answers,
        deciding_words=tuple(dict.fromkeys(words)),
    )


def _no_rules(domain: Domain) -> str:
    return (
        f"No judgement: the engine offline has no rules for “{domain.name}”. "
        "It finds the sentences nearest to the domain's definition."
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
