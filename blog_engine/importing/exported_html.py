"""The HTML files of exports: read into a tree, changed, and written for the conversion."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any, Final, TypeAlias

from lxml import etree
from lxml import html as lxml_html

from blog_engine.importing.data import FileRefused, read_text
from blog_engine.importing.folders import file_within, files_under
from blog_engine.importing.source import SourceImage, SourceRefused

Tree: TypeAlias = Any
"""An element of lxml, whose package has no types."""

LARGEST_FILE: Final = 32 * 1024 * 1024
"""Bytes of one file of an export."""
_DEEPEST: Final = 3
"""Folders in which the files of an export are looked for."""
_IMAGE_URL: Final = re.compile(r"https?://[^\s\"'<>]+")


def export_files(path: Path, suffix: str) -> list[Path]:
    """Return the files with this suffix in an export, in the order of their names; raises ``SourceRefused``."""
    if not path.is_dir():
        raise SourceRefused(f"{path}: there is no such folder or archive.")
    root = path.resolve()
    found = (file for file in files_under(path) if file.suffix.lower() == suffix)
    return [file for file in found if len(file.relative_to(root).parts) <= _DEEPEST]


def read_tree(file: Path) -> Tree:
    """Return the tree of an HTML file, in an element of its own; raises ``FileRefused``."""
    text = read_text(file, most=LARGEST_FILE)
    parser = lxml_html.HTMLParser(remove_comments=True, remove_pis=True)
    # A part of a page, or nothing, is made a page.
    page = lxml_html.document_fromstring(f"<!doctype html><html><body>{text}</body></html>", parser=parser)
    root = lxml_html.Element("div")
    # Files that are damaged can have several.
    for body in list(page.iter("body")):
        _append_text(root, body.text)
        root.extend(list(body))
        _append_text(root, body.tail)
    if any(entry.type_name in {"ERR_INTERNAL_ERROR", "ERR_RESOURCE_LIMIT"} for entry in parser.error_log):
        raise FileRefused("the HTML is nested too deeply")
    return root


def _append_text(element: Tree, text: str | None) -> None:
    if len(element):
        element[-1].tail = (element[-1].tail or "") + (text or "")
    else:
        element.text = (element.text or "") + (text or "")


def inner_html(element: Tree) -> str:
    """Return what is in an element as HTML."""
    children = (etree.tostring(child, method="html", encoding="unicode") for child in element)
    return (escape(element.text, quote=False) if element.text else "") + "".join(children)


def with_class(root: Tree, *names: str) -> list[Tree]:
    """Return the elements that have one of these classes, in their order."""
    wanted = set(names)
    return [one for one in root.iter(etree.Element) if wanted & set(one.get("class", "").split())]


def tree_words(element: Tree | None) -> str:
    """Return the text of an element, white space collapsed; empty if there is none."""
    return " ".join(element.text_content().split()) if element is not None else ""


def moment(written: str) -> datetime | None:
    """Return a date of ISO 8601, in UTC if it names no offset; ``None`` if it is none."""
    try:
        found = datetime.fromisoformat(written.strip())
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def images_in(html: str, original: re.Pattern[str], better: Iterable[str]) -> Iterator[SourceImage]:
    """Yield the images of a service that a body names, the original first.

    The pattern finds in a URL, once it is decoded, the name of the original, which its sizes share. ``better`` are the
    forms of the URL of the original.
    """
    seen: dict[str, dict[str, None]] = {}
    for url in _IMAGE_URL.findall(html.replace("&amp;", "&")):
        if found := original.search(url):
            seen.setdefault(found[1], {})[url] = None
    forms = list(better)
    for name, urls in seen.items():
        yield SourceImage(name, tuple(dict.fromkeys([*(form.format(name) for form in forms), *urls])))


def file_of_url(media: Path | None, url: str) -> Path | None:
    """Return the file in a folder of images that has the name at the end of a URL."""
    name = url.partition("?")[0].rpartition("/")[2].rpartition("%2F")[2]
    return file_within(media, name) if media and name else None
