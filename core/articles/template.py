"""Templates of articles: files of linked questions on one topic, each a section."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.answering.model import MOST_WORDS
from core.errors import PromptError, QueryError
from core.prompts import FOLDER, Prompt, load_prompt

TEMPLATES = ("treatment", "condition", "gene")  # that come with Vouch, as prompts/article-NAME.md
MOST_TOPIC_WORDS = 20
_OWN = ("title", "overview")  # parts that are no section


@dataclass(frozen=True, slots=True)
class SectionQuestion:
    """A section that is to be written."""

    heading: str
    question: str


@dataclass(frozen=True, slots=True)
class ArticleTemplate:
    """A template whose sections are known to be whole."""

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
        filled = (self.prompt.fill(part, topic=_one_line(topic)) for part in self.prompt.parts if part not in _OWN)
        parted = (text.partition("\n") for text in filled)
        return tuple(SectionQuestion(heading.strip(), _one_line(question)) for heading, _, question in parted)


def template_named(name: str) -> ArticleTemplate:
    """A template that comes with Vouch, by its name, or of a file.

    Raises `QueryError` where there is none, and `PromptError` where the file is no template.
    """
    if name in TEMPLATES:
        return _loaded(f"article-{name}", FOLDER, name)
    path = Path(name)
    if path.suffix != ".md" or not path.is_file():
        raise QueryError(
            f"There is no template “{name}”. Name one of {', '.join(TEMPLATES)}, or a file that ends with .md."
        )
    return _loaded(path.stem, path.parent, path.stem)


def _loaded(file: str, folder: Path, name: str) -> ArticleTemplate:
    try:
        prompt = load_prompt(file, variables=("topic",), parts=_OWN, folder=folder)
    except UnicodeDecodeError:
        raise PromptError(f"The template {file}.md is not text in UTF-8. Save it so.") from None
    sections = [part for part in prompt.parts if part not in _OWN]
    if not sections:
        raise PromptError(f"The template {file}.md has no section. Add a part for each, as in prompts/article-gene.md.")
    for part in sections:
        heading, _, question = prompt.parts[part].partition("\n")
        words = len(question.split()) + MOST_TOPIC_WORDS * question.count("topic")
        if not heading.strip() or not question.strip():
            raise PromptError(
                f"The part “{part}” of the template {file}.md needs a heading on its first line and a question below."
            )
        if words > MOST_WORDS:
            raise PromptError(f"The question of the part “{part}” of the template {file}.md is too long. Shorten it.")
    return ArticleTemplate(name, prompt.hash, prompt)


def _one_line(text: str) -> str:
    return " ".join(text.split())
