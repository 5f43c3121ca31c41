"""Images of a body: figures, URLs of stored images, and the sizes of variants."""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from posixpath import normpath
from types import MappingProxyType
from typing import Final
from urllib.parse import unquote, urlsplit

from blog_engine.content.html import HEADINGS, INLINE, Element, Node, add_class, replace_elements, text_of, walk
from blog_engine.content.options import KnownImage, RenderLabels, RenderOptions
from blog_engine.content.urls import origin_parts

_STORED: Final = re.compile(r"([0-9a-f]{64})/.")

_IMAGES: Final = frozenset({"img", "picture"})
_LEFT_ALONE: Final = HEADINGS | {"figure", "figcaption", "pre", "summary", "dt"}

VARIANT_WIDTHS: Final = (480, 768, 1200, 1600)
"""Widths of variants in pixels."""

VARIANT_TYPES: Final[Mapping[str, str]] = MappingProxyType({"avif": "image/avif", "webp": "image/webp"})
"""Media types of variants by format, the one with the smaller files first."""

SHARED_TYPES: Final[Mapping[str, str]] = MappingProxyType({"jpg": "image/jpeg", "png": "image/png"})
"""Media types of the copies of images for networks and feeds, by suffix."""

SHARED_WIDTH: Final = 1200
"""The greatest width of such a copy in pixels; every one has it in its URL."""

VARIANT_NAME: Final = r"w(?P<width>1200|[0-9]+(?=\.(?:avif|webp)))\.(?P<format>avif|webp|jpg|png)"
"""A pattern for the last segment of the URL of a variant."""

_TALLEST: Final = 16_383
"""The greatest height of a WebP in pixels."""

_SHOWN: Final = (640, 900)
"""The width and height in pixels that a page has for an image: a larger one links to its file."""
_IN_ROW: Final = 320
"""The least width in pixels of an image in a row: smaller ones are badges and icons."""
_ROW_SIZES: Final = "(min-width: 60rem) 18rem, 50vw"
_WIDE: Final = 1_200
"""The least width in pixels of an image that is wider than the text."""


def own_media_path(src: str, *, site_origin: str | None, mount: str, script_name: str = "") -> str | None:
    """Return what follows ``<mount>/media/`` in a URL of this blog, or ``None``.

    ``src`` is a path or an absolute URL. ``site_origin`` (scheme, host, port), ``mount`` and ``script_name`` have no
    trailing slash. The URL is read as browsers do: a backslash is a slash, ``//host/path`` has the site's scheme, dot
    segments are resolved (images.references.own-media). The result is percent-decoded.
    """
    try:
        path = _path_on_site(src.replace("\\", "/"), site_origin)
    except ValueError:
        return None
    for prefix in (f"{script_name}{mount}", mount):
        start = unquote(f"{prefix}/media/")
        if path is not None and path.startswith(start):
            return path.removeprefix(start)
    return None


def stored_image_digest(src: str, *, site_origin: str | None, mount: str, script_name: str = "") -> str | None:
    """Return the SHA-256 in a URL of this blog's media, or ``None`` (media.lookup)."""
    path = own_media_path(src, site_origin=site_origin, mount=mount, script_name=script_name)
    found = _STORED.match(path) if path else None
    return found[1] if found else None


def _path_on_site(src: str, site_origin: str | None) -> str | None:
    """Return the decoded path of a URL on the site, or ``None`` for any other."""
    parts = urlsplit(src)
    if parts.scheme or parts.netloc:
        whole = src if parts.scheme else f"{urlsplit(site_origin or '').scheme}:{src}"
        if site_origin is None or origin_parts(whole) != origin_parts(site_origin):
            return None
    path = unquote(parts.path)
    # normpath removes a final slash.
    return normpath(path) + "/" * path.endswith("/") if path.startswith("/") else None


def dress_images(tree: Element, *, options: RenderOptions) -> None:
    """Give each image URL, size, alternative text and a figure of its own, in place.

    A paragraph is split where it contains an image, and a link or emphasis around the image goes into the figure. The
    stored images of a paragraph without text are a row. In headings and captions, where HTML allows no figure, images
    stay inline. A large stored image in a figure links to its file.
    """
    stored: dict[int, _Stored] = {}
    for element in list(walk(tree)):
        if element.name == "figure":
            add_class(element, "blog-figure")
        elif element.name == "img":
            text = element.attrs.get("alt", "")
            if known := _complete(element, options=options):
                stored[id(element)] = _Stored(element, text, known)
    _lift_images(tree, {found for found, one in stored.items() if one.image.width >= _IN_ROW})
    if stored:
        _dress_figures(tree, stored, labels=options.labels)


def is_wide(width: int, height: int) -> bool:
    """Return whether an image of this size in pixels is shown wider than the text."""
    return width >= _WIDE and 2 * width >= 3 * height


def is_larger_than_shown(width: int, height: int) -> bool:
    """Return whether an article has less space than these pixels for an image, so that it links to its file."""
    return width > _SHOWN[0] or height > _SHOWN[1]


@dataclass(frozen=True, slots=True)
class _Stored:
    """The element of a stored image, which may have become a ``picture``, and its alternative text."""

    element: Element
    text: str
    image: KnownImage


def _dress_figures(tree: Element, stored: Mapping[int, _Stored], *, labels: RenderLabels) -> None:
    def dressed(element: Element) -> Element | None:
        if element.name == "figure":
            shown = [below for below in walk(element) if below.name == "img"]
            found = [stored[id(below)] for below in walk(element) if id(below) in stored]
            if len(shown) == len(found) == 1 and is_wide(found[0].image.width, found[0].image.height):
                add_class(element, "blog-wide")
            replace_elements(element, linked)
        return element if element.name in {"a", "figure"} else None

    def linked(element: Element) -> Element | None:
        if element.name in {"a", "figcaption"} | HEADINGS:
            return element
        found = stored.get(id(element))
        if found and found.image.original and is_larger_than_shown(found.image.width, found.image.height):
            return _file_link(found, labels)
        return None

    replace_elements(tree, dressed)


def _file_link(stored: _Stored, labels: RenderLabels) -> Element:
    # An image without alternative text would be a link without a name.
    name = labels.full_size_of % {"text": stored.text} if stored.text.strip() else labels.full_size
    attrs = {"class": "blog-zoom", "href": stored.image.original, "aria-label": name}
    return Element("a", attrs, [stored.element])


def _complete(image: Element, *, options: RenderOptions) -> KnownImage | None:
    """Complete the attributes of an image, and return the stored image that it shows, if any."""
    src = image.attrs["src"]
    digest = stored_image_digest(
        src, site_origin=options.site_origin, mount=options.mount, script_name=options.script_name
    )
    known = options.images.get(digest) if digest else None
    if known:
        image.attrs |= {"src": known.path, "width": str(known.width), "height": str(known.height)}
    image.attrs.setdefault("alt", "")
    image.attrs["loading"] = "lazy"
    if known and known.sources:
        _become_picture(image, known)
    return known


def _become_picture(image: Element, known: KnownImage) -> None:
    sizes = {"sizes": known.sizes} if known.sizes else {}
    sources = [Element("source", {"type": s.type, "srcset": s.srcset} | sizes) for s in known.sources]
    fallback = Element("img", image.attrs)
    image.name, image.attrs, image.children = "picture", {}, [*sources, fallback]


@dataclass(slots=True)
class _Lifted:
    """An image to move out of a paragraph, with the links and emphases around it."""

    content: Element
    title: str


def _lift_images(parent: Element, for_rows: Container[int]) -> None:
    """Lift the images out of the paragraphs; ``for_rows`` has the ids of the elements that a row can have."""
    children: list[Node] = []
    for child in parent.children:
        children += _split(child, for_rows) if isinstance(child, Element) else [child]
    parent.children = children


def _split(element: Element, for_rows: Container[int]) -> list[Node]:
    if element.name in _LEFT_ALONE or not _has_image(element):
        return [element]
    if element.name == "p":
        nodes = _split_paragraph(element)
        return [_row(nodes)] if _is_row(nodes, for_rows) else nodes
    if element.name in _IMAGES or (element.name in INLINE and not _has_block(element)):
        return [_figure(piece) if isinstance(piece, _Lifted) else piece for piece in _pieces([element])]
    _lift_images(element, for_rows)
    return [element]


def _split_paragraph(paragraph: Element) -> list[Node]:
    nodes: list[Node] = []
    for run, image in _runs(paragraph.children):
        text = _trim(run)
        nodes += [_copy(paragraph, text)] if text else []
        nodes += [_figure(image)] if image else []
    return nodes


def _is_row(nodes: Sequence[Node], for_rows: Container[int]) -> bool:
    return len(nodes) > 1 and all(
        isinstance(node, Element) and node.name == "figure" and any(id(below) in for_rows for below in walk(node))
        for node in nodes
    )


def _row(figures: list[Node]) -> Element:
    row = Element("figure", {"class": "blog-gallery blog-wide" if len(figures) > 2 else "blog-gallery"}, figures)
    for below in walk(row):
        if "sizes" in below.attrs:
            below.attrs["sizes"] = _ROW_SIZES
    return row


def _runs(nodes: Sequence[Node]) -> Iterator[tuple[list[Node], _Lifted | None]]:
    """Yield each image to move out with the nodes before it, then the nodes after the last one."""
    run: list[Node] = []
    for piece in _pieces(nodes):
        if isinstance(piece, _Lifted):
            yield run, piece
            run = []
        else:
            run.append(piece)
    yield run, None


def _pieces(nodes: Sequence[Node]) -> list[Node | _Lifted]:
    pieces: list[Node | _Lifted] = []
    for node in nodes:
        if isinstance(node, str) or not _has_image(node):
            pieces.append(node)
        elif node.name in _IMAGES:
            pieces.append(_Lifted(node, _title(node)))
        else:
            pieces += _split_wrapper(node)
    return pieces


def _split_wrapper(wrapper: Element) -> list[Node | _Lifted]:
    pieces: list[Node | _Lifted] = []
    for run, image in _runs(wrapper.children):
        pieces += [_copy(wrapper, run)] if _trim(run) else []
        pieces += [_Lifted(_copy(wrapper, [image.content]), image.title)] if image else []
    return pieces


def _figure(image: _Lifted) -> Element:
    caption = [Element("figcaption", {}, [image.title])] if image.title else []
    return Element("figure", {"class": "blog-figure"}, [image.content, *caption])


def _title(image: Element) -> str:
    shown = image.children[-1] if image.name == "picture" else image
    return shown.attrs.get("title", "").strip() if isinstance(shown, Element) else ""


def _trim(run: list[Node]) -> list[Node]:
    start, end = 0, len(run)
    while start < end and _is_blank(run[start]):
        start += 1
    while end > start and _is_blank(run[end - 1]):
        end -= 1
    kept = run[start:end]
    if kept and isinstance(kept[0], str):
        kept[0] = kept[0].lstrip()
    if kept and isinstance(kept[-1], str):
        kept[-1] = kept[-1].rstrip()
    return kept


def _is_blank(node: Node) -> bool:
    if isinstance(node, str):
        return not node.strip()
    return node.name != "input" and not text_of(node).strip() and not any(e.name == "input" for e in walk(node))


def _copy(element: Element, children: list[Node]) -> Element:
    return Element(element.name, dict(element.attrs), children)


def _has_image(element: Element) -> bool:
    return element.name in _IMAGES or any(below.name in _IMAGES for below in walk(element))


def _has_block(element: Element) -> bool:
    return any(below.name not in INLINE | _IMAGES | {"source"} for below in walk(element))


def variant_formats() -> tuple[str, ...]:
    """Return the formats that the installed Pillow can write."""
    return tuple(name for name in VARIANT_TYPES if has_codec(name))


@cache
def has_codec(name: str) -> bool:
    """Return what ``PIL.features.check`` does for a format, without importing the rest of Pillow, of 6 MB."""
    try:
        import_module(f"PIL._{name}")
    except ImportError:
        return False
    return True


def variant_widths(width: int, height: int, *, is_animated: bool) -> tuple[int, ...]:
    """Return the widths of the variants of an image of this size, in pixels.

    Animations and small images have none. An image between two widths also has the upper one, drawn at its own width.
    """
    if is_animated or width < VARIANT_WIDTHS[0]:
        return ()
    below = (0, *VARIANT_WIDTHS)
    offered = (upper for lower, upper in zip(below, VARIANT_WIDTHS, strict=False) if lower < width)
    return tuple(to for to in offered if variant_size(width, height, to=to)[1] <= _TALLEST)


def variant_size(width: int, height: int, *, to: int) -> tuple[int, int]:
    """Return the size of the variant of width ``to``, never larger than the image."""
    drawn = min(to, width)
    return drawn, max(1, round(height * drawn / width))
