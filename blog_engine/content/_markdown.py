"""Markdown to HTML that still has to be sanitised (reader.md 16.1, decisions.md 9.22).

CommonMark with tables, task lists, strikethrough, bare addresses, footnotes and GitHub alerts. Unsafe link targets
pass: the sanitiser takes the target and leaves the text.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.footnote.index import footnote_def, footnote_ref, footnote_tail

from blog_engine.content._autolink import autolink_plugin
from blog_engine.content._markdown_html import MarkdownHtml
from blog_engine.content._references import BoundedReferences

MAX_NESTING: Final = 40
"""Block levels deeper than this are not read (a list takes two levels, a quote one)."""

MAX_BRACKETS: Final = 10
"""Brackets in brackets deeper than this are not read.

The time for ``![![![…`` grows with this number times the length: 256 KiB need 3 s, with ``MAX_NESTING`` for it 7 s.
"""

MAX_FOOTNOTE_MARKS: Final = 2000
"""Further ones stay as they were written: each of them becomes fifty times its length, here and at the footnote."""
_MARKS_LEFT: Final = "footnote_marks_left"

_FOOTNOTE_MARK: Final = re.compile(r"\[\^[^\]\s]{1,200}\]")
_ALIGNMENT: Final = re.compile(r"text-align:(left|center|right)")


_NARROWEST_COLUMN: Final = 50
_INDENT: Final = 8


class Compiled(NamedTuple):
    """The HTML of a Markdown source; the raw HTML in it, which is left out; whether an editor wrapped its lines."""

    html: str
    raw_html: tuple[str, ...]
    is_hard_wrapped: bool


def compile_markdown(source: str, *, hard_breaks: bool, footnote_prefix: str) -> Compiled:
    """Return the HTML of a Markdown source. ``hard_breaks``: a single newline becomes a line break."""
    parser = _page_parser(hard_breaks)
    env = _fresh_env(source) | {"footnote_prefix": footnote_prefix}
    tokens = parser.parse(source, env)
    for token in tokens:
        alignment = _ALIGNMENT.fullmatch(str(token.attrs.pop("style", "")))
        if alignment:
            token.attrs["align"] = alignment[1]
    html = str(parser.renderer.render(tokens, parser.options, env))
    return Compiled(html, tuple(_raw_html(tokens)), _is_hard_wrapped(tokens))


def _raw_html(tokens: Iterable[Token]) -> Iterator[str]:
    """Yield each raw element; comments and end tags show nothing."""
    for token in tokens:
        if token.type in ("html_block", "html_inline") and not token.content.lstrip().startswith(("<!--", "</")):
            yield token.content.strip()
        yield from _raw_html(token.children or ())


def _is_hard_wrapped(tokens: list[Token]) -> bool:
    """Whether lines of paragraphs end where the next word would have passed one column, as editors wrap them."""
    breaks: list[tuple[int, int]] = []
    for opening, inline in pairwise(tokens):
        if opening.type != "paragraph_open":
            continue
        for line, following in pairwise(inline.content.split("\n")):
            # Two spaces or a backslash at the end of a line mean a break.
            if not line.endswith(("  ", "\\")):
                breaks.append((len(line), len(line) + 1 + len(following.partition(" ")[0])))
    column = max((length for length, _ in breaks), default=0)
    full = sum(with_next > column - _INDENT for _, with_next in breaks)
    return len(breaks) >= 3 and column >= _NARROWEST_COLUMN and full >= 0.9 * len(breaks)


def parse_plain(source: str) -> tuple[list[Token], bool]:
    """The tokens of a source read without footnotes, alerts and bare links, and whether it defines link references."""
    env = _fresh_env(source)
    tokens = _plain_parser().parse(source, env)
    return tokens, bool(env["references"])


def link_references(source: str) -> BoundedReferences:
    """The link references that a source defines, for reading parts of it."""
    env = _fresh_env(source)
    parser = _plain_parser()
    parser.block.parse(source.replace("\r\n", "\n").replace("\r", "\n"), parser, env, [])
    references: BoundedReferences = env["references"]
    return references


def parse_plain_part(part: str, *, references: BoundedReferences) -> list[Token]:
    """As ``parse_plain``, for blocks cut out of a source with these references."""
    return _plain_parser().parse(part, {"references": references})


def parse_plain_inline(text: str, *, references: BoundedReferences) -> list[Token]:
    """As ``parse_plain_part``, for text that stands inside a block, such as that of a heading."""
    return _plain_parser().parseInline(text, {"references": references})


def has_footnote_mark(text: str) -> bool:
    """Whether a footnote may be referred to."""
    return _FOOTNOTE_MARK.search(text) is not None


def _fresh_env(source: str) -> dict[str, Any]:
    return {"references": BoundedReferences(len(source)), _MARKS_LEFT: MAX_FOOTNOTE_MARKS}


class _Inline(ParserInline):
    def skipToken(self, state: StateInline) -> None:  # noqa: N802
        if state.level < MAX_BRACKETS or state.pos in state.cache:
            super().skipToken(state)
            return
        # As the library does at its own limit: up to the end of the paragraph.
        start, state.pos = state.pos, state.posMax + 1
        state.cache[start] = state.pos


class _Parser(MarkdownIt):
    def configure(self, *args: Any, **kwargs: Any) -> MarkdownIt:
        self.inline = _Inline()
        return super().configure(*args, **kwargs)

    def validateLink(self, url: str) -> bool:  # noqa: N802
        return True


@lru_cache(maxsize=2)
def _page_parser(hard_breaks: bool) -> MarkdownIt:
    options = {"maxNesting": MAX_NESTING, "breaks": hard_breaks, "alerts": True, **_EXTENSIONS}
    parser = _Parser("commonmark", options, renderer_cls=MarkdownHtml).enable(["table", "strikethrough"])
    autolink_plugin(parser)
    parser.block.ruler.before("reference", "footnote_def", footnote_def, {"alt": ["paragraph", "reference"]})
    parser.inline.ruler.after("image", "footnote_ref", _read_footnote_mark)
    parser.core.ruler.after("inline", "footnote_tail", footnote_tail)
    return parser


@lru_cache(maxsize=1)
def _plain_parser() -> MarkdownIt:
    return _Parser("commonmark", {"maxNesting": MAX_NESTING, **_EXTENSIONS}).enable(["table", "strikethrough"])


_EXTENSIONS: Final = {"tasklists": True, "strikethrough_single_tilde": True}


def _read_footnote_mark(state: StateInline, silent: bool) -> bool:
    # The plugin's rule looks for the closing bracket up to the end of the paragraph, at every opening one.
    if not _FOOTNOTE_MARK.match(state.src, state.pos, state.posMax) or state.env[_MARKS_LEFT] <= 0:
        return False
    is_read: bool = footnote_ref(state, silent)
    if is_read and not silent:
        state.env[_MARKS_LEFT] -= 1
    return is_read
