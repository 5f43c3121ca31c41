"""The real export in a form that a person can read, and small ones for what it cannot show.

``PYTHONPATH=. python -m tests.importing.wordpress.exports`` writes ``expected.json`` again; read the difference before
you commit it.
"""

import json
from dataclasses import asdict
from datetime import datetime
from html import escape
from pathlib import Path
from typing import Any

from blog_engine.importing.html.conversion import convert
from blog_engine.importing.source import Item, Losses, Source, SourcePost
from blog_engine.importing.wordpress.source import open_wordpress

HERE = Path(__file__).parent
EXPORT = HERE / "export"
SPLIT = HERE / "split"
EXPECTED = HERE / "expected.json"
HEAD = """<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"
 xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
<wp:wxr_version>1.2</wp:wxr_version>
<wp:base_blog_url>https://old.example</wp:base_blog_url>
"""
TAIL = "</channel>\n</rss>\n"


def item(identifier: int = 1, *, inside: str = "", content: str = "A body.", **values: str) -> str:
    """Return an item; ``values`` replace what a published post has."""
    kept = {
        "post_id": str(identifier),
        "post_date": "2020-02-03 04:05:06",
        "post_date_gmt": "2020-02-03 03:05:06",
        "post_name": f"post-{identifier}",
        "status": "publish",
        "post_type": "post",
    } | values
    fields = "".join(f"<wp:{name}><![CDATA[{value}]]></wp:{name}>\n" for name, value in kept.items() if name != "title")
    return (
        f"<item>\n<title>{values.get('title', f'Post {identifier}')}</title>\n"
        f"<link>https://old.example/2020/02/{kept['post_name']}/</link>\n<guid>https://old.example/?p={identifier}</guid>\n"
        f"<dc:creator>admin</dc:creator>\n<content:encoded>{escape(content)}</content:encoded>\n{fields}{inside}</item>\n"
    )


def meta(key: str, value: str) -> str:
    """Return a custom field of an item."""
    return (
        f"<wp:postmeta><wp:meta_key>{key}</wp:meta_key><wp:meta_value>{escape(value)}</wp:meta_value></wp:postmeta>\n"
    )


def export(folder: Path, *items: str, head: str = HEAD, tail: str = TAIL, name: str = "blog.xml") -> Path:
    """Write an export file; return its path."""
    path = folder / name
    path.write_text(head + "".join(items) + tail, "utf-8")
    return path


def items_of(path: Path) -> list[Item]:
    """Return everything in an export."""
    return list(open_wordpress(path, url=None, media=None).items())


def post_of(folder: Path, *items: str) -> SourcePost:
    """Return the only post of an export with these items."""
    posts = [one for one in items_of(export(folder, *items)) if isinstance(one, SourcePost)]
    assert len(posts) == 1
    return posts[0]


def described(source: Source) -> list[dict[str, Any]]:
    """Return each item as JSON; posts with their Markdown, and all of their losses."""
    return [_described(item) for item in source.items()]


def _described(item: Item) -> dict[str, Any]:
    shown = {key: _shown(value) for key, value in asdict(item).items() if value not in (None, "", (), {}, False)}
    if isinstance(item, SourcePost):
        # Worked out from the body of each post that others link to.
        del shown["former_ids"]
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
