"""Articles on a topic, section by section from a library: each section is an answer with its sources (PaperQA2, section 8.4)."""

from core.articles.model import Article, Overview, Section
from core.articles.template import TEMPLATES, ArticleTemplate, template_named
from core.articles.writing import estimate_article, write_article

__all__ = [
    "TEMPLATES",
    "Article",
    "ArticleTemplate",
    "Overview",
    "Section",
    "estimate_article",
    "template_named",
    "write_article",
]
