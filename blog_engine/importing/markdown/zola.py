"""Zola: its configuration, sections, URLs, links and shortcodes.

The rules are those of Zola's documentation: "Configuration", and under "Content" the pages "Overview", "Section",
"Page", "Multilingual sites", "Taxonomies", "Internal links" and "Shortcodes".
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any, Final, Self

from anyascii import anyascii

from blog_engine.importing.data import FileRefused
from blog_engine.importing.folders import file_within
from blog_engine.importing.heading_ids import IdRule
from blog_engine.importing.markdown.configuration import (
    Configuration,
    can_hide,
    first_file,
    nested_map,
    path_of_url,
    site_url,
    texts_in,
)
from blog_engine.importing.markdown.dialects import Dialect
from blog_engine.importing.markdown.fields import FrontMatter
from blog_engine.importing.markdown.front_matter import Document, Metadata, read_document
from blog_engine.importing.markdown.generator import (
    BodyPlace,
    Generator,
    Inherited,
    MarkdownSite,
    PlacedFile,
    Version,
    folders_and_stem,
    is_dated_or_with_posts,
    stem_of,
)
from blog_engine.importing.markdown.scripts import HIDING
from blog_engine.importing.markdown.text import change_outside_code, link_markdown
from blog_engine.importing.markdown.typography import USUAL
from blog_engine.importing.source import Losses, LossKind
from blog_engine.importing.text import LineStarts

_NAMES: Final = ("zola.toml", "config.toml")
_OWN_URL: Final = re.compile(r"(?m)^\s*base_url\s*=")
_DATED: Final = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9:.]{8,15}(?:Z|[+-][0-9]{2}:[0-9]{2}))?)\s?[_-](.+)")
_DAY: Final = re.compile(r"/([0-9]{4})/(0[1-9]|1[0-2])/(0[1-9]|[12][0-9]|3[01])/")
_NO_PARAMETERS: Final = HIDING | {"path", "url", "slug", "permalink", "save_as", "aliases", "date", "updated", "title"}
"""Names that mean nothing to Zola in ``extra``."""
_UNUSED: Final = frozenset({"taxonomies", "extra", "in_search_index", "url", "permalink", "save_as", "path", "render"})
_LISTS: Final = {"category": ("categories", "category"), "tag": ("tags", "tag"), "series": ("series",)}
_FORBIDDEN: Final = re.compile(r'[<>:"/\\|?*]')
_LINK: Final = re.compile(r"(\]\(\s*<?|^ {0,3}\[[^\]\n]+\]:[ \t]*<?|\bhref=[\"'])@/([^\s()<>\"']*)", re.MULTILINE)
_ESCAPED: Final = re.compile(r"(\{\{|\{%)/\*(.*?)\*/(\}\}|%\})", re.DOTALL)
_SHORTCODE: Final = re.compile(
    r"\{\{\s*(\w+)\(((?:[^()\"'`]|\"[^\"]*\"|'[^']*'|`[^`]*`)*+)\)\s*\}\}"
    r"|\{%\s*(\w+)\((?:[^()\"'`]|\"[^\"]*\"|'[^']*'|`[^`]*`)*+\)\s*%\}[ \t]*\n?|\{%\s*end\s*%\}"
)
_ARGUMENT: Final = re.compile(r"(\w+)\s*=\s*[\"'`]([^\"'`\s<>]+)[\"'`]")
_EMBEDS: Final = {
    "youtube": ("id", "https://www.youtube.com/watch?v="),
    "vimeo": ("id", "https://vimeo.com/"),
    "streamable": ("id", "https://streamable.com/"),
    "gist": ("url", ""),
}
"""The shortcodes that Zola had by itself: the argument, and the beginning of the URL."""
_LONGEST: Final = 300
"""Characters of a shortcode in a report."""


class Zola(Generator):
    """The rules of Zola."""

    dialect = Dialect(strikes=frozenset({"~", "~~"}), has_attributes=True, has_definitions=False, id_rule=IdRule.ZOLA)

    def __init__(self, site: MarkdownSite, configuration: Mapping[str, Any]) -> None:
        """Take the site, and the values of its configuration."""
        super().__init__(site)
        if nested_map(configuration, "markdown").get("smart_punctuation") is True:
            self.dialect = replace(self.dialect, typography=USUAL)
        if nested_map(configuration, "slugify").get("anchors") not in (None, "on"):
            self.dialect = replace(self.dialect, id_rule=IdRule.UNKNOWN)
        self._slugify = nested_map(configuration, "slugify")
        self._taxonomy_root = str(configuration.get("taxonomy_root") or "")
        named = configuration.get("taxonomies")
        self._taxonomies = {str(one.get("name")) for one in named or () if isinstance(one, dict)} if named else set()
        self._drafts: dict[PurePosixPath, list[str]] = {}

    @classmethod
    def configured(cls, folder: Path) -> Self | None:
        """Return the rules for the site of a ``zola.toml`` or ``config.toml`` that has ``base_url``.

        Hugo's name is ``baseURL``, and Zola allows no names of others.
        """
        file = first_file(folder, *_NAMES)
        if file is None:
            return None
        notes = Configuration(folder)
        found = notes.data(file)
        if found.get("baseurl") or not (found.get("base_url") or (notes.unread and _OWN_URL.search(_text(file)))):
            return None
        return cls(_site(folder, found, notes), found)

    def omission_by_path(self, folder: PurePosixPath, path: PurePosixPath) -> str | None:
        """Return that a file is the page of a section, or no content ("Content: Overview")."""
        if path.name.startswith("_index."):
            return "list page"
        return None if path.suffix == ".md" else "file that Zola does not read"

    def omission_by_document(self, folder: PurePosixPath, path: PurePosixPath, document: Document) -> str | None:
        """Return that a file without a date, outside of folders of posts, is a page: no feed has it ("Feeds")."""
        is_post = is_dated_or_with_posts(path, document) or _day_in_path(document.metadata)
        return None if is_post else "page"

    def version(self, folder: PurePosixPath, path: PurePosixPath) -> Version:
        """Return the version that a name such as ``a.fr.md`` means ("Multilingual sites")."""
        stem, dot, tag = path.stem.partition(".")
        if not self.site.languages:
            return Version(path, "", None)
        if not dot or tag.lower() not in self.site.languages:
            return Version(path, "", str(path))
        plain = path.with_name(f"{stem}.md")
        return Version(plain, tag, str(plain))

    def inherit(self, own: Metadata, folder: PurePosixPath, path: PurePosixPath, language: str) -> Inherited:
        """Return the values of a page with its taxonomies and ``extra`` among them; a draft section hides its pages."""
        extra = {name: value for name, value in nested_map(own, "extra").items() if name not in _NO_PARAMETERS}
        values = {**extra, **nested_map(own, "taxonomies")}
        values |= {name: value for name, value in own.items() if name not in _UNUSED}
        if isinstance(own.get("path"), str) and own["path"].strip():
            values["url"] = "/" + own["path"].strip().strip("/") + "/"
        if dated := _DATED.fullmatch(stem_of(path)):
            values.setdefault("date", dated[1])
        elif day := _day_in_path(own):
            values.setdefault("date", day)
        # Aliases are relative to the root.
        aliases = [one if "://" in one else "/" + one.lstrip("/") for one in texts_in(own.get("aliases"))]
        doubts = [doubt for above in (folder / path).parents for doubt in self._draft_section(above)]
        if own.get("render") is False:
            doubts.append("It had no page (render = false)")
        return {**values, "aliases": aliases}, doubts

    def _draft_section(self, folder: PurePosixPath) -> list[str]:
        """Return that a section is a draft, which hides all that is in its folder ("Section")."""
        if folder not in self._drafts:
            self._drafts[folder] = list(self._section_doubts(folder))
        return self._drafts[folder]

    def _section_doubts(self, folder: PurePosixPath) -> Iterator[str]:
        for name in ("_index.md", *(f"_index.{language}.md" for language in sorted(self.site.languages))):
            file = file_within(self.site.root / folder, name)
            if file is None:
                continue
            try:
                if FrontMatter(read_document(file).metadata, zone=self.site.zone).is_set("draft"):
                    yield f"Its section {folder} is a draft"
            except FileRefused:
                if can_hide(file):
                    yield f"{folder}/{name} cannot be read, and can keep posts from readers"

    def page_path(self, file: PlacedFile) -> str | None:
        """Return the path by ``path``, else by folders and ``slug`` or the name without its date ("Page")."""
        if file.url:
            return file.url
        folders, stem = folders_and_stem(file.path)
        dated = _DATED.fullmatch(stem)
        name = stem if not dated or self._slugify.get("paths_keep_dates") is True else dated[2]
        return "/".join([*folders, self._slug(file.slug or name, "paths"), ""])

    def language_folder(self, language: str) -> str:
        """Return the folder of a language in URLs: its code as it is written."""
        return language

    def term_path(self, kind: str, name: str) -> str | None:
        """Return the path of the list of a term, if the configuration has the taxonomy ("Taxonomies")."""
        taxonomy = next((one for one in _LISTS.get(kind, ()) if one in self._taxonomies), None)
        if taxonomy is None:
            return None
        parts = [self._taxonomy_root, self._slug(taxonomy, "paths"), self._slug(name, "taxonomies"), ""]
        return "/".join(parts).lstrip("/")

    def feed_id(self, url: str, date: datetime | None) -> str | None:
        """Return the URL of the post, which is its id in the feeds that Zola makes by itself."""
        return url

    def without_templates(self, text: str, place: BodyPlace, losses: Losses) -> str:
        """Return a body without shortcodes, in which links lead to files without the ``@``."""
        text = change_outside_code(text, _LINK, lambda found: f"{found[1]}{_target(found[2], place)}")
        lines = LineStarts(text)

        def replace(found: re.Match[str]) -> str:
            name = found[1] or found[3]
            if not name:
                return ""
            written, line = found[0].strip()[:_LONGEST], lines.number_at(found.start())
            url = _embedded(name, found[2] or "")
            if url:
                losses.add(LossKind.EMBED, f"The shortcode {written}: a link to it remains.", line)
                return link_markdown(url, url)
            rest = "left out, the text in it remains" if found[3] else "left out"
            losses.add(LossKind.SHORTCODE, f"The shortcode {written}: {rest}.", line)
            return ""

        text = change_outside_code(text, _SHORTCODE, replace)
        # Zola shows escaped shortcodes in code as well.
        return _ESCAPED.sub(lambda found: f"{found[1]}{found[2]}{found[3]}", text)

    def _slug(self, text: str, kind: str) -> str:
        """Return a text by the strategy of the configuration ("Configuration: Slugification strategies")."""
        strategy = self._slugify.get(kind) or "on"
        if strategy == "off":
            return text
        return _FORBIDDEN.sub("", text.rstrip(" .")) if strategy == "safe" else _slugified(text)


def _day_in_path(own: Metadata) -> str | None:
    """Return the day in ``path``, from which templates can take the date of a page that has none."""
    found = _DAY.search(f"/{own.get('path')}/")
    return f"{found[1]}-{found[2]}-{found[3]}" if found else None


def _slugified(text: str) -> str:
    # A letter of Chinese or Japanese is a word.
    words = "".join(f"{anyascii(sign)} " if _is_ideograph(sign) else anyascii(sign) for sign in text)
    return re.sub("[^a-z0-9]+", "-", words.lower()).strip("-")


def _is_ideograph(sign: str) -> bool:
    return not sign.isascii() and unicodedata.name(sign, "").startswith("CJK UNIFIED")


def _target(path: str, place: BodyPlace) -> str:
    file, mark, fragment = path.partition("#")
    if re.fullmatch(r"_index(\.[\w-]+)?\.md", file.rpartition("/")[2]):
        return f"{place.base}/{file.rpartition('/')[0]}/".replace("//", "/") + mark + fragment
    return f"/{path}"


def _embedded(name: str, arguments: str) -> str | None:
    wanted, beginning = _EMBEDS.get(name, ("", ""))
    given = dict(_ARGUMENT.findall(arguments)).get(wanted)
    return f"{beginning}{given}" if given else None


def _text(file: Path) -> str:
    return file.read_bytes()[:1_000_000].decode(errors="replace")


def _site(folder: Path, found: Mapping[str, Any], notes: Configuration) -> MarkdownSite:
    default = str(found.get("default_language") or "en")
    ignored = [f"**/{one}" for one in texts_in(found.get("ignored_content"))]
    return MarkdownSite(
        folder,
        ("content",),
        url=site_url(found.get("base_url")),
        path=path_of_url(found.get("base_url")),
        author=str(found["author"]) if found.get("author") else None,
        language=default,
        languages=frozenset(one for one in nested_map(found, "languages") if one != default.lower()),
        left_out=tuple(notes.globs(ignored, name="ignored_content of the configuration", stars_cross=True)),
        **notes.notes(),
    )
