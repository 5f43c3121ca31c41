"""Parse HTML into a tree of elements, walk the tree, and write it as HTML."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from html import escape, unescape
from typing import Any, Final, Generic, Protocol, TypeVar

VOID: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)
HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
PLAIN_INLINE: Final = frozenset({"kbd", "mark", "sup", "sub", "b", "i", "u", "s", "ins", "small", "abbr"})
"""Elements within a line that Markdown has no sign for, and that say something without an attribute."""
INLINE: Final = (
    frozenset({"a", "strong", "em", "del", "code", "span", "br", "img", "input"})
    | {"math", "semantics", "annotation"}
    | PLAIN_INLINE
)
_BOOLEAN: Final = frozenset({"checked", "disabled", "hidden", "open", "data-blog-copy"})

_TAG: Final = re.compile(r"""<(/?)([A-Za-z][^\s/>]*+)((?:[^>"']++|"[^"]*+"|'[^']*+')*+)>""")
_OPENS_TAG: Final = re.compile(r"</?[A-Za-z]")
_ATTRIBUTE: Final = re.compile(r"""([^\s/>=]++)(?:\s*+=\s*+("[^"]*+"|'[^']*+'|[^\s>]*+))?""")
_RAW_TEXT: Final = frozenset({"script", "style", "textarea", "title"})

MAX_DEPTH: Final = 120
"""Deeper elements lose their tag and keep their text: html5lib is quadratic in depth, and walks recurse."""

Keep = Callable[[str, str, str], bool]
"""Takes element name, attribute name and value; returns whether to keep the attribute."""

_CELLS: Final = frozenset({"td", "th"})
_INSIDE_TABLE: Final = frozenset({"thead", "tbody", "tr"}) | _CELLS
_BETWEEN_CELLS: Final = frozenset({"table", "thead", "tbody", "tr"})
_TABLE: Final = frozenset({"table"})
_TERMS: Final = frozenset({"dt", "dd"})
_PARAGRAPH: Final = frozenset({"p"})
_DRAWN: Final = frozenset({"svg", "math"})
Endings = Mapping[str, tuple[frozenset[str], frozenset[str]]]
"""For each start tag, the open elements that it closes and where the search for them stops.

HTML allows their end tags to be omitted.
"""
_ENDED_BY: Final[Endings] = {
    "dt": (_TERMS, frozenset({"dl", "table"})),
    "dd": (_TERMS, frozenset({"dl", "table"})),
    "li": (frozenset({"li"}), frozenset({"ul", "ol", "table"})),
    "td": (_CELLS, _TABLE),
    "th": (_CELLS, _TABLE),
    "tr": (frozenset({"tr"}), _TABLE),
    "thead": (frozenset({"thead", "tbody"}), _TABLE),
    "tbody": (frozenset({"thead", "tbody"}), _TABLE),
    "a": (frozenset({"a"}), _CELLS),
}


@dataclass(slots=True)
class Element:
    """An element with its attributes in order.

    Strings among the children are text. The root of a tree has no name.
    """

    name: str
    attrs: dict[str, str] = field(default_factory=dict)
    children: list["Node"] = field(default_factory=list)


Node = Element | str


def write_html(node: Node) -> str:
    """Return the node as HTML; for an element without a name, its children."""
    out: list[str] = []
    _write(node, out)
    return "".join(out)


def walk(element: Element) -> Iterator[Element]:
    """Yield each descendant in document order.

    The caller can replace the children of an element while it is yielded.
    """
    # Not recursive: a generator in a generator would take each element up through all levels.
    levels = [iter(element.children)]
    while levels:
        for child in levels[-1]:
            if isinstance(child, Element):
                yield child
                levels.append(iter(child.children))
                break
        else:
            levels.pop()


def replace_elements(parent: Element, replacement: Callable[[Element], Element | None]) -> None:
    """Put what ``replacement`` returns in place of each descendant.

    An element for which it returns ``None`` stays and is searched; what it returns is not.
    """
    for position, child in enumerate(parent.children):
        if isinstance(child, Element):
            found = replacement(child)
            if found is None:
                replace_elements(child, replacement)
            else:
                parent.children[position] = found


def text_of(element: Element) -> str:
    """Return the text content of the element."""
    out: list[str] = []
    _collect_text(element, out)
    return "".join(out)


def parts_that_show(tree: Element, *, pieces: frozenset[str] = frozenset()) -> set[int]:
    """Return the ``id()`` of each element with a character that is no space, or with one of these elements, in it.

    To ask ``text_of`` of every element of a deep tree takes quadratic time.
    """
    shown: set[int] = set()
    _collect_shown(tree, pieces, shown)
    return shown


def add_class(element: Element, name: str) -> None:
    """Add a class to the element."""
    element.attrs["class"] = f"{element.attrs['class']} {name}" if "class" in element.attrs else name


def _write(node: Node, out: list[str]) -> None:
    if isinstance(node, str):
        out.append(escape(node, quote=False))
        return
    if node.name:
        out.append(f"<{node.name}{''.join(_attribute(*item) for item in node.attrs.items())}>")
    for child in node.children:
        _write(child, out)
    if node.name and node.name not in VOID:
        out.append(f"</{node.name}>")


def _attribute(name: str, value: str) -> str:
    return f" {name}" if name in _BOOLEAN else f' {name}="{escape(value)}"'


def _collect_text(element: Element, out: list[str]) -> None:
    for child in element.children:
        if isinstance(child, str):
            out.append(child)
        else:
            _collect_text(child, out)


def _collect_shown(element: Element, pieces: frozenset[str], shown: set[int]) -> bool:
    is_shown = False
    for child in element.children:
        if isinstance(child, str):
            is_shown = is_shown or bool(child.strip())
        elif _collect_shown(child, pieces, shown) or child.name in pieces:
            is_shown = True
    if is_shown:
        shown.add(id(element))
    return is_shown


@dataclass(frozen=True, slots=True)
class StartTag:
    """A start tag with its attributes in source order, values decoded."""

    name: str
    attrs: list[tuple[str, str]]
    is_self_closing: bool = False
    """Whether the tag ends in a slash, which has a meaning in SVG and MathML only."""
    position: int = 0
    """Where the tag begins in the source, in characters."""


@dataclass(frozen=True, slots=True)
class EndTag:
    """An end tag."""

    name: str


Token = StartTag | EndTag | str


def tokenize(source: str) -> Iterator[Token]:
    """Yield tags and decoded text in source order.

    Comments, declarations and processing instructions are left out. From a tag that does not end on, the rest of the
    source is text.
    """
    position = 0
    while position < len(source):
        mark = source.find("<", position)
        if mark < 0:
            mark = len(source)
        if mark > position:
            yield unescape(source[position:mark])
        if mark == len(source):
            return
        position, token = _read_mark(source, mark)
        if token:
            yield token
        if isinstance(token, StartTag) and token.name in _RAW_TEXT:
            end = re.compile(rf"</{token.name}(?=[\s/>])", re.IGNORECASE).search(source, position)
            stop = end.start() if end else len(source)
            yield source[position:stop]
            position = stop


def _read_mark(source: str, start: int) -> tuple[int, Token | None]:
    if _OPENS_TAG.match(source, start):
        tag = _TAG.match(source, start)
        return (tag.end(), _tag(tag)) if tag else (len(source), unescape(source[start:]))
    if source.startswith("<!--", start):
        return _after(source, "-->", start + 2), None
    if source.startswith(("<!", "<?", "</"), start):
        return _after(source, ">", start), None
    return start + 1, "<"


def _tag(found: re.Match[str]) -> Token:
    name = found[2].lower()
    if found[1]:
        return EndTag(name)
    attrs = [(key.lower(), unescape(_unquoted(value))) for key, value in _ATTRIBUTE.findall(found[3])]
    return StartTag(name, attrs, is_self_closing=found[3].endswith("/"), position=found.start())


def _unquoted(value: str) -> str:
    return value[1:-1] if value[:1] in {'"', "'"} else value


def _after(source: str, mark: str, start: int) -> int:
    end = source.find(mark, start)
    return len(source) if end < 0 else end + len(mark)


def parse_html(source: str, *, tags: frozenset[str], keep: Keep) -> Element:
    """Return the source as a well-formed tree under a nameless root.

    Elements other than ``tags`` lose their tag and keep their text; comments and declarations are dropped. Omitted end
    tags are supplied, and content of a table outside its cells ends the table.
    """
    return build_tree(tokenize(source), tags=tags, keep=keep)


def build_tree(tokens: Iterable[Token], *, tags: frozenset[str], keep: Keep) -> Element:
    """Return the tree of tokens, as ``parse_html`` does."""
    return _BodyBuilder(tags=tags, keep=keep).build(tokens)


class _TreeElement(Protocol):
    name: str
    children: list[Any]


E = TypeVar("E", bound=_TreeElement)


class TreeBuilder(Generic[E]):
    """Builds a tree of tokens, and supplies the end tags that HTML allows to be omitted.

    A token takes at most as many steps as elements are open.
    """

    _blocks: frozenset[str]
    """The elements that end a paragraph."""
    _ended_by: Endings
    _limits: frozenset[str] = frozenset()
    """The elements in which an end tag ends no element around them."""
    _deepest: int
    """The most open elements; one that is nested deeper ends where it starts."""

    def __init__(self, root: E) -> None:
        self._open = [root]
        self._too_deep: Counter[str] = Counter()

    def build(self, tokens: Iterable[Token]) -> E:
        """Add the tokens to the root, and return it."""
        for token in tokens:
            if isinstance(token, str):
                self._add_text(token)
            elif isinstance(token, StartTag):
                self._start(token)
            elif self._too_deep.get(token.name):
                self._too_deep[token.name] -= 1
            else:
                self._close({token.name}, self._limits)
        return self._open[0]

    def _new_element(self, tag: StartTag) -> E | None:
        """Return the element of a tag, which is added to the innermost open one; ``None`` to leave the tag out."""
        raise NotImplementedError

    def _add_text(self, text: str) -> None:
        self._open[-1].children.append(text)

    def _start(self, tag: StartTag) -> None:
        self._close_before(tag.name)
        element = self._new_element(tag)
        if element is not None:
            self._open[-1].children.append(element)
        if tag.name in VOID:
            return
        if tag.is_self_closing and (tag.name in _DRAWN or any(one.name in _DRAWN for one in self._open)):
            return
        if element is None or len(self._open) > self._deepest:
            self._too_deep[tag.name] += 1
        else:
            self._open.append(element)

    def _close_before(self, name: str) -> None:
        if name in self._blocks:
            self._close(_PARAGRAPH, self._blocks)
        if name in self._ended_by:
            self._close(*self._ended_by[name])

    def _close(self, names: Set[str], limits: Set[str]) -> None:
        """Close the innermost open element with one of the names, not looking beyond the limits."""
        for index in range(len(self._open) - 1, 0, -1):
            name = self._open[index].name
            if name in names:
                del self._open[index:]
            if name in names or name in limits:
                return


class _BodyBuilder(TreeBuilder[Element]):
    _ended_by = _ENDED_BY
    _limits = _TABLE
    _deepest = MAX_DEPTH

    def __init__(self, *, tags: frozenset[str], keep: Keep) -> None:
        super().__init__(Element(""))
        self._tags, self._keep, self._blocks = tags, keep, tags - INLINE

    def _start(self, tag: StartTag) -> None:
        if tag.name in self._tags:
            super()._start(tag)

    def _new_element(self, tag: StartTag) -> Element | None:
        if len(self._open) > self._deepest and tag.name not in VOID:
            return None
        kept: dict[str, str] = {}
        for name, value in tag.attrs:
            # HTML takes the first of two attributes with one name.
            if name not in kept and self._keep(tag.name, name, value):
                kept[name] = value
        return Element(tag.name, kept)

    def _add_text(self, text: str) -> None:
        if text.strip():
            self._leave_table()
        super()._add_text(text)

    def _close_before(self, name: str) -> None:
        super()._close_before(name)
        if name not in _INSIDE_TABLE:
            self._leave_table()

    def _leave_table(self) -> None:
        while self._open[-1].name in _BETWEEN_CELLS:
            self._open.pop()
