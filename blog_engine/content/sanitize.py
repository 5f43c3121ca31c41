"""Sanitise HTML by an allow list and normalise what remains."""

import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import nh3

from blog_engine.content.formulas import MATH_ATTRIBUTES, MATH_TAGS
from blog_engine.content.html import (
    HEADINGS,
    PLAIN_INLINE,
    VOID,
    Element,
    Keep,
    Node,
    StartTag,
    parse_html,
    text_of,
    tokenize,
    write_html,
)
from blog_engine.content.urls import IMAGE_SCHEMES, LINK_SCHEMES, is_allowed, is_usable

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element as DomElement

logger = logging.getLogger("blog_engine")

TAGS: Final = (
    HEADINGS
    | frozenset({"p", "ul", "ol", "li", "a", "strong", "em", "del", "code", "pre", "blockquote", "br", "hr", "img"})
    | frozenset({"figure", "figcaption", "table", "thead", "tbody", "tr", "th", "td"})
    | frozenset({"section", "div", "span", "input", "details", "summary", "dl", "dt", "dd"})
    | PLAIN_INLINE
)
ATTRIBUTES: Final[Mapping[str, frozenset[str]]] = {
    "a": frozenset({"href", "rel"}),
    "details": frozenset({"open"}),
    "img": frozenset({"src", "alt", "width", "height"}),
    "input": frozenset({"type", "checked", "disabled"}),
    "ol": frozenset({"start"}),
}
EVERYWHERE: Final = frozenset({"title", "lang", "align"})
PROTOCOLS: Final = frozenset({"http", "https", "mailto"})

ADDED_TAGS: Final = frozenset({"button", "picture", "source"}) | MATH_TAGS
"""What rendering adds to the elements that an author may write."""
ADDED_ATTRIBUTES: Final[Mapping[str, frozenset[str]]] = {
    "a": frozenset({"aria-describedby"}),
    "button": frozenset({"type", "hidden", "aria-describedby"})
    | {"data-blog-copy", "data-blog-load", "data-blog-title"},
    "div": frozenset({"data-lang"}),
    "figure": frozenset({"data-lang", "data-blog-diagram"}),
    "img": frozenset({"loading"}),
    "source": frozenset({"type", "srcset", "sizes"}),
    **dict.fromkeys(MATH_TAGS, MATH_ATTRIBUTES),
}
ADDED_EVERYWHERE: Final = frozenset({"class", "id", "dir", "role", "tabindex", "aria-label", "aria-hidden"})

HtmlToken = dict[str, Any]
"""A token of html5lib."""

_NONE: Final[frozenset[str]] = frozenset()
_EVERY_TAG: Final = TAGS | ADDED_TAGS
_SECOND: Final = nh3.Cleaner(
    tags=set(_EVERY_TAG),
    attributes={
        tag: {*EVERYWHERE, *ADDED_EVERYWHERE, *ATTRIBUTES.get(tag, _NONE), *ADDED_ATTRIBUTES.get(tag, _NONE)}
        for tag in _EVERY_TAG
    },
    url_schemes=set(PROTOCOLS),
    link_rel=None,
)
"""What reads the HTML last. A filter in Python would take most of its time."""
_EMPTY: Final = re.compile('=""')
_MOST_NAMED: Final = 10
_LONGEST_NAME: Final = 40
"""The limits of a line of the log: names of elements and attributes, and characters of each."""

ALERTS: Final = ("note", "tip", "important", "warning", "caution")
COMPILER_CLASSES: Final[Mapping[str, str]] = {
    "contains-task-list": "blog-tasks",
    "task-list-item": "blog-task",
    "task-list-item-checkbox": "blog-task-box",
    "markdown-alert-title": "blog-alert-title",
    **{f"markdown-alert markdown-alert-{kind}": f"blog-alert blog-alert-{kind}" for kind in ALERTS},
    "footnote-ref": "blog-footnote-ref",
    "footnotes": "blog-footnotes",
    "footnote-back": "blog-footnote-back",
    "math": "blog-math",
}
"""The classes that our Markdown compiler writes, and their names on the page. No author can write any of them."""

_SPACE: Final = " \t\r\n\f"
_URIS: Final = frozenset({"href", "src"})
_DESTINATIONS: Final = {"a": "href", "img": "src"}
_REST: Final = r"A-Za-z0-9._~/?#@!$&'()*+,;=%-"
_USUAL_URI: Final = re.compile(rf"(?:https?://|mailto:|/|#)[{_REST}:]*|[{_REST}]*")
"""URIs in ASCII whose scheme, if any, is allowed; brackets and backslashes, which parsers read differently, are not."""

_SPACES: Final = " \t\n\r\f"
_TEXTS: Final = frozenset({"Characters", "SpaceCharacters", "Entity"})
_NUMBER: Final = re.compile(r"-?[0-9]{1,9}")
_NUMERIC: Final = frozenset({"start", "width", "height"})
_FOOTNOTE: Final = re.compile("(ref-)?[0-9]+(-[0-9]+)?")
"""What follows the prefix in the id of a footnote or of a mark that refers to it."""

_LINKS: Final = frozenset({"blog-footnote-ref", "blog-footnote-back"})
_TEXT_ONLY: Final = frozenset({"pre", "code"})
_DROPPED: Final = frozenset({"img", "input"})
_PARENTS: Final = {
    "li": frozenset({"ul", "ol"}),
    "figcaption": frozenset({"figure"}),
    "summary": frozenset({"details"}),
    "dt": frozenset({"dl"}),
    "dd": frozenset({"dl"}),
}
_ALIGNMENTS: Final = frozenset({"left", "center", "right", "justify"})


def sanitize_compiled(html: str, *, footnote_prefix: str) -> Element:
    """Return the sanitised output of our Markdown compiler.

    Its classes and footnote ids are kept. That is safe because the compiler drops raw HTML: no class or id in its
    output comes from the author.
    """
    from bleach.sanitizer import INVISIBLE_CHARACTERS_RE

    unusual: list[str] = []

    def keep(tag: str, name: str, value: str) -> bool:
        if name in _URIS and not _USUAL_URI.fullmatch(value):
            unusual.append(value)
        if name == "class":
            return value in COMPILER_CLASSES
        if name == "id":
            return value.startswith(footnote_prefix) and _FOOTNOTE.fullmatch(value, len(footnote_prefix)) is not None
        return _is_listed(tag, name, value)

    tree = parse_html(html, tags=TAGS, keep=keep)
    if unusual or INVISIBLE_CHARACTERS_RE.search(html):
        return _filter_tokens(_tokens_of(tree), keep=keep)
    # The filter would change nothing: the parser has left out what is not listed, and it would keep these URIs.
    _merge_texts(tree)
    return tree


def _merge_texts(element: Element) -> None:
    children: list[Node] = []
    for child in element.children:
        if isinstance(child, Element):
            _merge_texts(child)
            children.append(child)
        elif children and isinstance(children[-1], str):
            children[-1] += child
        elif child:
            children.append(child)
    element.children = children


def sanitize_sent(html: str) -> Element:
    """Return the sanitised HTML of an author, without class, id, style or handler."""
    from bleach.sanitizer import Cleaner

    # html5lib takes quadratic time for deep nesting and unclosed emphasis: it gets a well-formed tree.
    tidy = write_html(parse_html(html, tags=TAGS, keep=_is_listed))
    # A parser keeps state between calls, so threads must not share one.
    parser = Cleaner(tags=TAGS, strip=True).parser
    return _filter_tokens(_tokens_of_dom(parser.parseFragment(tidy)), keep=_is_listed)


def write_clean_html(tree: Element) -> str:
    """Return a tree for pages, feeds and exports as HTML, after a second sanitiser.

    What nh3 changes of it is logged, by the names of elements and attributes.
    """
    written = write_html(tree)
    cleaned = _SECOND.clean(written)
    unchanged = _EMPTY.sub("", cleaned)
    # Most texts have nothing that the two write differently.
    if written == unchanged or _in_the_form_of_nh3(written) == unchanged:
        return written
    lost = _names_in(written) - _names_in(cleaned)
    names = ", ".join(name[:_LONGEST_NAME] for name in [*lost][:_MOST_NAMED])
    logger.warning("nh3 changed sanitised HTML. Taken out or moved: %s.", names or "text")
    return cleaned


def _in_the_form_of_nh3(html: str) -> str:
    """Return what ``write_html`` wrote as nh3 writes the same elements and texts, without the ``=""`` of an attribute.

    A text loses its own ``=""``, which is no more than text without it either.
    """
    html = _EMPTY.sub("", html.removeprefix("\ufeff").replace("&#x27;", "'").replace("\xa0", "&nbsp;"))
    return html.replace("\r\n", "\n").replace("\r", "\n") if "\r" in html else html


def _names_in(html: str) -> Counter[str]:
    """Return how often the HTML has each element and attribute."""
    names: Counter[str] = Counter()
    for token in tokenize(html):
        if isinstance(token, StartTag):
            names.update([f"<{token.name}>", *(f"{name} of <{token.name}>" for name, _ in token.attrs)])
    return names


class Lost(NamedTuple):
    """The start tags of what ``sanitize_sent`` takes out of the HTML of an author, each once."""

    elements: tuple[str, ...]
    unusable_urls: tuple[str, ...]
    """The start tags of images that are not shown and of links that lead nowhere."""


def lost_in_html(html: str) -> Lost:
    """Return the elements and URLs that ``sanitize_sent`` takes out."""
    elements, urls = dict[str, None](), dict[str, None]()
    for token in tokenize(html):
        if not isinstance(token, StartTag):
            continue
        if token.name not in TAGS:
            elements[f"<{token.name}>"] = None
        name = _DESTINATIONS.get(token.name, "")
        url = next((value for sent, value in token.attrs if sent == name), None)
        is_image = token.name == "img"
        if (url is not None or is_image) and name and not is_usable(url or "", is_image=is_image):
            urls[f'<{token.name} {name}="{url or ""}">'] = None
    return Lost(tuple(elements), tuple(urls))


def _filter_tokens(tokens: Iterable[HtmlToken], *, keep: Keep) -> Element:
    """Return the tree that bleach's filter leaves of html5lib tokens.

    Every ``&`` in texts and attributes of the tokens must be a character reference. This is the only place that calls
    the filter.
    """
    from bleach.sanitizer import BleachSanitizerFilter

    parents = [Element("")]
    allowed = BleachSanitizerFilter(tokens, TAGS, keep, PROTOCOLS, strip_disallowed_tags=True)  # type: ignore[arg-type]
    for is_text, run in groupby(allowed, key=lambda token: token["type"] in _TEXTS):
        if is_text:
            parents[-1].children += filter(None, ["".join(map(_text_of, run))])
            continue
        for token in run:
            if token["type"] == "EndTag":
                parents.pop()
                continue
            attrs = {name: unescape(value) for (_, name), value in token["data"].items()}
            element = Element(token["name"], attrs)
            parents[-1].children.append(element)
            if token["type"] == "StartTag":
                parents.append(element)
    return parents[0]


def _text_of(token: HtmlToken) -> str:
    return unescape(f"&{token['name']};") if token["type"] == "Entity" else str(token["data"])


def _tokens_of(element: Element) -> Iterator[HtmlToken]:
    for child in element.children:
        if isinstance(child, str):
            yield {"type": "Characters", "data": child.replace("&", "&amp;")}
            continue
        attrs = {(None, name): value.replace("&", "&amp;") for name, value in child.attrs.items()}
        yield {"type": "EmptyTag" if child.name in VOID else "StartTag", "name": child.name, "data": attrs}
        if child.name not in VOID:
            yield from _tokens_of(child)
            yield {"type": "EndTag", "name": child.name}


def _tokens_of_dom(parent: "DomElement") -> Iterator[HtmlToken]:
    """Yield the tokens of what html5lib parsed, in two thirds of the time that its own walker takes."""
    yield from _tokens_of_text(parent.text)
    for child in parent:
        # The tag of a comment is a function.
        if isinstance(child.tag, str):
            attrs = {(None, key): value for key, value in child.attrib.items()}
            yield {"type": "EmptyTag" if child.tag in VOID else "StartTag", "name": child.tag, "data": attrs}
            if child.tag not in VOID:
                yield from _tokens_of_dom(child)
                yield {"type": "EndTag", "name": child.tag}
        yield from _tokens_of_text(child.tail)


def _tokens_of_text(text: str | None) -> Iterator[HtmlToken]:
    if text:
        yield {"type": "Characters" if text.strip(_SPACES) else "SpaceCharacters", "data": text}


def _is_listed(tag: str, name: str, value: str) -> bool:
    if name in _NUMERIC and not _NUMBER.fullmatch(value):
        return False
    return name in EVERYWHERE or name in ATTRIBUTES.get(tag, frozenset())


def normalize(element: Element) -> None:
    """Bring sanitised HTML into the form that pages expect, in place.

    An ``input`` that is not a disabled checkbox and an image without a safe URL are removed, and an unsafe link keeps
    only its text. A paragraph of which nothing is left is removed. ``pre`` contains one ``code`` with text only. The
    compiler's classes get their names on the page.
    """
    children: list[Node] = []
    for child in element.children:
        if isinstance(child, Element):
            if child.name in _DROPPED and not _is_kept(child):
                continue
            if element.name not in _PARENTS.get(child.name, {element.name}):
                child.name = "div"
            if child.name in _ORDERED:
                _ORDERED[child.name](child)
            _normalize_attributes(child)
            if child.name in _TEXT_ONLY:
                _reduce_to_text(child)
            else:
                normalize(child)
            if child.name == "p" and _is_blank(child):
                continue
        children.append(child)
    element.children = children


def _is_blank(paragraph: Element) -> bool:
    """Return whether nothing is left of a paragraph; a no-break space is text."""
    return not any(
        child.strip(_SPACE) if isinstance(child, str) else child.attrs or child.name in VOID or not _is_blank(child)
        for child in paragraph.children
    )


def _is_kept(element: Element) -> bool:
    attrs = element.attrs
    if element.name == "input":
        return attrs.get("type", "").lower() == "checkbox" and "disabled" in attrs
    src = attrs.get("src", "")
    return bool(src.strip()) and is_allowed(src, schemes=IMAGE_SCHEMES)


def _normalize_details(details: Element) -> None:
    """Make a box without a summary, which has nothing to open it by, a group; a further summary is a group too."""
    parts = _parts(details)
    if not parts or not isinstance(parts[0], Element) or parts[0].name != "summary":
        details.name, details.attrs = "div", {}
        return
    details.children = parts
    for part in parts[1:]:
        if isinstance(part, Element) and part.name == "summary":
            part.name = "div"


def _normalize_terms(terms: Element) -> None:
    """Make a list a group unless each of its terms has a definition, as HTML demands."""
    parts = _parts(terms)
    names = [part.name if isinstance(part, Element) else "" for part in parts]
    if names and names[0] == "dt" and names[-1] == "dd" and set(names) == {"dt", "dd"}:
        terms.children = parts
    else:
        terms.name = "div"


def _parts(element: Element) -> list[Node]:
    return [child for child in element.children if isinstance(child, Element) or child.strip()]


_ORDERED: Final = {"details": _normalize_details, "dl": _normalize_terms}


def _normalize_attributes(element: Element) -> None:
    attrs = element.attrs
    if "href" in attrs and not is_allowed(attrs["href"], schemes=LINK_SCHEMES):
        del attrs["href"]
    if "class" in attrs:
        attrs["class"] = COMPILER_CLASSES[attrs["class"]]
        if attrs["class"] in _LINKS and "href" not in attrs:
            # Written by a plugin of the host.
            del attrs["class"]
    alignment = attrs.pop("align", "").lower()
    if alignment in _ALIGNMENTS:
        attrs["class"] = f"blog-align-{alignment}"


def _reduce_to_text(element: Element) -> None:
    text = text_of(element)
    element.children = [Element("code", children=[text])] if element.name == "pre" else [text]
