"""What a compatible server reports about a model (its context length and its size), and how fast it answers.

Local servers silently cut a request that is too long, or refuse it. So they are asked for the context length, each
in its own way: vLLM (`max_model_len` in the list of models), Ollama (`/api/ps`, `/api/show`), LM Studio
(`/api/v1/models`, `/api/v0/models`) and llama.cpp (`/props`). If a server reports none, nothing is cut.
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
from core.llm.model import Reply, Request, sentence_numbers
from core.llm.provider import Json, context_text, system_text, task_text

OLLAMA_DEFAULT = 4096  # tokens: Ollama's default context on a machine with less than 24 GB of graphics memory
SMALL = 4.5e9  # parameters: models up to this size are asked in the plain form, which they follow more reliably
_LEAST_OUTPUT = 1024  # the least tokens reserved for an answer, or half of the context if that is less
_CHARACTERS_A_TOKEN = 3.0  # conservative, because numbers and symbols have fewer than the usual four
_MOST_LOOKS = 3.0  # timeout in seconds for each question; a server that has the model answers at once
_SIZE = re.compile(r"(?<![a-z0-9.])(\d+(?:\.\d+)?)\s*([bm])(?![a-z0-9])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A model as its server runs it; None if the server does not say."""

    context: int | None = None  # the most tokens of a question and its answer together
    longest: int | None = None  # the longest context that the server could be configured to give the model
    parameters: float | None = None

    @property
    def is_small(self) -> bool:
        """Whether it is asked in the plain form from the start."""
        return self.parameters is not None and self.parameters <= SMALL


def served_model(access: ProviderAccess, model: str, *, patience: float = _MOST_LOOKS) -> ServedModel:
    """What the server reports about a model. Each known program's interface is tried in turn.

    Never raises: a server may report nothing.
    """
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
        except ServerUnreachable:  # the server is not this program
            continue
    found = found or ServedModel()
    return found if found.parameters else replace(found, parameters=_size_in(model))


def _of_vllm(listed: Json, model: str) -> ServedModel | None:
    for one in _items(listed, "data"):
        if one.get("id") == model and (length := _count(one.get("max_model_len"))):
            return ServedModel(length, length)
    return None


def _of_ollama(access: ProviderAccess, model: str, patience: float) -> ServedModel | None:
    """The context that the model was loaded with; if it is not loaded, the model's own setting or Ollama's default."""
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
    except ServerUnreachable:  # versions before 0.4
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
    """The number of parameters in a name: 8e9 for `llama-3.1-8b-instruct` or `8.0B`."""
    found = _SIZE.search(text.replace("_", "-"))
    return float(found[1]) * (1e9 if found[2].lower() == "b" else 1e6) if found else None


# ---- fitting ----
# A text that exceeds the model's context is cut, and the user is told. Otherwise the server would drop the task, which
# comes last. It is cut at the end of a line, unless that would leave most of the room empty.


def tokens_of(request: Request) -> int:
    """A conservative estimate of a request's tokens, for a server that takes no schema."""
    return _tokens(system_text(request), context_text(request), task_text(request, plain=True))


def fitted(request: Request, context: int) -> tuple[Request, int]:
    """The request, shortened so that it and its answer fit the context, and how many lines of its text were left out.

    Raises `RequestRefused` if not even a part of the text fits.
    """
    output = min(request.max_output_tokens, max(min(_LEAST_OUTPUT, context // 2), context // 4))
    if tokens_of(request) + request.max_output_tokens <= context:
        return request, 0
    request = replace(request, max_output_tokens=output)
    room = context - output - tokens_of(replace(request, context=""))
    if not request.context or _tokens(context_text(request)) <= room:
        return request, 0
    frame = _tokens(context_text(replace(request, context="-")))
    lines = request.context.split("\n")
    free, kept = int((room - frame) * _CHARACTERS_A_TOKEN), list[str]()
    for line in lines:
        if len(line) + 1 > free:
            break
        kept.append(line)
        free -= len(line) + 1
    numbered = bool(sentence_numbers(request.context))
    whole = len(kept)
    if not numbered and sum(map(len, kept)) < free:  # such as a text without line breaks
        kept.append(lines[whole][: free - 1])
    # If the text has numbered sentences, at least one must be kept: headings alone are of no use.
    if not (sentence_numbers("\n".join(kept)) if numbered else "".join(kept).strip()):
        raise RequestRefused(
            f"The server gives the model {context:,} tokens at once, too few for this question. "
            "Start it with more (docs/local-models.md says how), or choose another model."
        )
    return replace(request, context="\n".join(kept)), len(lines) - whole


def _tokens(*parts: str) -> int:
    return round(sum(map(len, parts)) / _CHARACTERS_A_TOKEN) + 1


# ---- speed ----


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast a server reads and writes, in tokens per second, if it gets one question at a time."""

    reading: float
    writing: float

    def seconds(self, calls: int, input_tokens: int) -> float:
        """The approximate duration of so many calls, one after the other, with answers of the usual length."""
        return input_tokens / self.reading + calls * _USUAL_ANSWER / self.writing


_USUAL_ANSWER = 300  # tokens: a short reason, and some numbers with their first words
_TO_READ = "The participants walked for thirty minutes on five days of each week. " * 60  # about 800 tokens
_PROBES = (  # a long question with a short answer, and the reverse
    Request("", _TO_READ, "Answer with the word yes.", None, max_output_tokens=4),
    Request("", "", "Write about walking, in two hundred words.", None, max_output_tokens=120),
)


def probes(salt: str) -> tuple[Request, ...]:
    """The questions that measure a server's speed. The salt prevents the server from using its prompt cache."""
    return tuple(
        replace(one, task=f"{salt} {one.task}", context=one.context and f"{salt} {one.context}") for one in _PROBES
    )


def speed_from(long: Reply, short: Reply) -> Speed:
    """The speed that follows from the two replies to `probes`. Tokens that the server does not count are estimated."""
    read_in = long.usage.input_tokens or len(_TO_READ) // 4
    written = short.usage.output_tokens or max(1, len(short.text) // 4)
    return Speed(read_in / max(long.seconds, 1e-3), written / max(short.seconds, 1e-3))


def keep_speed(speed: Speed, folder: Path, access: ProviderAccess, model: str) -> None:
    """Save a measured speed for later runs. Errors of the disk are ignored."""
    file = _speed_file(folder, access, model)
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(asdict(speed)), encoding="utf-8")


def kept_speed(folder: Path, access: ProviderAccess, model: str) -> Speed | None:
    """The last measured speed of a model at this address; None if there is none."""
    try:
        kept = json.loads(_speed_file(folder, access, model).read_text(encoding="utf-8"))
        speed = Speed(float(kept["reading"]), float(kept["writing"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return speed if speed.reading > 0 and speed.writing > 0 else None


def _speed_file(folder: Path, access: ProviderAccess, model: str) -> Path:
    return folder / f"{sha256(f'{access.address} {model}'.encode()).hexdigest()[:32]}.json"
