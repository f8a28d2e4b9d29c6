"""Load, check and hash the templates in `prompts/`, so that a run can record the exact words with which it asked.

A file begins with a line or two for people, followed by parts. The part `[variables]` names the variables that the file
uses; every other part is text with `$name` where a variable's value goes (`$$` is a dollar sign).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template

from core.errors import PromptError

FOLDER = Path(__file__).parents[1] / "prompts"
_PART = re.compile(r"^\[([a-z-]+)\]\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A template that has been checked."""

    name: str
    parts: Mapping[str, str]
    hash: str  # the first 16 hexadecimal digits of the file's SHA-256

    def fill(self, part: str, /, **values: object) -> str:
        """A part with its variables filled in. The values themselves are never read as a template."""
        return Template(self.parts[part]).substitute(values)


def load_prompt(
    name: str, *, variables: Iterable[str], parts: Iterable[str] = ("task",), folder: Path = FOLDER
) -> Prompt:
    """The template `name`, which must have these variables and these parts.

    Raises `PromptError` if the file is missing, lacks a part, or declares or uses other variables.
    """
    path = folder / f"{name}.md"
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise PromptError(f"The prompt prompts/{path.name} is missing. Put it back from the repository.") from None
    found = _parts_of(data.decode("utf-8"))
    declared = set(filter(None, re.split(r"[,\s]+", found.pop("variables", ""))))
    used = {variable for text in found.values() for variable in Template(text).get_identifiers()}
    for what, wrong in (
        ("lacks the part", set(parts) - set(found)),
        ("does not declare the variable", (set(variables) | used) - declared),
        ("declares the unknown variable", declared - set(variables)),
        ("declares, but does not use, the variable", declared - used),
        (
            "holds a stray dollar sign in the part",
            {part for part, text in found.items() if not Template(text).is_valid()},
        ),
    ):
        if wrong:
            raise PromptError(f"The prompt prompts/{path.name} {what} “{min(wrong)}”. Correct the file.")
    return Prompt(name, found, hashlib.sha256(data).hexdigest()[:16])


def load_any_prompt(name: str, data: bytes) -> Prompt:
    """A template with any parts. Raises `PromptError` if it is not text, or has a part twice or a stray dollar sign."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise PromptError(f"The template “{name}” is no text in UTF-8. Save it as plain text.") from None
    names = _PART.findall(text.replace("\r\n", "\n"))
    if twice := next((part for part in names if names.count(part) > 1), None):
        raise PromptError(f"The template “{name}” has the part [{twice}] twice. Correct the file.")
    found = _parts_of(text)
    found.pop("variables", None)
    if stray := next((part for part, text in found.items() if not Template(text).is_valid()), None):
        raise PromptError(
            f"The template “{name}” holds a stray dollar sign in the part [{stray}]. Write $$ for a dollar sign."
        )
    return Prompt(name, found, hashlib.sha256(data).hexdigest()[:16])


def _parts_of(text: str) -> dict[str, str]:
    _, *pieces = _PART.split(text.replace("\r\n", "\n"))
    return {name: body.strip() for name, body in zip(pieces[::2], pieces[1::2], strict=True)}
