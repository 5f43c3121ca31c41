"""One file of Markdown as a post."""

import posixpath
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any, Final, Literal
from urllib.parse import quote, unquote, urljoin

from blog_engine.importing.markdown.bodies import PageNames, beside_page, convert_body, convert_html, convert_rest
from blog_engine.importing.markdown.fields import (
    FrontMatter,
    Times,
    in_zone,
    moment_in_name,
    name_of,
    read_status,
    read_times,
)
from blog_engine.importing.markdown.front_matter import Document
from blog_engine.importing.markdown.generator import (
    BodyPlace,
    Generator,
    Merged,
    PlacedFile,
    Version,
    name_without_day,
    stem_of,
)
from blog_engine.importing.markdown.globs import PatternRefused, glob_pattern
from blog_engine.importing.markdown.text import shown_words
from blog_engine.importing.old_blog import split_or_none
from blog_engine.importing.source import ImageUse, Losses, LossKind, SourcePost, SourceRedirect, SourceStatus, texts_of
from blog_engine.rules.content_fields import METADATA_TEXTS

HTML: Final = frozenset({".html", ".htm"})
"""Suffixes of files whose bodies are HTML."""
_HEADING: Final = re.compile(r"\s*#[ \t]+(\S[^\n]*?)[ \t]*#*[ \t]*(?:\{[^{}\n]*\})?[ \t]*(?:\n|$)")
_UNDERLINED: Final = re.compile(r"\s*(\S[^\n]*)\n=+[ \t]*(?:\n|$)")
_SLASHES: Final = re.compile(r"/{2,}")
_NO_WORD: Final = re.compile(r"[\W_]+")
_COVERS: Final = (
    *("cover", "coverimage", "cover_image", "featured_image", "featuredimage", "feature_image", "heroimage", "hero"),
    *("banner", "image", "img", "thumbnail", "header", "teaser", "ogimage", "og_image"),
)
_OF_LAYOUT: Final = (
    *("layout", "type", "template", "linktitle", "toc", "showtoc", "tableofcontents", "comments", "share", "math"),
    *("mathjax", "katex", "locale", "output", "markup", "outputs", "weight", "menu", "build"),
)
"""Names that change how a page looks, or how it is made, and nothing that readers would miss here."""
_TAXONOMIES: Final = frozenset(
    {"category", "categories", "tag", "tags", "series", "author", "authors", "lang", "language"}
)
"""Names of taxonomies that are fields here."""
_OTHER_NAMES: Final = {
    "search_title": ("seo_title", "seotitle", "meta_title"),
    "search_description": ("seo_description", "meta_description"),
}
"""Names of texts in other programs."""
Term = tuple[Literal["category", "tag", "series", "author"], str, str]
"""Kind and name of a term, and the kind of list that it had in the other blog."""


@dataclass(frozen=True, slots=True)
class SiteOfFiles:
    """The facts that the files of a site share."""

    generator: Generator
    origin: str
    """The scheme and host of the home page; empty if they are not known."""
    base: str
    """The path of the home page, without a slash at the end."""
    names: PageNames
    now: datetime
    page_url: Callable[[str], str | None]
    """Returns the URL of the page of a file that ``names`` found; ``None`` if it is not known."""
    other_page_url: Callable[[PurePosixPath], str | None]
    """Returns the URL of the page of a file by its path in the site; ``None`` for posts and other files."""


class PostFile:
    """One file; each method reads a part of its post."""

    def __init__(
        self,
        files: SiteOfFiles,
        folder: PurePosixPath,
        path: PurePosixPath,
        source_id: str,
        version: Version,
        document: Document,
        merged: Merged,
    ) -> None:
        """Take a file of a folder of contents, with what was read of it."""
        self._files = files
        self._generator = files.generator
        self._site = files.generator.site
        self._path = path
        self._contents = folder
        self._folder = (folder / path).parent
        self._version = version
        self._source_id = source_id
        self._is_rest = path.suffix.lower() in self._generator.rest_suffixes
        self._body = document.body
        self._doubts = merged.doubts
        self._metadata = merged.metadata
        maps = [one for one in document.metadata.values() if isinstance(one, dict)]
        self._own_names = {*document.metadata, *(str(name).lower() for one in maps for name in one)}
        self._fields = FrontMatter(
            merged.metadata,
            zone=self._site.zone,
            has_ruby_times=self._site.has_ruby_times,
            has_month_first=self._site.has_month_first,
        )
        self._losses = Losses([*document.losses])
        self.terms: list[Term] = []
        """What the post names."""
        self.moved: list[SourceRedirect] = []

    def url(self) -> str | None:
        """Return the URL of its page; ``None`` if its pattern is not understood."""
        title, times = self._title(), self._times()
        page = self._page_path(title, self._fields.text("slug"), times.shown, self._taxonomy()[0])
        return f"{self._files.origin}{page}" if page else None

    def post(self) -> SourcePost:
        """Return the post."""
        fields, losses = self._fields, self._losses
        fields.leave(_OF_LAYOUT)
        title = self._title()
        times = self._times()
        opens = self._generator.opens(times)
        elsewhere = fields.url("redirect_to", "redirect_url")
        status = self._status(times, opens, elsewhere)
        categories, tags = self._taxonomy()
        slug = fields.text("slug")
        page = self._page_path(title, slug, times.shown, categories)
        url = f"{self._files.origin}{page}" if page else None
        if url and elsewhere:
            self.moved.append(SourceRedirect(url, elsewhere, self._source_id))
        is_public = status is SourceStatus.PUBLISHED
        if page is None and is_public:
            losses.add(LossKind.REDIRECT, "Its former URL is not known: its pattern is not understood.")
        published = opens if status is SourceStatus.SCHEDULED else times.shown
        place = self._body_place(page)
        series, position = self._series()
        cover, social = self._images(place)
        is_html = self._path.suffix.lower() in HTML
        convert = convert_html if is_html else convert_rest if self._is_rest else convert_body
        body = convert(self._body, self._generator, place, losses=losses)
        former = self._former_urls(page or "/")
        own_feed_id = fields.text("guid", "atom_id", "feed_id")
        authors = self._authors()
        return SourcePost(
            source_id=self._source_id,
            title=title,
            body=body.text,
            former_ids=body.former_ids,
            body_format="html" if is_html else "markdown",
            status=status,
            where=self._source_id,
            slug=slug or self._slug(page),
            url=url if is_public else None,
            former_urls=former if is_public else (),
            url_guess=self._guess() if url and is_public else "",
            link_names=(
                str(self._folder / self._path.name),
                f"/{self._path}",
                *([url] if url and not is_public else []),
            ),
            published_at=published and in_zone(published, UTC),
            modified_at=times.modified and in_zone(times.modified, UTC),
            published_evidence=f"{self._source_id}: {times.shown_evidence}" if times.shown else None,
            modified_evidence=f"{self._source_id}: {times.modified_evidence}" if times.modified else None,
            author=next(iter(authors), None),
            coauthors=authors[1:],
            category=categories[0] if categories else None,
            tags=tags,
            series=series,
            series_position=position,
            description=self._description(),
            texts=texts_of(**{name: fields.text(name, *_OTHER_NAMES.get(name, ())) for name in METADATA_TEXTS}),
            language=fields.language("lang", "language", losses=losses)
            or self._version.language
            or self._version.written_in
            or None,
            translation_key=fields.text("translationkey", "translation_group") or self._version.key,
            is_unlisted=fields.flag("noindex") is True,
            expires_at=times.expires and in_zone(times.expires, UTC),
            is_featured=fields.flag("featured", "pinned", "pin", "sticky") is True,
            canonical_url=fields.text("canonicalurl", "canonical_url", "canonical"),
            cover=cover,
            social_image=social,
            feed_id=own_feed_id or (self._feed_id(url, times.shown) if url and is_public else None),
            base="" if self._folder == PurePosixPath(".") else str(self._folder),
            losses=self._with_other_fields(),
        )

    def _status(self, times: Times, opens: datetime | None, elsewhere: str | None) -> SourceStatus:
        doubts = [*self._doubts, *([f"It only led to {elsewhere[:200]}"] if elsewhere else [])]
        tag = self._version.language or self._site.language
        if tag.lower() in self._site.hidden_languages:
            doubts.append(f"The configuration does not publish the language {tag}")
        doubts += self._generator.doubts(self._path, self._fields)
        return read_status(self._fields, times, self._path, self._files.now, self._losses, opens=opens, doubts=doubts)

    def _guess(self) -> str:
        """Return why the URL is a guess; empty if the files say what it was."""
        is_own = self._fields.url("permalink", "url", "save_as") is not None
        is_certain = is_own or self._generator.is_routed_by_files(self._folder)
        return "" if is_certain else "; ".join(self._site.guesses)

    def _feed_id(self, url: str, date: datetime | None) -> str | None:
        parts = split_or_none(url)
        return self._generator.feed_id(url, date) if parts and parts.netloc else None

    def _title(self) -> str:
        title = self._fields.text("title")
        heading = None if self._is_rest else _HEADING.match(self._body) or _UNDERLINED.match(self._body)
        is_shown_once = self._generator.shows_heading_for_title and heading and _is_alike(heading[1], title or "")
        if heading and (is_shown_once or not title):
            # The lines that follow keep their numbers.
            self._body = "\n" * heading[0].count("\n") + self._body[heading.end() :]
        if title:
            return " ".join(title.split())
        if heading:
            if not self._generator.shows_heading_for_title:
                self._losses.add(LossKind.FIELD, "It has no title: the first heading is it now.")
            return shown_words(heading[1])
        self._losses.add(LossKind.FIELD, "It has no title: the name of the file is it now.")
        return (
            name_without_day(stem_of(self._path)).replace("-", " ").replace("_", " ").strip().capitalize()
            or "(Untitled)"
        )

    def _times(self) -> Times:
        name = stem_of(self._version.path)
        times = read_times(self._fields, self._losses, self._files.now, self._site.date_names)
        dated = moment_in_name(name, self._site.zone) if times.shown is None else None
        if dated:
            return replace(times, shown=dated, shown_evidence=f"the name of the file, in {self._site.zone.key}")
        return times

    def _page_path(self, title: str, slug: str | None, date: datetime | None, categories: list[str]) -> str | None:
        chosen = self._fields.url("permalink", "url", "save_as")
        parts = split_or_none(chosen) if chosen else None
        if parts and parts.netloc:
            chosen = parts.path or "/"
        version = self._version
        language = version.language.lower()
        placed = PlacedFile(
            version.path, title, slug, date, categories, chosen, self._contents, language, self._metadata
        )
        found = self._generator.page_path(placed)
        language = self._generator.language_folder(version.language)
        # Hugo has no folder of the language for a URL that begins with a slash.
        is_below = language and not (chosen or "").startswith("/")
        base = f"{self._files.base}/{language}" if is_below else self._files.base
        return None if found is None else quoted_path(base, found)

    def _slug(self, page: str | None) -> str:
        last = unquote((page or "").rstrip("/").rpartition("/")[2]).removesuffix(".html")
        tag = self._version.language or self._version.written_in
        own = (last or name_without_day(stem_of(self._path))).removesuffix(f".{self._version.written_in}")
        return f"{own}-{tag.lower()}" if tag else own

    def _former_urls(self, page: str) -> tuple[str, ...]:
        names = ("aliases", "alias", "redirect_from", "redirects", "former_urls")
        # Hugo resolves relative ones beside the page.
        above = posixpath.dirname(page.rstrip("/")) + "/"
        return tuple(self._former_url(one, above) for one in self._fields.texts(*names))

    def _former_url(self, url: str, above: str) -> str:
        parts = split_or_none(url)
        if parts is None or parts.scheme or parts.netloc:
            return url
        language = (self._version.language or self._site.language_in_urls).lower()
        below = f"{self._files.base}/{language}" if language else self._files.base
        path = f"{below}{url}" if url.startswith("/") else "/" + urljoin(above, url).lstrip("/")
        return f"{self._files.origin}{self._generator.alias_path(path, self._version.path)}"

    def _taxonomy(self) -> tuple[list[str], tuple[str, ...]]:
        """Return the categories, and the tags with all categories but the first."""
        fields, separators = self._fields, self._generator.separators
        single = fields.texts("category", separators=self._generator.category_separators)
        taxonomies = self._site.taxonomies
        several = fields.texts("categories", *filter(None, [taxonomies.get("category")]), separators=separators)
        named = [*several, *single] if self._generator.has_category_last else [*single, *several]
        categories = self._generator.categories(self._path, list(dict.fromkeys(named)))
        names = ("tags", "tag", *filter(None, [taxonomies.get("tag")]))
        tagged = fields.texts(*names, separators=separators) or fields.texts("keywords")
        others = {one: field for field in self._other_taxonomies() for one in fields.texts(field)}
        tags = self._generator.tags(list(tagged), self._losses)
        for one in categories[1:]:
            self._losses.add(LossKind.CATEGORY, f"{one} is a further category: now a tag.")
        for field in dict.fromkeys(others.values()):
            self._losses.add(LossKind.CATEGORY, f"The terms of {field} are tags now.")
        merged = {one.casefold(): one for one in [*categories[1:], *tags, *others]}
        if categories:
            merged.pop(categories[0].casefold(), None)
            self.terms.append(("category", categories[0], "category"))
        for one in merged.values():
            self.terms.append(("tag", one, "category" if one in categories else others.get(one, "tag")))
        return categories, tuple(merged.values())

    def _other_taxonomies(self) -> Iterator[str]:
        """Yield the fields of taxonomies that this engine has no place for."""
        for name, field in self._site.taxonomies.items():
            if {name, field}.isdisjoint(_TAXONOMIES):
                yield field

    def _description(self) -> str | None:
        names = ("description", "summary", "excerpt", "subtitle", "abstract")
        found = self._fields.text(*(name for name in names if name not in METADATA_TEXTS))
        found = found or self._fields.prose("teaser")
        return " ".join(found.split()) if found else None

    def _authors(self) -> tuple[str, ...]:
        found = self._fields.raw("author_name", "authors", "author")
        if not found:
            return (self._site.author,) if self._site.author else ()
        name, value = found
        # The second name is a key of the first then.
        self._fields.leave(("authors", "author") if name == "author_name" else ())
        if name != "authors" and not isinstance(value, list):
            people = tuple(one for one in [name_of(value)] if one)
        else:
            people = self._fields.texts(name, separators=";" if ";" in str(value) else ",")
        people = (*people, *self._fields.texts("coauthors"))
        self.terms.extend(("author", one, "author") for one in people)
        return people

    def _series(self) -> tuple[str | None, int | None]:
        found = self._fields.texts("series")
        if not found:
            return None, None
        for other in found[1:]:
            self._losses.add(LossKind.FIELD, f"The series {other} is a further one.")
        self.terms.append(("series", found[0], "series"))
        return found[0], self._fields.number(
            "series_order", "series_index", "series_weight", "series_position", "weight"
        )

    def _images(self, place: BodyPlace) -> tuple[ImageUse | None, ImageUse | None]:
        cover = self._fields.image(*_COVERS, losses=self._losses) or self._resource()
        social = self._fields.image("images", "social_image", losses=self._losses)
        alt = self._fields.text("heroimagealt", "cover_alt", "coveralt", "image_alt", "featured_image_alt")
        if cover and alt:
            cover = replace(cover, alt=alt)
        return self._placed(cover or social, place), self._placed(social, place) if cover else None

    def _resource(self) -> ImageUse | None:
        """Return the image that a page bundle of Hugo names as its cover."""
        found = self._fields.raw("resources")
        for one in found[1] if found and isinstance(found[1], list) else ():
            if isinstance(one, dict) and re.search("cover|feature|thumbnail", str(one.get("name"))) and one.get("src"):
                return ImageUse(url=self._matching(str(one["src"])))
        return None

    def _matching(self, pattern: str) -> str:
        """Return the first file beside this one that a pattern means; the pattern itself if there is none."""
        folder = self._site.root / self._folder
        try:
            found = glob_pattern(pattern)
            names = sorted(one.name for one in folder.iterdir())
        except (PatternRefused, OSError):
            return pattern
        return next(filter(found.matches, names), pattern)

    def _placed(self, image: ImageUse | None, place: BodyPlace) -> ImageUse | None:
        if image is None or not image.url:
            return image
        parts = split_or_none(image.url)
        is_relative = parts and not parts.scheme and not parts.netloc and not image.url.startswith("/")
        if is_relative and place.has_file(image.url):
            beside = posixpath.normpath(posixpath.join(self._folder, image.url))
            return replace(image, url=f"/{beside}")
        # Themes make such a path one from the root of the site.
        if is_relative and not image.url.startswith(".") and self._site.file_at(unquote(image.url)):
            return replace(image, url=f"{self._files.base}/{image.url}")
        if is_relative and "/" not in image.url and (named := self._files.names.image_named(unquote(image.url))):
            return replace(image, url=f"/{named}")
        return replace(image, url=beside_page(image.url, place))

    def _body_place(self, page: str | None) -> BodyPlace:
        return BodyPlace(
            self._path,
            page_path=page,
            base=self._files.base,
            find_page=lambda name: self._files.names.find(name, folder=self._path.parent),
            has_file=lambda path: self._files.names.has(unquote(path), folder=self._folder),
            parameter=lambda name: self._fields.text(name.lower()),
            values=self._site.values_by_language.get(self._version.language.lower(), self._site.values),
            read_file=self._files.names.text,
            metadata=self._metadata,
            page_url=self._files.page_url,
            other_page_url=lambda path: self._files.other_page_url(
                PurePosixPath(posixpath.normpath(self._folder / unquote(path)))
            ),
        )

    def _with_other_fields(self) -> tuple[Any, ...]:
        # Readers miss nothing of what a theme or a data file gives to all posts.
        others = [name for name in self._fields.others() if name in self._own_names]
        if others:
            names = ", ".join(name[:60] for name in others[:20])
            self._losses.add(LossKind.FIELD, f"These fields have no place here: {names}.")
        return tuple(self._losses.found)


def _is_alike(one: str, other: str) -> bool:
    """Return whether two titles have the same letters and digits."""
    return _NO_WORD.sub("", one).casefold() == _NO_WORD.sub("", other).casefold()


def quoted_path(base: str, path: str) -> str:
    """Return the path of a page below that of the home page, percent-encoded."""
    return quote(_SLASHES.sub("/", f"{base}/{path}"), safe="/:@!$&'()*+,;=~-._%")
