"""The items of a source in a form that a person can read and check.

``PYTHONPATH=. python -m tests.importing.wordpress.described`` writes
``expected.json`` again; read the difference before you commit it.
"""

import json
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from blog_engine.importing.html.conversion import convert
from blog_engine.importing.source import Item, Losses, Source, SourcePost
from blog_engine.importing.wordpress.source import open_wordpress

HERE = Path(__file__).parent
EXPORT = HERE / "export"
SPLIT = HERE / "split"
EXPECTED = HERE / "expected.json"


def described(source: Source) -> list[dict[str, Any]]:
    """Return each item as JSON; posts with their Markdown, and all of their losses."""
    return [_described(item) for item in source.items()]


def _described(item: Item) -> dict[str, Any]:
    shown = {key: _shown(value) for key, value in asdict(item).items() if value not in (None, "", (), {}, False)}
    if isinstance(item, SourcePost):
        losses = Losses(list(item.losses))
        converted = convert(item.body, losses=losses, rich_text_allowed=False)
        shown |= {
            "body": converted.body.splitlines(),
            "losses": [f"{loss.kind}, line {loss.line}: {loss.message}" for loss in losses.found],
        }
    return {"is": type(item).__name__} | shown


def _shown(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    return [_shown(part) for part in value] if isinstance(value, tuple) else value


if __name__ == "__main__":
    items = described(open_wordpress(EXPORT, url=None, media=None))
    EXPECTED.write_text(json.dumps(items, indent=1, ensure_ascii=False) + "\n", "utf-8")
