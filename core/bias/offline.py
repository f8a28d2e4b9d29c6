"""The risk-of-bias engines on this machine: retrieval engines only find sentences; `offline` also suggests a level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.bias.assessment import Suggestion
from core.bias.engine import SUPPORT_SENTENCES
from core.bias.levels import LevelModel, TopicText, load_levels
from core.bias.model import Answer, Domain, Judgement, Question, Retrieved, StudyContext, Support, Topic
from core.bias.ranker.model import ranked
from core.bias.signalling import provisional_level
from core.bias.tools.rob1 import UNCLEAR
from core.engines import Opening
from core.evidence import baselines, chosen_model, offline
from core.evidence.model import MAX_HYPOTHESIS_WORDS, EvidenceEngine, EvidenceQuery, cut_to_question
from core.paper import Paper
from core.paper.metadata import with_register
from core.progress import Progress, silent
from core.settings import Settings
from core.text.encoder_files import why_no_encoder

# ---- retrieval: evidence engines, queried with the domain's own definition ----


class RetrievalBiasEngine:
    """Finds sentences, and gives no level but a reason that says so."""

    def __init__(self, engine: EvidenceEngine) -> None:
        self._engine = engine
        self.name = engine.name

    def support(
        self, domain: Domain, paper: Paper, study: StudyContext, *, k: int, progress: Progress = silent
    ) -> Retrieved:
        return retrieved(self._engine, domain, paper, k=k, progress=progress)

    def suggest(self, domain: Domain, paper: Paper, study: StudyContext, *, progress: Progress = silent) -> Suggestion:
        found = self.support(domain, paper, study, k=SUPPORT_SENTENCES, progress=progress)
        return Suggestion(self.name, Judgement(domain.id, None, self._no_level(domain), found.support))

    def suggest_from_sentences(
        self, domain: Domain, sentences: Sequence[str], *, progress: Progress = silent
    ) -> Suggestion:
        return Suggestion(self.name, Judgement(domain.id, None, self._no_level(domain)))

    def _no_level(self, domain: Domain) -> str:
        return (
            f"No judgement: the engine {self.name} finds the sentences nearest to what “{domain.name}” asks for, "
            "and gives no level."
        ) + (_CUT if len(_words_of(domain).split()) > MAX_HYPOTHESIS_WORDS else "")


_CUT = f" It searched for the first {MAX_HYPOTHESIS_WORDS} words of the definition and its criteria."


def retrieved(engine: EvidenceEngine, domain: Domain, paper: Paper, *, k: int, progress: Progress) -> Retrieved:
    """The `k` sentences that an evidence engine finds for a domain's own words."""
    found = engine.find(paper, EvidenceQuery(query_of(domain), k=k), progress=progress)
    return Retrieved(tuple(Support(sentence.index, sentence.score) for sentence in found.sentences))


def query_of(domain: Domain) -> str:
    """The domain in words, as a question to an evidence engine: its criteria name what such sentences speak of."""
    return cut_to_question(_words_of(domain))


def _words_of(domain: Domain) -> str:
    return " ".join([f"{domain.name}.", domain.definition, *domain.criteria.values()])


# ---- offline: a trained ranker finds the sentences, and a trained model gives the level if it is sure ----
# It needs no key, no network and no encoder. There are three results: a level; that the text is silent, which RoB 1 calls
# unclear; and that it cannot tell offline, which is no level. docs/bias.md has the accuracy of each.

_READ = 5  # sentences from which a level is predicted, as in training
_SILENT = 0.2  # if all scores are below this, nothing was found
# For these topics, readers call a silent text unclear in 87% of cases; blinding they often infer from what was done (57%).
_SILENCE_IS_UNCLEAR = frozenset({Topic.SEQUENCE, Topic.CONCEALMENT, Topic.REPORTING})
_NEAREST = 3  # rejected sentences that are shown if nothing was found
_SAYS_NOTHING: Mapping[Topic, str] = {
    Topic.SEQUENCE: "nothing tells how the sequence was made",
    Topic.CONCEALMENT: "nothing tells how the next assignment was kept from those who enrolled",
    Topic.PERFORMANCE: "nothing tells whether participants and personnel knew the assignment",
    Topic.DETECTION: "nothing tells whether those who assessed the outcomes knew the assignment",
    Topic.ATTRITION: "nothing tells how many were lost",
    Topic.REPORTING: "neither a protocol nor a registration is named",
}


class OfflineBiasEngine:
    """Ranks and judges with the shipped models."""

    name = "offline"

    def __init__(self, settings: Settings, *, without: str = "") -> None:
        self._settings = settings
        self._without = without

    def without(self, domain: str) -> OfflineBiasEngine:
        """See `LearnedEngine`."""
        return OfflineBiasEngine(self._settings, without=domain)

    def support(
        self, domain: Domain, paper: Paper, study: StudyContext, *, k: int, progress: Progress = silent
    ) -> Retrieved:
        """Rank by topics if the domain has any, else by its definition; without an encoder, search as for evidence."""
        if domain.topics and not self._without:
            return Retrieved(ranked(domain.topics, paper, k=k))
        if not why_no_encoder():
            from core.bias.definitions.features import Definition  # noqa: PLC0415
            from core.bias.definitions.model import ranked_for  # noqa: PLC0415
            from core.text.similarity import Embedder  # noqa: PLC0415

            asked = Definition(domain.name, domain.definition or " ".join(domain.criteria.values()))
            embedder = Embedder.installed(self._settings.embeddings)
            return Retrieved(ranked_for(asked, paper, embedder, k=k, without=self._without, progress=progress))
        engine = offline.open_offline(Opening(self._settings))
        return retrieved(engine, domain, paper, k=k, progress=progress)

    def suggest(self, domain: Domain, paper: Paper, study: StudyContext, *, progress: Progress = silent) -> Suggestion:
        if domain.level_model is not None:
            return Suggestion(self.name, _judged(domain, domain.level_model, paper))
        support = self.support(domain, paper, study, k=SUPPORT_SENTENCES, progress=progress).support
        if domain.questions:
            found = {topic: _found(topic, paper) for topic in _topics_of(domain.questions)}
            return Suggestion(self.name, _answered(domain, found, support))
        return Suggestion(self.name, Judgement(domain.id, None, _no_model(domain), support))

    def suggest_from_sentences(
        self, domain: Domain, sentences: Sequence[str], *, progress: Progress = silent
    ) -> Suggestion:
        if domain.level_model is not None:
            return Suggestion(self.name, _judged_from(domain, domain.level_model, sentences))
        if domain.questions:
            support = tuple(Support(place) for place in range(len(sentences)))
            found = {topic: (TopicText(topic, tuple(sentences)), support) for topic in _topics_of(domain.questions)}
            return Suggestion(self.name, _answered(domain, found, ()))
        return Suggestion(self.name, Judgement(domain.id, None, _no_model(domain)))


_Found = tuple[TopicText, Sequence[Support]]  # the model's input, and the same sentences as support


def _topics_of(questions: Sequence[Question]) -> set[Topic]:
    return {question.rule.topic for question in questions if question.rule}


def _found(topic: Topic, paper: Paper) -> _Found:
    support = ranked([topic], paper, k=_READ)
    texts = tuple(paper.sentences[sentence.index].text for sentence in support)
    scores = tuple(sentence.score for sentence in support)
    return TopicText(topic, texts, scores or (0.0,), bool(paper.registrations)), support


def _judged(domain: Domain, topic: Topic, paper: Paper) -> Judgement:
    read, support = _found(topic, paper)
    registered = topic is Topic.REPORTING and read.registered
    if not registered and not read.wordings and not any(sentence.score >= _SILENT for sentence in support):
        return _nothing_found(domain, topic, paper, support)
    judgement = _reasoned(domain, read, support)
    if not registered:
        return judgement
    numbers = ", ".join(map(with_register, paper.registrations))
    reason = f"Registered as {numbers}: compare the outcomes there with those reported. {judgement.rationale}"
    return replace(judgement, rationale=reason)


def _judged_from(domain: Domain, topic: Topic, sentences: Sequence[str]) -> Judgement:
    read = TopicText(topic, tuple(sentences))
    return _reasoned(domain, read, [Support(place) for place in range(len(sentences))])


def _reasoned(domain: Domain, read: TopicText, support: Sequence[Support]) -> Judgement:
    """The level with the wordings that suggest it and their sentences first, or the reason why there is none."""
    model = load_levels()
    level, sure, enough = model.likeliest(read)
    if not enough:
        shown = tuple(support[:SUPPORT_SENTENCES])
        return Judgement(domain.id, None, _cannot_tell(model, read), shown, likeliest=level)
    seen = [one for one in read.wordings if one.wording.level == level]
    reasons = [f"“{one.words}”: {one.wording.meaning}." for one in seen]
    told = {support[one.sentence].index: one.wording.meaning for one in reversed(seen)}
    decided = [Support(one.index, one.score, told[one.index]) for one in support if one.index in told]
    rest = [one for one in support if one.index not in told]
    return Judgement(
        domain.id,
        level,
        " ".join([*reasons, f"Trials that say this are {level} in about {sure:.0%} of cases: {level}."]),
        (*decided, *rest)[:SUPPORT_SENTENCES],
        deciding_words=tuple(one.words for one in seen),
    )


def _cannot_tell(model: LevelModel, read: TopicText) -> str:
    likely = ", ".join(f"{level} {sure:.0%}" for level, sure in model.probabilities(read).items())
    seen = [f"“{one.words}” speaks for {one.wording.level}: {one.wording.meaning}." for one in read.wordings]
    return " ".join(
        [f"Cannot tell offline: no level is likely enough to be shown ({likely}). Read the sentences.", *seen]
    )


def _nothing_found(domain: Domain, topic: Topic, paper: Paper, nearest: Sequence[Support]) -> Judgement:
    """The judgement that the text is silent, with what was searched and the nearest sentences."""
    searched = tuple(section.title for section in paper.sections)
    unclear = topic in _SILENCE_IS_UNCLEAR
    what_follows = "unclear" if unclear else "cannot tell offline, since readers infer it from what was done"
    return Judgement(
        domain.id,
        UNCLEAR if unclear else None,
        f"The text is silent: {_SAYS_NOTHING[topic]}. All {len(searched)} sections were searched: {what_follows}.",
        searched=searched,
        rejected=tuple(sentence.index for sentence in nearest[:_NEAREST]),
        likeliest=UNCLEAR,
    )


def _answered(domain: Domain, found: Mapping[Topic, _Found], support: Sequence[Support]) -> Judgement:
    """Answers for questions on which a wording was found, and a level only if these answers decide it."""
    answers: dict[str, Answer] = {}
    reasons, decided, words = [], {}, []
    for question in domain.questions:
        if question.rule is None:
            continue
        read, sentences = found[question.rule.topic]
        given = question.rule.answers
        seen = [one for one in read.wordings if one.wording.name in given]
        said = {given[one.wording.name] for one in seen}
        if len({(answer.yes, answer.no) for answer in said}) != 1:  # none, or wordings that contradict each other
            continue
        first = seen[0]
        answers[question.id] = given[first.wording.name]
        place = sentences[first.sentence]
        reasons.append(f"{question.id} {answers[question.id].value}: “{first.words}”, {first.wording.meaning}.")
        decided[place.index] = Support(place.index, place.score, first.wording.meaning)
        words.append(first.words)
    level = provisional_level(domain, answers)
    missing = ", ".join(question.id for question in domain.missing(answers))
    if level is not None:
        open_ones = f" while nothing is found that answers {missing} otherwise" if missing else ""
        reasons.append(f"Provisional: {level}{open_ones}. Check every answer.")
    else:
        reasons.append(f"No level: no answer to {missing} could be read offline. The nearest sentences may hold it.")
    rest = [other for other in support if other.index not in decided]
    return Judgement(
        domain.id,
        level,
        " ".join(reasons),
        (*decided.values(), *rest)[:SUPPORT_SENTENCES],
        answers=answers,
        deciding_words=tuple(dict.fromkeys(words)),
    )


def _no_model(domain: Domain) -> str:
    return (
        f"Cannot tell offline: the engine was not trained to judge “{domain.name}”. "
        "It finds the sentences nearest to the domain's definition."
    )


# ---- opening ----


def open_offline(opening: Opening) -> OfflineBiasEngine:
    """See `core.engines`."""
    return OfflineBiasEngine(opening.settings)


def open_bm25(opening: Opening) -> RetrievalBiasEngine:
    """See `core.engines`."""
    return RetrievalBiasEngine(baselines.open_bm25(opening))


def open_embedding(opening: Opening) -> RetrievalBiasEngine:
    """See `core.engines`."""
    return RetrievalBiasEngine(baselines.open_embedding(opening))


def open_encoder_engine(opening: Opening) -> RetrievalBiasEngine:
    """See `core.engines`. Raises `EngineUnavailable` if the name is not that of an encoder."""
    return RetrievalBiasEngine(chosen_model.open_encoder_engine(opening, task="bias"))


def open_reranker_engine(opening: Opening) -> RetrievalBiasEngine:
    """See `core.engines`. Raises `EngineUnavailable` if the name is not that of a reranker."""
    return RetrievalBiasEngine(chosen_model.open_reranker_engine(opening))
