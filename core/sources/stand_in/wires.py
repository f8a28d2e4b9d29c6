"""The services' wire formats, as documented: questions about the invented works, answered as JSON or XML."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from core.sources.stand_in.literature import Work, jats, pdf

Params = Mapping[str, str]
Json = dict[str, Any]
_WORD = re.compile(r"[^\W_]+")
_FIELD = re.compile(r"\[[^\]]*\]|\b[A-Z_]+:")
_YEARS = re.compile(r"AND PUB_YEAR:\[(\d+) TO (\d+)\]")
_NO_WORDS = frozenset("and not the a of in".split())


class Missing(Exception):
    """What is asked for is not there: 404."""


class Refused(Exception):
    """A question that cannot be read: 422."""


class Unknown(Exception):
    """A question that needs a key: 401."""


class Shelf:
    """The works that the services know.

    `largest_page`: the most records on one page, so that paging shows; `longest_list`: the most PMIDs that PubMed gives
    for one query.
    """

    def __init__(self, works: Sequence[Work], address: str, largest_page: int, longest_list: int) -> None:
        self.works = {work.number: work for work in works}
        self.address, self.largest_page, self.longest_list = address, largest_page, longest_list

    def add(self, work: Work) -> None:
        """Publish one more work."""
        self.works[work.number] = work

    def found(self, query: str, first: str = "", last: str = "") -> list[Work]:
        """The works of some years that have all words of one of the query's alternatives, or a number that it names."""
        alternatives = [part.strip(" ()") for part in re.split(r"\bOR\b", query)]
        years = range(int(first or 0), int(last or 9999) + 1)
        of_then = [work for work in self.works.values() if work.year in years]
        return [work for work in of_then if any(_fits(work, one) for one in alternatives)]

    def of_doi(self, doi: str) -> Work:
        """The work of a DOI. Raises `Missing`."""
        for work in self.works.values():
            if work.doi.lower() == doi.lower():
                return work
        raise Missing(doi)

    def citers(self, work: Work) -> list[Work]:
        """The works that cite a work."""
        return [one for one in self.works.values() if work.number in one.cites]

    def cited(self, work: Work) -> list[Work]:
        """The works that a work cites."""
        return [self.works[one] for one in work.cites if one in self.works]


def _fits(work: Work, alternative: str) -> bool:
    numbers = {work.doi.lower(), work.pmid, (work.pmcid or "-").lower(), (work.trial or "-").lower()}
    bare = _FIELD.sub(" ", alternative).replace("AND SRC", "").replace('"', " ").strip(" ()").lower()
    bare = bare.removesuffix("and  med").removesuffix("and med").strip(" ()")
    if bare in numbers:
        return True
    words = [word for word in _WORD.findall(bare) if word not in _NO_WORDS]
    return bool(words) and all(word in work.words for word in words)


# ---- Europe PMC ----


def europe_pmc(shelf: Shelf, path: str, params: Params) -> bytes:
    """`search`, `{PMCID}/fullTextXML`, `MED/{PMID}/references` and `citations`."""
    match path.split("/"):
        case ["search"]:
            years = _YEARS.search(params["query"])
            first, last = years.groups() if years else ("", "")
            found = shelf.found(_YEARS.sub("", params["query"]), first, last)
            size = min(int(params.get("pageSize", "25")), shelf.largest_page)
            start = 0 if params.get("cursorMark", "*") == "*" else int(params["cursorMark"].removeprefix("AoE"))
            page = found[start : start + size]
            document: Json = {
                "version": "6.9",
                "hitCount": len(found),
                "request": {"queryString": params["query"], "resultType": "core"},
                "resultList": {"result": [_of_europe_pmc(work) for work in page]},
            }
            if start + size < len(found):
                document["nextCursorMark"] = f"AoE{start + size}"
            return _json(document)
        case [pmcid, "fullTextXML"]:
            work = next((one for one in shelf.works.values() if one.pmcid == pmcid), None)
            if work is None:
                raise Missing(pmcid)
            return jats(work, shelf.works)
        case ["MED", pmid, what] if what in ("references", "citations"):
            work = next((one for one in shelf.works.values() if one.pmid == pmid), None)
            linked = [] if work is None else shelf.cited(work) if what == "references" else shelf.citers(work)
            name = what.removesuffix("s")
            size, place = min(int(params["pageSize"]), shelf.largest_page), int(params["page"])
            here = linked[(place - 1) * size : place * size]
            return _json({"hitCount": len(linked), f"{name}List": {name: [_linked(one) for one in here]}})
    raise Missing(path)


def _of_europe_pmc(work: Work) -> Json:
    people = [name.partition(", ") for name in work.authors]
    document: Json = {
        "id": work.pmid,
        "source": "MED",
        "pmid": work.pmid,
        "doi": work.doi,
        "title": f"{work.title}.",
        "authorString": ", ".join(f"{family} {given[0]}" for family, _, given in people) + ".",
        "authorList": {
            "author": [{"lastName": family, "firstName": given, "initials": given[0]} for family, _, given in people]
        },
        "journalInfo": {"journal": {"title": work.journal}, "yearOfPublication": work.year},
        "pubYear": str(work.year),
        "abstractText": work.abstract,
        "isOpenAccess": "Y" if work.access == "xml" else "N",
        "pubTypeList": {
            "pubType": [
                "research-article",
                *(["Retracted Publication"] if work.retracted and not work.republished else []),
            ]
        },
    }
    if work.pmcid:
        document["pmcid"] = work.pmcid
    if work.retracted:
        note = {
            "id": "90999999",
            "source": "MED",
            "reference": "J Invented Towns. 2024 May;1:1",
            "type": "Retracted and republished in" if work.republished else "Retraction in",
        }
        document["commentCorrectionList"] = {"commentCorrection": [note]}
    return document


def _linked(work: Work) -> Json:
    return {
        "id": work.pmid,
        "source": "MED",
        "title": work.title,
        "authorString": ", ".join(work.authors),
        "journalAbbreviation": work.journal,
        "pubYear": work.year,
        "doi": work.doi,
    }


# ---- PubMed ----


def pubmed(shelf: Shelf, path: str, params: Params) -> bytes:
    """`esearch.fcgi` and `efetch.fcgi`."""
    known = {work.pmid: work for work in shelf.works.values() if work.in_pubmed}
    if path == "esearch.fcgi":
        if params["term"].count("(") != params["term"].count(")"):
            return _json({"header": {"type": "esearch"}, "esearchresult": {"ERROR": "Invalid query: brackets"}})
        within = (params.get("mindate", ""), params.get("maxdate", ""))
        found = [work for work in shelf.found(params["term"], *within) if work.pmid in known]
        listed = [work.pmid for work in found][: min(int(params.get("retmax", "20")), shelf.longest_list)]
        return _json(
            {
                "header": {"type": "esearch", "version": "0.3"},
                "esearchresult": {
                    "count": str(len(found)),
                    "retmax": str(len(listed)),
                    "retstart": "0",
                    "idlist": listed,
                },
            }
        )
    if path == "efetch.fcgi":
        articles = "".join(_of_pubmed(known[one]) for one in params["id"].split(",") if one in known)
        return f'<?xml version="1.0" ?>\n<PubmedArticleSet>{articles}</PubmedArticleSet>'.encode()
    raise Missing(path)


def _of_pubmed(work: Work) -> str:
    people = "".join(
        f"<Author><LastName>{escape(family)}</LastName><ForeName>{escape(given)}</ForeName></Author>"
        for family, _, given in (name.partition(", ") for name in work.authors)
    )
    banks = (
        "<DataBankList><DataBank><DataBankName>ClinicalTrials.gov</DataBankName><AccessionNumberList>"
        f"<AccessionNumber>{work.trial}</AccessionNumber></AccessionNumberList></DataBank></DataBankList>"
    )
    kind = "RetractedandRepublishedIn" if work.republished else "RetractionIn"
    retraction = (
        f'<CommentsCorrectionsList><CommentsCorrections RefType="{kind}"><RefSource>J Invented Towns. 2024 May;1:1'
        "</RefSource><PMID>90999999</PMID></CommentsCorrections></CommentsCorrectionsList>"
    )
    kinds = "<PublicationType>Journal Article</PublicationType>"
    if work.retracted and not work.republished:
        kinds += "<PublicationType>Retracted Publication</PublicationType>"
    pmc = f'<ArticleId IdType="pmc">{work.pmcid}</ArticleId>' if work.pmcid else ""
    return (
        f'<PubmedArticle><MedlineCitation><PMID Version="1">{work.pmid}</PMID><Article><Journal><JournalIssue><PubDate>'
        f"<Year>{work.year}</Year></PubDate></JournalIssue><Title>{escape(work.journal)}</Title></Journal>"
        f"<ArticleTitle>{escape(work.title)}.</ArticleTitle><Abstract><AbstractText>{escape(work.abstract)}</AbstractText></Abstract>"
        f"<AuthorList>{people}</AuthorList>{banks if work.trial else ''}"
        f"<PublicationTypeList>{kinds}</PublicationTypeList></Article>{retraction if work.retracted else ''}</MedlineCitation>"
        f'<PubmedData><ArticleIdList><ArticleId IdType="doi">{escape(work.doi)}</ArticleId>{pmc}</ArticleIdList></PubmedData></PubmedArticle>'
    )


# ---- Crossref, Unpaywall ----


def crossref(shelf: Shelf, path: str, params: Params) -> bytes:
    """`works` by DOIs or by words, and `works/{DOI}`. It writes DOIs in upper case."""
    if path.startswith("works/"):
        work = shelf.of_doi(path.removeprefix("works/"))
        return _json({"status": "ok", "message-type": "work", "message": _of_crossref(shelf, work)})
    if path != "works":
        raise Missing(path)
    filters = [one.partition(":") for one in params.get("filter", "").split(",")]
    wanted = {value.lower() for name, _, value in filters if name == "doi"}
    if wanted:
        found = [work for work in shelf.works.values() if work.doi.lower() in wanted]
    else:
        within = {name: value for name, _, value in filters}
        years = (within.get("from-pub-date", ""), within.get("until-pub-date", ""))
        found = shelf.found(params["query.bibliographic"], *years)
    found = found[: int(params.get("rows", "20"))]
    message = {"total-results": len(found), "items": [_of_crossref(shelf, work) for work in found]}
    return _json({"status": "ok", "message-type": "work-list", "message": message})


def _of_crossref(shelf: Shelf, work: Work) -> Json:
    document: Json = {
        "DOI": work.doi.upper(),
        "type": "journal-article",
        "title": [work.title],
        "author": [
            {"family": family, "given": given, "sequence": "additional"}
            for family, _, given in (name.partition(", ") for name in work.authors)
        ],
        "container-title": [work.journal],
        "issued": {"date-parts": [[work.year, 3]]},
        "abstract": f"<jats:p>{escape(work.abstract)}</jats:p>",
        "reference": [
            {"key": f"r{one.number}", "DOI": one.doi, "article-title": one.title, "year": str(one.year)}
            for one in shelf.cited(work)
        ],
    }
    if work.retracted:
        updated = {"date-time": f"{work.retracted}T00:00:00Z"}
        notice = {"DOI": "10.5555/retraction.1", "type": "retraction", "label": "Retraction", "updated": updated}
        document["updated-by"] = [notice | {"source": "publisher"}, notice | {"source": "retraction-watch"}]
    return document


def unpaywall(shelf: Shelf, path: str, params: Params) -> bytes:
    """`{DOI}?email=`."""
    if "@" not in params.get("email", ""):
        raise Refused("Please use your own email address in API calls.")
    work = shelf.of_doi(path)
    place = {
        "url_for_pdf": f"{shelf.address}/files/{work.number}.pdf",
        "host_type": "repository",
        "version": "publishedVersion",
    }
    is_open = work.access != "closed"
    return _json(
        {
            "doi": work.doi.lower(),
            "is_oa": is_open,
            "best_oa_location": place if is_open else None,
            "oa_locations": [place] if is_open else [],
        }
    )


def files(shelf: Shelf, path: str, params: Params) -> bytes:
    """The open copies that Unpaywall points at; one site wants a login."""
    work = shelf.works.get(int(path.removesuffix(".pdf")) if path.removesuffix(".pdf").isdigit() else -1)
    if work is None or work.access == "closed":
        raise Missing(path)
    return b"<!doctype html><title>Sign in</title><p>Sign in to read." if work.access == "login" else pdf(work)


# ---- OpenAlex, Semantic Scholar ----


def openalex(shelf: Shelf, path: str, params: Params) -> bytes:
    """`works` by search, by numbers or by what they cite, and one work. A cursor needs a key."""
    if path.startswith("works/doi:"):
        return _json(_of_openalex(shelf.of_doi(path.removeprefix("works/doi:"))))
    if path != "works":
        raise Missing(path)
    within = dict(one.partition(":")[::2] for one in params.get("filter", "").split(","))
    years = [within.pop(name, "")[:4] for name in ("from_publication_date", "to_publication_date")]
    kind, value = next(iter(within.items()), ("", ""))
    wanted = value.lower().split("|")
    found = {
        "": lambda: shelf.found(params.get("search", ""), *years),
        "doi": lambda: [one for one in shelf.works.values() if one.doi.lower() in wanted],
        "pmid": lambda: [one for one in shelf.works.values() if one.pmid in wanted],
        "openalex": lambda: [one for one in shelf.works.values() if f"w{one.number}" in wanted],
        "cites": lambda: [one for one in shelf.works.values() if any(f"w{cited}" in wanted for cited in one.cites)],
    }[kind]()
    size = min(int(params.get("per_page", "25")), shelf.largest_page)
    if "cursor" in params and "api_key" not in params:
        raise Unknown("Cursor paging requires an API key.")
    first_page = params.get("cursor", "*") == "*"
    start = (int(params.get("page", "1")) - 1) * size if first_page else int(params["cursor"])
    following = str(start + size) if start + size < len(found) else None
    page = [_of_openalex(work) for work in found[start : start + size]]
    return _json({"meta": {"count": len(found), "per_page": size, "next_cursor": following}, "results": page})


def _of_openalex(work: Work) -> Json:
    places: dict[str, list[int]] = {}
    for place, word in enumerate(work.abstract.split()):
        places.setdefault(word, []).append(place)
    return {
        "id": f"https://openalex.org/W{work.number}",
        "doi": f"https://doi.org/{work.doi}",
        "display_name": work.title,
        "publication_year": work.year,
        "ids": {"pmid": f"https://pubmed.ncbi.nlm.nih.gov/{work.pmid}"},
        "authorships": [{"author": {"display_name": " ".join(reversed(name.split(", ")))}} for name in work.authors],
        "primary_location": {"source": {"display_name": work.journal}},
        "abstract_inverted_index": places,
        "is_retracted": bool(work.retracted),
        "referenced_works": [f"https://openalex.org/W{one}" for one in work.cites],
    }


def semantic_scholar(shelf: Shelf, path: str, params: Params) -> bytes:
    """`paper/search`, `paper/search/bulk`, `paper/DOI:{DOI}/references` and `citations`."""
    if path == "paper/search/bulk":
        found = [] if _OPERATOR.search(params["query"]) else shelf.found(_with_words(params["query"]))
        start = int(params.get("token", "0"))
        page = found[start : start + shelf.largest_page]
        document: Json = {"total": len(found), "data": [_of_semantic_scholar(work) for work in page]}
        if start + shelf.largest_page < len(found):
            document["token"] = str(start + shelf.largest_page)
        return _json(document)
    if path == "paper/search":
        first, _, last = params.get("year", "").partition("-")
        found = shelf.found(" OR ".join(params["query"].split()), first, last)[: int(params["limit"])]
        return _json({"total": len(found), "offset": 0, "data": [_of_semantic_scholar(work) for work in found]})
    asked = re.fullmatch(r"paper/DOI:(.+)/(references|citations)", path)
    if asked is None:
        raise Missing(path)
    work = shelf.of_doi(asked[1])
    linked, name = (
        (shelf.cited(work), "citedPaper") if asked[2] == "references" else (shelf.citers(work), "citingPaper")
    )
    start, size = int(params.get("offset", "0")), min(int(params.get("limit", "100")), shelf.largest_page)
    document = {"offset": start, "data": [{name: _of_semantic_scholar(one)} for one in linked[start : start + size]]}
    if start + size < len(linked):
        document["next"] = start + size
    return _json(document)


_OPERATOR = re.compile(r"\b(?:AND|OR|NOT)\b")  # Semantic Scholar reads these as words, which no paper has


def _with_words(query: str) -> str:
    return query.replace("|", " OR ").replace("+", " ")


def _of_semantic_scholar(work: Work) -> Json:
    return {
        "paperId": f"{work.number:040x}",
        "externalIds": {"DOI": work.doi, "PubMed": work.pmid},
        "title": work.title,
        "year": work.year,
        "venue": work.journal,
        "abstract": work.abstract,
        "authors": [{"name": " ".join(reversed(name.split(", ")))} for name in work.authors],
    }


# ---- ClinicalTrials.gov ----


def clinical_trials(shelf: Shelf, path: str, params: Params) -> bytes:
    """`studies` and one study."""
    known = {work.trial: work for work in shelf.works.values() if work.trial}
    if path.startswith("studies/"):
        number = path.removeprefix("studies/").upper()
        if number not in known:
            raise Missing(number)
        return _json(_of_clinical_trials(known[number]))
    if path != "studies":
        raise Missing(path)
    if "filter.ids" in params:
        found = [known[one] for one in params["filter.ids"].split("|") if one in known]
    else:
        found = [work for work in shelf.found(params["query.term"]) if work.trial]
    start, size = int(params.get("pageToken", "0")), min(int(params.get("pageSize", "10")), shelf.largest_page)
    document: Json = {"studies": [_of_clinical_trials(work) for work in found[start : start + size]]}
    if start == 0:
        document["totalCount"] = len(found)
    if start + size < len(found):
        document["nextPageToken"] = str(start + size)
    return _json(document)


def _of_clinical_trials(work: Work) -> Json:
    return {
        "protocolSection": {
            "identificationModule": {
                "nctId": work.trial,
                "briefTitle": f"Walking for sleep in town {work.number}",
                "officialTitle": f"Walking and sleep in town {work.number}",
            },
            "statusModule": {
                "overallStatus": "COMPLETED",
                "startDateStruct": {"date": f"{work.year - 2}-01"},
                "primaryCompletionDateStruct": {"date": f"{work.year - 1}-06"},
                "studyFirstSubmitDate": f"{work.year - 2}-02-11",
                "lastUpdatePostDateStruct": {"date": f"{work.year - 1}-09-01"},
            },
            "sponsorCollaboratorsModule": {"leadSponsor": {"name": "University of Invented Towns"}},
            "descriptionModule": {"briefSummary": f"Whether walking improves sleep in town {work.number}."},
            "outcomesModule": {
                "primaryOutcomes": [{"measure": "Daytime tiredness", "timeFrame": "8 weeks"}],
                "secondaryOutcomes": [
                    {"measure": "Sleep quality on a diary", "timeFrame": "8 weeks"},
                    {"measure": "Falls at home", "timeFrame": "6 months"},
                ],
            },
        }
    }


WIRES: Mapping[str, tuple[Callable[[Shelf, str, Params], bytes], str]] = {
    "europepmc": (europe_pmc, "application/json"),
    "pubmed": (pubmed, "application/json"),
    "crossref": (crossref, "application/json"),
    "unpaywall": (unpaywall, "application/json"),
    "openalex": (openalex, "application/json"),
    "semanticscholar": (semantic_scholar, "application/json"),
    "clinicaltrials": (clinical_trials, "application/json"),
    "files": (files, "application/pdf"),
}


def _json(document: Json) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()
