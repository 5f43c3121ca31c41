"""Faults that language models make in texts, found by the tables of signs (findings.models).

Code and quotations are left out, because there an article shows such faults.
"""

# ruff: noqa: RUF001  # quotation marks and dashes as people write them

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from blog_engine.content.chat_signs import CHAT_SIGNS
from blog_engine.content.fault_signs import (
    ABOUT_MARKUP,
    ENTITY_SIGNS,
    FIELD_SIGNS,
    PROSE_SIGNS,
    FaultCode,
    FaultSign,
    SignPlace,
    in_any_case,
)
from blog_engine.content.fault_sources import faults_of_source
from blog_engine.content.html import INLINE, Element, text_of

_MOST_LINKS: Final = 20
"""Links of a body that are named for each fault."""
_CODE: Final = frozenset({"code", "pre", "kbd", "samp", "math"})
_CODE_SIGN: Final = "\ufffc"
_QUOTES: Final = f"\"'“”„«»‘’‚‹›`*{_CODE_SIGN}"
_EMPHASIS: Final = frozenset({"strong", "em"})
_EMPHASISED: Final = "\u2060"
"""Stands before a text that begins with emphasis, as a term does that is defined."""
_PAIRS: Final = (("“", "”"), ("„", "“"), ("«", "»"))
_MOST_MATCHES: Final = 20
"""Passages of a block that are looked at for each sign, because several can be quoted."""
_AROUND: Final = 16
_LONGEST: Final = 80


class TextFault(NamedTuple):
    """A fault, and the passage that has it or the target of the link."""

    code: FaultCode
    shown: str
    is_link: bool = False
    """Whether ``shown`` is the target of a link."""


class TextBlock(NamedTuple):
    """The text of a paragraph (``p``), a heading, list item, cell or field; code in it is U+FFFC."""

    element: str
    text: str


class Link(NamedTuple):
    """A link as written."""

    href: str
    text: str


class Prose(NamedTuple):
    """The own words of a body, all its code, and the URLs of its images."""

    blocks: list[TextBlock]
    links: list[Link]
    code: list[str]
    images: list[str]


def prose_of(tree: Element) -> Prose:
    """Return the prose of a sanitised tree."""
    prose = Prose([], [], [], [])
    _read(tree, prose, prose.blocks, [])
    return prose


def _read(element: Element, prose: Prose, blocks: list[TextBlock], text: list[str]) -> None:
    """Read the children of a block, or of an inline element in it, whose ``text`` goes on."""
    for child in element.children:
        if isinstance(child, str):
            text.append(child)
        elif child.name in _CODE:
            prose.code.append(text_of(child))
            text.append(_CODE_SIGN)
        elif child.name == "img":
            prose.images.append(child.attrs.get("src", ""))
        elif child.name in INLINE:
            if child.name == "a" and "href" in child.attrs:
                prose.links.append(Link(child.attrs["href"], text_of(child)))
            if child.name in _EMPHASIS and not any(text):
                text.append(_EMPHASISED)
            text.append("\n" if child.name == "br" else "")
            _read(child, prose, blocks, text)
        else:
            _end(element.name, blocks, text)
            own: list[str] = []
            inner = [] if child.name == "blockquote" else blocks
            _read(child, prose, inner, own)
            _end(child.name, inner, own)
    if element.name not in INLINE:
        _end(element.name, blocks, text)


def _end(element: str, blocks: list[TextBlock], text: list[str]) -> None:
    whole = "".join(text).strip()
    text.clear()
    if whole:
        blocks.append(TextBlock(element, whole))


def faults_of_field(text: str) -> Iterator[TextFault]:
    """Yield the first fault of each kind in a field of plain text."""
    prose = Prose([TextBlock("field", text.strip())], [], [], [])
    return _faults(prose, _SIGNS if ABOUT_MARKUP.search(text) else (*FIELD_SIGNS, *_SIGNS))


def faults_of_body(prose: Prose, source: str) -> list[TextFault]:
    """Return the first fault of each kind in a body, and those of its links; ``source`` is the body as written."""
    whole = [TextFault(code, _excerpt(shown, 0, len(shown))) for code, shown in faults_of_source(source)]
    known = {fault.code for fault in whole}
    inside = (fault for fault in _faults(prose, _BODY_SIGNS) if fault.code not in known)
    return [*whole, *inside, *_of_links(prose)]


def _faults(prose: Prose, signs: Iterable[FaultSign]) -> Iterator[TextFault]:
    lowered = [block.text.lower() for block in prose.blocks]
    found = set[FaultCode]()
    for sign in signs:
        if sign.code in found or _is_excepted(sign, prose):
            continue
        for number in _numbers(sign.place, prose.blocks):
            if sign.needs in lowered[number] and (shown := _passage(sign, prose.blocks[number].text)):
                found.add(sign.code)
                yield TextFault(sign.code, shown)
                break


def _is_excepted(sign: FaultSign, prose: Prose) -> bool:
    """Return whether what else is in a body says that a sign is none there."""
    if sign.unless_with_images and prose.images:
        return True
    return bool(sign.unless_in_code) and any(sign.unless_in_code in one for one in prose.code)


def _numbers(place: SignPlace, blocks: list[TextBlock]) -> Iterable[int]:
    """Return the numbers of the blocks in which a sign is looked for."""
    match place:
        case SignPlace.ANYWHERE:
            return range(len(blocks))
        case SignPlace.PARAGRAPH:
            return (number for number, block in enumerate(blocks) if block.element == "p")
        case SignPlace.FIRST:
            return range(min(1, len(blocks)))
        case SignPlace.LAST:
            # What is offered can be a list below.
            outside = (number for number in reversed(range(len(blocks))) if blocks[number].element != "li")
            return islice(outside, 1)


def _passage(sign: FaultSign, text: str) -> str:
    """Return the first passage that has a sign, with words around a short one; empty for none."""
    if sign.place is not SignPlace.ANYWHERE:
        text = text if sign.place is SignPlace.PARAGRAPH else text.lstrip(_EMPHASISED)
        match = sign.pattern.match(text)
        return _excerpt(text, match.start(), match.end()) if match else ""
    for match in islice(sign.pattern.finditer(text), _MOST_MATCHES):
        start = match.start()
        if sign.code is not FaultCode.ESCAPES and _is_quoted(text, start):
            continue
        if sign.unless_before and sign.unless_before.search(text, max(0, start - 2 * _LONGEST), start):
            continue
        if sign.unless_around and sign.unless_around.search(text):
            break
        return _excerpt(text, start, match.end())
    return ""


def _excerpt(text: str, start: int, end: int) -> str:
    if end - start < _AROUND:
        start, end = max(0, start - _AROUND), end + _AROUND
        start = text.rfind(" ", 0, start) + 1 if start else 0
        space = text.find(" ", end)
        end = len(text) if space < 0 else space
    shown = " ".join(
        text[start : min(end, start + 2 * _LONGEST)].replace(_CODE_SIGN, "…").replace(_EMPHASISED, "").split()
    )
    return shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 1]}…"


def _is_quoted(text: str, position: int) -> bool:
    if position and text[position - 1] in _QUOTES:
        return True
    before = text[:position]
    is_open = any(before.rfind(opens) > before.rfind(closes) for opens, closes in _PAIRS)
    return is_open or before.count('"') % 2 == 1


_NO_TARGET: Final = in_any_case(
    r"(?:#|#?(?:link|url)|todo|tbd|placeholder|https?://(?:\.\.\.|…|%E2%80%A6|\[[a-z]|%5B[a-z]).*"
    r"|/?(?:(?:your|insert|add|internal|external|affiliate)[-_](?:[a-z]{1,12}[-_]){0,2}(?:link|url)(?:[-_]here)?"
    r"|(?:link|url)[-_](?:here|placeholder|to[-_](?:page|article|post|source|study|website))))?"
)
_NO_HOST: Final = in_any_case(
    r"(?:.{1,200}\.)?(?:example\.[a-z]{2,3}(?:\.[a-z]{2})?|(?:beispiel|ejemplo|exemple|esempio|exemplo)\.[a-z]{2,3}(?:\.br)?"
    r"|localhost|127\.0\.0\.1|0\.0\.0\.0|(?:insert-?|your-?)?link-?here\.com"
    r"|(?:your|my)-?(?:domain|website|site|blog|company|store|app)\.(?:com|org|net|io|dev|tld))"
)
_NO_MAILBOX: Final = in_any_case(r"(?:your|you|name|your-?name|your-?email|user)@(?:e?mail|domain|company)\.com")
_SENT_BY_CHAT: Final = in_any_case(
    r"[?&]utm_source=(?:chatgpt\.com|chat\.openai\.com|openai|perplexity(?:\.ai)?|copilot\.com|gemini(?:\.google\.com)?"
    r"|claude(?:\.ai)?|grok(?:\.com)?|deepseek)\b"
)


def _of_links(prose: Prose) -> Iterator[TextFault]:
    """Yield the links that lead nowhere yet, and those that chat programs marked as theirs."""
    links = list(dict.fromkeys(prose.links))
    unfinished = (link.href for link in links if _is_unfinished(link, prose.code))
    marked = (link.href for link in links if _SENT_BY_CHAT.search(link.href))
    for code, found in ((FaultCode.LINK, unfinished), (FaultCode.CITATION, marked)):
        for href in islice(dict.fromkeys(found), _MOST_LINKS):
            yield TextFault(code, href, is_link=True)


def _is_unfinished(link: Link, code: list[str]) -> bool:
    if _NO_TARGET.fullmatch(link.href):
        return True
    is_mail = link.href[:7].lower() == "mailto:"
    mailbox = link.href[7:].partition("?")[0] if is_mail else ""
    try:
        host = mailbox.partition("@")[2] if is_mail else urlsplit(link.href).hostname or ""
    except ValueError:
        return False
    # A tutorial names the host in its text or code.
    is_none = bool(_NO_HOST.fullmatch(host) or _NO_MAILBOX.fullmatch(mailbox))
    return is_none and host not in link.text and not any(host in one for one in code)


_SIGNS: Final = (*PROSE_SIGNS, *CHAT_SIGNS)
_BODY_SIGNS: Final = (*_SIGNS, *ENTITY_SIGNS)
