"""Runs of text as readers see them: white space collapsed, pieces of one style joined."""

import re
from collections.abc import Iterator
from typing import Final

from blog_engine.importing.html.blocks import Break, Span, Style, Text

SPACE: Final = re.compile(r"[ \t\n\r\f]+")
_PLAIN: Final = Style()
_A_SPACE: Final = Text(" ", _PLAIN)


def normal_spans(spans: list[Span]) -> tuple[Span, ...]:
    """Return spans with white space collapsed and pieces of one style joined.

    A space belongs to what the words on both sides of it share. Breaks at the start and the end are left out.
    """
    if len(spans) == 1 and isinstance(spans[0], Text) and not spans[0].style.is_code:
        only = spans[0]
        text = SPACE.sub(" ", only.text).strip(" ")
        return (Text(text, only.style, only.line),) if text.strip() else ()
    words: list[Span] = []
    for span in spans:
        if not isinstance(span, Text) or span.style.is_code:
            words.append(span)
            continue
        text = SPACE.sub(" ", span.text)
        inner = text.strip(" ")
        if text[0] == " ":
            words.append(_A_SPACE)
        if inner:
            words.append(Text(inner, span.style, span.line))
            if text[-1] == " ":
                words.append(_A_SPACE)
    kept: list[Span] = []
    for word in words:
        if _is_space(word) and (not kept or _is_space(kept[-1]) or isinstance(kept[-1], Break)):
            continue
        if isinstance(word, Break):
            while kept and _is_space(kept[-1]):
                kept.pop()
            if not kept:
                continue
        kept.append(word)
    while kept and (_is_space(kept[-1]) or isinstance(kept[-1], Break)):
        kept.pop()
    if not any(not isinstance(span, Text) or span.style.is_code or span.text.strip() for span in kept):
        return ()
    return tuple(_joined(kept))


def _joined(words: list[Span]) -> Iterator[Span]:
    last: Text | None = None
    for position, word in enumerate(words):
        if not isinstance(word, Text):
            if last is not None:
                yield last
            last = None
            yield word
            continue
        style = _shared(words[position - 1], words[position + 1]) if _is_space(word) else word.style
        if last is not None and last.style == style:
            last = Text(last.text + word.text, style, last.line)
        else:
            if last is not None:
                yield last
            last = Text(word.text, style, word.line)
    if last is not None:
        yield last


def _is_space(span: Span) -> bool:
    return span is _A_SPACE


def _shared(left: Span, right: Span) -> Style:
    if not isinstance(left, Text) or not isinstance(right, Text):
        return _PLAIN
    if left.style.href == right.style.href and left.style.title == right.style.title:
        href, title = left.style.href, left.style.title
    else:
        href, title = None, ""
    return Style(left.style.marks & right.style.marks, False, href, title)
