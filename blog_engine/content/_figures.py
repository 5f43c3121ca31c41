"""Images as figures, lifted out of the paragraphs they were written in (reader.md 16.3, decisions.md 7.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from blog_engine.content._tree import HEADINGS, INLINE, Element, Node, add_class, text_of, walk
from blog_engine.content.media_paths import stored_image_digest
from blog_engine.content.options import KnownImage, RenderOptions

_IMAGES: Final = frozenset({"img", "picture"})
_LEFT_ALONE: Final = HEADINGS | {"figure", "figcaption", "pre"}


def dress_images(tree: Element, *, options: RenderOptions) -> None:
    """Give every image its address, size and alternative text, and put it into a figure of its own, in place.

    A paragraph is divided where an image stood in it; a link or an emphasis around an image goes into the figure. In
    a heading or a caption, where HTML allows no figure, an image stays in the line.
    """
    for element in list(walk(tree)):
        if element.name == "figure":
            add_class(element, "blog-figure")
        elif element.name == "img":
            _complete(element, options=options)
    _lift_images(tree)


def _complete(image: Element, *, options: RenderOptions) -> None:
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


def _become_picture(image: Element, known: KnownImage) -> None:
    sizes = {"sizes": known.sizes} if known.sizes else {}
    sources = [Element("source", {"type": s.type, "srcset": s.srcset} | sizes) for s in known.sources]
    fallback = Element("img", image.attrs)
    image.name, image.attrs, image.children = "picture", {}, [*sources, fallback]


@dataclass(slots=True)
class _Lifted:
    """An image on its way out of a paragraph, with the links and emphases that stood around it."""

    content: Element
    title: str


def _lift_images(parent: Element) -> None:
    children: list[Node] = []
    for child in parent.children:
        children += _divided(child) if isinstance(child, Element) else [child]
    parent.children = children


def _divided(element: Element) -> list[Node]:
    if element.name in _LEFT_ALONE or not _has_image(element):
        return [element]
    if element.name == "p":
        return _paragraphs(element)
    if element.name in _IMAGES or (element.name in INLINE and not _has_block(element)):
        return [_figure(piece) if isinstance(piece, _Lifted) else piece for piece in _pieces([element])]
    _lift_images(element)
    return [element]


def _paragraphs(paragraph: Element) -> list[Node]:
    nodes: list[Node] = []
    run: list[Node] = []
    for piece in [*_pieces(paragraph.children), None]:
        if isinstance(piece, _Lifted) or piece is None:
            text = _trimmed(run)
            nodes += [_copy(paragraph, text)] if text else []
            nodes += [_figure(piece)] if piece else []
            run = []
        else:
            run.append(piece)
    return nodes


def _pieces(nodes: Sequence[Node]) -> list[Node | _Lifted]:
    pieces: list[Node | _Lifted] = []
    for node in nodes:
        if isinstance(node, str) or not _has_image(node):
            pieces.append(node)
        elif node.name in _IMAGES:
            pieces.append(_Lifted(node, _title(node)))
        else:
            pieces += _wrapped_pieces(node)
    return pieces


def _wrapped_pieces(wrapper: Element) -> list[Node | _Lifted]:
    pieces: list[Node | _Lifted] = []
    run: list[Node] = []
    for piece in [*_pieces(wrapper.children), None]:
        if isinstance(piece, _Lifted) or piece is None:
            pieces += [_copy(wrapper, run)] if _trimmed(run) else []
            pieces += [_Lifted(_copy(wrapper, [piece.content]), piece.title)] if piece else []
            run = []
        else:
            run.append(piece)
    return pieces


def _figure(image: _Lifted) -> Element:
    caption = [Element("figcaption", {}, [image.title])] if image.title else []
    return Element("figure", {"class": "blog-figure"}, [image.content, *caption])


def _title(image: Element) -> str:
    shown = image.children[-1] if image.name == "picture" else image
    return shown.attrs.get("title", "").strip() if isinstance(shown, Element) else ""


def _trimmed(run: list[Node]) -> list[Node]:
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
