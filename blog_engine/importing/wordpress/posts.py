"""A post of WordPress in the form of all sources."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from html import unescape
from posixpath import dirname
from typing import Final
from urllib.parse import quote, unquote, urlsplit

from blog_engine.importing.source import (
    ImageUse,
    Losses,
    LossKind,
    SourceImage,
    SourcePost,
    SourceStatus,
    source_origin,
    texts_of,
)
from blog_engine.importing.wordpress.bodies import SharedContent, pages_of, shown_body, text_without_tags
from blog_engine.importing.wordpress.files import WxrItem, WxrTerm

_STATUSES: Final = {
    "publish": SourceStatus.PUBLISHED,
    "future": SourceStatus.SCHEDULED,
    "draft": SourceStatus.DRAFT,
    "pending": SourceStatus.DRAFT,
}
_IMAGE: Final = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|bmp|tiff?|heic|ico|svg)$", re.IGNORECASE)
_VARIABLE: Final = re.compile(r"%%?[a-z_][a-z0-9_]*(?:\([^()%]*\))?%%?", re.IGNORECASE)
_DATE_IN_PATH: Final = re.compile(r"/([0-9]{4})(/[0-9]{2})?(/[0-9]{2})?(?=/)")
_ZERO: Final = "0000-00-00 00:00:00"
_TITLE_WORDS: Final = 8
_LONGEST_TITLE: Final = 80
_MOST_PAGES: Final = 50

_SEARCH_TITLES: Final = ("_yoast_wpseo_title", "rank_math_title", "_aioseo_title", "_seopress_titles_title")
_SEARCH_TEXTS: Final = (
    *("_yoast_wpseo_metadesc", "rank_math_description", "_aioseo_description", "_seopress_titles_desc"),
)
_CANONICALS: Final = ("_yoast_wpseo_canonical", "rank_math_canonical_url", "_seopress_robots_canonical")
_SOCIAL_IMAGES: Final = ("_yoast_wpseo_opengraph-image", "rank_math_facebook_image", "_seopress_social_fb_img")
_PRIMARY: Final = ("_yoast_wpseo_primary_category", "rank_math_primary_category")
_READ: Final = frozenset({*_SEARCH_TITLES, *_SEARCH_TEXTS, *_CANONICALS, *_SOCIAL_IMAGES, *_PRIMARY, "footnotes"})
_OF_PLUGINS: Final = ("rank_math_", "wpil_", "ez-toc", "jetpack_", "enclosure")
"""Beginnings of custom fields that plugins write for themselves."""
_BUILDERS: Final = {
    "_elementor_data": "Elementor",
    "_fl_builder_data": "Beaver Builder",
    "ct_builder_shortcodes": "Oxygen",
}
_MOST_VALUES: Final = 20_000
_DEEPEST: Final = 20
_SCALAR: Final = re.compile(rb"(?:([ib]):(-?[0-9]{1,19})|d:([-+.0-9eEINFA]{1,40})|(N));")
_STRING: Final = re.compile(rb's:([0-9]{1,9}):"')
_ARRAY: Final = re.compile(rb"a:([0-9]{1,7}):\{")


@dataclass(frozen=True, slots=True)
class PostReader:
    """Reads the posts of one export."""

    home: str
    """The URL of the blog, without a slash at the end; empty if it is not known."""
    authors: Mapping[str, str]
    """Names by login."""
    categories: Mapping[str, WxrTerm]
    """By slug."""
    shared: SharedContent

    def title(self, item: WxrItem) -> str:
        """Return the title as plain text."""
        return text_without_tags(item.values.get("title", ""))

    def post(self, item: WxrItem) -> SourcePost:
        """Return a post, whatever its status, with everything that did not come along."""
        losses = Losses()
        identifier = item.get("wp:post_id")
        content = item.values.get("content", "")
        footnotes = item.meta_value("footnotes")
        body = shown_body(content, post_id=identifier, footnotes=footnotes, shared=self.shared, losses=losses)
        status = self._status(item, losses)
        category, tags = self._terms(item, losses)
        published = self._published(item, status, losses)
        modified = _moment(item.get("wp:post_modified_gmt"))
        url = item.get("link") or None
        self._name_unplaced_values(item, losses)
        cover = item.meta_value("_thumbnail_id").strip()
        social = _first(item, _SOCIAL_IMAGES)
        evidence = f"WordPress export {item.file.name}: wp:"
        authors = self._authors(item)
        return SourcePost(
            source_id=identifier,
            title=self._title(item, content, losses),
            body=body,
            body_format="html",
            status=status,
            where=f"{item.file.name}, line {item.line}",
            slug=unquote(item.get("wp:post_name")) or None,
            url=url,
            former_urls=self._former_urls(item, url, content),
            published_at=published,
            modified_at=modified,
            published_evidence=f"{evidence}post_date_gmt of post {identifier}" if published else None,
            modified_evidence=f"{evidence}post_modified_gmt of post {identifier}" if modified else None,
            author=next(iter(authors), None),
            coauthors=authors[1:],
            category=category,
            tags=tags,
            description=text_without_tags(item.values.get("excerpt", "")) or None,
            texts=texts_of(
                search_title=_without_variables(item, _SEARCH_TITLES, losses),
                search_description=_without_variables(item, _SEARCH_TEXTS, losses),
            ),
            is_featured=item.get("wp:is_sticky") == "1",
            is_unlisted=item.meta_value("_yoast_wpseo_meta-robots-noindex") == "1",
            canonical_url=_first(item, _CANONICALS) or None,
            cover=ImageUse(source_id=cover) if cover.isdigit() and cover != "0" else None,
            social_image=ImageUse(url=social) if social else None,
            feed_id=item.get("guid") or None if status is SourceStatus.PUBLISHED else None,
            base=url or self.home,
            losses=tuple(losses.found),
        )

    def _title(self, item: WxrItem, content: str, losses: Losses) -> str:
        written = item.values.get("title", "")
        title = text_without_tags(written)
        if not title:
            words = text_without_tags(content).split()[:_TITLE_WORDS]
            title = " ".join(words)[:_LONGEST_TITLE].strip() or f"Post {item.get('wp:post_id')}"
            losses.add(LossKind.FIELD, f"It had no title: it is called “{title}” after its first words")
        elif "<" in written:
            losses.add(LossKind.FIELD, "The title had HTML: only its text is kept")
        return title

    def _status(self, item: WxrItem, losses: Losses) -> SourceStatus:
        written = item.get("wp:status")
        if item.get("wp:post_password"):
            losses.add(LossKind.WITHHELD, "It has a password: it is a draft now, and the password is not kept")
            return SourceStatus.DRAFT
        if written == "private":
            losses.add(LossKind.WITHHELD, "It is private: it is a draft now")
        elif written not in _STATUSES:
            losses.add(LossKind.WITHHELD, f"Its status {written} is not known: it is a draft now")
        return _STATUSES.get(written, SourceStatus.DRAFT)

    def _published(self, item: WxrItem, status: SourceStatus, losses: Losses) -> datetime | None:
        if status is SourceStatus.DRAFT:
            return None
        written = item.get("wp:post_date_gmt")
        moment = _moment(written)
        if moment is None:
            moment = _moment(item.get("wp:post_date"))
            what = "is taken as UTC, because the export has no other" if moment else "cannot be read"
            losses.add(LossKind.DATE, f"The date {item.get('wp:post_date') or written} {what}")
        return moment

    def _authors(self, item: WxrItem) -> tuple[str, ...]:
        login = item.get("dc:creator") or item.get("creator")
        further = [unescape(name).strip() for kind, _, name in item.terms if kind == "author"]
        names = [self.authors.get(login) or unescape(login), *(self.authors.get(name, name) for name in further)]
        if further:
            # The plugin Co-Authors Plus keeps all authors in their order, the first of them included.
            names = names[1:]
        return tuple(filter(None, names))

    def _terms(self, item: WxrItem, losses: Losses) -> tuple[str | None, tuple[str, ...]]:
        """Return the category and the tags; further categories become tags."""
        categories: dict[str, str] = {}
        tags: list[str] = []
        for kind, slug, name in item.terms:
            text = " ".join(unescape(name).split())
            if not text or not kind:
                # Version 1.0 has each category a second time, without its taxonomy.
                continue
            if kind == "category":
                categories[slug] = text
            elif kind in {"post_tag", "tag"}:
                tags.append(text)
            elif kind == "post_format":
                losses.add(LossKind.FIELD, f"The post format {text}")
            elif kind != "author":
                losses.add(LossKind.FIELD, f"The term {text} of the taxonomy {kind}")
        primary = _first(item, _PRIMARY)
        chosen = next(
            (slug for slug in categories if slug in self.categories and self.categories[slug].id == primary), None
        )
        category = categories.pop(chosen if chosen is not None else next(iter(categories), ""), None)
        for name in categories.values():
            losses.add(LossKind.CATEGORY, f"The further category {name} is a tag now")
        return category, tuple(dict.fromkeys([*tags, *categories.values()]))

    def _former_urls(self, item: WxrItem, url: str | None, content: str) -> tuple[str, ...]:
        """Return the other URLs that lead to a post: by its id, under older slugs and dates, and its further pages."""
        identifier = item.get("wp:post_id")
        urls = [f"{self.home}/?p={identifier}"]
        guid = item.get("guid")
        if guid and self.home and _host(guid) == _host(self.home):
            urls.append(guid)
        name = item.get("wp:post_name")
        if url and name and "?" not in url:
            slugs = [value for key, value in item.meta if key == "_wp_old_slug" and value]
            days = [value for key, value in item.meta if key == "_wp_old_date" and value]
            urls += [_with_slug(url, name, quote(unquote(slug))) for slug in slugs]
            urls += [_with_date(url, day) for day in days]
            pages = min(pages_of(content), _MOST_PAGES)
            urls += [f"{url.rstrip('/')}/{page}/" for page in range(2, pages + 1)]
        return tuple(dict.fromkeys(one for one in urls if one != url))

    def _name_unplaced_values(self, item: WxrItem, losses: Losses) -> None:
        if item.removed_characters:
            count = item.removed_characters
            losses.add(LossKind.CHARACTER, f"{count} control characters, which no text may contain, were removed")
        if item.comments or item.waiting_comments:
            waiting = f", and {item.waiting_comments} that wait for approval" if item.waiting_comments else ""
            losses.add(LossKind.COMMENTS, f"{item.comments} comments{waiting}")
        keys = dict.fromkeys(key for key, value in item.meta if value.strip() and _is_custom(key))
        if keys:
            losses.add(LossKind.FIELD, f"Custom fields: {', '.join(keys)}"[:500])
        for key, builder in _BUILDERS.items():
            if item.meta_value(key):
                losses.add(LossKind.BLOCK, f"It was made with {builder}: only what WordPress has of its text is here")


def image_of(item: WxrItem) -> SourceImage | None:
    """Return an attachment as an image, or ``None`` if it is another kind of file."""
    url = item.get("wp:attachment_url") or item.get("guid")
    if not _IMAGE.search(urlsplit(url).path if _is_url(url) else ""):
        return None
    folder = f"{dirname(url)}/"
    sizes: list[tuple[int, str]] = []
    original = ""
    try:
        metadata = php_value(item.meta_value("_wp_attachment_metadata").strip())
    except NotSerialized:
        # Without it the sizes are not known, but the image is.
        metadata = None
    if isinstance(metadata, dict):
        original = str(metadata.get("original_image") or "")
        known = metadata.get("sizes")
        sizes = [
            (size["width"], size["file"])
            for size in (known.values() if isinstance(known, dict) else ())
            if isinstance(size, dict) and isinstance(size.get("file"), str) and isinstance(size.get("width"), int)
        ]
    names = [file for _, file in sorted(sizes, key=lambda size: -size[0])]
    urls = [folder + quote(original)] if original and "/" not in original else []
    urls += [url, *(folder + quote(name) for name in names if "/" not in name)]
    alt = " ".join(item.meta_value("_wp_attachment_image_alt").split())
    said = {name: value.strip() for name, value in item.meta}
    origin = source_origin(
        credit=said.get("credit"),
        source_type=said.get("digital_source_type"),
        said_by=said.get("source_type_from"),
    )
    return SourceImage(item.get("wp:post_id"), tuple(dict.fromkeys(urls)), unescape(alt), origin)


def _is_url(text: str) -> bool:
    try:
        return bool(urlsplit(text).hostname)
    except ValueError:
        return False


def _host(url: str) -> str:
    return (urlsplit(url).hostname or "").removeprefix("www.") if _is_url(url) else ""


def _moment(written: str) -> datetime | None:
    if not written or written == _ZERO:
        return None
    try:
        return datetime.strptime(written, "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC)
    except ValueError:
        return None


def _with_slug(url: str, name: str, slug: str) -> str:
    before, found, after = url.rpartition(f"/{name}")
    return f"{before}/{slug}{after}" if found else url


def _with_date(url: str, day: str) -> str:
    """Return a URL with another date; the same one if there is no date in it."""
    parts = day[:10].split("-")
    found = _DATE_IN_PATH.search(urlsplit(url).path)
    if len(parts) != 3 or not found:
        return url
    count = 1 + bool(found[2]) + bool(found[3])
    return url.replace(found[0], "/" + "/".join(parts[:count]), 1)


def _first(item: WxrItem, keys: tuple[str, ...]) -> str:
    return next((value for key in keys if (value := item.meta_value(key).strip())), "")


def _without_variables(item: WxrItem, keys: tuple[str, ...], losses: Losses) -> str | None:
    """Return the first value without variables of the plugin, which only the plugin can fill in."""
    for key in keys:
        value = " ".join(unescape(item.meta_value(key)).split())
        if value and not _VARIABLE.search(value):
            return value
        if value:
            losses.add(LossKind.FIELD, f"{key} has variables of a plugin: {value[:100]}")
    return None


def _is_custom(key: str) -> bool:
    return bool(key) and not key.startswith("_") and key not in _READ and not key.startswith(_OF_PLUGINS)


class NotSerialized(ValueError):
    """The text is not what PHP's ``serialize`` writes, or has objects, or is too deep or too long."""


def php_value(text: str) -> object:
    """Return the value of a text that PHP's ``serialize`` wrote; arrays are dicts.

    Objects are refused with ``NotSerialized``: they have no place in the data of a post.
    """
    reader = _PhpReader(text.encode())
    value = reader.value(0)
    if reader.position != len(reader.data):
        raise NotSerialized("more follows after the value")
    return value


class _PhpReader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.position = 0
        self._left = _MOST_VALUES

    def value(self, depth: int) -> object:
        self._left -= 1
        if self._left < 0 or depth > _DEEPEST:
            raise NotSerialized("too many or too deeply nested values")
        if found := _SCALAR.match(self.data, self.position):
            self.position = found.end()
            if found[1]:
                number = int(found[2])
                return bool(number) if found[1] == b"b" else number
            return found[3].decode() if found[3] else None
        if found := _STRING.match(self.data, self.position):
            end = found.end() + int(found[1])
            if self.data[end : end + 2] != b'";':
                raise NotSerialized("a text has another length than it declares")
            self.position = end + 2
            return self.data[found.end() : end].decode(errors="replace")
        if found := _ARRAY.match(self.data, self.position):
            return self._array(found, depth)
        raise NotSerialized("an unknown kind of value")

    def _array(self, found: re.Match[bytes], depth: int) -> dict[object, object]:
        self.position = found.end()
        values: dict[object, object] = {}
        for _ in range(int(found[1])):
            key = self.value(depth + 1)
            if not isinstance(key, str | int):
                raise NotSerialized("a key is neither a number nor a text")
            values[key] = self.value(depth + 1)
        if self.data[self.position : self.position + 1] != b"}":
            raise NotSerialized("an array does not end")
        self.position += 1
        return values
