"""WordPress: its export files (WXR), and a copy of its uploads."""

import os
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from blog_engine.importing.folders import file_within, files_under
from blog_engine.importing.source import Item, Omitted, Source, SourceImage, SourceRefused, SourceTerm
from blog_engine.importing.wordpress.bodies import SharedContent, text_without_tags
from blog_engine.importing.wordpress.files import WxrAuthor, WxrBlog, WxrItem, WxrRecord, WxrTerm, is_wxr, read_wxr
from blog_engine.importing.wordpress.posts import PostReader, image_of
from blog_engine.importing.wordpress.shortcodes import GalleryImage, gallery_ids

_KINDS: Final = {
    "page": "page",
    "attachment": "file that is not an image",
    "nav_menu_item": "item of a menu",
    "wp_block": "reusable block",
    "wp_template": "template",
    "wp_template_part": "part of a template",
    "wp_navigation": "menu of blocks",
    "wp_global_styles": "styles of the theme",
    "custom_css": "styles of the theme",
}
_LARGEST_SHARED: Final = 16 * 1024**2
"""Characters of all reusable blocks that are kept in memory."""
_MOST_GALLERY_IMAGES: Final = 200_000
_PLACES: Final = ("", "uploads", "wp-content/uploads", "public_html/wp-content/uploads", "htdocs/wp-content/uploads")
"""Where the uploads are in what owners copy: the folder itself, its parents, the whole site."""
_SIZE: Final = re.compile(r"-[0-9]{1,5}x[0-9]{1,5}(?=\.[A-Za-z0-9]{2,5}$)")
_MADE: Final = re.compile(r"-(?:scaled|rotated)(?=\.[A-Za-z0-9]{2,5}$)")
_UPLOADS: Final = "/uploads/"
_MOST_NAMES: Final = 100_000
"""The most files of a folder that are compared without regard to case."""


def open_wordpress(path: Path, *, url: str | None, media: Path | None) -> Source:
    """Return the blog in an export file, or in a folder with several.

    ``url`` replaces the URL that the export names; ``media`` is a copy of ``wp-content/uploads`` or of a folder above
    it, default: the folder of the export. Raises ``SourceRefused`` if there is no export.
    """
    if path.is_dir():
        files = [file for file in files_under(path) if file.suffix.lower() == ".xml" and is_wxr(file)]
        if not files:
            raise SourceRefused(f"{path}: no export of WordPress (an .xml file) is in it.")
    elif path.is_file():
        files = [path]
    else:
        raise SourceRefused(f"{path}: there is no such file or folder.")
    folder = media or (path if path.is_dir() else path.parent)
    return _WordPress(files, url=url, media=folder)


@dataclass(slots=True)
class _Survey:
    """Facts that need the whole export, read before its posts."""

    authors: dict[str, str] = field(default_factory=dict)
    """Names by login."""
    categories: dict[str, WxrTerm] = field(default_factory=dict)
    """By slug."""
    gallery_ids: set[str] = field(default_factory=set)
    gallery_posts: set[str] = field(default_factory=set)
    """Posts with a gallery of all images that were uploaded to them."""
    has_reusable: bool = False


class _WordPress:
    system = "wordpress"
    sought = "Posts are items of the type post in the file that Tools → Export → All content writes."

    def __init__(self, files: list[Path], *, url: str | None, media: Path) -> None:
        self._files = files
        self._media = _UploadsFolder(media)
        home = next((record.url for record in read_wxr(files[0]) if isinstance(record, WxrBlog)), "")
        self.url = (url or home).rstrip("/") or None
        self.blog = (urlsplit(self.url).hostname if self.url else None) or files[0].stem

    def items(self) -> Iterator[Item]:
        """Yield everything in the order of the files, which are read two or three times."""
        survey = self._survey()
        shared = self._shared(survey)
        reader = PostReader(self.url or "", survey.authors, survey.categories, shared)
        for record in self._records():
            match record:
                case WxrTerm():
                    yield self._term(record, survey)
                case WxrAuthor() if record.login:
                    yield SourceTerm("author", unescape(record.name))
                case WxrItem():
                    yield _item(record, reader)

    def image_file(self, url: str) -> Path | None:
        """Return the file of an image in the copy of the uploads."""
        return self._media.find(url)

    def _records(self) -> Iterator[WxrRecord]:
        for file in self._files:
            yield from read_wxr(file)

    def _survey(self) -> _Survey:
        survey = _Survey()
        for record in self._records():
            match record:
                case WxrAuthor():
                    survey.authors[record.login] = unescape(record.name)
                case WxrTerm(kind="category"):
                    survey.categories[record.slug] = record
                case WxrItem():
                    content = record.values.get("content", "")
                    survey.has_reusable = survey.has_reusable or "wp:block " in content
                    if "[gallery" in content:
                        ids, shows_all = gallery_ids(content)
                        survey.gallery_ids |= ids
                        if shows_all:
                            survey.gallery_posts.add(record.get("wp:post_id"))
        return survey

    def _shared(self, survey: _Survey) -> SharedContent:
        """Return what posts show of other items; nothing is read for a blog without galleries and reusable blocks."""
        if not (survey.has_reusable or survey.gallery_ids or survey.gallery_posts):
            return SharedContent()
        reusable: dict[str, str] = {}
        images: dict[str, GalleryImage] = {}
        attached: dict[str, list[GalleryImage]] = {}
        left = _LARGEST_SHARED
        for record in self._records():
            if not isinstance(record, WxrItem):
                continue
            identifier, parent = record.get("wp:post_id"), record.get("wp:post_parent")
            kind, content = record.get("wp:post_type"), record.values.get("content", "")
            if kind == "wp_block" and len(content) <= left:
                left -= len(content)
                reusable[identifier] = content
            elif kind == "attachment" and len(images) < _MOST_GALLERY_IMAGES:
                image = image_of(record)
                if image is None:
                    continue
                shown = GalleryImage(image.urls[0], image.alt, record.get("excerpt"))
                if identifier in survey.gallery_ids:
                    images[identifier] = shown
                if parent in survey.gallery_posts:
                    attached.setdefault(parent, []).append(shown)
        return SharedContent(reusable, images, attached)

    def _term(self, term: WxrTerm, survey: _Survey) -> SourceTerm:
        kind = "category" if term.kind == "category" else "tag"
        slugs = [term.slug]
        while term.parent and term.parent in survey.categories and term.parent not in slugs:
            term_above = survey.categories[term.parent]
            slugs.insert(0, term_above.slug)
            term = term_above
        own = survey.categories.get(slugs[-1], term) if kind == "category" else term
        # Where WordPress has the list unless its settings were changed.
        url = f"{self.url}/{kind}/{'/'.join(slugs)}/" if self.url else None
        return SourceTerm(
            "category" if kind == "category" else "tag",
            unescape(own.name),
            own.slug or None,
            text_without_tags(own.description),
            url,
        )


def _item(record: WxrItem, reader: PostReader) -> Item:
    kind, status = record.get("wp:post_type"), record.get("wp:status")
    if kind == "post" and status not in {"trash", "auto-draft", "inherit"}:
        return reader.post(record)
    if kind == "attachment":
        image = image_of(record)
        if isinstance(image, SourceImage):
            return image
    what = _KINDS.get(kind, f"custom post type {kind}")
    if kind == "post":
        what = "post in the trash" if status == "trash" else "draft that was never saved"
    elif status == "trash":
        what = f"{what} in the trash"
    return Omitted(
        source_id=record.get("wp:post_id"),
        title=reader.title(record),
        what=what,
        where=f"{record.file.name}, line {record.line}",
        url=record.get("link") or None,
    )


class _UploadsFolder:
    """A copy of the uploads, of ``wp-content`` or of the whole site."""

    def __init__(self, folder: Path) -> None:
        self._roots = [folder / place for place in _PLACES if (folder / place).is_dir()]

    def find(self, url: str) -> Path | None:
        """Return the file of an image: the original if it is there, else the size that the URL names.

        A path that leads out of the folder finds no file.
        """
        try:
            path = unquote(urlsplit(url).path)
        except ValueError:
            return None
        relative = path.rpartition(_UPLOADS)[2] if _UPLOADS in path else path.lstrip("/")
        for name in _originals_first(relative):
            for root in self._roots:
                file = file_within(root, name) or _similar(root, name)
                if file is not None:
                    return file
        return None


def _originals_first(name: str) -> Iterator[str]:
    """Yield the names under which the original of an image may be, then the name itself."""
    unsized = _SIZE.sub("", name)
    original = _MADE.sub("", unsized)
    stem, dot, suffix = original.rpartition(".")
    yield from dict.fromkeys(
        [original, unsized, f"{stem}-scaled{dot}{suffix}", name] if unsized != name else [original, name]
    )


def _similar(root: Path, name: str) -> Path | None:
    """Return the file whose name differs in case or in the form of its accents only."""
    folder, _, last = name.rpartition("/")
    found = _names(root / folder).get(_folded(last))
    return file_within(root, f"{folder}/{found}" if folder else found) if found else None


@lru_cache(maxsize=64)
def _names(folder: Path) -> dict[str, str]:
    names: dict[str, str] = {}
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                names[_folded(entry.name)] = entry.name
                if len(names) >= _MOST_NAMES:
                    break
    except (OSError, ValueError):
        # There is no such folder, or its name is not possible.
        return {}
    return names


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()
