"""Substack: the archive of *Settings → Exports*, with ``posts.csv`` and an HTML file for each post.

The list of subscribers in it is not read.
"""

import csv
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from io import StringIO
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from lxml import etree

from blog_engine.importing.data import FileRefused, read_text
from blog_engine.importing.exported_html import (
    LARGEST_FILE,
    Tree,
    export_files,
    file_of_url,
    images_in,
    inner_html,
    moment,
    read_tree,
    tree_words,
    with_class,
)
from blog_engine.importing.old_blog import is_web
from blog_engine.importing.source import (
    Item,
    Losses,
    LossKind,
    Omitted,
    Source,
    SourcePost,
    SourceRefused,
    SourceStatus,
)

_POSTS: Final = frozenset({"", "newsletter", "podcast", "video"})
"""The types of entries that are posts; others are pages and threads."""
_PUBLIC: Final = frozenset({"everyone"})
_AUDIENCES: Final = {
    "only_paid": "those who pay",
    "founding": "founding members",
    "only_free": "those who are subscribed",
}
_IMAGE: Final = re.compile(r"substack-post-media\.s3\.amazonaws\.com(?:/|%2F)public(?:/|%2F)images(?:/|%2F)([\w.-]+)")
_ORIGINAL: Final = "https://substack-post-media.s3.amazonaws.com/public/images/{}"
_WIDGETS: Final = (
    *("subscription-widget-wrap", "subscription-widget-wrap-editor", "subscription-widget", "subscribe-widget"),
    *("image-link-expand", "header-anchor-parent", "share-dialog"),
)
"""What asks readers to subscribe, and the buttons on pictures: no part of the text."""
_NEVER_IN_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_PAYWALL: Final = ("paywall-jump", "paywall")
_ASKING: Final = re.compile(r"subscribe|share|comment|refer", re.IGNORECASE)


def open_substack(path: Path, *, url: str | None, media: Path | None) -> Source:
    """Return the publication in an export: its archive, unpacked, or the folder.

    ``url`` is that of the publication, which the export does not name; ``media`` is a folder with its images. Raises
    ``SourceRefused``.
    """
    lists = [file for file in export_files(path, ".csv") if file.name == "posts.csv"]
    if len(lists) != 1:
        raise SourceRefused(f"{path}: one posts.csv was expected, and {len(lists)} were found.")
    site = url.rstrip("/") if url else None
    blog = (urlsplit(site).hostname if site else None) or path.name
    return _Substack(lists[0], site, blog, media)


@dataclass(slots=True)
class _Substack:
    table: Path
    url: str | None
    blog: str
    media: Path | None
    system: str = field(default="substack", init=False)
    sought: str = field(default="Posts are the entries of posts.csv in the archive of Settings → Exports.", init=False)

    def items(self) -> Iterator[Item]:
        files = {file.stem: file for file in export_files(self.table.parent, ".html")}
        for number, row in enumerate(_rows(self.table), start=2):
            identifier = row.get("post_id", "")
            file = files.pop(identifier, None) or files.pop(_file_of(identifier, files), None)
            yield from self._entry(row, number, file)
        for stem, file in files.items():
            reason = "posts.csv does not name it, so nothing says whether it was public"
            yield Omitted(stem, stem, "file that posts.csv does not name", file.name, unreadable=reason)

    def image_file(self, url: str) -> Path | None:
        return file_of_url(self.media, url)

    def _entry(self, row: Mapping[str, str], number: int, file: Path | None) -> Iterator[Item]:
        identifier, slug = _parts(row.get("post_id", ""))
        where, kind = f"posts.csv, entry {number}", row.get("type", "").lower()
        title = row.get("title", "") or slug or identifier
        url = f"{self.url or ''}/p/{slug}" if slug else None
        if kind not in _POSTS:
            yield Omitted(identifier, title, kind, where, url)
            return
        if file is None:
            reason = f"the export has no file posts/{row.get('post_id', '')}.html"
            yield Omitted(identifier, title, "post without a file", where, url, unreadable=reason)
            return
        try:
            tree = read_tree(file)
        except FileRefused as fault:
            yield Omitted(identifier, title, "post that cannot be read", file.name, url, unreadable=str(fault))
            return
        yield from self._post(row, tree, file, url)

    def _post(self, row: Mapping[str, str], tree: Tree, file: Path, url: str | None) -> Iterator[Item]:
        losses = Losses()
        identifier, slug = _parts(row.get("post_id", ""))
        status = _status(row, losses)
        body = _body(tree, row, losses)
        published = moment(row.get("post_date", ""))
        if status is SourceStatus.PUBLISHED and published is None:
            losses.add(LossKind.DATE, "It has no date that can be read.")
        is_public = status is SourceStatus.PUBLISHED
        links = self._links(slug, None if is_public else url)
        title = row.get("title", "")
        if not title:
            title = tree_words(tree)[:80].strip() or f"Post {identifier}"
            losses.add(LossKind.FIELD, f"It had no title: it is called “{title}” after its first words.")
        yield from images_in(body, _IMAGE, [_ORIGINAL])
        yield SourcePost(
            source_id=identifier,
            title=title,
            body=body,
            body_format="html",
            status=status,
            where=file.name,
            slug=slug or None,
            url=url if is_public else None,
            link_names=links,
            published_at=published if is_public else None,
            published_evidence=f"Substack export posts.csv: post_date of {identifier}" if published else None,
            description=row.get("subtitle") or None,
            feed_id=url if is_public and self.url else None,
            base=url or "",
            losses=tuple(losses.found),
        )

    def _links(self, slug: str, url: str | None) -> tuple[str, ...]:
        """Return what bodies call a post otherwise: its URL if it was not public, and that of Substack's reader."""
        host = (urlsplit(self.url).hostname or "") if self.url else ""
        name, _, domain = host.partition(".")
        reader = f"https://open.substack.com/pub/{name}/p/{slug}" if slug and domain == "substack.com" else None
        return tuple(filter(None, (url, reader)))


def _rows(file: Path) -> Iterator[dict[str, str]]:
    """Yield the rows of a table; raises ``SourceRefused``."""
    try:
        reader = csv.DictReader(StringIO(read_text(file, most=LARGEST_FILE)), strict=True)
        if "post_id" not in (reader.fieldnames or ()):
            raise SourceRefused(f"{file}: it is no list of Substack's posts: the column post_id is missing.")
        for row in reader:
            yield {name: (value or "").strip() for name, value in row.items() if isinstance(name, str)}
    except (csv.Error, FileRefused) as fault:
        raise SourceRefused(f"{file}: the table cannot be read: {fault}") from fault


def _parts(identifier: str) -> tuple[str, str]:
    """Return the number and the slug of a post."""
    number, _, slug = identifier.partition(".")
    return number, slug


def _file_of(identifier: str, files: Mapping[str, Path]) -> str:
    """Return the name of the file of a post whose entry has its number only."""
    return next((stem for stem in files if stem.partition(".")[0] == identifier), "") if identifier else ""


def _status(row: Mapping[str, str], losses: Losses) -> SourceStatus:
    """Return the status; what only subscribers could read is a draft, and so is what an unknown value may hide."""
    audience = row.get("audience", "everyone")
    if row.get("is_published", "").lower() not in {"true", "1"}:
        return SourceStatus.DRAFT
    if audience in _PUBLIC:
        return SourceStatus.PUBLISHED
    readers = _AUDIENCES.get(audience, f"the audience “{audience}”")
    losses.add(LossKind.WITHHELD, f"It was only for {readers}: it is a draft now.")
    return SourceStatus.DRAFT


def _body(tree: Tree, row: Mapping[str, str], losses: Losses) -> str:
    for element in with_class(tree, *_WIDGETS, *_PAYWALL):
        if "paywall-jump" in element.get("class", ""):
            losses.add(LossKind.BLOCK, "What follows the paywall in it was for those who pay.")
        _remove(element)
    for element in with_class(tree, "button-wrapper"):
        text = tree_words(element)
        if not _ASKING.search(text + element.get("data-component-name", "")):
            continue
        _remove(element)
        losses.add(LossKind.BLOCK, f"The button “{text[:60]}” was left out.")
    for label in with_class(tree, "hide-text"):
        # What screen readers hear before a block of preformatted text.
        _remove(label)
    for element in [one for one in tree.iter(etree.Element) if one.get("data-attrs")]:
        if not tree_words(element) and next(element.iter("img", "iframe", "a", "audio", "video"), None) is None:
            _fill(element, losses)
    for element in with_class(tree, "footnote-anchor", "footnote-number"):
        label = tree_words(element)
        _replace(element, f"[{label}]" if "footnote-anchor" in element.get("class", "") else f"[{label}] ")
    notes = with_class(tree, "footnote")
    for note in notes:
        for paragraph in note.findall(".//p")[:1]:
            label, note.text = note.text or "", None
            paragraph.text = label + (paragraph.text or "")
    if notes:
        losses.add(LossKind.BLOCK, "Footnotes are ordinary paragraphs at the end now.")
    audio = row.get("podcast_url", "")
    shown = f'<audio src="{escape(audio)}"></audio>' if audio else ""
    return shown + inner_html(tree)


def _fill(element: Tree, losses: Losses) -> None:
    """Give a component that only Substack's scripts fill the content of its attributes, as far as they have it."""
    try:
        attributes = json.loads(element.get("data-attrs"))
    except (ValueError, RecursionError):
        attributes = None
    known = attributes if isinstance(attributes, dict) else {}
    name = element.get("class", "").partition(" ")[0] or element.get("data-component-name", "") or "component"
    if tex := known.get("persistentExpression"):
        formula = etree.SubElement(element, "math", display="block")
        etree.SubElement(formula, "annotation", encoding="application/x-tex").text = _text(tex)
        return
    gallery = known.get("gallery")
    images = gallery.get("images") if isinstance(gallery, dict) else None
    pictures = [one["src"] for one in images or () if isinstance(one, dict) and is_web(_text(one.get("src")))]
    for src in pictures:
        etree.SubElement(etree.SubElement(element, "figure"), "img", src=src)
    if pictures:
        message = f"A gallery of {len(pictures)} pictures: they are below each other now."
        losses.add(LossKind.GALLERY, message)
        return
    text = next(filter(None, (_text(known.get(key)) for key in ("full_text", "title", "name", "text"))), "")
    url = next(filter(is_web, (_text(known.get(key)) for key in ("url", "canonical_url", "href", "src"))), "")
    for part in filter(None, (text, url)):
        paragraph = etree.SubElement(element, "p")
        shown = etree.SubElement(paragraph, "a", href=url) if part == url else paragraph
        shown.text = part
    if url:
        losses.add(LossKind.EMBED, f"{name} is a link now: {url}")
    else:
        losses.add(LossKind.BLOCK, f"{name} was left out{': its text is kept' if text else ''}.")


def _text(value: object) -> str:
    """Return a text of JSON that XML can have; empty for anything else."""
    return _NEVER_IN_XML.sub("", value).strip() if isinstance(value, str) else ""


def _remove(element: Tree) -> None:
    if element.getparent() is not None:
        element.drop_tree()


def _replace(element: Tree, text: str) -> None:
    parent = element.getparent()
    if parent is None:
        return
    element.clear(keep_tail=True)
    element.attrib.clear()
    element.text = text
    element.drop_tag()
