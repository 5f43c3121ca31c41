"""The destinations of links and images in a Markdown source, and the source with other destinations."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from markdown_it.helpers import parseLinkDestination
from markdown_it.token import Token

from blog_engine.content._markdown import normal_link, page_tokens
from blog_engine.content.dialect import INLINE_HTML
from blog_engine.content.urls import MAX_URL, bare_url

_LONGEST: Final = 2100
_PATH: Final = "/d.invalid/{}"
_BARE_URL: Final = "https://d.invalid/{}"
"""Placeholders; only the second one is a link by itself."""

_INLINE: Final = re.compile(r"\]\([ \t]*(?:\r?\n[ \t>]*)?")
_DEFINITION: Final = re.compile(
    r"^[ \t>*+.)0-9-]*\[(?:[^\[\]\\\r\n]|\\.){1,999}\]:[ \t]*(?:\r?\n[ \t>]*)?", re.MULTILINE
)
_AUTOLINK: Final = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^<>\x00-\x20]*)>")
_BARE: Final = re.compile(r"https?://|www\.", re.IGNORECASE)
_SPECIAL: Final = re.compile(r"([\\`*_\[\]<>|~&])")
_UNSAFE: Final = re.compile(r"[\s()<>\\]")
_WITH_URL: Final = {"link_open": "href", "image": "src"}
_MOST_ATTEMPTS: Final = 64
"""Places that are tried separately if they cannot be changed together."""


class Destination(NamedTuple):
    """A link or an image that readers see."""

    url: str
    """As in the HTML of the page: percent-encoded."""
    is_image: bool
    line: int
    """From 1; that of the block if the place in it is not known."""


@dataclass(frozen=True, slots=True)
class MarkdownUses:
    """The destinations and the raw HTML of a Markdown source."""

    destinations: tuple[Destination, ...]
    raw_html: tuple[tuple[int, str], ...]
    """Each piece of HTML that readers do not see, with its line; no comments and end tags."""


def markdown_uses(source: str) -> MarkdownUses:
    """Return the destinations and the raw HTML of a source, in their order."""
    destinations: list[Destination] = []
    raw_html: list[tuple[int, str]] = []
    for token, line in _with_lines(page_tokens(source), 1):
        if token.type == "link_open":
            destinations.append(Destination(str(token.attrs["href"]), False, line))
        elif token.type == "image":
            destinations.append(Destination(str(token.attrs["src"]), True, line))
        elif token.type in ("html_block", "html_inline") and not _is_seen_or_nothing(token):
            raw_html.append((line, token.content.strip()))
    return MarkdownUses(tuple(destinations), tuple(raw_html))


def _is_seen_or_nothing(token: Token) -> bool:
    """Return whether HTML is kept within its line, a comment or an end tag."""
    html = token.content.lstrip()
    return html.startswith(("<!--", "</")) or (token.type == "html_inline" and html.lower() in INLINE_HTML)


def with_destinations(source: str, new: Mapping[str, str]) -> str:
    """Return the source with other destinations, by those of ``markdown_uses``; all else stays as it is.

    A bare URL becomes a link with the URL as its text. A destination stays where the change would show in anything
    else, and where the source writes it in a way that is not understood.
    """
    written = _real(source, [place for place in _written_places(source) if place.url in new], _PATH)
    bare = _apart([place for place in _bare_places(source) if place.url in new], written)
    places = sorted([*written, *_real(source, bare, _BARE_URL)])
    changeable = _changeable(source, places, new, before=_shown(page_tokens(source))) if places else []
    return _replaced(source, changeable, [place.written(new[place.url]) for place in changeable])


class _WrittenUrl(NamedTuple):
    """A place where a destination may be written."""

    start: int
    end: int
    url: str
    text: str | None = None
    """The URL as readers see it, if the destination is also the text of the link."""

    def written(self, target: str) -> str:
        safe = _safe(target)
        return safe if self.text is None else "[" + _SPECIAL.sub(r"\\\1", self.text) + f"]({safe})"


def _written_places(source: str) -> Iterator[_WrittenUrl]:
    """Yield where destinations may be written; some are in code or text."""
    for pattern in (_INLINE, _DEFINITION):
        for match in pattern.finditer(source):
            written = parseLinkDestination(source, match.end(), min(len(source), match.end() + _LONGEST))
            if written.ok and written.pos > match.end():
                yield _WrittenUrl(match.end(), written.pos, normal_link(written.str))


def _bare_places(source: str) -> Iterator[_WrittenUrl]:
    """Yield where URLs may be links by themselves."""
    for match in _AUTOLINK.finditer(source):
        yield _WrittenUrl(*match.span(), normal_link(match[1]), text=match[1])
    place = 0
    while begun := _BARE.search(source, place):
        text = bare_url(source, begun.start())
        place = begun.start() + (len(text) or MAX_URL)
        if text:
            url = f"http://{text}" if text[:4].lower() == "www." else text
            yield _WrittenUrl(begun.start(), place, normal_link(url), text=text)


def _apart(places: Iterable[_WrittenUrl], others: Sequence[_WrittenUrl] = ()) -> list[_WrittenUrl]:
    """Return the places in their order, without those that overlap one before them or one of the others."""
    kept: list[_WrittenUrl] = []
    starts = [other.start for other in others]
    for place in sorted(places, key=lambda one: (one.start, -one.end)):
        nearest = bisect_left(starts, place.end) - 1
        is_free = nearest < 0 or others[nearest].end <= place.start
        if is_free and (not kept or place.start >= kept[-1].end):
            kept.append(place)
    return kept


def _real(source: str, places: list[_WrittenUrl], placeholder: str) -> list[_WrittenUrl]:
    """Return the places that are destinations.

    Only the parser decides that: where it finds a placeholder as a destination, there was one.
    """
    apart = _apart(places)
    if not apart:
        return []
    marked = _replaced(source, apart, [placeholder.format(number) for number in range(len(apart))])
    found = {destination.url for destination in markdown_uses(marked).destinations}
    return [place for number, place in enumerate(apart) if placeholder.format(number) in found]


def _replaced(source: str, places: Iterable[_WrittenUrl], texts: Iterable[str]) -> str:
    parts: list[str] = []
    end = 0
    for place, text in zip(places, texts, strict=True):
        parts += [source[end : place.start], text]
        end = place.end
    return "".join([*parts, source[end:]])


def _changeable(
    source: str, places: list[_WrittenUrl], new: Mapping[str, str], *, before: "list[_Piece]"
) -> list[_WrittenUrl]:
    """Return the places that can be changed together without another change that shows."""
    if not places:
        return []
    changed = _replaced(source, places, [place.written(new[place.url]) for place in places])
    expected = {place.url: normal_link(_safe(new[place.url])) for place in places}
    if _differ_in_destinations(before, _shown(page_tokens(changed)), expected):
        return places
    if len(places) == 1 or len(places) > _MOST_ATTEMPTS:
        return []
    middle = len(places) // 2
    halves = [_changeable(source, half, new, before=before) for half in (places[:middle], places[middle:])]
    both = [*halves[0], *halves[1]]
    if len(both) < len(places) and all(halves):
        return _changeable(source, both, new, before=before)
    return halves[0] or halves[1]


class _Piece(NamedTuple):
    """A part of what a source shows, apart from its destination."""

    shown: tuple[Any, ...]
    url: str | None = None


def _shown(tokens: Iterable[Token]) -> list[_Piece]:
    pieces: list[_Piece] = []
    for token, _ in _with_lines(tokens, 1):
        last = pieces[-1].shown if pieces else ()
        if token.type == "text" and last[:1] == ("text",):
            pieces[-1] = _Piece(("text", last[1] + token.content))
        elif token.type == "text":
            pieces.append(_Piece(("text", token.content)))
        elif token.type in _WITH_URL:
            rest = {name: value for name, value in token.attrs.items() if name != _WITH_URL[token.type]}
            pieces.append(_Piece((token.type, str(rest)), str(token.attrs[_WITH_URL[token.type]])))
        elif token.type == "link_close":
            pieces.append(_Piece((token.type,)))
        else:
            plain = (token.type, token.tag, token.nesting, token.content, token.info, str(token.attrs), str(token.meta))
            pieces.append(_Piece(plain))
    return pieces


def _differ_in_destinations(before: list[_Piece], after: list[_Piece], expected: Mapping[str, str]) -> bool:
    """Return whether nothing but destinations differs, and each is as before or as expected."""
    return len(before) == len(after) and all(
        one.shown == other.shown and (one.url == other.url or other.url == expected.get(one.url or ""))
        for one, other in zip(before, after, strict=True)
    )


def _with_lines(tokens: Iterable[Token], line: int) -> Iterator[tuple[Token, int]]:
    """Yield the tokens and those inside them, except containers of inline tokens, each with its line."""
    for token in tokens:
        if token.map:
            line = token.map[0] + 1
        if token.type != "inline":
            yield token, line
        inner = line
        for child in token.children or ():
            yield from _with_lines([child], inner)
            inner += child.type in ("softbreak", "hardbreak") or child.content.count("\n")


def _safe(target: str) -> str:
    """Return a URL that needs no brackets in Markdown."""
    return _UNSAFE.sub(lambda match: quote(match[0], safe=""), target)
