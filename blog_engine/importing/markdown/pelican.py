"""Pelican: its configuration, which is not run (only plain values are read), and its URLs and links.

The rules are those of Pelican's documentation: "Settings" (with "Basic settings", "URL settings" and "Metadata"),
"Writing content" (with "File metadata", "Linking to internal content" and "Publishing drafts") and "Publish your site".
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any, Final, Self
from urllib.parse import urlsplit

from anyascii import anyascii

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
from blog_engine.importing.markdown.fields import FrontMatter
from blog_engine.importing.markdown.front_matter import Document, Metadata, lower_names, read_document
from blog_engine.importing.markdown.generator import (
    BodyPlace,
    Generator,
    Inherited,
    InheritedValues,
    MarkdownSite,
    PlacedFile,
    own_over_inherited,
    stem_of,
)
from blog_engine.importing.markdown.globs import Pattern, PatternRefused, named_groups
from blog_engine.importing.markdown.liquid_tags import replace_liquid_tags
from blog_engine.importing.markdown.literals import NOT_PLAIN, python_values
from blog_engine.importing.markdown.text import change_outside_code
from blog_engine.importing.source import Losses

_HIDING: Final = ("DEFAULT_METADATA", "EXTRA_PATH_METADATA", "ARTICLE_PATHS", "ARTICLE_EXCLUDES", "IGNORE_FILES")
_OF_PATHS: Final = ("FILENAME_METADATA", "PATH_METADATA")
"""Expressions over paths that give values; the first comes before the second."""
_OF_URLS: Final = (
    *("ARTICLE_URL", "ARTICLE_LANG_URL", "SLUGIFY_SOURCE", "SLUGIFY_USE_UNICODE", "SLUGIFY_PRESERVE_CASE"),
    *("DEFAULT_LANG", "DEFAULT_CATEGORY", "USE_FOLDER_AS_CATEGORY"),
)
_NEVER_READ: Final = ("SLUG_REGEX_SUBSTITUTIONS", "SLUG_SUBSTITUTIONS", "ARTICLE_PERMALINK_STRUCTURE")
_WATCHED: Final = frozenset(
    {*_HIDING, *_OF_PATHS, *_OF_URLS, *_NEVER_READ, "SITEURL", "PATH", "AUTHOR", "TIMEZONE", "PLUGINS", "PLUGIN_PATHS"}
)
_DATED_NAMES: Final = r"(?P<date>\d{4}-\d{2}-\d{2}).*"
"""What Pelican reads in names of files by itself."""
_STATUSES: Final = frozenset({"published", "hidden", "skip", "private"})
_FIELD: Final = re.compile(r"\{([a-z_]+)(?::([^{}]*))?\}")
_STRFTIME: Final = re.compile(r"%[-]?[YmdbBHMSyja]")
_LINK: Final = re.compile(r"(?:[{|]|%7B)(filename|static|attach|index|author|category|tag)(?:[}|]|%7D)([^\s()<>\"]*)")


_COMMENT: Final = re.compile(r"^\s*#.*$", re.MULTILINE)
_CHANGES_URLS: Final = re.compile(r"\.(?:override_url|override_save_as|url_format|slug)\s*=(?!=)")
_LEAVES_OUT: Final = re.compile(r"\.status\s*=(?!=)|\barticles\.(?:remove|pop|clear)\(|\.articles\s*=(?!=)")


class Pelican(Generator):
    """The rules of Pelican."""

    more_suffixes = frozenset({".ipynb"})

    def __init__(self, site: MarkdownSite, settings: Mapping[str, Any]) -> None:
        """Take the site, and the plain values of its configuration."""
        super().__init__(site)
        self._settings = settings
        extensions = _extensions(settings.get("MARKDOWN"))
        is_smart = settings.get("TYPOGRIFY") is True
        named = {"extensions": extensions} if extensions else {}
        self.dialect = python_markdown(**named, is_smart=is_smart, toc=_toc(settings.get("MARKDOWN")))

    @classmethod
    def configured(cls, folder: Path) -> Self | None:
        """Return the rules for the site of ``pelicanconf.py``; what ``publishconf.py`` sets comes before."""
        file = first_file(folder, "pelicanconf.py")
        return cls(*_configured(folder, file)) if file else None

    def document(self, file: Path) -> Document:
        """Return front matter and body of a file, whatever the names of its header lines."""
        return read_document(file, has_header_lines=True)

    def inherit(self, own: Metadata, folder: PurePosixPath, path: PurePosixPath, language: str) -> Inherited:
        """Return the values of a post over those in its path, then those for its path, then those of all posts."""
        merged: dict[str, Any] = {}
        for one in reversed(self.site.inherited):
            if one.path is None or one.path.matches(str(path)):
                merged |= one.values
        for name, text in ((_OF_PATHS[1], str(path)), (_OF_PATHS[0], path.stem)):
            merged |= _values_in(self._settings.get(name), text)
        return own_over_inherited(own, merged), []

    def doubts(self, path: PurePosixPath, fields: FrontMatter) -> Iterator[str]:
        """Yield why Pelican does not publish a file."""
        status = (fields.text("status") or "published").lower()
        if status not in _STATUSES:
            yield f"Pelican does not publish posts with the status {status[:40]}"
        # Plugins can take titles from headings.
        known = {"title": self._settings.get("PLUGINS"), "date": self._settings.get("DEFAULT_DATE")}
        for name, other in known.items():
            if fields.raw(name) is None and not other:
                yield f"Pelican does not publish posts without {name}"

    def categories(self, path: PurePosixPath, named: list[str]) -> list[str]:
        """Return the categories of a file: without one, it is the name of its folder, else that of the settings."""
        in_path = path.parent.name if self._settings.get("USE_FOLDER_AS_CATEGORY", True) else ""
        usual = self._settings.get("DEFAULT_CATEGORY")
        return named or [one for one in (in_path or usual,) if isinstance(one, str) and one]

    def page_path(self, file: PlacedFile) -> str | None:
        """Return the path by the front matter or the pattern of the settings, which has one for other languages."""
        if file.url:
            return file.url.removesuffix("index.html")
        usual = str(self._settings.get("DEFAULT_LANG") or "en").lower()
        language = str(file.metadata.get("lang") or usual).lower()
        is_other = language != usual
        pattern = self._settings.get("ARTICLE_LANG_URL" if is_other else "ARTICLE_URL")
        by_name = self._settings.get("SLUGIFY_SOURCE") == "basename"
        authors = file.metadata.get("authors") or file.metadata.get("author") or self.site.author
        values = {
            **{name: str(value) for name, value in file.metadata.items() if isinstance(value, str | int)},
            "slug": file.slug or self._slug(stem_of(file.path) if by_name else file.title),
            "category": self._slug(next(iter(file.categories), "misc")),
            "author": self._slug(re.split("[;,]", str(next(iter(texts_in(authors)), "")))[0]),
            "lang": language,
            "path": str(file.path),
        }
        chosen = pattern if isinstance(pattern, str) else "{slug}-{lang}.html" if is_other else "{slug}.html"
        found = _filled(chosen, values, file.date)
        return found.removesuffix("index.html") if found else None

    def _slug(self, text: str) -> str:
        """Return a text as Pelican makes slugs of titles and names."""
        plain = text if self._settings.get("SLUGIFY_USE_UNICODE") else anyascii(text)
        kept = re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip())
        return kept if self._settings.get("SLUGIFY_PRESERVE_CASE") else kept.lower()

    def term_path(self, kind: str, name: str) -> str | None:
        """Return the path of the list of a category or a tag, unless none is made."""
        pattern = self._settings.get(f"{kind}_URL".upper(), f"{kind}/{{slug}}.html")
        is_made = kind in {"category", "tag"} and self._settings.get(f"{kind}_SAVE_AS".upper()) != ""
        return _filled(str(pattern), {"slug": self._slug(name)}, None) if is_made and pattern else None

    def feed_id(self, url: str, date: datetime | None) -> str | None:
        """Return the tag URI of the post."""
        parts = urlsplit(url)
        return f"tag:{parts.hostname},{date:%Y-%m-%d}:{parts.path}" if date else None

    def without_templates(self, text: str, place: BodyPlace, losses: Losses) -> str:
        """Return a body without tags of liquid_tags, whose links have no words in braces."""
        # The plugin extends Python-Markdown alone.
        if place.path.suffix.lower() not in self.rest_suffixes:
            text = replace_liquid_tags(text, place, losses)
        return change_outside_code(text, _LINK, lambda found: _target(found[1], found[2]))


def _target(kind: str, path: str) -> str:
    if kind in {"filename", "static", "attach"}:
        return path
    return "/" if kind == "index" else f"/{kind}/{path.strip('/').lower()}.html"


def _filled(pattern: str, values: Mapping[str, str], date: datetime | None) -> str | None:
    """Return a pattern of URLs with its values; ``None`` if one of them is not known."""
    parts: list[str] = []
    at = 0
    for found in _FIELD.finditer(pattern):
        value = values.get(found[1]) if not found[2] else None
        is_readable = found[2] and not re.sub(r"[\w/.-]", "", _STRFTIME.sub("", found[2]))
        if found[1] == "date" and date and is_readable:
            value = date.strftime(found[2])
        if value is None:
            return None
        parts += [pattern[at : found.start()], value]
        at = found.end()
    return "".join([*parts, pattern[at:]])


def _values_in(expression: Any, text: str) -> dict[str, str]:
    """Return the values that the groups of an expression find at the beginning of a text."""
    if not isinstance(expression, str) or not expression:
        return {}
    found = named_groups(expression).match(text)
    return {name.lower(): value for name, value in (found.groupdict() if found else {}).items() if value is not None}


def _configured(folder: Path, file: Path) -> tuple[MarkdownSite, dict[str, Any]]:
    notes = Configuration(folder)
    found = python_values(file, notes, watched=_WATCHED)
    public = first_file(folder, "publishconf.py")
    if public:
        others = python_values(public, notes, watched=_WATCHED)
        is_known = {name for name, value in others.items() if value is not NOT_PLAIN}
        found |= {name: value for name, value in others.items() if name in is_known or name in (*_HIDING, *_OF_PATHS)}
    for name in _HIDING:
        if found.get(name) is NOT_PLAIN:
            notes.doubts.append(f"{name} of the configuration is not plain, and can keep posts from readers")
    for name in _OF_PATHS:
        found[name] = _expression(name, found, notes)
    for name in (*_OF_URLS, *_NEVER_READ):
        if found.get(name) is NOT_PLAIN or (name in _NEVER_READ and found.get(name)):
            notes.guesses.append(f"{name} of the configuration is not read")
    plain = {name: value for name, value in found.items() if value is not NOT_PLAIN}
    _note_plugins(folder, plain, notes)
    plain["PLUGINS"] = bool(found.get("PLUGINS"))
    content = relative_folder(plain.get("PATH"), "content")
    site = MarkdownSite(
        folder,
        (content,),
        url=site_url(plain.get("SITEURL")),
        path=path_of_url(plain.get("SITEURL")),
        zone=zone_named(plain.get("TIMEZONE")),
        has_month_first=True,
        author=str(plain["AUTHOR"]) if plain.get("AUTHOR") else None,
        language=str(plain.get("DEFAULT_LANG") or "en"),
        inherited=tuple(_metadata(plain)),
        only=tuple(_only(plain, content, notes)),
        left_out=tuple(_left_out(plain, content, notes)),
        **notes.notes(),
    )
    return site, plain


def _note_plugins(folder: Path, settings: Mapping[str, Any], notes: Configuration) -> None:
    """Note plugins of the site, which are not run, if their text says that they change URLs or leave posts out."""
    for name in texts_in(settings.get("PLUGINS")):
        path = name.replace(".", "/")
        for place in (*texts_in(settings.get("PLUGIN_PATHS")), ""):
            base = folder / relative_folder(place, "")
            file = first_file(base, f"{path}.py", f"{path}/__init__.py", f"{path}/{PurePosixPath(path).name}.py")
            text = _COMMENT.sub("", notes.script(file)) if file else ""
            if _CHANGES_URLS.search(text):
                notes.guesses.append(f"the plugin {name} is not run, and changes URLs")
            if _LEAVES_OUT.search(text):
                notes.doubts.append(f"The plugin {name} is not run, and can keep posts from readers")


def _expression(name: str, found: Mapping[str, Any], notes: Configuration) -> str:
    """Return an expression over paths, empty if it cannot be read: it can give a status, and a slug."""
    text = found.get(name, _DATED_NAMES if name == "FILENAME_METADATA" else "")
    try:
        if isinstance(text, str):
            named_groups(text)
            return text
    except PatternRefused:
        pass
    notes.guesses.append(f"{name} of the configuration is not read")
    if not isinstance(text, str) or "?P<status" in text:
        notes.doubts.append(f"{name} of the configuration can keep posts from readers")
    return ""


def _extensions(value: Any) -> frozenset[str]:
    """Return the names of the extensions of Python-Markdown that ``MARKDOWN`` of the configuration names."""
    found = value if isinstance(value, dict) else {}
    configured = found.get("extension_configs")
    return frozenset([*texts_in(found.get("extensions")), *(configured if isinstance(configured, dict) else ())])


def _toc(value: Any) -> Mapping[str, Any]:
    """Return the options of the extension of Python-Markdown that makes ids of headings."""
    configured = value.get("extension_configs") if isinstance(value, dict) else None
    named = configured if isinstance(configured, dict) else {}
    found = next((options for name, options in named.items() if str(name).rpartition(".")[2] == "toc"), None)
    return found if isinstance(found, dict) else {}


def _metadata(found: dict[str, Any]) -> Iterator[InheritedValues]:
    by_path = found.get("EXTRA_PATH_METADATA")
    for path, values in by_path.items() if isinstance(by_path, dict) else ():
        if isinstance(values, dict) and isinstance(path, str):
            steps = tuple(sign.__eq__ for sign in path.strip("/"))
            yield InheritedValues(lower_names(values), path=Pattern((steps, (*steps, "/".__eq__, "**"))))
    default = found.get("DEFAULT_METADATA")
    if isinstance(default, dict):
        yield InheritedValues(lower_names(default))
    if any("?P<status" in str(found.get(name)) for name in _OF_PATHS):
        # It says for a part of the site that its posts can be hidden; the values are those in the path.
        yield InheritedValues({"status": ""}, path=Pattern(()))


def _only(found: dict[str, Any], content: str, notes: Configuration) -> Iterator[Pattern]:
    paths = texts_in(found.get("ARTICLE_PATHS"))
    if paths:
        # Pages are listed as such.
        paths += texts_in(found.get("PAGE_PATHS")) or ["pages"]
    below = [f"{content}/{one.strip('/')}".strip("/") for one in paths]
    yield from notes.globs(below, name="ARTICLE_PATHS of the configuration", stars_cross=False)


def _left_out(found: dict[str, Any], content: str, notes: Configuration) -> Iterator[Pattern]:
    below = f"{content}/" if content else ""
    names = [*texts_in(found.get("IGNORE_FILES")), *(f"**/{one}" for one in texts_in(found.get("IGNORE_FILES")))]
    yield from notes.globs(names, name="IGNORE_FILES of the configuration", stars_cross=True)
    folders = [f"{below}{one}" for one in texts_in(found.get("ARTICLE_EXCLUDES"))]
    yield from notes.globs(folders, name="ARTICLE_EXCLUDES of the configuration", stars_cross=False)
