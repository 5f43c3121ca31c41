"""Annotations, tables, code blocks and links of a rendered body."""

import logging
import re
from functools import cache
from itertools import islice, takewhile, zip_longest
from time import thread_time
from typing import Final

from pygments.lexer import Lexer
from pygments.lexers import find_lexer_class_by_name, get_all_lexers
from pygments.token import STANDARD_TYPES, _TokenType

from blog_engine.content.code_options import CodeOptions, line_elements, read_code_options
from blog_engine.content.html import Element, Node, add_class, replace_elements, text_of, walk
from blog_engine.content.options import RenderLabels
from blog_engine.content.urls import is_external

logger = logging.getLogger("blog_engine")

_LISTS: Final = frozenset({"ul", "ol"})

_TABLE_WIDTH: Final = 84
_CELL_PADDING: Final = 4
_CODE_WIDTH: Final = 72
"""The characters of a row and of a line of code that fit in the width of the text; wider blocks use more."""
_NUMBER_WIDTH: Final = 2
"""The digits of line numbers for which the theme has space in every block."""

MAX_BLOCK: Final = 3_000
"""The most characters of a block that is highlighted."""
MAX_LINES: Final = 250
"""The most line ends of a block that is highlighted; some lexers scan ahead from the start of each line."""
MAX_DOCUMENT: Final = 20_000
"""The most characters of all highlighted blocks of a document together."""
MAX_SECONDS: Final = 0.5
"""Processor time for all blocks of a document. A fallback: 20,000 characters of a real program take 0.05 s."""
_TOKENS_PER_CHARACTER: Final = 6
MAX_SEPARATE_LINES: Final = 2_000
"""The most lines of all blocks of a document with numbers or marks: each has an element of its own."""

LANGUAGES: Final = frozenset(
    [
        *("bash", "c", "clojure", "console", "cpp", "csharp", "css", "dart", "diff", "docker", "elixir", "go"),
        *("graphql", "haskell", "html", "html+django", "ini", "java", "javascript", "json", "julia", "kotlin"),
        *("less", "lua", "make", "markdown", "nginx", "objective-c", "perl", "php", "powershell", "protobuf"),
        *("pycon", "python", "ruby", "rust", "scala", "scss", "splus", "sql", "swift", "terraform", "tex", "toml"),
        *("typescript", "xml", "yaml", "zig"),
    ]
)
"""The languages that are highlighted, by their first alias in Pygments.

``benchmarks/hostile/lexers.py`` measures each of them with hostile text. Other lexers take too long or never end,
and no clock stops a lexer that does not return. A lexer that hands parts of a text to a lexer named in that text
(``http``, ``rst``) must not be listed.
"""
LEXER_OPTIONS: Final = {"stripnl": False, "ensurenl": False, "handlecodeblocks": False}
"""Keep the text unchanged, and leave code inside a Markdown block alone: it can name any language."""

_ALIASES: Final = frozenset(
    alias
    for _, aliases, _, _ in get_all_lexers(plugins=False)
    if aliases and aliases[0] in LANGUAGES
    for alias in aliases
)
_WILD: Final = re.compile(r"[^\n]{401}|\s{101}")
"""A very long line or run of white space: slow, and found in generated or hostile code only."""

_FOOTNOTE_LINKS: Final = frozenset({"blog-footnote-ref", "blog-footnote-back"})


def annotate(tree: Element, *, labels: RenderLabels) -> None:
    """Name alerts, tasks and footnotes in the language of the blog, in place."""
    for element in walk(tree):
        css_class = element.attrs.get("class", "")
        if css_class == "blog-footnotes":
            element.attrs |= {"role": "doc-endnotes", "aria-label": labels.footnotes}
        elif css_class.startswith("blog-alert blog-alert-"):
            _annotate_alert(element, kind=css_class.rpartition("-")[2], labels=labels)
        elif css_class == "blog-task":
            _name_task_box(element)
        elif css_class == "blog-footnote-ref":
            element.attrs["role"] = "doc-noteref"
        elif css_class == "blog-footnote-back":
            reference = element.attrs["href"].rpartition("ref-")[2]
            label = labels.back_to_reference % {"number": reference}
            element.attrs |= {"role": "doc-backlink", "aria-label": label}


def wrap_tables(tree: Element, *, labels: RenderLabels) -> None:
    """Wrap every table in a ``div.blog-table`` that scrolls by keyboard, in place."""

    def wrapped(element: Element) -> Element | None:
        if element.name != "table":
            return None
        replace_elements(element, wrapped)
        wide = " blog-wide" if _width_of_table(element) > _TABLE_WIDTH else ""
        attrs = {"class": f"blog-table{wide}", "tabindex": "0", "role": "group", "aria-label": labels.table}
        return Element("div", attrs, [element])

    replace_elements(tree, wrapped)


def _width_of_table(table: Element) -> int:
    """Return about how many characters a row without line breaks takes."""
    widths: list[int] = []
    for row in (element for element in walk(table) if element.name == "tr"):
        cells = [child for child in row.children if isinstance(child, Element)]
        written = [len(text_of(cell).strip()) + _CELL_PADDING for cell in cells]
        widths = [max(pair) for pair in zip_longest(widths, written, fillvalue=0)]
    return sum(widths)


def _annotate_alert(alert: Element, *, kind: str, labels: RenderLabels) -> None:
    alert.attrs["role"] = "note"
    for child in alert.children:
        if isinstance(child, Element) and child.attrs.get("class") == "blog-alert-title":
            child.children = [labels.alerts[kind]]
            return


def _name_task_box(item: Element) -> None:
    # A checkbox needs an accessible name (WCAG 4.1.2); the text of the item is one.
    own = [child for child in item.children if isinstance(child, str) or child.name not in _LISTS]
    name = " ".join(text_of(Element("", children=own)).split())
    for element in walk(item):
        if element.attrs.get("class") == "blog-task-box":
            if name:
                element.attrs["aria-label"] = name
            return


class Highlighter:
    """Highlights the code blocks of one document, within the limits above."""

    def __init__(self) -> None:
        self._characters = MAX_DOCUMENT
        self._seconds = MAX_SECONDS
        self._separate_lines = MAX_SEPARATE_LINES

    def show(self, code: str, *, language: str, options: CodeOptions) -> tuple[list[Node], bool]:
        """Return the highlighted code, and whether its lines are elements, as ``options`` need and the limits allow."""
        nodes = self.highlight(code, language=language)
        count = code.count("\n") + 1
        if not options.has_lines or count > self._separate_lines:
            return nodes, False
        self._separate_lines -= count
        return line_elements(nodes, options=options), True

    def highlight(self, code: str, *, language: str) -> list[Node]:
        """Return the code as text and ``span`` elements.

        Code in a language that is not highlighted, past a limit, or that the lexer fails on is one plain text.
        """
        if language.lower() not in _ALIASES or not self.has_room(code):
            return [code]
        self._characters -= len(code)
        known = _kept_tokens.get((language.lower(), code))
        if known is not None:
            return _spans(known)
        started = thread_time()
        try:
            tokens = self.tokens(_lexer(language), code)
        except Exception:
            # A lexer can raise anything, and no exception of it must keep an article from being rendered.
            logger.exception("The lexer for %s failed: a code block is shown without highlighting.", language)
            return [code]
        finally:
            self._seconds -= thread_time() - started
        if "".join(text for _, text in tokens) != code:
            return [code]
        _keep_tokens(language.lower(), code, tokens)
        return _spans(tokens)

    def has_room(self, code: str) -> bool:
        """Return whether a block fits in what is left of the limits."""
        fits = len(code) <= min(MAX_BLOCK, self._characters) and code.count("\n") <= MAX_LINES
        return fits and self._seconds > 0 and not _WILD.search(code)

    def tokens(self, lexer: Lexer, code: str) -> list[tuple[_TokenType, str]]:
        """Return the tokens of the code, cut off when there are too many or time is up."""
        stop = thread_time() + self._seconds
        bounded = islice(lexer.get_tokens(code), _TOKENS_PER_CHARACTER * len(code))
        return list(takewhile(lambda _: thread_time() < stop, bounded))


_MOST_KEPT: Final = 100
_LONGEST_KEPT: Final = 2_000
_kept_tokens: Final[dict[tuple[str, str], list[tuple[_TokenType, str]]]] = {}
"""The whole tokens of the last short blocks: a body is rendered again with each edit, save and preview."""


def _keep_tokens(language: str, code: str, tokens: list[tuple[_TokenType, str]]) -> None:
    if len(code) > _LONGEST_KEPT:
        return
    if len(_kept_tokens) >= _MOST_KEPT:
        _kept_tokens.clear()
    _kept_tokens[language, code] = tokens


def _lexer(language: str) -> Lexer:
    return _lexer_class(language.lower())(**LEXER_OPTIONS)


@cache
def _lexer_class(alias: str) -> type[Lexer]:
    # Pygments searches its whole list for an alias.
    return find_lexer_class_by_name(alias)


def _spans(tokens: list[tuple[_TokenType, str]]) -> list[Node]:
    nodes: list[Node] = []
    previous = ""
    for token_type, text in tokens:
        name = _short_class(token_type)
        last = nodes[-1] if nodes else None
        if name and name == previous and isinstance(last, Element):
            last.children.append(text)
        else:
            nodes.append(Element("span", {"class": name}, [text]) if name else text)
        previous = name
    return nodes


def _short_class(token_type: _TokenType) -> str:
    while token_type not in STANDARD_TYPES and token_type.parent is not None:
        token_type = token_type.parent
    name = STANDARD_TYPES.get(token_type, "")
    return "" if name == "w" else name


def dress_code_blocks(tree: Element, *, labels: RenderLabels) -> None:
    """Highlight every ``pre`` and wrap it in a ``div.blog-highlight``, in place.

    The label and the button are outside the ``pre``: they do not scroll with it and are no part of its text. The
    button is hidden until the script that makes it work has run.
    """
    highlighter = Highlighter()
    replace_elements(
        tree, lambda one: _dress_code_block(one, labels=labels, highlighter=highlighter) if one.name == "pre" else None
    )


def _dress_code_block(pre: Element, *, labels: RenderLabels, highlighter: Highlighter) -> Element:
    language = pre.attrs.get("lang", "").strip()
    options = read_code_options(pre.attrs.get("title", ""))
    name = labels.code_in % {"language": language} if language else labels.code
    # A named group, not a region: each region would be a landmark of the page.
    attrs = {"tabindex": "0", "role": "group", "aria-label": name}
    code = text_of(pre)
    shown, has_lines = highlighter.show(code, language=language, options=options)
    parts: list[Node] = []
    if options.title:
        parts.append(Element("figcaption", {"class": "blog-code-title"}, [options.title]))
    if language:
        parts.append(Element("span", {"class": "blog-code-lang", "aria-hidden": "true"}, [language]))
    parts += [Element("pre", attrs, [Element("code", {}, shown)]), _copy_button(labels)]
    about = {"class": "blog-highlight"} | ({"data-lang": language} if language else {})
    block = Element("figure" if options.title else "div", about, parts)
    if has_lines and options.is_numbered:
        add_class(block, "blog-highlight-numbered")
        if (digits := len(str(code.rstrip("\n").count("\n") + 1))) > _NUMBER_WIDTH:
            add_class(block, f"blog-highlight-digits-{digits}")
    if max(map(len, code.split("\n"))) > _CODE_WIDTH:
        add_class(block, "blog-wide")
    return block


def _copy_button(labels: RenderLabels) -> Element:
    attrs = {"type": "button", "class": "blog-copy", "hidden": "", "data-blog-copy": "", "aria-label": labels.copy_code}
    return Element("button", attrs, [labels.copy])


def read_links(tree: Element) -> tuple[str, ...]:
    """Return the distinct link targets in document order, footnote marks left out."""
    written = (element for element in _links(tree) if element.attrs.get("class") not in _FOOTNOTE_LINKS)
    return tuple(dict.fromkeys(element.attrs["href"] for element in written))


def mark_external_links(tree: Element, *, site_origin: str | None) -> None:
    """Add ``noopener`` to the ``rel`` of links to other hosts or ports, in place."""
    for element in _links(tree):
        if is_external(element.attrs["href"], site_origin=site_origin):
            values = element.attrs.get("rel", "").split()
            element.attrs["rel"] = " ".join(dict.fromkeys([*values, "noopener"]))


def _links(tree: Element) -> list[Element]:
    return [element for element in walk(tree) if element.name == "a" and "href" in element.attrs]
