"""Notes beside the stored images of a body: whom to credit, and what part AI has in them."""

from typing import Final, NamedTuple

from blog_engine.content.figures import stored_image_digest
from blog_engine.content.html import INLINE, Element, Node
from blog_engine.content.options import ImageOrigin, RenderLabels, RenderOptions


class NotedImage(NamedTuple):
    """A stored image with its note, for a list of images."""

    name: str
    url: str
    """Absolute, with the characters of a URI."""
    note: str


NOTE_CLASS: Final = "blog-credit"
"""The class of a note, whose text no author wrote."""
_AROUND: Final = INLINE | {"picture"}
"""Elements whose images are noted by the element around them."""


def note_images(tree: Element, *, options: RenderOptions) -> None:
    """Note the origin of each image in its caption, in place; where there is no figure, right after it.

    Headings must have got their ids: a note is no part of their text.
    """
    if options.origins:
        _note(tree, options)


def _note(element: Element, options: RenderOptions) -> list[str]:
    """Note the images below an element; return the notes that are left to the element around it."""
    children: list[Node] = []
    left: list[str] = []
    for child in element.children:
        children.append(child)
        if not isinstance(child, Element):
            continue
        notes = _own_note(child, options) if child.name == "img" else _note(child, options)
        if element.name == "figure" or element.name in _AROUND:
            left += notes
        else:
            children += [part for note in notes for part in (" ", _written(note))]
    element.children = children
    if element.name != "figure":
        return left
    for note in dict.fromkeys(left):
        _add_to_caption(element, note)
    return []


def _own_note(image: Element, options: RenderOptions) -> list[str]:
    digest = stored_image_digest(
        image.attrs.get("src", ""),
        site_origin=options.site_origin,
        mount=options.mount,
        script_name=options.script_name,
    )
    origin = options.origins.get(digest) if digest else None
    note = _note_of(origin, options.labels) if origin else ""
    return [note] if note else []


def _note_of(origin: ImageOrigin, labels: RenderLabels) -> str:
    """Return the note of an image; empty if there is nothing to say."""
    return " · ".join(text for text in (origin.credit, labels.ai_images.get(origin.source_type or "", "")) if text)


def _written(note: str) -> Element:
    return Element("span", {"class": NOTE_CLASS, "dir": "auto"}, [note])


def _add_to_caption(figure: Element, note: str) -> None:
    captions = [child for child in figure.children if isinstance(child, Element) and child.name == "figcaption"]
    caption = captions[0] if captions else Element("figcaption")
    if not captions:
        figure.children.append(caption)
    caption.children += [Element("br"), _written(note)] if caption.children else [_written(note)]
