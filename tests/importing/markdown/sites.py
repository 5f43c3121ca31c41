"""The sites that real programs built, and small ones written here."""

import json
from pathlib import Path

from blog_engine.importing.markdown.source import open_markdown
from blog_engine.importing.source import Item, LossKind, SourcePost, SourceTerm

FOLDER = Path(__file__).parent
PROGRAMS = ("hugo", "jekyll", "pelican", "eleventy", "astro")


def items_of(program: str) -> list[Item]:
    return list(open_markdown(FOLDER / program, url=None, media=None).items())


def posts_of(program: str) -> dict[str, SourcePost]:
    return {item.source_id: item for item in items_of(program) if isinstance(item, SourcePost)}


def built_by(program: str) -> list[str]:
    """Return the paths of all pages that the program made."""
    found: list[str] = json.loads((FOLDER / f"urls-{program}.json").read_text("utf-8"))
    return found


def write_site(folder: Path, **files: str | bytes) -> Path:
    """Write the files of a site; two underscores in a name are a slash, and it ends in ``_md`` or such."""
    for name, content in files.items():
        stem, _, suffix = name.rpartition("_")
        write_file(folder / f"{stem.replace('__', '/')}.{suffix}", content)
    return folder


def write_file(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def read(folder: Path, *, url: str | None = "https://old.example") -> list[Item]:
    """Return everything but the terms."""
    items = open_markdown(folder, url=url, media=None).items()
    return [item for item in items if not isinstance(item, SourceTerm)]


def read_post(folder: Path, content: str | bytes, *, name: str = "posts/a-post.md") -> SourcePost:
    """Return the post of one file, in a site of the folder's configuration."""
    write_file(folder / name, content)
    (post,) = [item for item in read(folder) if isinstance(item, SourcePost)]
    return post


def losses_of(post: SourcePost) -> list[tuple[LossKind, str, int | None]]:
    return [(loss.kind, loss.message, loss.line) for loss in post.losses]
