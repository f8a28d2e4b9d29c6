"""Templates of articles: files of linked questions on one topic, each of which becomes a section."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from string import Template

from core.answering.model import MOST_WORDS
from core.errors import PromptError, QueryError
from core.prompts import FOLDER, Prompt, load_any_prompt

TEMPLATES = ("treatment", "condition", "gene")  # shipped with Vouch, as prompts/articles-NAME.md
MOST_TOPIC_WORDS = 20
_OWN = ("title", "overview")  # parts of the file that are not sections


@dataclass(frozen=True, slots=True)
class SectionQuestion:
    """A section to write."""

    part: str  # its name in the file
    heading: str
    question: str
    uses: tuple[str, ...] = ()  # earlier parts that the question refers to


@dataclass(frozen=True, slots=True)
class ArticleTemplate:
    """A template that was checked to be valid."""

    name: str
    hash: str
    prompt: Prompt

    def title(self, topic: str) -> str:
        """The article's title."""
        return self.prompt.fill("title", topic=_one_line(topic))

    def overview(self, topic: str) -> str:
        """The question that the overview answers."""
        return _one_line(self.prompt.fill("overview", topic=_one_line(topic)))

    def sections(self, topic: str) -> tuple[SectionQuestion, ...]:
        """The sections in the file's order. Raises `QueryError` for a topic that is empty or too long."""
        words = len(topic.split())
        if not 1 <= words <= MOST_TOPIC_WORDS:
            raise QueryError(f"The topic has {words} words. Name one of 1 to {MOST_TOPIC_WORDS} words.")
        return tuple(_section(self.prompt, part, topic) for part in self.prompt.parts if part not in _OWN)


def template_named(name: str) -> ArticleTemplate:
    """A template that ships with Vouch, by its name, or a template in a file.

    Raises `QueryError` if there is none, and `PromptError` if the file is not a valid template.
    """
    path = FOLDER / f"articles-{name}.md" if name in TEMPLATES else Path(name)
    if path.suffix != ".md" or not path.is_file():
        raise QueryError(
            f"There is no template “{name}”. Name one of {', '.join(TEMPLATES)}, or a file that ends with .md."
        )
    prompt = load_any_prompt(name if name in TEMPLATES else path.name, path.read_bytes())
    if wrong := next(_faults(prompt), None):
        raise PromptError(f"The template “{prompt.name}” {wrong}")
    return ArticleTemplate(prompt.name, prompt.hash, prompt)


def _section(prompt: Prompt, part: str, topic: str) -> SectionQuestion:
    """A part with the topic and references to earlier parts filled in."""
    uses = tuple(
        one for one in prompt.parts if one not in _OWN and one in Template(prompt.parts[part]).get_identifiers()
    )
    headings = {one: prompt.parts[one].partition("\n")[0].strip() for one in uses}
    known = {one: f"what was found under “{heading}”" for one, heading in headings.items()}
    heading, _, question = prompt.fill(part, topic=_one_line(topic), **known).partition("\n")
    return SectionQuestion(part, heading.strip(), _one_line(question), uses)


def _faults(prompt: Prompt) -> Iterator[str]:
    """What is wrong with a file's parts, as the end of a sentence."""
    for part in _OWN:
        if part not in prompt.parts:
            yield f"lacks the part [{part}]. Add it, as in prompts/articles-gene.md."
    sections = {part: text for part, text in prompt.parts.items() if part not in _OWN}
    if not sections:
        yield "has no section. Add a part for each, as in prompts/articles-gene.md."
    known = {"topic"}
    for part, text in prompt.parts.items():
        if unknown := set(Template(text).get_identifiers()) - (known if part in sections else {"topic"}):
            yield (
                f"holds the unknown variable “{min(unknown)}” in the part [{part}]. There is $topic, and in a section's "
                "question the name of each section before it."
            )
        known |= {part} & sections.keys()
    for part, text in sections.items():
        heading, _, question = text.partition("\n")
        if not heading.strip() or not question.strip():
            yield f"needs a heading on the first line of the part [{part}], and a question below."
        if len(_section(prompt, part, "word " * MOST_TOPIC_WORDS).question.split()) > MOST_WORDS:
            yield f"has a question that is too long in the part [{part}]. Shorten it."


def _one_line(text: str) -> str:
    return " ".join(text.split())
