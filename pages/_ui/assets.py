"""Scripts and styles of the components that draw in the browser, all in the folder `browser`.

The scripts are ES modules that import each other. A Streamlit component takes only one script, so the modules are
combined here: each is wrapped in a function of its own, after those that it imports. No build tool is needed.
"""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path

FOLDER = Path(__file__).with_name("browser")
_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export(?! default function))\b.*", re.MULTILINE)


def text(name: str) -> str:
    """The content of one of the files."""
    return (FOLDER / name).read_text(encoding="utf-8")


def styles(*names: str) -> str:
    """Combine style sheets, after the one shared by all components (look.css). Later rules win."""
    return "\n".join(text(f"{name}.css") for name in ("look", *names))


def script(entry: str) -> str:
    """Combine `entry`, whose default export is the component's function, and all that it imports into one module.

    Raises `ValueError` for an import or export in a form that is not handled here, and for circular imports.
    """
    sources: dict[str, str] = {}
    waiting = [entry]
    while waiting:
        name = waiting.pop()
        if name not in sources:
            sources[name] = text(f"{name}.js")
            waiting += imports(sources[name])
    order = TopologicalSorter({name: imports(source) for name, source in sources.items()}).static_order()
    return "\n".join(_script(name, sources[name], is_entry=name == entry) for name in order)


def imports(source: str) -> dict[str, list[str]]:
    """The modules that a script imports from, and the names it imports from each."""
    return {module: re.findall(r"\w+", names) for names, module in _IMPORT.findall(source)}


def exports(source: str) -> list[str]:
    """The names that a script exports, other than its default."""
    return _EXPORT.findall(source)


def _script(name: str, source: str, *, is_entry: bool) -> str:
    body = _EXPORT.sub("", _IMPORT.sub(r"const {\1} = $\2;\n", source))
    if not is_entry:
        body = f"const ${name} = (() => {{\n{body}\nreturn {{ {', '.join(exports(source))} }};\n}})();\n"
    if other := _OTHER.search(body):
        raise ValueError(f"{name}.js: “{other[0]}” is no form of import or export that can be put into one script")
    return body
