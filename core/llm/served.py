"""What a compatible server tells of a model: how much text it reads at once, and how large it is; and how fast it answers.

Servers of one's own cut what is too long without a word, or refuse it. So they are asked, each in its own way: vLLM
(`max_model_len` in the list of models), Ollama (`/api/ps`, `/api/show`), LM Studio (`/api/v1/models`, `/api/v0/models`)
and llama.cpp (`/props`). A server that tells nothing is taken at its word, and nothing is cut.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from core.errors import RequestRefused, ServerUnreachable
from core.llm.access import ProviderAccess, server_document
from core.llm.model import Reply, Request
from core.llm.provider import Json, context_text, system_text, task_text

OLLAMA_DEFAULT = 4096  # tokens: what Ollama gives a model on a machine with less than 24 GB of graphics memory
SMALL = 4.5e9  # parameters: up to here a model is asked in the plain form, which it keeps to more easily
_LEAST_OUTPUT = 1024  # tokens that are kept free for an answer, if the context is as long as four times that
_CHARACTERS_A_TOKEN = 3.0  # on the safe side: numbers and symbols need more than the usual four
_MOST_LOOKS = 3.0  # seconds for each question; a server that has the model tells at once
_SIZE = re.compile(r"(?<![a-z0-9.])(\d+(?:\.\d+)?)\s*([bm])(?![a-z0-9])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A model as its server runs it; None where the server does not say."""

    context: int | None = None  # tokens that a question and its answer may have together
    longest: int | None = None  # what the model could have, if the server were set so
    parameters: float | None = None

    @property
    def is_small(self) -> bool:
        """Whether it is asked in the plain form from the start."""
        return self.parameters is not None and self.parameters <= SMALL


def served_model(access: ProviderAccess, model: str, *, patience: float = _MOST_LOOKS) -> ServedModel:
    """What the server tells of a model, asked at once in the ways of all programs. Never raises: it may tell nothing."""
    try:
        listed = server_document(access, "/models", patience=patience)
    except ServerUnreachable:
        return ServedModel(parameters=_size_in(model))
    found = _of_vllm(listed, model)
    for ask in (_of_ollama, _of_lm_studio, _of_llama_cpp):
        if found is not None:
            break
        try:
            found = ask(access, model, patience)
        except ServerUnreachable:  # another program's way
            continue
    found = found or ServedModel()
    return found if found.parameters else replace(found, parameters=_size_in(model))


def _of_vllm(listed: Json, model: str) -> ServedModel | None:
    for one in _items(listed, "data"):
        if one.get("id") == model and (length := _count(one.get("max_model_len"))):
            return ServedModel(length, length)
    return None


def _of_ollama(access: ProviderAccess, model: str, patience: float) -> ServedModel | None:
    """What is loaded now has the context it was loaded with; else the model's own setting, or Ollama's default."""
    shown = server_document(access, "/api/show", {"model": model}, root=True, patience=patience)
    info = _mapping(shown.get("model_info"))
    longest = _count(info.get(f"{info.get('general.architecture')}.context_length"))
    details = _mapping(shown.get("details"))
    if longest is None and not details:
        return None
    running = _items(server_document(access, "/api/ps", root=True, patience=patience), "models")
    names = {model, f"{model}:latest"}
    loaded = next((_count(one.get("context_length")) for one in running if one.get("name") in names), None)
    setting = re.search(r"^num_ctx\s+(\d+)", str(shown.get("parameters") or ""), re.MULTILINE)
    context = loaded or (int(setting[1]) if setting else OLLAMA_DEFAULT)
    size = _size_in(str(details.get("parameter_size") or ""))
    return ServedModel(min(context, longest) if longest else context, longest, size)


def _of_lm_studio(access: ProviderAccess, model: str, patience: float) -> ServedModel | None:
    try:
        listed = server_document(access, "/api/v1/models", root=True, patience=patience)
    except ServerUnreachable:  # before 0.4
        listed = server_document(access, "/api/v0/models", root=True, patience=patience)
    for one in (*_items(listed, "models"), *_items(listed, "data")):
        instances = _items(one, "loaded_instances")
        if model not in {one.get("key"), one.get("id"), *(instance.get("id") for instance in instances)}:
            continue
        longest = _count(one.get("max_context_length"))
        lengths = [_count(_mapping(instance.get("config")).get("context_length")) for instance in instances]
        loaded = _count(one.get("loaded_context_length")) or min((length for length in lengths if length), default=None)
        return ServedModel(loaded, longest, _size_in(str(one.get("params_string") or "")))
    return None


def _of_llama_cpp(access: ProviderAccess, model: str, patience: float) -> ServedModel | None:
    props = server_document(access, "/props", root=True, patience=patience)
    context = _count(_mapping(props.get("default_generation_settings")).get("n_ctx"))
    return ServedModel(context) if context else None


def _items(document: Json, key: str) -> list[Json]:
    found = document.get(key)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _count(value: Any) -> int | None:
    return value if type(value) is int and value > 0 else None


def _size_in(text: str) -> float | None:
    """The parameters that a name tells: 8e9 of `llama-3.1-8b-instruct`, or `8.0B`."""
    found = _SIZE.search(text.replace("_", "-"))
    return float(found[1]) * (1e9 if found[2].lower() == "b" else 1e6) if found else None


# ---- fitting ----
# What is longer than a model's context is cut at a line's end, and said to be: a server would drop the task instead.


def tokens_of(request: Request) -> int:
    """About how many tokens a request has for a server without schemas, on the safe side."""
    return _tokens(system_text(request), context_text(request), task_text(request, plain=True))


def fitted(request: Request, context: int) -> tuple[Request, int]:
    """The request, with room for its answer, as long as it may be; and how many lines of its text were left out.

    Raises `RequestRefused` where not even a part of the text fits.
    """
    output = min(request.max_output_tokens, max(min(_LEAST_OUTPUT, context // 2), context // 4))
    if tokens_of(request) + request.max_output_tokens <= context:
        return request, 0
    request = replace(request, max_output_tokens=output)
    room = context - output - tokens_of(replace(request, context=""))
    if _tokens(context_text(request)) <= room:
        return request, 0
    frame = _tokens(context_text(replace(request, context="-")))
    lines = request.context.split("\n")
    kept, characters = 0, 0.0
    for line in lines:
        characters += len(line) + 1
        if frame + characters / _CHARACTERS_A_TOKEN > room:
            break
        kept += 1
    # Where sentences are numbered, headings alone are nothing to ask about.
    needed = [line.startswith("[") for line in lines]
    if len(lines) > 1 and not (any(needed[:kept]) if any(needed) else kept):
        raise RequestRefused(
            f"The server gives the model {context:,} tokens at once, too few for this question. "
            "Start it with more (docs/local-models.md says how), or choose another model."
        )
    return replace(request, context="\n".join(lines[:kept])), len(lines) - kept


def _tokens(*parts: str) -> int:
    return round(sum(map(len, parts)) / _CHARACTERS_A_TOKEN) + 1


# ---- speed ----


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast a server reads and writes, in tokens a second, one question at a time."""

    reading: float
    writing: float

    def seconds(self, calls: int, input_tokens: int) -> float:
        """About how long so many questions take, one after the other, with answers of the usual length."""
        return input_tokens / self.reading + calls * _USUAL_ANSWER / self.writing


_USUAL_ANSWER = 300  # tokens: a short reason, and some numbers with their first words
_TO_READ = "The participants walked for thirty minutes on five days of each week. " * 60  # about 800 tokens
_PROBES = (  # a long question with a short answer, and the reverse
    Request("", _TO_READ, "Answer with the word yes.", None, max_output_tokens=4),
    Request("", "", "Write about walking, in two hundred words.", None, max_output_tokens=120),
)


def probes(salt: str) -> tuple[Request, ...]:
    """The questions by which a speed is measured; the salt keeps a server from knowing the text already."""
    return tuple(
        replace(one, task=f"{salt} {one.task}", context=one.context and f"{salt} {one.context}") for one in _PROBES
    )


def speed_from(long: Reply, short: Reply) -> Speed:
    """The speed that two replies to `probes` tell, by the tokens that the server counted or an estimate of them."""
    read_in = long.usage.input_tokens or len(_TO_READ) // 4
    written = short.usage.output_tokens or max(1, len(short.text) // 4)
    return Speed(read_in / max(long.seconds, 1e-3), written / max(short.seconds, 1e-3))


def keep_speed(speed: Speed, folder: Path, access: ProviderAccess, model: str) -> None:
    """Write a measured speed down, for runs that begin later. One that cannot be written is not missed."""
    file = _speed_file(folder, access, model)
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(asdict(speed)), encoding="utf-8")


def kept_speed(folder: Path, access: ProviderAccess, model: str) -> Speed | None:
    """The speed that was measured last of a model at this address; None where none was."""
    try:
        kept = json.loads(_speed_file(folder, access, model).read_text(encoding="utf-8"))
        speed = Speed(float(kept["reading"]), float(kept["writing"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return speed if speed.reading > 0 and speed.writing > 0 else None


def _speed_file(folder: Path, access: ProviderAccess, model: str) -> Path:
    return folder / f"{sha256(f'{access.address} {model}'.encode()).hexdigest()[:32]}.json"
