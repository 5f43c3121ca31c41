"""The exports that real Ghosts wrote, and small ones written here."""

import json
from pathlib import Path
from typing import Any

from blog_engine.importing.ghost.source import open_ghost
from blog_engine.importing.source import Item, Omitted, SourcePost

FOLDER = Path(__file__).parent
VERSIONS = ("5", "6")


def folder_of(version: str) -> Path:
    return FOLDER / f"export-{version}"


def url_of(version: str) -> str:
    """Return the URL at which ``scripts/exports/ghost/make`` served the blog."""
    return f"http://127.0.0.1:236{version}"


def saved(name: str, version: str) -> dict[str, str]:
    """Return what was saved beside an export: ``words`` or ``feed``."""
    found: dict[str, str] = json.loads((FOLDER / f"{name}-{version}.json").read_text("utf-8"))
    return found


def items_in(version: str) -> list[Item]:
    return list(open_ghost(folder_of(version), url=url_of(version), media=None).items())


def posts_in(version: str) -> dict[str, SourcePost]:
    """Return the posts of a real export by their slugs."""
    return {item.slug or "": item for item in items_in(version) if isinstance(item, SourcePost)}


def row(**values: Any) -> dict[str, Any]:
    """Return a post as Ghost's table has it."""
    return {
        "id": "1",
        "title": "A post",
        "slug": "a-post",
        "html": "<p>Text</p>",
        "status": "published",
        "visibility": "public",
        "type": "post",
        "published_at": "2024-01-02 03:04:05",
    } | values


def write_export(path: Path, *posts: dict[str, Any], **tables: list[dict[str, Any]]) -> Path:
    """Write an export, and return its path."""
    data = {"posts": list(posts), **tables}
    path.write_text(json.dumps({"db": [{"meta": {"version": "6.0.0"}, "data": data}]}), "utf-8")
    return path


def read(path: Path, *, url: str | None = "https://old.example") -> list[Item]:
    """Return the items but for the line about the feed, which is always there."""
    items = open_ghost(path, url=url, media=None).items()
    return [item for item in items if not (isinstance(item, Omitted) and item.source_id == "rss")]


def read_post(folder: Path, *, tables: dict[str, list[dict[str, Any]]] | None = None, **values: Any) -> SourcePost:
    """Return one post of an export that is written for it."""
    path = write_export(folder / "blog.ghost.json", row(**values), **(tables or {}))
    (post,) = [item for item in read(path) if isinstance(item, SourcePost)]
    return post
