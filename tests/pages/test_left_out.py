"""What was left out of a paper: shown page by page beside how it was read, letter by letter."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from core.evidence.model import Decision
from tests.core.paper.pdf.pages import Text, column, pdf, prose
from tests.pages.test_evidence_page import HYPOTHESIS, app, desk, find, upload  # noqa: F401

PAPER = b"# Tea for headache\n\n## Results\n\nTea helped.\n\n## Funding\n\nA <b>maker</b> of :red[tea].\n"


def shown(app: AppTest) -> str:  # noqa: F811
    return " ".join(element.value for element in app.markdown)


def test_what_is_left_out_is_shown_under_what_it_is(app: AppTest) -> None:  # noqa: F811
    upload(app, PAPER)
    assert "Statements and sections without evidence" in shown(app)
    assert "of \\:red" in shown(app)
    assert ":red[tea]" not in shown(app).replace("\\:", "")


def test_each_page_of_a_pdf_shows_its_own(app: AppTest) -> None:  # noqa: F811
    pages = [
        [
            Text(60, 815, "Naps and nurses", 8),
            Text(300, 30, str(number), 8),
            Text(60, 760, title, 14, "bold"),
            *column(60, 740, prose("We saw", 20)),
        ]
        for number, title in enumerate(("Introduction", "Methods", "Results"), 11)
    ]
    upload(app, pdf(*pages), "naps.pdf")
    select = app.selectbox(key=next(box.key for box in app.selectbox if (box.key or "").startswith("left-out-")))
    assert select.options == ["page 1", "page 2", "page 3"]
    assert "Naps and nurses 11" in shown(app)
    select.set_value(3).run()
    assert "Naps and nurses 13" in shown(app)
    assert "Naps and nurses 11" not in shown(app)


def test_a_click_puts_left_out_texts_back_and_another_takes_them_out(app: AppTest) -> None:  # noqa: F811
    upload(app, PAPER)
    find(app)
    first = desk(app)
    texts = [sentence.text for sentence in first.paper.sentences]
    first.decided.decisions[texts.index("Tea helped.")] = Decision.ACCEPTED
    app.button(key="put-back").click().run()
    assert not app.exception
    back = desk(app)
    assert "A <b>maker</b> of :red[tea]." in [sentence.text for sentence in back.paper.pool]
    assert back.question == HYPOTHESIS
    assert [back.paper.sentences[at].text for at in back.decided.decisions] == ["Tea helped."]
    assert any("2 texts that were left out are put back." in caption.value for caption in app.caption)
    assert "put-back" not in [button.key for button in app.button]

    app.button(key="set-aside-again").click().run()
    assert desk(app).paper == first.paper
    assert app.button(key="put-back")
