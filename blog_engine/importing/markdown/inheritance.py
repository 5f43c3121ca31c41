"""The values that a post has beside its own front matter, by the rules of its program."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from blog_engine.importing.markdown.eleventy import EleventyData
from blog_engine.importing.markdown.front_matter import Document, Metadata, lower_names
from blog_engine.importing.markdown.hugo import HugoCascade
from blog_engine.importing.markdown.jekyll import merged_deeply, values_from_defaults
from blog_engine.importing.markdown.pelican import values_from_configuration
from blog_engine.importing.markdown.scripts import HIDING
from blog_engine.importing.markdown.sites import MarkdownSite, SiteKind


@dataclass(frozen=True, slots=True)
class Merged:
    """All values of a post."""

    metadata: Metadata
    """Its own come before those that it inherits."""
    doubts: tuple[str, ...] = ()
    """What kept the post from readers, or why that is not known."""


class Inheritance:
    """The values that posts of a site inherit."""

    def __init__(self, site: MarkdownSite) -> None:
        """Take the site."""
        self._site = site
        self._cascade = HugoCascade(site)
        self._data = EleventyData(site)

    def merged(self, document: Document, folder: PurePosixPath, path: PurePosixPath, *, language: str) -> Merged:
        """Return the values of a post; ``path`` is that in the folder of contents, without a language in its name."""
        kind, own = self._site.kind, _with_parameters(document.metadata)
        doubts = [*self._site.doubts, *(f"Its own script works out {name}" for name in sorted(document.unknown))]
        if kind is SiteKind.JEKYLL:
            return Merged(merged_deeply(values_from_defaults(self._site, path), own), tuple(doubts))
        if kind is SiteKind.PELICAN:
            return Merged(_over(values_from_configuration(self._site, path), own), tuple(doubts))
        metadata: Metadata = own
        if kind in {SiteKind.HUGO, SiteKind.PLAIN}:
            values, unread = self._cascade.of(folder, path, language)
            metadata = _over(values, own)
            doubts += unread
        if kind in {SiteKind.ELEVENTY, SiteKind.PLAIN}:
            metadata, unread = self._data.merged(folder, path, metadata)
            doubts += unread
        return Merged(metadata, tuple(dict.fromkeys(doubts)))


def _with_parameters(own: Metadata) -> dict[str, Any]:
    """Return front matter with Hugo's parameters among the other values, and its options under their new name."""
    values = dict(own)
    if "_build" in values:
        values.setdefault("build", values.pop("_build"))
    parameters = values.pop("params", None)
    inner = lower_names(parameters) if isinstance(parameters, dict) else {}
    # A parameter that is called draft makes no draft, and ends none.
    return {**{name: value for name, value in inner.items() if name not in HIDING}, **values}


def _over(values: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return both; a name without a value leaves what the post inherits."""
    return {**values, **{name: value for name, value in own.items() if value is not None or name not in values}}
