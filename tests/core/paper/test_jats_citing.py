"""Under which licence an article may be used."""

from __future__ import annotations

import pytest

from core.paper.jats_citing import licence_in

CC = "<permissions><license><p>Creative Commons Attribution</p></license></permissions>"


@pytest.mark.parametrize(
    ("own", "figure", "licence"),
    [(CC, "", "Creative Commons Attribution"), ("", CC, None), ("<permissions/>", CC, None), ("", "", None)],
)
def test_only_the_articles_own_permissions_count(own: str, figure: str, licence: str | None) -> None:
    article = (
        f"<article><front><article-meta>{own}</article-meta></front><body><fig>{figure}</fig></body>"
        f"<sub-article><front><article-meta>{figure}</article-meta></front></sub-article></article>"
    )
    for document in (article, f"<articles>{article}</articles>"):
        assert licence_in(document.encode(), name="a.xml") == licence
