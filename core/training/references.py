"""Measure how well references are matched to their papers, and how well duplicates are found."""

from __future__ import annotations

import csv
import io
import random
import textwrap
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from core.paper import read_paper
from core.paper.xml import Element, all_text, children, descendants, first_child, parse_xml
from core.references import Entry, entry_of_paper, entry_of_reference, match, possible_duplicates, read_references
from core.training import data, parser_of

_COLUMNS = ("Title", "Authors", "Year", "DOI", "PMID")


def measure_references() -> None:
    """Measure how well references are matched to papers, and duplicates found: `python -m core.training references`.

    The material is the articles of Evidence Inference in the data folder: their front matter, read independently of
    Vouch's paper reader and written as RIS, NBIB and CSV; copies of them, changed like duplicates and like other
    papers; and the references that they cite, of which those with the same PMID are duplicates.
    """
    parser_of(measure_references).parse_args()
    files = sorted((data.data_folder() / "evidence_inference" / "xml").iterdir())
    roots = [parse_xml(file.read_bytes(), name=file.name) for file in files]
    fronts = [_front(file.name, root) for file, root in zip(files, roots, strict=True)]
    papers = [_paper(file) for file in files]
    print(f"{len(papers)} papers")
    _files(fronts, papers)
    _planted(papers)
    _cited([entry for root in roots for entry in _citations(root)])
    _speed(papers)


def _paper(file: Path) -> Entry:
    return replace(entry_of_paper(read_paper(file.read_bytes(), name=file.name)), id=file.name)


def _front(name: str, root: Element) -> Entry:
    """The entry from the front matter, with names in the form of databases."""
    meta = next(descendants(root, "article-meta"))
    numbers = {number.get("pub-id-type"): all_text(number) for number in children(meta, "article-id")}
    titles = first_child(meta, "title-group")
    parts = [all_text(part) for part in children(titles, "article-title", "subtitle")] if titles is not None else []
    authors = [person for group in children(meta, "contrib-group") for person in children(group, "contrib")]
    names = [name for person in authors if person.get("contrib-type") == "author" for name in children(person, "name")]
    years = [int(all_text(year)) for date in children(meta, "pub-date") for year in children(date, "year")]
    return Entry(
        name, ": ".join(parts), tuple(map(_name, names)), min(years), numbers.get("doi"), numbers.get("pmid")
    )  # the first year of several, which need not be the issue's


def _name(element: Element) -> str:
    parts = [first_child(element, "surname"), first_child(element, "given-names")]
    return ", ".join(all_text(part) for part in parts if part is not None)


def _files(fronts: Sequence[Entry], papers: Sequence[Entry]) -> None:
    """Test each format with all identifiers, and CSV with a single kind of identifier."""
    nothing = {"title": "Untitled", "authors": (), "year": None, "doi": None, "pmid": None}
    alone: dict[str, tuple[str, ...]] = {"title": ("title", "authors", "year"), "DOI": ("doi",), "PMID": ("pmid",)}
    written: dict[str, str] = {"RIS": _ris(fronts), "NBIB": _nbib(fronts), "CSV": _csv(fronts)}
    for name, kept in alone.items():
        dropped = {part: value for part, value in nothing.items() if part not in kept}
        written[f"CSV, {name} alone"] = _csv([replace(front, **dropped) for front in fronts])  # type: ignore[arg-type]
    for name, text in written.items():
        started = time.process_time()
        file = read_references(text.encode(), name=name)
        read = time.process_time() - started
        entries = [entry_of_reference(fronts[number - 1].id, reference) for number, reference in file.references]
        print(f"{name}: {len(entries)} read in {read:.1f} s, {_matched(entries, papers)}")


def _ris(fronts: Iterable[Entry]) -> str:
    lines: list[str] = []
    for front in fronts:
        lines += ["TY  - JOUR", *(f"AU  - {name}" for name in front.authors), f"TI  - {front.title}"]
        lines += [f"PY  - {front.year}///", f"DO  - https://doi.org/{front.doi.upper()}" if front.doi else ""]
        lines += [f"N1  - PMID: {front.pmid}" if front.pmid else "", "ER  - ", ""]
    return "\n".join(lines)


def _nbib(fronts: Iterable[Entry]) -> str:
    blocks: list[str] = []
    for number, front in enumerate(fronts):
        pairs = [("PMID", front.pmid or str(900_000_000 + number)), ("TI", front.title), ("DP", f"{front.year} Jan")]
        pairs += [("LID", f"{front.doi} [doi]")] if front.doi else []
        pairs += [("FAU", name) for name in front.authors]
        wrapped = (f"{tag:4}- " + "\n      ".join(textwrap.wrap(value, 80)) for tag, value in pairs)
        blocks.append("\n".join(wrapped) + "\n")
    return "\n".join(blocks)


def _csv(fronts: Iterable[Entry]) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(_COLUMNS)
    writer.writerows((f.title, "; ".join(f.authors), f.year, f.doi, f.pmid) for f in fronts)
    return buffer.getvalue()


def _matched(references: Sequence[Entry], papers: Sequence[Entry]) -> str:
    found = match(references, papers)
    right = sum(one.paper == one.reference for one in found)
    wrong = sum(one.paper not in (None, one.reference) for one in found)
    return f"{right} matched rightly, {wrong} wrongly, {sum(one.is_ambiguous for one in found)} asked about"


def _planted(papers: Sequence[Entry]) -> None:
    """Test with a changed copy of every paper: how many copies are reported as duplicates, and how many other pairs."""
    for name, change in {**_DUPLICATES, **_OTHERS}.items():
        copies = {f"copy of {paper.id}": change(paper) for paper in papers}
        copies = {id: copy for id, copy in copies.items() if copy.title or copy.doi or copy.pmid}
        pairs = possible_duplicates([*papers, *(replace(copy, id=id) for id, copy in copies.items())])
        found = [pair for pair in pairs if pair.is_duplicate and pair.second == f"copy of {pair.first}"]
        wrong = sum(pair.is_duplicate for pair in pairs) - len(found)
        kind = "duplicate" if name in _DUPLICATES else "other paper"
        matched = _matched(list(copies.values()), papers)
        print(f"{kind}, {name}: {len(found)} of {len(copies)} pointed out, {wrong} other pairs; {matched}")


def _bare(paper: Entry, title: str | None = None) -> Entry:
    return replace(paper, doi=None, pmid=None, registrations=(), title=paper.title if title is None else title)


def _shouted(paper: Entry) -> Entry:
    letters = "".join(letter if letter.isalnum() else " " for letter in paper.title)
    names = (name.split() for name in paper.authors)
    authors = tuple(f"{name[-1]} {''.join(given[0] for given in name[:-1])}" for name in names)
    return replace(_bare(paper, letters.upper()), authors=authors)


def _slipped(paper: Entry) -> Entry:
    """One letter inside a long word is missing."""
    chance = random.Random(paper.id)  # noqa: S311
    words = paper.title.split()
    index = chance.choice([i for i, word in enumerate(words) if len(word) > 6 and word.isalpha()])
    at = chance.randrange(1, len(words[index]) - 1)
    words[index] = words[index][:at] + words[index][at + 1 :]
    return _bare(paper, " ".join(words))


def _later(paper: Entry, years: int) -> Entry:
    return replace(_bare(paper), year=paper.year and paper.year + years)


def _other_word(paper: Entry) -> Entry:
    return _bare(paper, paper.title.replace(max(paper.title.split(), key=len), "placebo"))


_DUPLICATES: dict[str, Callable[[Entry], Entry]] = {
    "the same": lambda paper: paper,
    "DOI alone": lambda paper: Entry(paper.id, doi=paper.doi),
    "PMID alone": lambda paper: Entry(paper.id, pmid=paper.pmid),
    "capitals, no marks, initials": _shouted,
    "the year after": lambda paper: _later(paper, 1),
    "a letter lost in the title": _slipped,
    "a group's name before the title": lambda paper: _bare(paper, f"The NAP Investigators. {paper.title}"),
    "title alone": lambda paper: Entry(paper.id, paper.title),
}
_OTHERS: dict[str, Callable[[Entry], Entry]] = {
    "“Protocol for”": lambda paper: _bare(paper, f"Protocol for {paper.title}"),
    "“study protocol”": lambda paper: _bare(paper, f"{paper.title}: study protocol"),
    "“Erratum to”": lambda paper: _bare(paper, f"Erratum to: {paper.title}"),
    "“Comment on”": lambda paper: _bare(paper, f"Comment on: {paper.title}"),
    "“Part II”": lambda paper: _bare(paper, f"{paper.title}. Part II"),
    "“follow-up”": lambda paper: _bare(paper, f"{paper.title}: five-year follow-up"),
    "three years later": lambda paper: _later(paper, 3),
    "other authors": lambda paper: replace(_bare(paper), authors=("Nobody, Ann",)),
    "another word": _other_word,
}


def _citations(root: Element) -> Iterable[Entry]:
    """The cited references that have a title and a PMID. The PMID is stored in `id`, where matching does not see it."""
    for citation in descendants(root, "element-citation", "mixed-citation", "citation", "nlm-citation"):
        title = next(descendants(citation, "article-title"), None)
        pmids = [all_text(number) for number in descendants(citation, "pub-id") if number.get("pub-id-type") == "pmid"]
        if title is not None and pmids:
            year = next((all_text(element)[:4] for element in descendants(citation, "year")), "")
            authors = tuple(map(_name, descendants(citation, "name")))
            yield Entry(pmids[0], all_text(title), authors, int(year) if year.isdecimal() else None)


def _cited(citations: Sequence[Entry]) -> None:
    by_pmid: defaultdict[str, list[int]] = defaultdict(list)
    for index, citation in enumerate(citations):
        by_pmid[citation.id].append(index)
    gold = {pair for group in by_pmid.values() for pair in combinations(group, 2)}
    started = time.process_time()
    pairs = possible_duplicates([replace(citation, id=str(index)) for index, citation in enumerate(citations)])
    seconds = time.process_time() - started
    right = {pair: (int(pair.first), int(pair.second)) in gold for pair in pairs}
    print(
        f"{len(citations)} cited references without their numbers, {len(gold)} pairs of the same PMID; {seconds:.1f} s"
    )
    for strength, count in Counter(pair.strength for pair in pairs).items():
        print(
            f"  {strength.value}: {count} pairs, {sum(right[pair] for pair in pairs if pair.strength is strength)} right"
        )
    print(f"  found {sum(right.values())} of {len(gold)}")


def _speed(papers: Sequence[Entry]) -> None:
    """Measure the time on sixteen copies of the papers, each with its own word and numbers."""
    many = [
        replace(
            paper,
            id=f"{paper.id} {time_}",
            title=f"{paper.title} in group {time_}",
            doi=f"10.1000/{time_}.{n}",
            pmid=None,
        )
        for time_ in range(16)
        for n, paper in enumerate(papers)
    ]
    started = time.process_time()
    possible_duplicates(many)
    compared = time.process_time()
    match([_bare(entry) for entry in many], many)
    seconds = compared - started, time.process_time() - compared
    print(f"{len(many)} entries: {seconds[0]:.1f} s to compare, {seconds[1]:.1f} s to match by title")
