"""Read WordPress' export files (WXR) item by item, with bounded memory."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from lxml import etree

from blog_engine.importing.source import SourceRefused

_CHUNK: Final = 64 * 1024
_LARGEST_ITEM: Final = 64 * 1024**2
"""Bytes of one item: a body of the blog engine has at most a fraction of it."""
_LARGEST_HEAD: Final = 64 * 1024
"""Bytes before the first element."""

_CONTROLS: Final = bytes(code for code in range(32) if code not in b"\t\n\r")
"""Bytes that no XML may contain. WordPress writes them as they are in the text of a post."""
_NONCHARACTERS: Final = (b"\xef\xbf\xbe", b"\xef\xbf\xbf")
_ENCODING: Final = re.compile(rb"""<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_ENCODINGS: Final = re.compile(r"utf-?8|us-ascii|iso-8859-[0-9]{1,2}|windows-125[0-9]", re.IGNORECASE)
_FIRST_ELEMENT: Final = re.compile(rb"<[A-Za-z_]")
_EXPORT: Final = re.compile(r"\{https?://wordpress\.org/export/[0-9.]+/(excerpt/)?\}(.+)")

_NAMESPACE_WARNINGS: Final = frozenset({99, 100, 201})
"""Codes of libxml2 for namespaces of plugins that are no URI, are relative, or are not declared."""
_SHORT: Final = frozenset({1, 4, 40, 44, 45, 47, 63, 73, 77})
"""Codes of libxml2 for a document, text, comment or tag that does not end."""
_SPAM: Final = frozenset({"spam", "trash", "post-trashed"})


@dataclass(frozen=True, slots=True)
class WxrTerm:
    """A category, a tag, or a term of another taxonomy (``kind``)."""

    kind: str
    id: str
    slug: str
    name: str
    parent: str = ""
    """The slug of the category above it."""
    description: str = ""


@dataclass(frozen=True, slots=True)
class WxrAuthor:
    """An author: posts name the login."""

    login: str
    name: str


@dataclass(slots=True)
class WxrItem:
    """A post, page, attachment or anything else, as it is written in the file."""

    file: Path
    line: int
    values: dict[str, str] = field(default_factory=dict)
    """Texts by the name of their element, ``content`` and ``excerpt`` among them."""
    terms: list[tuple[str, str, str]] = field(default_factory=list)
    """Taxonomy, slug and name."""
    meta: list[tuple[str, str]] = field(default_factory=list)
    comments: int = 0
    waiting_comments: int = 0
    removed_characters: int = 0

    def get(self, name: str) -> str:
        """Return the text of an element without white space around it; empty if there is none."""
        return self.values.get(name, "").strip()

    def meta_value(self, key: str) -> str:
        """Return the last value of a custom field; empty if there is none."""
        return next((value for name, value in reversed(self.meta) if name == key), "")


@dataclass(frozen=True, slots=True)
class WxrBlog:
    """The head of a file: the URL of the blog, without a slash at the end."""

    url: str


WxrRecord = WxrBlog | WxrAuthor | WxrTerm | WxrItem


def is_wxr(path: Path) -> bool:
    """Return whether a file begins like a WordPress export."""
    with path.open("rb") as file:
        head = file.read(_LARGEST_HEAD)
    return b"wordpress.org/export/" in head and b"<rss" in head


def read_wxr(path: Path) -> Iterator[WxrRecord]:
    """Yield the records of an export file in its order.

    Raises ``SourceRefused`` with file and line where it is not well-formed, ends too early, has a document type or
    entities, or is no export of WordPress.
    """
    reader = _WxrReader(path)
    with path.open("rb") as file:
        reader.check_head(file.read(_LARGEST_HEAD))
        file.seek(0)
        while piece := file.readline(_CHUNK):
            yield from reader.feed(piece)
    yield from reader.close()


class _WxrReader:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._line = 1
        self._removed = 0
        self._since_item = 0
        self._item_line = 1
        self._is_export = False
        self._depth = 0
        # No entity is resolved and nothing is loaded; huge_tree allows texts of more than 10 MB, bounded here.
        self._parser: Any = etree.XMLPullParser(
            events=("start", "end"), resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True
        )

    def check_head(self, head: bytes) -> None:
        """Refuse a file whose beginning is not that of an export."""
        if b"\0" in head[:4] or head[:2] in (b"\xff\xfe", b"\xfe\xff"):
            raise self._refusal("it is in UTF-16: save it as UTF-8.")
        first = _FIRST_ELEMENT.search(head)
        prologue = head[: first.start()] if first else head
        if b"<!DOCTYPE" in prologue or b"<!ENTITY" in prologue:
            raise self._refusal("it has a document type, which no export of WordPress has.")
        encoding = _ENCODING.search(prologue)
        if encoding and not _ENCODINGS.fullmatch(encoding[1].decode()):
            raise self._refusal(f"its encoding {encoding[1].decode()} is not supported: save it as UTF-8.")
        if not first or not head.startswith(b"<rss", first.start()):
            raise self._refusal("it is no export of WordPress: the element rss is missing.")

    def feed(self, piece: bytes) -> Iterator[WxrRecord]:
        """Yield what is complete after a piece of the file, at most one line of it."""
        clean = piece.translate(None, _CONTROLS)
        self._removed += len(piece) - len(clean)
        for character in _NONCHARACTERS:
            self._removed += clean.count(character)
            clean = clean.replace(character, b"")
        self._since_item += len(piece)
        if self._since_item > _LARGEST_ITEM:
            raise self._refusal(f"an item has more than {_LARGEST_ITEM} bytes.")
        try:
            self._parser.feed(clean)
            yield from self._records()
        except etree.XMLSyntaxError as fault:
            raise self._refusal(f"it is not well-formed: {_reason(fault)}") from fault
        self._line += piece.endswith(b"\n")

    def close(self) -> Iterator[WxrRecord]:
        """Yield what is left; refuse a file that ends too early."""
        try:
            self._parser.close()
            yield from self._records()
        except etree.XMLSyntaxError as fault:
            # Errors that the parser could go on after are raised here, whatever comes first in the file.
            if fault.code not in _NAMESPACE_WARNINGS:
                is_short = fault.code in _SHORT
                line = self._line if is_short else fault.lineno or self._line
                what = "it ends too early" if is_short else "it is not well-formed"
                raise self._refusal(f"{what}: {_reason(fault)}", line=line) from fault
            yield from self._records()
            if self._depth:
                raise self._refusal("it is not well-formed, or ends too early.") from fault
        if not self._is_export:
            raise self._refusal("it is no export of WordPress: wp:wxr_version is missing.")

    def _records(self) -> Iterator[WxrRecord]:
        for event, element in self._parser.read_events():
            if event == "start":
                self._depth += 1
                if self._depth == 1 and element.getroottree().docinfo.internalDTD is not None:
                    raise self._refusal("it has a document type, which no export of WordPress has.")
                if element.tag == "item":
                    self._item_line = self._line
                continue
            self._depth -= 1
            if self._depth == 2:
                yield from self._child(element)
                self._forget(element)

    def _child(self, element: Any) -> Iterator[WxrRecord]:
        """Yield the record of a child of the channel."""
        name = _name(element)
        texts = {_name(child): child.text or "" for child in element if isinstance(child.tag, str)}
        match name:
            case "item":
                self._since_item = 0
                yield self._item(element)
            case "wp:wxr_version":
                self._is_export = True
            case "wp:base_blog_url":
                yield WxrBlog((element.text or "").strip().rstrip("/"))
            case "wp:author":
                login = texts.get("wp:author_login", "").strip()
                yield WxrAuthor(login, texts.get("wp:author_display_name", "").strip() or login)
            case "wp:category":
                yield WxrTerm(
                    "category",
                    texts.get("wp:term_id", ""),
                    texts.get("wp:category_nicename", ""),
                    texts.get("wp:cat_name", ""),
                    texts.get("wp:category_parent", ""),
                    texts.get("wp:category_description", ""),
                )
            case "wp:tag":
                description = texts.get("wp:tag_description", "")
                slug, term = texts.get("wp:tag_slug", ""), texts.get("wp:tag_name", "")
                yield WxrTerm("post_tag", texts.get("wp:term_id", ""), slug, term, description=description)

    def _item(self, element: Any) -> WxrItem:
        item = WxrItem(self._path, self._item_line, removed_characters=self._removed)
        self._removed = 0
        for child in element:
            name = _name(child)
            match name:
                case "category":
                    item.terms.append((child.get("domain", ""), child.get("nicename", ""), child.text or ""))
                case "wp:postmeta":
                    texts = {_name(part): part.text or "" for part in child}
                    item.meta.append((texts.get("wp:meta_key", ""), texts.get("wp:meta_value", "")))
                case "wp:comment":
                    approved = {_name(part): part.text or "" for part in child}.get("wp:comment_approved", "1")
                    item.comments += approved == "1"
                    item.waiting_comments += approved != "1" and approved not in _SPAM
                case _:
                    item.values[name] = child.text or ""
        return item

    def _forget(self, element: Any) -> None:
        element.clear()
        parent = element.getparent()
        while element.getprevious() is not None:
            del parent[0]

    def _refusal(self, reason: str, *, line: int | None = None) -> SourceRefused:
        return SourceRefused(f"{self._path}, line {line or self._line}: {reason}")


def _reason(fault: Any) -> str:
    """Return what the parser found, without the line that it counts in the pieces that it was given."""
    return str(fault.msg).partition(", line ")[0]


def _name(element: Any) -> str:
    """Return the name of an element with the usual prefix, whatever the version of the export."""
    tag = element.tag
    if not isinstance(tag, str):
        return ""
    found = _EXPORT.fullmatch(tag)
    if found:
        return "excerpt" if found[1] else f"wp:{found[2]}"
    if tag.endswith("}encoded"):
        return "content"
    return tag.rpartition("}")[2]
