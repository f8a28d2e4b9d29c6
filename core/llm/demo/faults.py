"""How the server misbehaves on demand: always, or for the first N calls (`429`, `429x2`).

A fault is asked for by the header `x-demo-fault`, at the end of the model's name (`demo-429x2`), or for the whole server.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from core.errors import QueryError


class Fault(StrEnum):
    """What goes wrong."""

    BAD_REQUEST = "400"  # the message repeats the key
    BAD_KEY = "401"  # the message repeats parts of the key, as some servers do
    NO_MONEY = "402"
    FORBIDDEN = "403"
    NO_MODEL = "404"
    TOO_MANY_REQUESTS = "429"  # with Retry-After
    NO_QUOTA = "quota"
    SERVER_ERROR = "500"
    OVERLOADED = "529"
    HANG = "hang"  # no answer for an hour
    DROP = "drop"  # the connection closes without an answer
    WEB_PAGE = "html"
    OTHER_JSON = "otherjson"
    NO_SCHEMAS = "noschema"  # requests with a schema are refused
    UNHEEDED = "unheeded"  # schemas are taken and not heeded
    NEW_LIMIT = "newlimit"  # chat completions want `max_completion_tokens`
    CUT_OFF = "cutoff"  # at the limit of output tokens, and says so
    CUT_JSON = "cutjson"  # ends in the middle, and does not say so
    PROSE = "prose"  # words around the JSON
    REFUSAL = "refusal"
    WRONG = "wrong"  # an index that is not in the text
    MANY = "many"  # more indices than allowed
    DUPLICATES = "duplicates"
    INVENTED = "invented"  # quotes that are not in the text
    MISSING = "missing"  # leaves a signalling question without an answer
    ODD = "odd"  # a level, an answer or a letter that is none of those asked for
    EMPTY = "empty"
    NO_USAGE = "nousage"  # no count of tokens


_NAMED = re.compile(rf"({'|'.join(Fault)})(?:x(\d+))?")


@dataclass(frozen=True, slots=True)
class Order:
    """A fault, and for how many calls."""

    fault: Fault
    first: int | None = None  # None: for all


def order_named(name: str) -> Order:
    """The order called `name`, as `429x2`. Raises `QueryError` if there is no such fault."""
    found = _NAMED.fullmatch(name)
    if found is None:
        raise QueryError(
            f"There is no fault called “{name}”. Choose one of: {', '.join(Fault)}; `x2` limits it to 2 calls."
        )
    return Order(Fault(found[1]), int(found[2]) if found[2] else None)


def order_in_model(model: str) -> Order | None:
    """The order at the end of a model's name (`demo-429x2`); None if there is none."""
    last = model.rpartition("-")[2]
    return order_named(last) if "-" in model and _NAMED.fullmatch(last) else None
