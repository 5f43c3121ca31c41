"""Jupyter notebooks as Markdown: texts, code and what the code printed."""

import re
from collections.abc import Iterator
from typing import Any, Final

from blog_engine.importing.data import FileRefused, read_json_text
from blog_engine.importing.markdown.text import fence

_CONTROLS: Final = re.compile("\x1b\\[[0-9;]*m")
"""Colours of a terminal."""
_NO_TEXT: Final = frozenset({"image/png", "png", "image/jpeg", "jpeg", "image/svg+xml", "svg", "text/html", "html"})
LARGEST_NOTEBOOK: Final = 4 * 1024 * 1024
"""Characters; most of them are pictures."""


def notebook_markdown(text: str, cells: slice) -> tuple[str, int]:
    """Return the chosen cells as Markdown, and the number of results that are no text; raises ``FileRefused``.

    The formats are 3 and 4 of nbformat.
    """
    notebook = read_json_text(text, most=LARGEST_NOTEBOOK)
    if not isinstance(notebook, dict):
        raise FileRefused("the notebook is no JSON object")
    sheets = notebook.get("worksheets")
    first = sheets[0] if isinstance(sheets, list) and sheets and isinstance(sheets[0], dict) else {}
    found = notebook.get("cells") or first.get("cells")
    kept = [cell for cell in found if isinstance(cell, dict)] if isinstance(found, list) else []
    parts: list[str] = []
    left_out = 0
    for cell in kept[cells]:
        shown = list(_parts(cell))
        parts += [one for one in shown if one]
        left_out += shown.count(None)
    return "\n\n".join(parts), left_out


def _parts(cell: dict[str, Any]) -> Iterator[str | None]:
    """Yield the source of a cell and its results; ``None`` for a result that is no text."""
    source = _joined(cell.get("source") or cell.get("input"))
    match cell.get("cell_type"):
        case "markdown":
            yield source
        case "heading":
            yield f"{'#' * min(int(cell.get('level') or 1), 6)} {source}"
        case "code":
            yield fence(source, str(cell.get("language") or "python")) if source.strip() else ""
            outputs = cell.get("outputs")
            for output in outputs if isinstance(outputs, list) else []:
                yield _result(output) if isinstance(output, dict) else None


def _result(output: dict[str, Any]) -> str | None:
    found = output.get("data")
    data = found if isinstance(found, dict) else output
    if output.get("output_type") in {"pyerr", "error"}:
        text = f"{output.get('ename')}: {output.get('evalue')}"
    elif not _NO_TEXT.isdisjoint(data):
        return None
    else:
        text = _joined(output.get("text") or data.get("text/plain"))
    return fence(text, "") if text.strip() else ""


def _joined(lines: Any) -> str:
    text = "".join(map(str, lines)) if isinstance(lines, list) else str(lines or "")
    return _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
