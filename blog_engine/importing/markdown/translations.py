"""Which files of a site are versions of one post in several languages."""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from blog_engine.importing.markdown.pages import PageNames
from blog_engine.importing.markdown.sites import MarkdownSite, SiteKind

_SUFFIXED: Final = frozenset({SiteKind.HUGO, SiteKind.PLAIN})
"""The programs for which the name of a file can end with a language."""
_TAG: Final = re.compile("[a-z]{2}(?:-[a-z0-9]{2,8})?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Version:
    """One language of a post."""

    path: PurePosixPath
    """The file without the language in its name."""
    language: str
    """Empty for the language of the site."""
    key: str | None
    """What the names of the files of all versions share; ``None`` where names have no languages."""


def read_version(site: MarkdownSite, folder: PurePosixPath, path: PurePosixPath, names: PageNames) -> Version:
    """Return which version of a post the name of a file means, such as ``a.fr.md`` beside ``a.md``."""
    if site.kind not in _SUFFIXED:
        return Version(path, "", None)
    stem, dot, tag = path.stem.rpartition(".")
    plain = path.with_stem(stem) if dot and stem else path
    is_tag = dot and stem and _TAG.fullmatch(tag)
    has_sibling = is_tag and names.has(plain.name, folder=(folder / path).parent)
    if not (dot and stem and (tag.lower() in site.languages or has_sibling)):
        # Hugo takes the language of the site from the name as well.
        is_named = site.kind is SiteKind.HUGO and is_tag and len(tag) in {2, 5}
        language = site.translated.get(str(folder), "")
        plain = plain if is_named else path
        return Version(plain, language, str(plain))
    return Version(plain, tag, str(plain))
