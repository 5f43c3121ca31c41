"""Redirects of a site that are in no post: in files for its host, and in the configuration of its program.

The rules are those of Netlify's "Redirects and rewrites" and "SiteRedirect options", which Cloudflare Pages has too, of
"Settings" of Nikola, of the plugin mkdocs-redirects, and of "Routing: Configured redirects" of Astro.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from blog_engine.importing.data import FileRefused, read_data_file, read_text
from blog_engine.importing.folders import file_within

_LARGEST: Final = 1024 * 1024
_MOST: Final = 10_000
_MOVES: Final = frozenset({"", "301", "302", "303", "307", "308"})
"""The statuses that lead browsers to another URL."""
_FOLDERS: Final = ("", "static", "public", "content", "src", "docs", "source", "files", "content/extra")
_IN_SCRIPT: Final = re.compile(
    r"""["'`](/[^"'`\n]*)["'`]\s*:\s*(?:\{[^{}]{0,200}?\bdestination\s*:\s*)?["'`]([^"'`\n]+)["'`]"""
)


@dataclass(frozen=True, slots=True)
class SiteRedirect:
    """A former path, and what it led to."""

    path: str
    """From ``/``, or a URL."""
    target: str
    """A path from ``/``, a URL, or a file of the folder of contents."""
    where: str
    """The file that says so."""
    is_below_home: bool = True
    """Whether the path begins at the home page of the site, not at the root of its host."""


def redirects_of_hosts(root: Path) -> Iterator[SiteRedirect]:
    """Yield the redirects in the files ``_redirects`` and ``netlify.toml`` of a site."""
    for folder in _FOLDERS:
        file = file_within(root / folder, "_redirects")
        with suppress(FileRefused):
            for line in read_text(file, most=_LARGEST).split("\n")[:_MOST] if file else ():
                words = line.partition("#")[0].split() if line[:1] == "#" else line.partition(" #")[0].split()
                if len(words) > 1 and words[2:3] in ([], [words[-1]]) and _moves("".join(words[2:3])):
                    yield SiteRedirect(words[0], words[1], f"{folder}/_redirects".strip("/"), is_below_home=False)
    file = file_within(root, "netlify.toml")
    with suppress(FileRefused):
        found = read_data_file(file) if file else None
        rows = found.get("redirects") if isinstance(found, dict) else None
        for row in rows[:_MOST] if isinstance(rows, list) else ():
            if isinstance(row, dict) and "conditions" not in row and _moves(str(row.get("status", ""))):
                for one in _pair(row.get("from"), row.get("to"), "netlify.toml"):
                    yield replace(one, is_below_home=False)


def redirects_in_pairs(found: Any, where: str) -> Iterator[SiteRedirect]:
    """Yield the redirects of a map, or of a list of pairs, from former paths to new ones."""
    pairs = list(found.items()) if isinstance(found, Mapping) else found
    for pair in pairs[:_MOST] if isinstance(pairs, list | tuple) else ():
        if isinstance(pair, list | tuple) and len(pair) == 2:
            yield from _pair(pair[0], pair[1], where)


def redirects_in_script(text: str, where: str) -> Iterator[SiteRedirect]:
    """Yield the plain redirects of a configuration in JavaScript."""
    start = re.search(r"\bredirects\s*:\s*\{", text)
    if start:
        depth, end = 1, start.end()
        while depth and end < len(text):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        yield from (SiteRedirect(old, new, where) for old, new in _IN_SCRIPT.findall(text[start.end() : end])[:_MOST])


def _pair(old: Any, new: Any, where: str) -> Iterator[SiteRedirect]:
    if isinstance(old, str) and isinstance(new, str) and old.strip("/") and new:
        yield SiteRedirect(old if "://" in old else f"/{old.lstrip('/')}", new, where)


def _moves(status: str) -> bool:
    return status.removesuffix("!") in _MOVES
