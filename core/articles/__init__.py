"""Write articles on a topic from a library: each section is an answer with its sources (PaperQA2, section 8.3)."""

from core.articles.model import Article, Overview, Section
from core.articles.quoting import nothing_left
from core.articles.template import TEMPLATES, ArticleTemplate, template_named
from core.articles.writing import estimate_article, write_article

__all__ = [
    "TEMPLATES",
    "Article",
    "ArticleTemplate",
    "Overview",
    "Section",
    "estimate_article",
    "nothing_left",
    "template_named",
    "write_article",
]
