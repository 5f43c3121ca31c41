"""Nikola: its configuration, which is not run (only plain values are read), its metadata, URLs and links.

The rules are those of "The Nikola Handbook": "Creating a Blog Post" (with "Metadata fields", "The metadata format",
"Post Types and Translations" and "Special links"), "Multilingual posts", "Drafts", "Private Posts" and "Configuration".
"""

import posixpath
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any, Final, Self
from urllib.parse import unquote

from anyascii import anyascii

from blog_engine.importing.data import FileRefused
from blog_engine.importing.folders import file_within
from blog_engine.importing.markdown.configuration import (
    Configuration,
    first_file,
    path_of_url,
    relative_folder,
    site_url,
    texts_in,
    zone_named,
)
from blog_engine.importing.markdown.dialects import python_markdown
from blog_engine.importing.markdown.front_matter import Document, Metadata, read_document
from blog_engine.importing.markdown.generator import (
    BodyPlace,
    Generator,
    Inherited,
    MarkdownSite,
    PlacedFile,
    Version,
    own_over_inherited,
)
from blog_engine.importing.markdown.globs import Pattern, PatternRefused, glob_pattern
from blog_engine.importing.markdown.literals import NOT_PLAIN, python_values
from blog_engine.importing.markdown.redirects import SiteRedirect, redirects_in_pairs
from blog_engine.importing.markdown.templates import replace_shortcodes
from blog_engine.importing.markdown.text import change_outside_code
from blog_engine.importing.markdown.typography import ELLIPSES, LONG_DASHES, QUOTES, USUAL
from blog_engine.importing.source import Losses, LossKind

_OWN: Final = (re.compile(r"(?m)^BLOG_(?:TITLE|AUTHOR)\s*="), re.compile(r"(?m)^(?:POSTS|post_pages)\s*="))
_OF_URLS: Final = ("POSTS", "PAGES", "PRETTY_URLS", "TRANSLATIONS", "DEFAULT_LANG")
_NEVER_READ: Final = ("FILE_METADATA_REGEXP", "CATEGORY_DESTPATH_AS_DEFAULT", "FILE_METADATA_UNSLUGIFY_TITLES")
_WATCHED: Final = frozenset({*_OF_URLS, *_NEVER_READ, "USE_TAG_METADATA", "SITE_URL", "BASE_URL", "TIMEZONE"})
_POSTS: Final = [["posts/*", "posts", "post.tmpl"]]
_PATTERN: Final = "{path}.{lang}.{ext}"
_UNUSED: Final = frozenset(
    {"has_math", "hidetitle", "nocomments", "hyphenate", "url_type", "url", "permalink", "save_as"}
)
"""Names that change how a page looks, or that mean nothing to Nikola."""
_OTHER_NAMES: Final = {"section": "category", "previewimage": "cover"}
_SPECIAL_TAGS: Final = frozenset({"draft", "private", "mathjax"})
_LINK: Final = re.compile(r"link://([a-z_]+)/?([^\s()<>\"#]*)")


_TYPOGRIFY: Final = re.compile(r"(?m)^[^#\n]*\bfilters\.typogrify(?P<is_oldschool>_oldschool)?\w*")
"""A filter for pages, unless it is commented out ("Filters")."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """Files of one line of ``POSTS`` or ``PAGES``."""

    folder: PurePosixPath
    names: Pattern
    destinations: Mapping[str, str]
    """The folders of their pages by language, in lower case; for ``""`` that of the others."""
    is_post: bool

    def has(self, file: PurePosixPath) -> bool:
        """Return whether a file is one of them."""
        return file.is_relative_to(self.folder) and self.names.matches(file.name)


class Nikola(Generator):
    """The rules of Nikola."""

    category_separators = "\n"
    rest_suffixes = frozenset({".rst", ".txt"})
    more_suffixes = frozenset({".txt", ".ipynb"})

    def __init__(self, site: MarkdownSite, settings: Mapping[str, Any], kinds: tuple[_Kind, ...]) -> None:
        """Take the site, the plain values of its configuration, and the kinds of its files."""
        super().__init__(site)
        self._settings = settings
        self._kinds = kinds
        extensions = frozenset(texts_in(settings.get("MARKDOWN_EXTENSIONS")))
        dialect = python_markdown(extensions=extensions) if extensions else python_markdown()
        # Nikola adds this sign itself.
        self.dialect = replace(dialect, strikes=frozenset({"~~"}))
        self._slugs: dict[PurePosixPath, str] = {}
        """Slugs of originals, which are in the URLs of their translations, by their files."""

    @classmethod
    def configured(cls, folder: Path) -> Self | None:
        """Return the rules for the site of a ``conf.py`` that names posts and the title or author of a blog."""
        file = first_file(folder, "conf.py")
        if file is None:
            return None
        text = file.read_bytes()[:500_000].decode(errors="replace")
        if not all(one.search(text) for one in _OWN):
            return None
        rules = cls(*_configured(folder, file))
        if found := _TYPOGRIFY.search(text):
            kinds = USUAL if found["is_oldschool"] else frozenset({QUOTES, LONG_DASHES, ELLIPSES})
            rules.dialect = replace(rules.dialect, typography=rules.dialect.typography | kinds)
        return rules

    def document(self, file: Path) -> Document:
        """Return front matter and body of a file; the front matter can be in a ``.meta`` file beside it."""
        document = read_document(file)
        beside = file_within(file.parent, f"{file.stem}.meta")
        if not beside or document.has_front_matter:
            return document
        values = read_document(beside).metadata
        return replace(document, metadata=values, has_front_matter=bool(values))

    def omission_by_path(self, folder: PurePosixPath, path: PurePosixPath) -> str | None:
        """Return that a file is a page, or none that Nikola reads."""
        kind = self._kind(path)
        return None if kind and kind.is_post else "page" if kind else "file that Nikola does not read"

    def _kind(self, path: PurePosixPath) -> _Kind | None:
        return next((one for one in self._kinds if one.has(path)), None)

    def version(self, folder: PurePosixPath, path: PurePosixPath) -> Version:
        """Return the version that a name such as ``a.fr.md`` means ("Multilingual posts")."""
        stem, dot, tag = path.stem.rpartition(".")
        if not self.site.languages:
            return Version(path, "", None)
        if not dot or tag.lower() not in self.site.languages:
            return Version(path, "", str(path))
        plain = path.with_name(f"{stem}{path.suffix}")
        return Version(plain, tag, str(plain))

    def inherit(self, own: Metadata, folder: PurePosixPath, path: PurePosixPath, language: str) -> Inherited:
        """Return the values of a post; a translation has those of the original, and tags can make a draft."""
        values = dict(own)
        original = file_within(self.site.root, str(path)) if language else None
        if original:
            with suppress(FileRefused):
                values = own_over_inherited(own, self.document(original).metadata)
                if not own.get("slug") and values.get("slug"):
                    self._slugs[path] = str(values.pop("slug"))
        for old, new in _OTHER_NAMES.items():
            if old in values:
                values.setdefault(new, values.pop(old))
        if values.get("status") == "featured":
            values |= {"status": "", "featured": True}
        tags = values.get("tags")
        if self._settings.get("USE_TAG_METADATA") is not False:
            named = tags.split(",") if isinstance(tags, str) else texts_in(tags)
            found = {one.strip().lower() for one in named} & _SPECIAL_TAGS
            values["tags"] = [one.strip() for one in named if one.strip().lower() not in _SPECIAL_TAGS]
            values |= {"status": "private"} if "private" in found else {}
            values |= {"draft": True} if "draft" in found else {}
        return {name: value for name, value in values.items() if name not in _UNUSED}, []

    def page_path(self, file: PlacedFile) -> str | None:
        """Return the path by the destination of ``POSTS``, the folders below, and ``slug`` or the name of the file."""
        kind = self._kind(file.path)
        if kind is None:
            return None
        usual = kind.destinations.get("", kind.destinations.get(self.site.language.lower(), ""))
        destination = kind.destinations.get(file.language.lower(), usual)
        below = file.path.parent.relative_to(kind.folder)
        slug = file.slug or self._slugs.get(file.path) or _slug(file.path.stem)
        ending = "" if slug == "index" and not self._ending.startswith(".") else self._ending
        return posixpath.normpath(f"{destination}/{below}/{slug}").strip("/") + ending

    @property
    def _ending(self) -> str:
        return ".html" if self._settings.get("PRETTY_URLS") is False else "/"

    def language_folder(self, language: str) -> str:
        """Return the folder of a language in URLs, by ``TRANSLATIONS``."""
        folders = self._settings.get("TRANSLATIONS")
        named = folders.get(language or self.site.language) if isinstance(folders, dict) else None
        return posixpath.normpath(named).strip("./") if isinstance(named, str) and named else ""

    def redirects(self) -> Iterator[SiteRedirect]:
        """Yield those of the host, and ``REDIRECTIONS`` of the configuration."""
        yield from super().redirects()
        yield from redirects_in_pairs(self._settings.get("REDIRECTIONS"), "conf.py")

    def term_path(self, kind: str, name: str) -> str | None:
        """Return the path of the list of a category or a tag."""
        tags = self._settings.get("TAG_PATH", "categories")
        folder = tags if kind == "tag" else self._settings.get("CATEGORY_PATH") or tags
        if kind not in {"tag", "category"} or not isinstance(folder, str):
            return None
        prefix = "" if kind == "tag" else self._settings.get("CATEGORY_PREFIX", "cat_")
        return f"{folder}/{prefix}{_slug(name)}{self._ending}"

    def feed_id(self, url: str, date: datetime | None) -> str | None:
        """Return the URL of the post."""
        return url

    def without_templates(self, text: str, place: BodyPlace, losses: Losses) -> str:
        """Return a body without shortcodes, in which special links lead to files."""

        def target(found: re.Match[str]) -> str:
            kind, name = found[1], unquote(found[2])
            file = place.find_page(name) if kind in {"slug", "filename"} else None
            listed = self.term_path(kind, name)
            if file is None and listed is None:
                losses.add(LossKind.LINK, f"The link {found[0][:200]} leads to nothing that was found.")
            return file or (f"{place.base}/{listed}" if listed else found[0])

        return replace_shortcodes(change_outside_code(text, _LINK, target), place, losses=losses)


def _slug(text: str) -> str:
    kept = re.sub(r"[^+\w\s-]", "", anyascii(text)).strip().lower()
    return re.sub(r"[-\s]+", "-", kept)


def _configured(folder: Path, file: Path) -> tuple[MarkdownSite, dict[str, Any], tuple[_Kind, ...]]:
    notes = Configuration(folder)
    found = python_values(file, notes, watched=_WATCHED)
    for name in (*_OF_URLS, *_NEVER_READ):
        if found.get(name) is NOT_PLAIN or (name in _NEVER_READ and found.get(name)):
            notes.guesses.append(f"{name} of the configuration is not read")
    plain = {name: value for name, value in found.items() if value is not NOT_PLAIN}
    if plain.get("TRANSLATIONS_PATTERN", _PATTERN) != _PATTERN:
        notes.guesses.append("TRANSLATIONS_PATTERN of the configuration is not read")
    language = str(plain.get("DEFAULT_LANG") or "en")
    translations = plain.get("TRANSLATIONS")
    others = translations if isinstance(translations, dict) else {}
    kinds = (*_kinds(plain.get("POSTS", _POSTS), is_post=True), *_kinds(plain.get("PAGES"), is_post=False))
    site = MarkdownSite(
        folder,
        url=site_url(plain.get("SITE_URL")),
        path=path_of_url(plain.get("SITE_URL")),
        zone=zone_named(plain.get("TIMEZONE")),
        has_month_first=True,
        author=plain["BLOG_AUTHOR"] if isinstance(plain.get("BLOG_AUTHOR"), str) else None,
        language=language,
        languages=frozenset(str(one).lower() for one in others if one != language),
        **notes.notes(),
    )
    return site, plain, kinds


def _kinds(found: Any, *, is_post: bool) -> Iterator[_Kind]:
    for one in found if isinstance(found, list) else ():
        if not isinstance(one, list) or len(one) < 2 or not isinstance(one[0], str):
            continue
        path = PurePosixPath(one[0])
        destinations = one[1] if isinstance(one[1], dict) else {"": one[1]}
        folders = {str(language).lower(): relative_folder(name, ".") for language, name in destinations.items()}
        with suppress(PatternRefused):
            yield _Kind(
                PurePosixPath(relative_folder(str(path.parent), ".")), glob_pattern(path.name), folders, is_post
            )
