"""Words, links and embedded images in a part of a page."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final, NamedTuple
from urllib.parse import unquote, urljoin

from blog_engine.blog_urls import BlogURLs
from blog_engine.content.text import compose
from blog_engine.rules.revision import ImageEntry
from blog_engine.surface_report.html import PageElement

_SPACE: Final = re.compile(r"[ \t\n\f\r]+")
_IN_LINE: Final = frozenset(
    {"a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "img", "input", "ins"}
    | {"kbd", "label", "mark", "picture", "q", "s", "samp", "small", "source", "span", "strong", "sub", "sup", "time"}
    | {"u", "var", "wbr"}
)
_SIGNS: Final = {"del": "~~", "s": "~~", "sup": "^", "sub": "_"}
"""Elements that change the meaning of their words: deleted words do not count, and 10² is not 102."""
_EMBEDDED: Final = ("img", "image", "iframe", "object", "embed", "video", "audio")
_CANDIDATE: Final = re.compile(r"[\s,]*(\S+)([^,]*)")
_BEYOND_ASCII: Final = re.compile(r"(?:%[89a-fA-F][0-9a-fA-F])+")
_STORED: Final = re.compile(r"([0-9a-f]{64})/(?!(?:\.|%2[eE]){1,2}(?:[?#]|$))[^/\\?#]+(?:[?#].*)?")


class TextRun(NamedTuple):
    """Words with white space collapsed, or a code block as it is."""

    text: str
    is_code: bool = False


class ReadLink(NamedTuple):
    """The URL of a link, and its words."""

    url: str
    text: str


class EmbeddedMedia(NamedTuple):
    """An image or another embedded element: what its URLs are known by, and its alternative text."""

    name: str
    sources: frozenset[str]
    text: str


class Reading(NamedTuple):
    """The words, links and images of an element, in order."""

    words: tuple[TextRun, ...]
    links: tuple[ReadLink, ...]
    media: tuple[EmbeddedMedia, ...]


@dataclass(frozen=True, slots=True)
class BaseURL:
    """Reads the URLs of one page as browsers do: relative to ``base``."""

    urls: BlogURLs
    base: str

    def resolve(self, url: str) -> str:
        """Return the absolute URL; a malformed one is returned as it is."""
        try:
            return urljoin(self.base, url.strip())
        except ValueError:
            return url.strip()

    def normalised(self, url: str) -> str:
        """Return the absolute URL in the spelling in which URLs are compared, whatever its Unicode form."""
        return compose(_BEYOND_ASCII.sub(_decoded, self.resolve(url)))

    def source_of(self, url: str) -> str:
        """Return ``sha256:<digest>`` for a stored image and its variants, which have its digest in their URL.

        Any other URL is returned normalised.
        """
        full = self.normalised(url)
        prefix = self.normalised(self.urls.absolute(f"{self.urls.prefix}/media/"))
        stored = _STORED.fullmatch(full.removeprefix(prefix)) if full.startswith(prefix) else None
        return f"sha256:{stored[1]}" if stored else full

    def of_entry(self, entry: ImageEntry) -> str:
        """Return the URL of the image of a revision, as it was recorded."""
        if is_stored(entry):
            # The payload has this path whatever the mount.
            return self.urls.absolute(f"{self.urls.prefix}{entry.url.removeprefix('/blog')}")
        return self.resolve(f"https:{entry.url}" if entry.url.startswith("//") else entry.url)

    def source_of_entry(self, entry: ImageEntry) -> str:
        """Return what ``source_of`` returns for the URLs of the image."""
        return f"sha256:{entry.sha256}" if is_stored(entry) else self.source_of(entry.url)


def is_stored(entry: ImageEntry) -> bool:
    """Return whether an entry of a revision is an image in the blog's storage."""
    return bool(entry.sha256) and entry.url.startswith(f"/blog/media/{entry.sha256}/")


def read(element: PageElement, base: BaseURL) -> Reading:
    """Return the visible words, links and media of an element, for people who look and for people who listen."""
    return Reading(words_of(element), links_of(element, base), media_in(element, base))


def words_of(element: PageElement) -> tuple[TextRun, ...]:
    """Return all visible text in order, with the state of task boxes and the numbers of lists."""
    runs: list[TextRun] = []
    for is_code, group in groupby(_pieces_of(element), key=lambda piece: piece.is_code):
        pieces = list(group)
        runs += pieces if is_code else [TextRun(plain("".join(piece.text for piece in pieces)))]
    return tuple(run for run in runs if run.is_code or run.text)


def links_of(element: PageElement, base: BaseURL) -> tuple[ReadLink, ...]:
    """Return the visible links in order; a link within another, which HTML does not know, has no words."""
    found = (one for one in element.all("a", "area") if "href" in one.attrs and not one.is_hidden())
    texts = ((one, () if one.is_inside("a") else words_of(one)) for one in found)
    return tuple(
        ReadLink(base.normalised(one.attrs["href"]), plain(" ".join(run.text for run in runs))) for one, runs in texts
    )


def media_in(element: PageElement, base: BaseURL) -> tuple[EmbeddedMedia, ...]:
    """Return the visible images and other embedded elements in order, with all URLs that a browser may choose."""
    return tuple(
        EmbeddedMedia(one.name, frozenset(map(base.source_of, _urls_of(one))), plain(one.attrs.get("alt", "")))
        for one in element.all(*_EMBEDDED)
        if not one.is_hidden()
    )


def for_the_eye(element: PageElement) -> PageElement:
    """Return a copy without ``aria-hidden``, so that everything on the screen counts."""
    copy = element.copy_without(lambda _: False)
    for one in (copy, *copy.all()):
        one.attrs.pop("aria-hidden", None)
    return copy


def plain(text: str) -> str:
    """Return the text in the form in which texts are compared."""
    return _SPACE.sub(" ", compose(text)).strip()


def _pieces_of(element: PageElement) -> Iterator[TextRun]:
    for child in element.children:
        if isinstance(child, str):
            yield TextRun(child)
        elif child.hides():
            continue
        elif child.name == "pre":
            # The end of the last line of a code block is not visible, and a payload does not keep it.
            code = "".join(_code_in(child)).replace("\r\n", "\n").rstrip(" \t\n")
            yield TextRun(compose(code), is_code=True)
        else:
            around = _SIGNS.get(child.name, "" if child.name in _IN_LINE else " ")
            yield TextRun(around + _said_by_attributes(child))
            yield from _pieces_of(child)
            yield TextRun(around)


def _said_by_attributes(element: PageElement) -> str:
    attrs = element.attrs
    if element.name == "input" and attrs.get("type", "").lower() == "checkbox":
        return "[x]" if "checked" in attrs else "[ ]"
    number = attrs.get({"ol": "start", "li": "value"}.get(element.name, ""), "1")
    return "" if number == "1" else f"{number}. "


def _code_in(element: PageElement) -> Iterator[str]:
    for child in element.children:
        if isinstance(child, str):
            yield child
        elif not child.hides():
            yield from _code_in(child)


def _urls_of(element: PageElement) -> Iterator[str]:
    attrs = element.attrs
    yield from (attrs[name] for name in ("src", "poster", "data", "href", "xlink:href") if name in attrs)
    yield from _urls_in(attrs.get("srcset", ""))
    around = element.parent if element.parent is not None and element.parent.name == "picture" else element
    # A second image in a picture has no choices.
    if around is element or next(around.all(element.name)) is element:
        for source in around.all("source"):
            yield from _urls_in(source.attrs.get("srcset", ""))
            yield from _urls_in(source.attrs.get("src", ""))


def _urls_in(srcset: str) -> Iterator[str]:
    position = 0
    while found := _CANDIDATE.match(srcset, position):
        url = found[1].rstrip(",")
        # A comma right behind a URL ends its entry: then what follows is the next URL, no width.
        position = found.end(1) if url != found[1] else found.end()
        if url:
            yield url


def _decoded(found: re.Match[str]) -> str:
    try:
        return unquote(found[0], errors="strict")
    except UnicodeDecodeError:
        return found[0]
