"""The program that a folder of Markdown is for."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from blog_engine.importing.markdown.configuration import Configuration, can_hide, first_file, said_in, site_url
from blog_engine.importing.markdown.eleventy import eleventy_site
from blog_engine.importing.markdown.hugo import hugo_site
from blog_engine.importing.markdown.jekyll import STYLES, jekyll_site
from blog_engine.importing.markdown.pelican import pelican_site
from blog_engine.importing.markdown.scripts import HIDING
from blog_engine.importing.markdown.sites import InheritedValues, MarkdownSite, SiteKind

_LEVELS: Final = 5
"""Folders above the source in which its site is looked for."""


def read_site(folder: Path) -> MarkdownSite:
    """Return what the files of a folder say about its site; what cannot be read of them is noted there."""
    return _configured(folder) or _plain(folder)


def _configured(folder: Path) -> MarkdownSite | None:
    found = (read(folder) for read in (hugo_site, jekyll_site, pelican_site, _astro, eleventy_site))
    return next(filter(None, found), None)


def _plain(folder: Path) -> MarkdownSite:
    doubts = tuple(_doubts_from_above(folder.resolve()))
    if folder.name in {"_posts", "_drafts"} or any((folder / name).is_dir() for name in ("_posts", "_drafts")):
        return MarkdownSite(SiteKind.JEKYLL, folder, permalinks={"": STYLES["date"]}, date_in_name=True, doubts=doubts)
    content = ("content",) if (folder / "content").is_dir() else ("",)
    guess = ("no configuration of a program was found",)
    return MarkdownSite(SiteKind.PLAIN, folder, content, date_in_name=True, guesses=guess, doubts=doubts)


def _doubts_from_above(folder: Path) -> Iterator[str]:
    """Yield what keeps posts from readers in the site that a folder is a part of."""
    above = list(islice(folder.parents, _LEVELS))
    site = next(filter(None, map(_configured, above)), None)
    if site is None:
        return
    inner = [one for one in (folder, *above) if one.is_relative_to(site.root) and one != site.root]
    files = [
        file for one in inner for file in one.iterdir() if file.name.startswith(("_index.", f"{one.name}.11tydata."))
    ]
    if site.doubts or site.left_out or any(_hides(one) for one in site.inherited) or any(map(can_hide, files)):
        yield f"The site in {site.root.name} can keep posts from readers, and only a part of it was sent"


def _hides(inherited: InheritedValues) -> bool:
    return not (HIDING | {"build", "headless"}).isdisjoint(inherited.values)


def _astro(folder: Path) -> MarkdownSite | None:
    file = first_file(folder, *(f"astro.config.{suffix}" for suffix in ("mjs", "ts", "js", "cjs", "mts")))
    if file is None:
        return None
    notes = Configuration(folder)
    text = notes.script(file)
    base = (said_in(text, "base") or "").strip("/")
    notes.guesses.append("the routes of Astro are programs, which are not run")
    return MarkdownSite(
        SiteKind.ASTRO,
        folder,
        ("src/content", "src/pages"),
        url=site_url(said_in(text, "site")),
        path=f"/{base}" if base else "",
        has_ugly_urls=said_in(text, "format") == "file",
        left_out=tuple(
            notes.globs(
                ["src/content/**/_*", "src/content/_*", "src/pages/**/_*", "src/pages/_*"], name="", stars_cross=False
            )
        ),
        **notes.notes(),
    )
