"""The program that a folder of Markdown is for."""

from pathlib import Path

from blog_engine.importing.markdown.configuration import Configuration, first_file, said_in, site_url
from blog_engine.importing.markdown.eleventy import eleventy_site
from blog_engine.importing.markdown.hugo import hugo_site
from blog_engine.importing.markdown.jekyll import STYLES, jekyll_site
from blog_engine.importing.markdown.pelican import pelican_site
from blog_engine.importing.markdown.sites import MarkdownSite, SiteKind


def read_site(folder: Path) -> MarkdownSite:
    """Return what the files of a folder say about its site; what cannot be read of them is noted there."""
    for read in (hugo_site, jekyll_site, pelican_site, _astro, eleventy_site):
        site = read(folder)
        if site:
            return site
    return _plain(folder)


def _plain(folder: Path) -> MarkdownSite:
    if folder.name in {"_posts", "_drafts"} or any((folder / name).is_dir() for name in ("_posts", "_drafts")):
        return MarkdownSite(SiteKind.JEKYLL, folder, permalinks={"": STYLES["date"]}, date_in_name=True)
    content = ("content",) if (folder / "content").is_dir() else ("",)
    guess = ("no configuration of a program was found",)
    return MarkdownSite(SiteKind.PLAIN, folder, content, date_in_name=True, guesses=guess)


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
