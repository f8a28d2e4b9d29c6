"""The content that all file formats of an answer show: sentences with numbered citations, works, how it was made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from core.answering.model import Answer, CitationStatus, Gathered, PaperAnswer, Question, Statement, TrailStep
from core.export.effects import EffectTable
from core.export.table import displayable
from core.library.model import LibraryPaper, Passage
from core.paper import bare_doi, cite_authors, family_name
from core.references.model import Reference

STATUS_IN_WORDS = {
    CitationStatus.QUOTED: "in the paper's own words",
    CitationStatus.SUPPORTED: "the passage says so",
    CitationStatus.CONTRADICTED: "the passage says otherwise",
    CitationStatus.CANNOT_TELL: "it cannot be told whether the passage says so",
}
NO_SOURCE = "no source is cited"
NO_NOTICES: Mapping[str, str] = MappingProxyType({})  # by paper: its retraction or correction


@dataclass(frozen=True, slots=True)
class CitedWorkShown:
    """A work in the list of works cited."""

    number: int  # from 1
    paper: LibraryPaper
    line: str  # authors, title, journal and year, DOI
    mark: str = ""  # says that it was retracted or corrected

    @property
    def reference(self) -> Reference:
        """The work for reference managers, without control and reordering characters."""
        return _reference(self.paper)


@dataclass(frozen=True, slots=True)
class CitationShown:
    """A citation of a sentence."""

    number: int  # of the work
    status: CitationStatus
    words: str  # the status, for people
    place: str  # section and page
    quotes: tuple[str, ...]  # the sentences of the paper that it rests on

    @property
    def where(self) -> str:
        """The place as the start of a sentence; empty if it is unknown."""
        return f"{self.place}: " if self.place else ""

    @property
    def doubtful(self) -> bool:
        """Whether the passage contradicts the sentence, or may not support it."""
        return self.status in (CitationStatus.CONTRADICTED, CitationStatus.CANNOT_TELL)


@dataclass(frozen=True, slots=True)
class SentenceShown:
    """A sentence of the answer."""

    text: str
    quoted: bool  # whether it is a paper's own sentence
    begins_paragraph: bool
    citations: tuple[CitationShown, ...]
    told: str = ""  # for a quotation: the direction of the paper's result


@dataclass(frozen=True, slots=True)
class EvidenceShown:
    """A passage that was gathered."""

    number: int | None  # the number of its work; None: the work is not cited
    title: str
    place: str
    one: Gathered


@dataclass(frozen=True, slots=True)
class AnswerShown:
    """An answer, ready for layout. Its texts come from papers and models, so each file format must escape them."""

    question: str
    lead: str  # a description of the answer, by Vouch
    sentences: tuple[SentenceShown, ...]
    works: tuple[CitedWorkShown, ...]
    evidence: tuple[EvidenceShown, ...]
    made: tuple[tuple[str, str], ...]  # how it was made: engine, date, prompts, cost
    steps: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def written(self) -> bool:
        """Whether a model wrote it; otherwise it quotes papers."""
        return any(not one.quoted for one in self.sentences)

    @property
    def paragraphs(self) -> list[list[SentenceShown]]:
        """The sentences by paragraph."""
        return in_paragraphs(self.sentences)


@dataclass(frozen=True, slots=True)
class DocumentShown:
    """The content of a file for people: one answer, or several under headings."""

    kind: str  # the kind of document, in a few words
    title: str
    lead: str
    sections: tuple[tuple[str, AnswerShown], ...]  # (heading, answer); the heading is empty if there is only one
    works: tuple[CitedWorkShown, ...]
    made: tuple[tuple[str, str], ...]
    notes: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    overview: tuple[SentenceShown, ...] = ()
    effects: tuple[EffectTable, ...] = ()

    @property
    def evidence(self) -> Iterator[EvidenceShown]:
        """The passages that were gathered, without duplicates."""
        seen: set[str] = set()
        for _, section in self.sections:
            for one in section.evidence:
                if one.one.passage.id not in seen:
                    seen.add(one.one.passage.id)
                    yield one


def answer_shown(answer: Answer, date: datetime | None, notices: Mapping[str, str] = NO_NOTICES) -> DocumentShown:
    """The content for one answer."""
    view = shown(answer, date, notices)
    kind = "Answer from a library of papers"
    return DocumentShown(kind, view.question, view.lead, (("", view),), view.works, view.made, view.notes, view.steps)


def in_paragraphs(sentences: Iterable[SentenceShown]) -> list[list[SentenceShown]]:
    """Sentences by paragraph; each quotation is its own paragraph."""
    out: list[list[SentenceShown]] = []
    for one in sentences:
        if not out or one.begins_paragraph or one.quoted:
            out.append([])
        out[-1].append(one)
    return out


def shown(
    answer: Answer,
    date: datetime | None,
    notices: Mapping[str, str] = NO_NOTICES,
    numbers: dict[str, int] | None = None,
) -> AnswerShown:
    """The content for one answer. `notices`, by paper, mark papers that were retracted or corrected.

    `numbers` maps papers to their numbers in earlier sections; the answer's own works are added. Raises `KeyError` if a
    statement cites a passage that is not in the evidence, which is a bug.
    """
    numbers = {} if numbers is None else numbers
    passages = {one.passage.id: one.passage for one in answer.evidence}
    passages |= {one.strongest.passage.id: one.strongest.passage for one in answer.papers}
    papers = {paper.id: paper for paper in answer.sources} | {one.paper.id: one.paper for one in answer.papers}
    if answer.statements:
        sentences = sentences_of(answer.statements, passages, numbers)
    else:
        for one in answer.papers:
            numbers.setdefault(one.paper.id, len(numbers) + 1)
        sentences = tuple(_quotation(one, numbers, told=answer.answered) for one in answer.papers)
    cited = dict.fromkeys(citation.number for one in sentences for citation in one.citations)
    by_number = {number: papers[id] for id, number in numbers.items() if number in cited}
    return AnswerShown(
        question=answer.question.text,
        lead=_lead(answer),
        sentences=sentences,
        works=tuple(cited_work(number, paper, notices) for number, paper in by_number.items()),
        evidence=tuple(_evidence(one, papers, numbers, notices) for one in answer.evidence),
        made=tuple(_made(answer, date)),
        steps=tuple(map(_step, answer.steps)),
        notes=answer.notes,
    )


def sentences_of(
    statements: Iterable[Statement], passages: Mapping[str, Passage], numbers: dict[str, int]
) -> tuple[SentenceShown, ...]:
    """Written sentences with their citations; works without a number get the next one."""
    statements = tuple(statements)
    for one in statements:
        for each in one.citations:
            numbers.setdefault(passages[each.passage].paper, len(numbers) + 1)
    return tuple(_statement(one, passages, numbers) for one in statements)


def cited_work(number: int, paper: LibraryPaper, notices: Mapping[str, str]) -> CitedWorkShown:
    """A work under its number."""
    notice = notices.get(paper.id, "")
    return CitedWorkShown(number, paper, work_line(paper, notice), displayable(retraction(paper, notice)))


def _lead(answer: Answer) -> str:
    searched = f"Papers searched: {answer.searched:,}."
    if not answer.answered:
        nearest = " The nearest sentences:" if answer.papers and not answer.statements else ""
        why = f"There is no answer. {answer.problem}" if answer.problem else "These papers do not seem to answer it."
        return f"{why} {searched}{nearest}"
    reporting = f" Papers that seem to report on it: {len(answer.papers):,}." if answer.papers else ""
    lead = searched + reporting
    if answer.disagree:
        lead += " They do not agree."
    if answer.of_what:
        lead += f" {answer.of_what}"
    if answer.question.options:
        chosen = "none of the options" if answer.option is None else answer.question.options[answer.option]
        lead += f" Chosen: {chosen}."
    return lead


def _statement(one: Statement, passages: Mapping[str, Passage], numbers: Mapping[str, int]) -> SentenceShown:
    citations = tuple(
        CitationShown(
            numbers[(passage := passages[each.passage]).paper],
            each.status,
            STATUS_IN_WORDS[each.status],
            _place(passage),
            tuple(
                passage.sentences[index - passage.first]
                for index in each.sentences
                if passage.first <= index <= passage.last
            ),
        )
        for each in one.citations
    )
    return SentenceShown(one.text, quoted=False, begins_paragraph=one.begins_paragraph, citations=citations)


def _quotation(one: PaperAnswer, numbers: dict[str, int], *, told: bool) -> SentenceShown:
    status = CitationStatus.QUOTED
    place = _place(one.strongest.passage)
    citation = CitationShown(numbers[one.paper.id], status, STATUS_IN_WORDS[status], place, (one.sentence,))
    way = f"{one.told.value} ({one.probability:.2f})" if told and one.told and one.probability else ""
    return SentenceShown(one.sentence, quoted=True, begins_paragraph=True, citations=(citation,), told=way)


def _evidence(
    one: Gathered, papers: dict[str, LibraryPaper], numbers: dict[str, int], notices: Mapping[str, str]
) -> EvidenceShown:
    paper = papers.get(one.passage.paper)
    mark = retraction(paper, notices.get(paper.id, "")) if paper else ""
    title = f"{paper.title or paper.name}{f' ({mark})' if mark else ''}" if paper else ""
    return EvidenceShown(numbers.get(one.passage.paper), title, _place(one.passage), one)


def _place(passage: Passage) -> str:
    return ", ".join(filter(None, (passage.section, f"p. {passage.page}" if passage.page else "")))


def retraction(paper: LibraryPaper, notice: str = "") -> str:
    """The mark of a retracted or corrected paper, from a service's notice or else from its own file; usually empty."""
    return f"! {notice}" if notice else "RETRACTED" if paper.retracted else ""


def work_line(paper: LibraryPaper, notice: str = "") -> str:
    """A work in one line: authors, title, journal and year, DOI or PMID, as far as known, and its mark."""
    published = " ".join(filter(None, (paper.journal, str(paper.year or ""))))
    number = f"doi:{paper.doi}" if paper.doi else f"PMID {paper.pmid}" if paper.pmid else ""
    parts = (cite_authors(paper.authors), paper.title or paper.name, published, number, retraction(paper, notice))
    return ". ".join(part.rstrip(".") for part in parts if part) + "."


def _step(one: TrailStep) -> str:
    """A step of the trail in one line."""
    said = f"{one.action.value}: {one.words}".rstrip(": ")
    why = f" (because: {one.reason})" if one.reason else ""
    details = f" {' · '.join(one.details)}" if one.details else ""
    return f"{said}{why} → {one.came} ({one.seconds:.1f} s, {dollars(one.cost_usd)}){details}"


def made_in_one_line(answer: Answer, date: datetime | None) -> str:
    """How the answer was made, for a note."""
    return "; ".join(f"{name}: {value}" for name, value in _made(answer, date))


def _made(answer: Answer, date: datetime | None) -> Iterator[tuple[str, str]]:
    yield "Engine", answer.engine
    if limits := answer.question.limits:
        yield "Papers", limits
    if others := _also_asked(answer.question):
        yield "Settings", others
    if date is not None:
        yield "Date", date.strftime("%Y-%m-%d %H:%M %Z").strip()
    run = answer.run
    if run is None:
        yield "Prompts", "none: no language model was asked"
    else:
        yield "Model", f"{run.model}, {run.strategy}" if run.strategy else run.model
        yield "Prompts", ", ".join(f"{name} {hash}" for name, hash in run.prompts) or "none"
    yield "Cost", dollars(answer.cost_usd)
    yield "Seconds", f"{answer.seconds:.1f}"


def _also_asked(question: Question) -> str:
    """The settings that differ from the defaults: passages, sources, spread, fields."""
    usual = Question(question.text)
    told = [
        (f"{question.k} passages gathered", question.k != usual.k and question.passages is None),
        (f"from {len(question.passages or ())} chosen passages", question.passages is not None),
        (f"at most {question.sources} sources", question.sources != usual.sources),
        (f"spread over papers {question.spread:g}", question.spread != usual.spread),
        (f"fields: {', '.join(question.fields)}", bool(question.fields)),
    ]
    return "; ".join(words for words, holds in told if holds)


def dollars(cost: float | None) -> str:
    """A cost in US dollars; None means unknown, not zero."""
    return "unknown" if cost is None else f"${cost:.4f}" if cost else "$0"


# ---- The works cited, for reference managers ----


def cited_references(answer: Answer, notices: Mapping[str, str] = NO_NOTICES) -> list[tuple[Reference, str]]:
    """(work, mark) of the works that the answer cites or quotes, in the order of their numbers."""
    return [(one.reference, one.mark) for one in shown(answer, None, notices).works]


def _reference(paper: LibraryPaper) -> Reference:
    return Reference(
        title=displayable(paper.title or paper.name),
        authors=tuple(family_first(displayable(author)) for author in paper.authors),
        year=paper.year,
        journal=displayable(paper.journal or ""),
        doi=bare_doi(displayable(paper.doi or "")),
        pmid=paper.pmid,
    )


def family_first(author: str) -> str:
    """An author in the form "Family, Given". The name of a group, or one that cannot be split, stays as it is.

    >>> [family_first(name) for name in ("Ada van der Berg", "Berg, Ada", "NAP Study Group", "Ada Berg Jr")]
    ['van der Berg, Ada', 'Berg, Ada', 'NAP Study Group', 'Ada Berg Jr']
    """
    family = family_name(author)
    given = author.strip().removesuffix(family).strip()
    if "," in author or not family or not given or f"{given} {family}" != " ".join(author.split()):
        return author
    return f"{family}, {given}"
