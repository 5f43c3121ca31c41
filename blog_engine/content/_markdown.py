"""The Markdown parser, bounded in time and memory."""

import logging
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.parser_block import ParserBlock
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_block import StateBlock, table
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Scanned
from markdown_it.token import Token
from mdit_py_plugins.footnote.index import footnote_def, footnote_ref, footnote_tail

from blog_engine.content._markdown_rules import (
    BARE_LINK_START,
    MarkdownHtml,
    autolink_plugin,
    beside_letters,
)
from blog_engine.content._markdown_rules import BUDGET as _BUDGET
from blog_engine.content._tokens import (
    BodyText,
    HeadingSource,
    body_text,
    heading_sources,
    is_hard_wrapped,
    raw_html_of,
    unusable_urls_of,
)
from blog_engine.content.dialect import OPEN_TEX, dialect_plugin
from blog_engine.content.options import MarkdownPlugin, TooMuchMarkup

logger = logging.getLogger("blog_engine")

_ALLOWANCE: Final = 100_000
_PER_CHARACTER: Final = 16

MAX_NESTING: Final = 40
"""The deepest block level that is parsed; a list takes two levels, a quote one."""

MAX_BRACKETS: Final = 10
"""The deepest nesting of brackets that is parsed: ``![![![…`` takes time proportional to it and to the length."""

MAX_BRACKET_STEPS: Final = 200_000
"""The most steps in search of closing brackets; past them, brackets are text."""

MAX_FOOTNOTE_MARKS: Final = 2000
"""The most footnote marks; further ones are text. A mark and its way back take fifty times its length."""

MAX_CELLS: Final = 10_000
"""The most cells of all tables together: rows are filled to the width of the head, so 1.5 kB can make 65,536."""

MAX_MARKUP: Final = 50_000
"""The most pieces of markup in a new text: start and end of each block, emphasis and link, and each line break.

Tables of 10,000 cells fit, and an article of which one character in five is markup."""

_WEIGHTS: Final = {
    **{"fence": 6, "code_block": 6, "heading_open": 4, "image": 4},
    **{"link_open": 2, "code_inline": 2, "softbreak": 2, "hardbreak": 2},
}
"""Weights of the pieces that take more time than others; default: 1."""

_PLACES_HEADINGS: Final = "places_headings"
_LONE_NOTES: Final = "lone_notes"
# A straight quotation mark ends a word of two characters or more: before a regular expression it stands after a space,
# or after the one letter of r'...'.
_ENDS_WORD: Final = re.compile(r"[^\W_]|[.,;:!?)\u2019\u201d\u3001\u3002]|(?<=[^\W_][^\s(])[\"']")
_FOOTNOTE_MARK: Final = re.compile(r"\[\^[^\]\s]{1,200}\]")
_ALIGNMENT: Final = re.compile(r"text-align:(left|center|right)")

_CELLS: Final = frozenset({"th_open", "td_open"})

_EXTENSIONS: Final = {"tasklists": True, "strikethrough_single_tilde": True}


class BoundedReferences(dict[str, dict[str, Any]]):
    """The link references of one document, for markdown-it.

    A definition of 100 kB that is used 30,000 times would be written out as 3 GB. All look-ups together return at most
    sixteen times the length of the document plus 100,000 characters. Later ones find nothing, and the source of those
    links is shown.
    """

    def __init__(self, source_length: int) -> None:
        super().__init__()
        self._left = _ALLOWANCE + _PER_CHARACTER * source_length

    def get(self, label: str, default: Any = None) -> Any:
        """Return the reference while the allowance lasts."""
        found = super().get(label, default)
        if found:
            self._left -= len(found["href"]) + len(found["title"])
        return found if self._left > 0 else default


class FootnoteLabels(dict[str, int]):
    """The labels of the footnotes of a document, for the plugin; case is ignored."""

    def __setitem__(self, label: str, number: int) -> None:
        super().__setitem__(label.casefold(), number)

    def __getitem__(self, label: str) -> int:
        return super().__getitem__(label.casefold())

    def __contains__(self, label: object) -> bool:
        return isinstance(label, str) and super().__contains__(label.casefold())

    def get(self, label: str, default: Any = None) -> Any:
        """Return the number of the footnote."""
        return super().get(label.casefold(), default)


class Compiled(NamedTuple):
    """A compiled Markdown source."""

    html: str
    raw_html: tuple[str, ...]
    """The elements of raw HTML in the source, which ``html`` leaves out."""
    unusable_urls: tuple[str, ...]
    """The images that are not shown and the links that lead nowhere because of their URLs, as they can be written."""
    is_hard_wrapped: bool
    """Whether the lines of the source are wrapped at a column, as editors do."""
    text: BodyText | None
    """The texts of the body; ``None`` if the source must be parsed again for them, without plugins."""
    open_tex: tuple[str, ...]
    """The TeX of blocks that begin with ``$$`` and do not end, which is read as Markdown."""
    has_failed_plugins: bool = False
    """Whether a plugin raised an exception, so that the source is compiled without plugins."""
    markup: int = 0
    """The pieces of markup, as ``MAX_MARKUP`` counts them."""
    lone_notes: tuple[str, ...] = ()
    """Marks without a note, such as ``[^1]``, and the starts of notes that readers do not see, such as ``[^1]:``."""
    headings: tuple[HeadingSource, ...] = ()
    """The headings in the order of the page, only where they were asked for."""


def compile_markdown(
    source: str,
    *,
    hard_breaks: bool,
    footnote_prefix: str,
    plugins: tuple[MarkdownPlugin, ...] = (),
    most_markup: int | None = None,
    places_headings: bool = False,
) -> Compiled:
    """Compile a Markdown source; with ``hard_breaks``, a newline is a line break.

    ``plugins`` are called with the parser and apply to the HTML only. With ``most_markup``, raises ``TooMuchMarkup`` as
    ``parse_plain`` does. With ``places_headings``, also return the headings.
    """
    env = {"footnote_prefix": footnote_prefix, _PLACES_HEADINGS: places_headings}
    try:
        return _compile(source, page_parser(hard_breaks, plugins), env | fresh_env(source, most_markup=most_markup))
    except TooMuchMarkup:
        raise
    except Exception:
        if not plugins:
            raise
        # A plugin can raise anything, and no exception of it must keep an article from being read.
        logger.exception("A plugin of markdown_plugins failed: a body is rendered without plugins.")
        plain = _compile(source, page_parser(hard_breaks), env | fresh_env(source, most_markup=most_markup))
        return plain._replace(text=None, has_failed_plugins=True)


def try_plugin(plugin: MarkdownPlugin, sample: str) -> None:
    """Compile a sample with a plugin; raises what the plugin raises."""
    parser = page_parser.__wrapped__(True, (plugin,))
    _compile(sample, parser, fresh_env(sample) | {"footnote_prefix": ""})


def _compile(source: str, parser: "_Parser", env: dict[str, Any]) -> Compiled:
    markup = env[_BUDGET].markup
    tokens = parser.parse(source, env)
    for token in tokens:
        alignment = _ALIGNMENT.fullmatch(str(token.attrs.pop("style", "")))
        if alignment:
            token.attrs["align"] = alignment[1]
    html = str(parser.renderer.render(tokens, parser.options, env))
    open_tex = tuple(env.get(OPEN_TEX, {}).values())
    return Compiled(
        html,
        tuple(raw_html_of(tokens)),
        tuple(unusable_urls_of(tokens)),
        is_hard_wrapped(tokens),
        None if parser.plugins else body_text(tokens),
        open_tex,
        markup=markup - env[_BUDGET].markup,
        lone_notes=tuple(env[_LONE_NOTES]),
        headings=tuple(heading_sources(tokens)) if env.get(_PLACES_HEADINGS) else (),
    )


def page_tokens(source: str, *, most_markup: int | None = None) -> list[Token]:
    """Return the tokens of a source as pages have them, with footnotes, alerts and bare links.

    With ``most_markup``, raises ``TooMuchMarkup`` as ``parse_plain`` does.
    """
    return page_parser(False).parse(source, fresh_env(source, most_markup=most_markup))


def normal_link(url: str) -> str:
    """Return a URL as tokens have it: percent-encoded."""
    return _plain_parser().normalizeLink(url)


@dataclass(slots=True)
class _Budget:
    """The rest of its limits that one text can use.

    A strict budget raises ``TooMuchMarkup`` past a limit, where rendering falls back to plain text.
    """

    is_strict: bool = False
    markup: int = MAX_MARKUP
    cells: int = MAX_CELLS
    bracket_steps: int = MAX_BRACKET_STEPS
    footnote_marks: int = MAX_FOOTNOTE_MARKS

    def spend(self, kind: str) -> None:
        """Count a token; raise ``TooMuchMarkup`` past the cells, or if strict the markup."""
        self.markup -= _WEIGHTS.get(kind, 1)
        if kind in _CELLS:
            self.cells -= 1
            if self.cells < 0:
                raise TooMuchMarkup(f"The tables of a text have at most {MAX_CELLS} cells together.")
        if self.markup < 0 and self.is_strict:
            raise TooMuchMarkup(
                f"A text has at most {MAX_MARKUP} pieces of markup: starts and ends of paragraphs, list items, cells, "
                "emphasis and links, and line breaks."
            )


def parse_plain(source: str, *, most_markup: int | None = None) -> tuple[list[Token], bool]:
    """Return the tokens of a source, and whether it defines link references.

    Footnotes, alerts and bare links are not parsed. With ``most_markup``, raises ``TooMuchMarkup`` past that many
    pieces and past ``MAX_CELLS``.
    """
    env = fresh_env(source, most_markup=most_markup)
    tokens = _plain_parser().parse(source, env)
    return tokens, bool(env["references"])


def link_references(source: str) -> BoundedReferences:
    """Return the link references that a source defines, for parsing parts of it."""
    env = fresh_env(source)
    parser = _plain_parser()
    parser.block.parse(source.replace("\r\n", "\n").replace("\r", "\n"), parser, env, [])
    references: BoundedReferences = env["references"]
    return references


def parse_plain_part(part: str, *, references: BoundedReferences) -> list[Token]:
    """Return the tokens of blocks from a source with these references."""
    return _plain_parser().parse(part, {"references": references, _BUDGET: _Budget()})


def parse_plain_inline(text: str, *, references: BoundedReferences) -> list[Token]:
    """Return the tokens of inline text, such as that of a heading."""
    return _plain_parser().parseInline(text, {"references": references, _BUDGET: _Budget()})


def has_footnote_mark(text: str) -> bool:
    """Return whether the text contains what may be a reference to a footnote."""
    return _FOOTNOTE_MARK.search(text) is not None


def fresh_env(source: str, *, most_markup: int | None = None) -> dict[str, Any]:
    """Return the ``env`` of a parse, with what the text has left of its limits."""
    # A request can have 500 FAQ answers, so short texts get fewer steps than long ones.
    bracket_steps = min(MAX_BRACKET_STEPS, 1000 + 2 * len(source))
    budget = _Budget(bracket_steps=bracket_steps)
    if most_markup is not None:
        budget.is_strict, budget.markup = True, most_markup
    return {
        "references": BoundedReferences(len(source)),
        "footnotes": {"refs": FootnoteLabels(), "list": {}},
        _LONE_NOTES: {},
        _BUDGET: budget,
    }


class _BlockState(StateBlock):
    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        self.env[_BUDGET].spend(ttype)
        return super().push(ttype, tag, nesting)


class _InlineState(StateInline):
    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:  # noqa: N802, N803
        scanned = super().scanDelims(start, canSplitWord)
        return scanned if self.src.isascii() else beside_letters(self.src, start, scanned, in_words=canSplitWord)

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        self.env[_BUDGET].spend(ttype)
        return super().push(ttype, tag, nesting)


class _Block(ParserBlock):
    def parse(self, src: str, md: MarkdownIt, env: Any, outTokens: list[Token]) -> list[Token] | None:  # noqa: N803
        if not src:
            return None
        state = _BlockState(src, md, env, outTokens)
        self.tokenize(state, state.line, state.lineMax)
        return state.tokens


class _Inline(ParserInline):
    def parse(self, src: str, md: MarkdownIt, env: Any, tokens: list[Token]) -> list[Token]:
        state = _InlineState(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens

    def skipToken(self, state: StateInline) -> None:  # noqa: N802
        budget: _Budget = state.env[_BUDGET]
        budget.bracket_steps -= 1
        if state.pos in state.cache or (state.level < MAX_BRACKETS and budget.bracket_steps >= 0):
            super().skipToken(state)
            return
        # As the library does at its own limit: skip to the end of the paragraph.
        start, state.pos = state.pos, state.posMax + 1
        state.cache[start] = state.pos


class _Parser(MarkdownIt):
    plugins: tuple[MarkdownPlugin, ...] = ()

    def configure(self, *args: Any, **kwargs: Any) -> MarkdownIt:
        self.block, self.inline = _Block(), _Inline()
        self.block.ruler.at("table", _read_table, {"alt": ["paragraph", "reference"]})
        return super().configure(*args, **kwargs)

    def validateLink(self, url: str) -> bool:  # noqa: N802
        return True


@lru_cache(maxsize=4)
def page_parser(hard_breaks: bool, plugins: tuple[MarkdownPlugin, ...] = ()) -> "_Parser":
    """Return the parser of bodies on pages; ``plugins`` have been called with it."""
    options = {"maxNesting": MAX_NESTING, "breaks": hard_breaks, "alerts": True, **_EXTENSIONS}
    parser = _extended(_Parser("commonmark", options, renderer_cls=MarkdownHtml))
    autolink_plugin(parser)
    parser.block.ruler.before("reference", "footnote_def", footnote_def, {"alt": ["paragraph", "reference"]})
    parser.inline.ruler.after("image", "footnote_ref", _read_footnote_mark)
    parser.core.ruler.after("inline", "footnote_tail", _place_footnotes)
    for plugin in plugins:
        plugin(parser)
    parser.plugins = plugins
    return _compiled_once(parser)


@lru_cache(maxsize=1)
def _plain_parser() -> "_Parser":
    parser = _extended(_Parser("commonmark", {"maxNesting": MAX_NESTING, **_EXTENSIONS}))
    # As pages, so that both take the same steps in search of a bracket, and one parse is enough for both.
    parser.inline.add_terminator_char(BARE_LINK_START)
    return _compiled_once(parser)


def _compiled_once(parser: "_Parser") -> "_Parser":
    """Compile the rules of a parser before threads share it: while one compiles them, others would find none."""
    for ruler in (parser.core.ruler, parser.block.ruler, parser.inline.ruler, parser.inline.ruler2):
        ruler.getRules("")
    return parser


def _extended(parser: "_Parser") -> "_Parser":
    parser.enable(["table", "strikethrough"])
    dialect_plugin(parser)
    return parser


def _read_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse a table; one past the limit of cells is a paragraph, if strict an error."""
    count, level, parent = len(state.tokens), state.level, state.parentType
    try:
        return table(state, start, end, silent)
    except TooMuchMarkup:
        if state.env[_BUDGET].is_strict:
            raise
        del state.tokens[count:]
        state.level, state.parentType = level, parent
        return False


def _read_footnote_mark(state: StateInline, silent: bool) -> bool:
    # The plugin's rule scans from every opening bracket to the end of the paragraph.
    budget: _Budget = state.env[_BUDGET]
    mark = _FOOTNOTE_MARK.match(state.src, state.pos, state.posMax)
    if mark is None or budget.footnote_marks <= 0:
        return False
    is_read: bool = footnote_ref(state, silent)
    if is_read and not silent:
        budget.footnote_marks -= 1
        note = state.env["footnotes"]["list"][state.tokens[-1].meta["id"]]
        note["label"] = note["label"].casefold()
    # After a space or a sign it is rather a class of characters in a regular expression.
    elif not is_read and not silent and _ENDS_WORD.match(state.src, state.pos - 1):
        state.env[_LONE_NOTES][mark[0]] = None
    return is_read


def _place_footnotes(state: StateCore) -> None:
    """Put the notes at the end: of those with one label the first, and none without a mark (rendering.footnotes)."""
    marked = {note["label"] for note in state.env["footnotes"]["list"].values()}
    seen, kept, is_repeated = set[str](), list[Token](), False
    for token in state.tokens:
        if token.type == "footnote_reference_open":
            written, label = token.meta["label"], token.meta["label"].casefold()
            is_repeated, token.meta["label"] = label in seen, label
            seen.add(label)
            if is_repeated or label not in marked:
                state.env[_LONE_NOTES][f"[^{written}]:"] = None
        if not is_repeated:
            kept.append(token)
        is_repeated = is_repeated and token.type != "footnote_reference_close"
    state.tokens = kept
    footnote_tail(state)
