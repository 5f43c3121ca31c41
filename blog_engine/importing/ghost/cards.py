"""Ghost's cards in HTML: what readers see of them as plain paragraphs, quotations, images and links."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from typing import Final
from urllib.parse import parse_qs

from lxml import etree
from lxml import html as lxml_html

from blog_engine.importing.old_blog import split_or_none
from blog_engine.importing.source import Losses, LossKind

_LARGEST_BODY: Final = 4 * 1024 * 1024
"""Characters; a larger body is no body here, and is passed on as it is."""
_BLOCKS: Final = frozenset(
    {"p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "dl", "blockquote", "pre", "table", "hr", "figure", "details"}
)
_CONTAINERS: Final = frozenset({"div", "section", "article", "header", "aside", "noscript", "center"})
_UNSEEN: Final = frozenset({"svg", "button", "form", "input", "style", "script", "audio", "video", "source", "iframe"})
_ATTRIBUTES: Final = frozenset({"href", "src", "alt", "title", "id", "start", "colspan", "rowspan", "scope"})
_FILLED_STAR, _EMPTY_STAR = "★", "☆"
_GATED: Final = "<!--kg-gated-block:begin"
_GATED_END: Final = "<!--kg-gated-block:end-->"


@dataclass(frozen=True, slots=True)
class _Card:
    """The treatment of a card: ``prepare`` moves its parts, then it is taken apart into blocks."""

    kind: LossKind | None
    words: str = ""
    prepare: Callable[[lxml_html.HtmlElement], None] = lambda card: None
    is_quoted: bool = False


def simplify_cards(html: str, *, losses: Losses) -> str:
    """Return the HTML of a post without cards: their texts, images and links remain, and each is named."""
    if len(html) > _LARGEST_BODY:
        return html
    html = _without_gated(html, losses)
    parser = lxml_html.HTMLParser(remove_comments=True, remove_pis=True)
    root = lxml_html.fragment_fromstring(html, create_parent="div", parser=parser)
    if any(entry.type_name in {"ERR_INTERNAL_ERROR", "ERR_RESOURCE_LIMIT"} for entry in parser.error_log):
        losses.add(LossKind.HTML, "The HTML is nested more than 250 levels deep: its cards stay as they are.")
        return html
    for element in [found for found in root.iter(etree.Element) if "kg-" in found.get("class", "")]:
        card = _card_of(element)
        # Cards in cards went with the outer one.
        if card and element.getparent() is not None and root in element.iterancestors():
            _replace(element, card, losses)
    return (escape(root.text, quote=False) if root.text else "") + "".join(
        etree.tostring(child, method="html", encoding="unicode") for child in root
    )


def _card_of(element: lxml_html.HtmlElement) -> _Card | None:
    names = element.get("class", "").split()
    for name in names:
        if name in _CARDS:
            return _CARDS[name]
    if "kg-card" in names:
        named = next((name for name in names if name.endswith("-card") and name != "kg-card"), "kg-card")
        return _Card(LossKind.BLOCK, f"A card of an unknown kind ({named[:60]}): its text and links remain.")
    return None


def _replace(element: lxml_html.HtmlElement, card: _Card, losses: Losses) -> None:
    line = element.sourceline
    tail, element.tail = element.tail, None
    card.prepare(element)
    blocks = list(_blocks_of(element))
    for block in blocks:
        _strip_attributes(block)
    if card.kind:
        has_link = card.kind is not LossKind.EMBED or any(next(block.iter("a"), None) is not None for block in blocks)
        losses.add(card.kind, card.words if has_link else "An embed without a link is left out.", line)
    if card.is_quoted and blocks:
        quotation = lxml_html.Element("blockquote")
        quotation.extend(blocks)
        blocks = [quotation]
    for block in blocks:
        element.addprevious(block)
    element.tail = tail
    element.drop_tree()


def _strip_attributes(block: lxml_html.HtmlElement) -> None:
    for element in list(block.iter(etree.Element)):
        for name in list(element.attrib):
            if name not in _ATTRIBUTES and not (name == "class" and element.tag == "code"):
                del element.attrib[name]
        if element.tag == "span" and not element.attrib and element.getparent() is not None:
            element.drop_tag()


def _blocks_of(element: lxml_html.HtmlElement) -> Iterator[lxml_html.HtmlElement]:
    """Yield the content of a card as blocks; text between them becomes paragraphs."""
    line = _Line()
    line.add_text(element.text)
    for child in list(element):
        tail, child.tail = child.tail, None
        if not isinstance(child.tag, str) or child.tag in _UNSEEN:
            pass
        elif child.tag in _CONTAINERS or child.tag == "figcaption":
            yield from line.taken()
            yield from _blocks_of(child)
        elif child.tag in _BLOCKS:
            yield from line.taken()
            if child.tag == "figure" or child.text_content().strip() or child.find(".//img") is not None:
                yield child
        elif child.tag == "picture":
            line.add(*child.findall(".//img"))
        else:
            line.add(child)
        if tail and not tail.strip() and not line.is_begun:
            continue
        line.add_text(tail)
    yield from line.taken()


class _Line:
    """A paragraph that text and inline elements are added to."""

    def __init__(self) -> None:
        self._paragraph = lxml_html.Element("p")

    @property
    def is_begun(self) -> bool:
        return len(self._paragraph) > 0 or bool((self._paragraph.text or "").strip())

    def add_text(self, text: str | None) -> None:
        if not text:
            return
        if len(self._paragraph):
            self._paragraph[-1].tail = (self._paragraph[-1].tail or "") + text
        else:
            self._paragraph.text = (self._paragraph.text or "") + text.lstrip()

    def add(self, *elements: lxml_html.HtmlElement) -> None:
        for element in elements:
            element.tail = None
            self._paragraph.append(element)

    def taken(self) -> Iterator[lxml_html.HtmlElement]:
        paragraph, self._paragraph = self._paragraph, lxml_html.Element("p")
        if len(paragraph):
            paragraph[-1].tail = (paragraph[-1].tail or "").rstrip() or None
            yield paragraph
        elif paragraph.text and paragraph.text.strip():
            paragraph.text = paragraph.text.strip()
            yield paragraph


def _with_class(card: lxml_html.HtmlElement, name: str) -> list[lxml_html.HtmlElement]:
    return [found for found in card.iter(etree.Element) if name in found.get("class", "").split()]


def _drop(card: lxml_html.HtmlElement, *names: str) -> None:
    for name in names:
        for found in _with_class(card, name):
            if found is not card:
                found.drop_tree()


def _text(card: lxml_html.HtmlElement, name: str) -> str:
    found = _with_class(card, name)
    return " ".join(found[0].text_content().split()) if found else ""


def _link(url: str, words: str) -> lxml_html.HtmlElement:
    link = lxml_html.Element("a", href=url)
    link.text = words or url
    return link


def _paragraph(*children: lxml_html.HtmlElement, text: str = "") -> lxml_html.HtmlElement:
    paragraph = lxml_html.Element("p")
    paragraph.text = text or None
    paragraph.extend(children)
    return paragraph


def _keep(card: lxml_html.HtmlElement, *blocks: lxml_html.HtmlElement) -> None:
    """Replace the content of a card, but for its caption."""
    captions = card.findall(".//figcaption")
    for child in list(card):
        card.remove(child)
    card.text = None
    card.extend([*blocks, *captions])


def _link_title(card: lxml_html.HtmlElement, prefix: str, *parts: str) -> None:
    """Keep the link of a card that is a link as a whole, and the parts of its text."""
    container = next(card.iter("a"), None)
    url = container.get("href", "") if container is not None else ""
    texts = [text for part in parts if (text := _text(card, f"{prefix}-{part}"))]
    _keep(card, _paragraph(_link(url, _text(card, f"{prefix}-title"))), *(_paragraph(text=text) for text in texts))


def _player(card: lxml_html.HtmlElement) -> None:
    player = next(card.iter("audio", "video"), None)
    url = player.get("src", "") if player is not None else ""
    parts = split_or_none(url)
    name = parts.path.rpartition("/")[2] if parts else ""
    _keep(card, _paragraph(_link(url, _text(card, "kg-audio-title") or name)))


def _gallery(card: lxml_html.HtmlElement) -> None:
    figures = []
    for image in card.findall(".//img"):
        figure = lxml_html.Element("figure")
        parent = image.getparent()
        image.tail = None
        if parent.tag == "a":
            parent.tail = None
            figure.append(parent)
        else:
            figure.append(image)
        figures.append(figure)
    _keep(card, *figures)


def _image(card: lxml_html.HtmlElement) -> None:
    for picture in card.findall(".//picture"):
        for source in picture.findall(".//source"):
            source.drop_tree()
        picture.drop_tag()
    # One block, with its caption.
    figure = lxml_html.Element("figure")
    figure.text = card.text
    figure.extend(list(card))
    card.text = None
    card.append(figure)


def _embed(card: lxml_html.HtmlElement) -> None:
    frames = [frame for frame in card.iter("iframe") if frame.get("src") or frame.get("data-src")]
    links = [
        _paragraph(_link(_page_of(frame.get("src") or frame.get("data-src")), frame.get("title", "")))
        for frame in frames[:1]
    ]
    for place, link in enumerate(links):
        card.insert(place, link)


def _page_of(url: str) -> str:
    """Return the page on which people see what a frame shows."""
    parts = split_or_none(f"https:{url}" if url.startswith("//") else url)
    if parts is None:
        return url
    host = (parts.hostname or "").removeprefix("www.")
    last = parts.path.rpartition("/")[2]
    if host in {"youtube.com", "youtube-nocookie.com"} and parts.path.startswith("/embed/") and last:
        playlist = parse_qs(parts.query).get("list")
        if last == "videoseries" and playlist:
            return f"https://www.youtube.com/playlist?list={playlist[0]}"
        return f"https://www.youtube.com/watch?v={last}"
    if host == "player.vimeo.com" and re.fullmatch("/video/[0-9]+", parts.path):
        return f"https://vimeo.com/{last}"
    return parts.geturl()


def _button_lines(card: lxml_html.HtmlElement) -> None:
    """Put each button on a line of its own."""
    for link in list(card.iter("a")):
        if any("button" in name or "btn" in name for name in link.get("class", "").split()):
            tail, link.tail = link.tail, None
            paragraph = lxml_html.Element("p")
            parent = link.getparent()
            parent.replace(link, paragraph)
            paragraph.append(link)
            link.text = (link.text or "").strip() or None
            paragraph.tail = tail


def _product(card: lxml_html.HtmlElement) -> None:
    _button_lines(card)
    for rating in _with_class(card, "kg-product-card-rating"):
        filled = len(_with_class(rating, "kg-product-card-rating-active"))
        rating.getparent().replace(rating, _paragraph(text=_FILLED_STAR * filled + _EMPTY_STAR * max(0, 5 - filled)))


def _toggle(card: lxml_html.HtmlElement) -> None:
    """Make a toggle a box that readers open."""
    box, summary = lxml_html.Element("details"), lxml_html.Element("summary")
    for heading in _with_class(card, "kg-toggle-heading-text")[:1]:
        summary.text = heading.text
        summary.extend(list(heading))
    box.append(summary)
    for content in _with_class(card, "kg-toggle-content"):
        box.extend(list(_blocks_of(content)))
    if summary.text_content().strip():
        _keep(card, box)


_CARDS: Final = {
    "kg-image-card": _Card(None, prepare=_image),
    "kg-code-card": _Card(None),
    "kg-gallery-card": _Card(LossKind.GALLERY, "A gallery: its images follow each other.", _gallery),
    "kg-bookmark-card": _Card(
        LossKind.BLOCK,
        "A bookmark: its link and texts are a quotation, its pictures are left out.",
        lambda card: _link_title(card, "kg-bookmark", "description", "author", "publisher"),
        True,
    ),
    "kg-embed-card": _Card(LossKind.EMBED, "An embed: a link to it remains.", _embed),
    "kg-transistor-card": _Card(LossKind.EMBED, "A podcast player: a link to it remains.", _embed),
    "kg-callout-card": _Card(LossKind.BLOCK, "A callout: now a quotation.", is_quoted=True),
    "kg-toggle-card": _Card(None, prepare=_toggle),
    "kg-button-card": _Card(LossKind.BLOCK, "A button: now a link.", _button_lines),
    "kg-product-card": _Card(LossKind.BLOCK, "A product card: its texts, image and link remain.", _product),
    "kg-header-card": _Card(LossKind.BLOCK, "A header card: its texts and link remain.", _button_lines),
    "kg-cta-card": _Card(LossKind.BLOCK, "A call to action: its texts, image and link remain.", _button_lines),
    "kg-signup-card": _Card(
        LossKind.BLOCK,
        "A form to sign up: its texts remain, the form does not.",
        lambda card: _drop(card, "kg-signup-card-form"),
    ),
    "kg-file-card": _Card(
        LossKind.FILE,
        "A file: the link to the old blog remains.",
        lambda card: _link_title(card, "kg-file-card", "caption", "filename"),
    ),
    "kg-audio-card": _Card(LossKind.FILE, "An audio player: a link to the file at the old blog remains.", _player),
    "kg-video-card": _Card(LossKind.FILE, "A video player: a link to the file at the old blog remains.", _player),
}


def _without_gated(html: str, losses: Losses) -> str:
    """Leave out what Ghost shows to members only; what it shows to everyone stays."""
    parts: list[str] = []
    at = 0
    line = 1
    while (start := html.find(_GATED, at)) >= 0:
        opened = html.find("-->", start)
        end = html.find(_GATED_END, start)
        if opened < 0 or end < opened:
            break
        parts.append(html[at:start])
        line += html.count("\n", at, start)
        inside = html.count("\n", start, end)
        if "nonMember:true" in html[start:opened]:
            parts.append(html[opened + 3 : end])
        else:
            losses.add(LossKind.BLOCK, "A card that only members see is left out.", line)
            # The lines of what follows stay the same.
            parts.append("\n" * inside)
        line += inside
        at = end + len(_GATED_END)
    return "".join([*parts, html[at:]])
