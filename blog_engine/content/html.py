"""Parse HTML into a tree of elements, walk the tree, and write it as HTML."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from html import escape, unescape
from typing import Final
from xml.etree.ElementTree import Element as DomElement

VOID: Final = frozenset({"br", "hr", "img", "input", "source"})
HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
INLINE: Final = frozenset(
    {"a", "strong", "em", "del", "code", "sup", "sub", "span", "br", "img", "input", "kbd", "mark"}
    | {"math", "semantics", "annotation"}
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
_ENDED_BY: Final = {
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
"""For each start tag, the open elements that it closes and where the search for them stops.

HTML allows their end tags to be omitted.
"""

_SPACES: Final = " \t\n\r\f"

HtmlToken = dict[str, object]


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


def text_of(element: Element) -> str:
    """Return the text content of the element."""
    out: list[str] = []
    _collect_text(element, out)
    return "".join(out)


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
    builder = _Builder(tags=tags, keep=keep)
    for token in tokens:
        if isinstance(token, str):
            builder.add_text(token)
        elif isinstance(token, StartTag):
            builder.start(token.name, token.attrs)
        else:
            builder.end(token.name)
    return builder.root


class _Builder:
    def __init__(self, *, tags: frozenset[str], keep: Keep) -> None:
        self.root = Element("")
        self._open = [self.root]
        self._tags = tags
        self._keep = keep
        self._dropped: Counter[str] = Counter()

    def start(self, tag: str, attrs: list[tuple[str, str]]) -> None:
        if tag not in self._tags:
            return
        self._end_what_this_ends(tag)
        if len(self._open) > MAX_DEPTH and tag not in VOID:
            self._dropped[tag] += 1
            return
        kept: dict[str, str] = {}
        for name, value in attrs:
            # HTML takes the first of two attributes with one name.
            if name not in kept and self._keep(tag, name, value):
                kept[name] = value
        element = Element(tag, kept)
        self._open[-1].children.append(element)
        if tag not in VOID:
            self._open.append(element)

    def end(self, tag: str) -> None:
        if self._dropped.get(tag):
            self._dropped[tag] -= 1
        else:
            self._end_nearest(frozenset({tag}), stop=_TABLE - {tag})

    def add_text(self, text: str) -> None:
        if text.strip():
            self._leave_table()
        self._open[-1].children.append(text)

    def _end_what_this_ends(self, tag: str) -> None:
        if tag not in INLINE:
            self._end_paragraph()
        if tag in _ENDED_BY:
            names, stop = _ENDED_BY[tag]
            self._end_nearest(names, stop=stop)
        if tag not in _INSIDE_TABLE:
            self._leave_table()

    def _end_paragraph(self) -> None:
        for index in range(len(self._open) - 1, 0, -1):
            name = self._open[index].name
            if name == "p":
                del self._open[index:]
            if name == "p" or name not in INLINE:
                return

    def _end_nearest(self, names: frozenset[str], *, stop: frozenset[str]) -> None:
        for index in range(len(self._open) - 1, 0, -1):
            name = self._open[index].name
            if name in names:
                del self._open[index:]
            if name in names or name in stop:
                return

    def _leave_table(self) -> None:
        while self._open[-1].name in _BETWEEN_CELLS:
            self._open.pop()


def walk_dom(fragment: DomElement) -> Iterator[HtmlToken]:
    """Yield the html5lib tokens of a parsed fragment, comments left out."""
    yield from _text(fragment.text)
    for element in fragment:
        if isinstance(element.tag, str):
            yield from _element(element, element.tag)
        yield from _text(element.tail)


def _element(element: DomElement, name: str) -> Iterator[HtmlToken]:
    attrs = {(None, key): value for key, value in element.attrib.items()}
    token: HtmlToken = {"name": name, "namespace": None, "data": attrs}
    if name in VOID:
        yield {"type": "EmptyTag", **token}
        return
    yield {"type": "StartTag", **token}
    yield from walk_dom(element)
    yield {"type": "EndTag", "name": name, "namespace": None}


def _text(text: str | None) -> Iterator[HtmlToken]:
    if text:
        yield {"type": "Characters" if text.strip(_SPACES) else "SpaceCharacters", "data": text}
