"""Export the history of a project as a table: who decided what, when, and with which suggestions in view."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from types import MappingProxyType
from typing import Any

from core.export.table import table_csv
from core.store.model import RecordChange

COLUMNS = (
    *("time", "who", "what", "action", "study", "title", "item_id", "about", "outcome", "before", "after", "reason"),
    *("suggestions_seen", "version"),
)


@dataclass(frozen=True, slots=True)
class RecordKind:
    """How to describe changes to one kind of record, by its fields and by positions in its key."""

    what: str
    main: str = ""  # the field with the decision, which is always shown
    others: tuple[str, ...] = ()  # fields that are shown if they changed
    why: tuple[str, ...] = ()
    item: int | None = 1  # position of the paper's or reference's id; None: it belongs to the project
    about: int | str | None = None  # the position or field that says what was decided on


# The kinds of people's decisions, by the table's name.
RECORD_KINDS: Mapping[str, RecordKind] = MappingProxyType(
    {
        "projects": RecordKind(
            "project",
            "name",
            ("reviewers", "tool", "study", "blind", "criteria", "reasons", "hypotheses", "plan", "outcomes"),
            item=None,
        ),
        "papers": RecordKind("paper", "name", ("title", "citation", "study", "doi", "year", "authors", "file")),
        "bibliography": RecordKind("reference", "source", ("number", "paper", "matched")),
        "pairings": RecordKind("duplicate", "same", about=2),
        "screenings": RecordKind("screening", "verdict", ("fits", "note"), ("reason",)),
        "screening_consensus": RecordKind("screening consensus", "verdict", ("by",), ("reason", "why")),
        "judgements": RecordKind("risk of bias", "level", ("answers", "support", "set_level", "decisions"), ("comment",), about=4),
        "consensus": RecordKind("risk of bias consensus", "level", ("by",), ("reason",), about=4),
        "verdicts": RecordKind("verdict", "verdict", ("sentence", "effect"), ("comment",), about="hypothesis"),
        "verdict_consensus": RecordKind(
            "verdict consensus", "verdict", ("sentence", "effect", "by"), ("why",), about="hypothesis"
        ),
        "decisions": RecordKind("sentences", "sentences", about="hypothesis"),
        "summaries": RecordKind("plain summary", "labels", ("made",)),
        "contradictions": RecordKind("contradiction", "verdict", (), ("why",), about=3),
        "gradings": RecordKind("statements to grade", "title", item=None),
        "grades": RecordKind("grades of statements", "grades", ("by_model",), item=None, about=1),
        "searches": RecordKind("search", "strings", ("runs",), item=None, about="asked"),
    }
)  # fmt: skip
_NAMES = {"by": "between"}  # the reviewers whose judgements a consensus settles; who settled it is in another column
# The output of engines and services, which is left out because it is not a decision by people.
BY_MACHINES = frozenset(
    {"suggestions", "findings", "criteria", "sittings", "notices", "registrations", "claims", "articles"}
)


def decision_log(changes: Iterable[RecordChange], *, names: Mapping[str, str] = MappingProxyType({})) -> str:
    """One line per change by a person, in the order given, as CSV that is safe to open.

    `names` maps ids, such as those of domains and criteria, to names. Times are in UTC. `before` and `after` hold the
    decision and other changes, and are empty if there was no decision. Only changed decisions on sentences are given,
    each with the sentence's number from 0. The log hides nothing: filter the history first for a reviewer who is still
    blind.
    """
    known = list(changes)
    items = _items(known)
    return table_csv(COLUMNS, (_line(change, items, names) for change in known if change.kind not in BY_MACHINES))


def _line(change: RecordChange, items: Mapping[str, tuple[str, str]], names: Mapping[str, str]) -> dict[str, Any]:
    kind = RECORD_KINDS.get(change.kind, RecordKind(change.kind))
    body = change.after or change.before or {}
    item = change.key[kind.item] if kind.item is not None and kind.item < len(change.key) else ""
    study, title = items.get(item, ("", ""))
    if isinstance(kind.about, int):
        about = change.key[kind.about]
        about = names.get(about) or items.get(about, ("", ""))[0] or about
    else:
        about = str(body.get(kind.about, "")) if kind.about else ""
    return {
        "time": change.at.astimezone(UTC).isoformat(timespec="seconds"),
        "who": change.who,
        "what": kind.what,
        "action": change.action.value,
        "study": study,
        "title": title,
        "item_id": item,
        "about": about,
        "outcome": body.get("outcome", ""),
        "before": _said(kind, change.before, change.after, names),
        "after": _said(kind, change.after, change.before, names),
        "reason": "; ".join(words for field in kind.why if (words := " ".join(str(body.get(field) or "").split()))),
        "suggestions_seen": "; ".join(body.get("suggestions_seen", ())),
        "version": change.version,
    }


def _items(changes: Iterable[RecordChange]) -> dict[str, tuple[str, str]]:
    """(study, title) of every paper and reference in the history, as last stored."""
    found: dict[str, tuple[str, str]] = {}
    for change in changes:
        body = change.after or change.before or {}
        if change.kind == "papers":
            study = body.get("study") or body.get("citation") or body.get("name")
            found[change.key[1]] = str(study or ""), str(body.get("title") or "")
        elif change.kind == "bibliography":
            reference = body.get("reference") or {}
            first = [str(author).partition(",")[0] for author in reference.get("authors", ())[:1]]
            year = [str(reference["year"])] if reference.get("year") else []
            found[change.key[1]] = " ".join(first + year), str(reference.get("title") or "")
    return found


def _said(
    kind: RecordKind, body: Mapping[str, Any] | None, other: Mapping[str, Any] | None, names: Mapping[str, str]
) -> str:
    """The decision in one version of a record, with the other fields that differ from the other version."""
    if body is None:
        return ""
    if not kind.main:  # an unknown kind is shown completely
        return json.dumps(body, ensure_ascii=False, sort_keys=True)
    other = other or {}
    said = [_words(body.get(kind.main), other.get(kind.main), names)]
    for field in kind.others:
        value, before = body.get(field), other.get(field)
        if value != before and (words := _words(value, before, names)):
            said.append(f"{_NAMES.get(field, field.replace('_', ' '))}: {words}")
    return "; ".join(filter(None, said))


def _words(value: Any, other: Any, names: Mapping[str, str]) -> str:
    """A value in words. For a mapping, only the entries that differ from those of `other`."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case Mapping():
            others = other if isinstance(other, Mapping) else {}
            return ", ".join(_entries(value, others, names))
        case Sequence() if not isinstance(value, str):
            return ", ".join(_words(one, None, names) for one in value)
        case _:
            return names.get(str(value), str(value))


def _entries(value: Mapping[str, Any], other: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[str]:
    for key, entry in value.items():
        if entry != other.get(key) and (words := _words(entry, other.get(key), names)):
            yield f"{names.get(key, key)}: {words}"
