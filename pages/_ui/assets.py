"""Scripts and styles of the components that draw in the browser, all in the folder `browser`.

The scripts are ES modules that name what they import. A component of Streamlit takes one script, so its modules are put
into one here: each in a function of its own, behind those that it imports. Nothing but this is needed to run the app.
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
    """One of the files."""
    return (FOLDER / name).read_text(encoding="utf-8")


def styles(*names: str) -> str:
    """One sheet out of these, behind what all components look like (look.css); what comes later wins."""
    return "\n".join(text(f"{name}.css") for name in ("look", *names))


def script(entry: str) -> str:
    """One module out of `entry`, which exports the component's function by default, and of all that it imports.

    Raises `ValueError` for an import or export of another form than ours, and for imports in circles.
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
    """The modules that a script imports from, and what of each."""
    return {module: re.findall(r"\w+", names) for names, module in _IMPORT.findall(source)}


def exports(source: str) -> list[str]:
    """What a script gives others to import."""
    return _EXPORT.findall(source)


def _script(name: str, source: str, *, is_entry: bool) -> str:
    body = _EXPORT.sub("", _IMPORT.sub(r"const {\1} = $\2;\n", source))
    if not is_entry:
        body = f"const ${name} = (() => {{\n{body}\nreturn {{ {', '.join(exports(source))} }};\n}})();\n"
    if other := _OTHER.search(body):
        raise ValueError(f"{name}.js: “{other[0]}” is no form of import or export that can be put into one script")
    return body
