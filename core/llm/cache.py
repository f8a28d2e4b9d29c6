"""Replies on disk, by the full request: a question that was paid for once is never paid for again.

Each reply is a small file of its own. It is written as soon as the reply arrives, whole or not at all, so that any
number of processes may share the folder, and one that is killed loses only the calls in flight. It holds the reply,
not the request, and no key. Only good replies are kept: a refusal, a cut-off or an unreadable reply is asked for
again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from dataclasses import asdict
from pathlib import Path

from pydantic import BaseModel, ValidationError

from core.llm.model import Form, LanguageModel, Reply, Request, Usage
from core.llm.wire import answer_in, strict_schema

_VERSION = 1  # raise it when the same request begins to be sent in other words


class ReplyCache:
    """A folder of replies. It can be deleted at any time; the replies then cost again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self, model: LanguageModel, request: Request) -> Reply | None:
        """The reply to the very same request; None if there is none, or the file is damaged."""
        try:
            stored = _Stored.model_validate_json(self.path(model, request).read_bytes())
        except (OSError, ValidationError):
            return None
        data, problem = answer_in(stored.text, request.schema, stored.form)
        if problem is not None:
            return None
        usage = Usage(**stored.usage)
        return Reply(stored.text, data, None, usage, stored.seconds, stored.model, stored.form, from_cache=True)

    def store(self, model: LanguageModel, request: Request, reply: Reply) -> None:
        """Keep a good reply. A full or read-only disk is no reason to fail: the reply is still there to be used."""
        if reply.problem is not None or reply.from_cache:
            return
        stored = _Stored(
            form=reply.form, text=reply.text, model=reply.model, usage=asdict(reply.usage), seconds=reply.seconds
        )
        path = self.path(model, request)
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
            try:
                with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass") as file:
                    file.write(stored.model_dump_json())
                Path(temporary).replace(path)
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise

    def path(self, model: LanguageModel, request: Request) -> Path:
        """The file of the reply to a request."""
        key = request_key(model, request)
        return self._folder / key[:2] / f"{key}.json"


def request_key(model: LanguageModel, request: Request) -> str:
    """A hash of all that decides the answer: provider, model, address, every text, the schema and the limit.

    The request holds both the schema and the plain form, so one key serves whichever the server takes.
    """
    schema = [request.schema.__name__, strict_schema(request.schema)] if request.schema else None
    texts = [request.system, request.context, request.task, request.plain]
    parts = [_VERSION, model.name, model.address, texts, schema, request.max_output_tokens]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


class _Stored(BaseModel):
    form: Form
    text: str
    model: str
    usage: dict[str, int | None]
    seconds: float
