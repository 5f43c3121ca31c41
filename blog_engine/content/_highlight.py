"""Code in colour: Pygments' short token classes, the text unchanged."""

import logging
import re
from itertools import islice, takewhile
from time import thread_time
from typing import Final

from pygments.lexer import Lexer
from pygments.lexers import get_all_lexers, get_lexer_by_name
from pygments.token import STANDARD_TYPES, _TokenType

from blog_engine.content._tree import Element, Node

logger = logging.getLogger("blog_engine")

MAX_BLOCK: Final = 3_000
"""Characters of a highlighted block."""
MAX_LINES: Final = 250
"""Line ends of a highlighted block; some lexers look for the end of a declaration at the start of each line."""
MAX_DOCUMENT: Final = 20_000
"""Characters of all highlighted blocks of a document together."""
MAX_SECONDS: Final = 0.5
"""Processor time for the blocks of a document. Only a fallback: 20,000 characters of a real program take 0.05."""
_TOKENS_PER_CHARACTER: Final = 6

LANGUAGES: Final = frozenset(
    [
        *("bash", "c", "clojure", "console", "cpp", "csharp", "css", "dart", "diff", "docker", "elixir", "go"),
        *("graphql", "haskell", "html", "html+django", "ini", "java", "javascript", "json", "julia", "kotlin"),
        *("less", "lua", "make", "markdown", "nginx", "objective-c", "perl", "php", "powershell", "protobuf"),
        *("pycon", "python", "ruby", "rust", "scala", "scss", "splus", "sql", "swift", "terraform", "tex", "toml"),
        *("typescript", "xml", "yaml", "zig"),
    ]
)
"""The first aliases of the highlighted languages in Pygments.

``benchmarks/hostile/lexers.py`` measures each of them with hostile text. Others need too much time or never end, and
no clock can stop a lexer that does not return. A lexer that reads parts of a text with a lexer that the text names
(``http``, ``rst``) must not be among them.
"""
LEXER_OPTIONS: Final = {"stripnl": False, "ensurenl": False, "handlecodeblocks": False}
"""The text stays as it is; the code in a Markdown block is not highlighted, because it can name any language."""

_ALIASES: Final = frozenset(
    alias
    for _, aliases, _, _ in get_all_lexers(plugins=False)
    if aliases and aliases[0] in LANGUAGES
    for alias in aliases
)
_WILD: Final = re.compile(r"[^\n]{401}|\s{101}")
"""What only generated or hostile code has, and what is slow: a very long line, a very long run of white space."""


class Highlighter:
    """Highlights the code blocks of one document, within its limits."""

    def __init__(self) -> None:
        self._characters = MAX_DOCUMENT
        self._seconds = MAX_SECONDS

    def highlight(self, code: str, *, language: str) -> list[Node]:
        """Return the code as text and ``span`` elements.

        It is plain text in a language that is not highlighted, past a limit, and after a fault of the lexer.
        """
        if language.lower() not in _ALIASES or not self.has_room(code):
            return [code]
        self._characters -= len(code)
        started = thread_time()
        try:
            tokens = self.tokens(_lexer(language), code)
        except Exception:
            # A lexer is a program of its own: nothing in it may keep an article from being rendered.
            logger.exception("A code block in the language %s is shown without colours: its lexer failed.", language)
            return [code]
        finally:
            self._seconds -= thread_time() - started
        return _spans(tokens) if "".join(text for _, text in tokens) == code else [code]

    def has_room(self, code: str) -> bool:
        """Return whether a block is within the limits."""
        fits = len(code) <= min(MAX_BLOCK, self._characters) and code.count("\n") <= MAX_LINES
        return fits and self._seconds > 0 and not _WILD.search(code)

    def tokens(self, lexer: Lexer, code: str) -> list[tuple[_TokenType, str]]:
        """Return the tokens of the code, fewer when they are too many or the time is over."""
        stop = thread_time() + self._seconds
        bounded = islice(lexer.get_tokens(code), _TOKENS_PER_CHARACTER * len(code))
        return list(takewhile(lambda _: thread_time() < stop, bounded))


def _lexer(language: str) -> Lexer:
    return get_lexer_by_name(language, **LEXER_OPTIONS)


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
