"""Astro: its configuration, routes and components."""

import re
from pathlib import Path, PurePosixPath
from typing import Final, Self

from blog_engine.importing.markdown.configuration import Configuration, first_file, site_url
from blog_engine.importing.markdown.dialects import REMARK
from blog_engine.importing.markdown.front_matter import Document
from blog_engine.importing.markdown.generator import (
    Generator,
    MarkdownSite,
    PlacedFile,
    folders_and_stem,
    is_dated_or_with_posts,
)
from blog_engine.importing.markdown.scripts import script_text

_CONFIGURATIONS: Final = tuple(f"astro.config.{suffix}" for suffix in ("mjs", "ts", "js", "cjs", "mts"))
_UNPUBLISHED: Final = ("src/content/**/_*", "src/content/_*", "src/pages/**/_*", "src/pages/_*")


class Astro(Generator):
    """The rules of Astro."""

    dialect = REMARK

    @classmethod
    def configured(cls, folder: Path) -> Self | None:
        """Return the rules for the site of ``astro.config``."""
        file = first_file(folder, *_CONFIGURATIONS)
        if file is None:
            return None
        notes = Configuration(folder)
        text = notes.script(file)
        base = (script_text(text, "base") or "").strip("/")
        notes.guesses.append("the routes of Astro are programs, which are not run")
        site = MarkdownSite(
            folder,
            ("src/content", "src/pages"),
            url=site_url(script_text(text, "site")),
            path=f"/{base}" if base else "",
            has_ugly_urls=script_text(text, "format") == "file",
            left_out=tuple(notes.globs(_UNPUBLISHED, name="", stars_cross=False)),
            **notes.notes(),
        )
        return cls(site)

    def omission_by_document(self, path: PurePosixPath, document: Document) -> str | None:
        """Return that a file without a date, outside of folders of posts, is a page."""
        return None if is_dated_or_with_posts(path, document) else "page"

    def page_path(self, file: PlacedFile) -> str | None:
        """Return the path that collections usually have."""
        if file.url:
            return file.url
        folders, stem = folders_and_stem(file.path)
        parts = [re.sub(r"[^\w -]", "", one.lower()).replace(" ", "-") for one in [*folders, stem]]
        if file.slug:
            parts = [*parts[:1], file.slug] if folders else [file.slug]
        return "/".join(parts) + (".html" if self.site.has_ugly_urls else "/")

    def is_routed_by_files(self, folder: PurePosixPath) -> bool:
        """Return whether a folder is one of pages."""
        return folder.parts[:2] == ("src", "pages")
