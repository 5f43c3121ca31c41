"""Formulas in TeX as MathML."""

import re
from html import unescape
from typing import Final
from xml.etree.ElementTree import Element as XmlElement

from latex2mathml.converter import Converter

from blog_engine.content.html import Element, Node, text_of
from blog_engine.content.options import RenderLabels

MAX_FORMULAS: Final = 1_000
"""The most formulas of a text that become MathML."""
MAX_TEX_OF_TEXT: Final = 20_000
"""The most characters of all formulas of a text that become MathML; that takes 0.4 s of processor time."""
MAX_LEVELS: Final = 40
"""The deepest nesting of elements in a formula."""

MATH_CLASS: Final = "blog-math"
MATH_TAGS: Final = frozenset(
    {"math", "mrow", "mi", "mn", "mo", "mtext", "ms", "mspace", "mfrac", "msqrt", "mroot", "mstyle", "merror"}
    | {"mpadded", "mphantom", "menclose", "msub", "msup", "msubsup", "munder", "mover", "munderover"}
    | {"mtable", "mtr", "mtd", "semantics", "annotation"}
)
"""The elements of MathML that a formula can have."""
MATH_ATTRIBUTES: Final = frozenset(
    {"display", "displaystyle", "scriptlevel", "mathvariant", "stretchy", "fence", "form", "separator", "accent"}
    | {"accentunder", "movablelimits", "symmetric", "largeop", "minsize", "maxsize", "lspace", "rspace", "width"}
    | {"height", "depth", "voffset", "linethickness", "notation", "columnalign", "columnspacing", "rowspacing"}
    | {"columnlines", "rowlines", "linebreak", "encoding"}
)
"""The attributes of MathML that a formula can have, each with a value out of ``_VALUE``."""

_PARTS: Final = {
    **dict.fromkeys(["mfrac", "mroot", "msub", "msup", "munder", "mover"], 2),
    **dict.fromkeys(["msubsup", "munderover"], 3),
}
"""How many children an element must have; the converter writes fewer for TeX that lacks an argument."""

_VALUE: Final = re.compile(r"[A-Za-z0-9 .%+/-]{1,100}")
_REFUSED: Final = re.compile(
    r"\\(?:[egx]?def|let|(?:re)?new[a-z]+|providecommand|DeclareMathOperator"
    r"|href|url|class|cssId|style|html[A-Za-z]*|unicode|char|require|input|include)(?![A-Za-z])"
)
"""Commands that define others, so that a short text becomes a long one, or that are about the page."""
_ENVIRONMENTS: Final = {
    **dict.fromkeys(["aligned", "align", "alignedat", "alignat", "alignat*", "eqnarray", "eqnarray*"], "align*"),
    **dict.fromkeys(["gathered", "gather", "gather*", "multline", "multline*"], "matrix"),
    "smallmatrix*": "smallmatrix",
}
"""Environments that the converter does not know, or numbers, and those that look the same."""
_ENVIRONMENT: Final = re.compile(r"\\(begin|end)\{([A-Za-z]+\*?)\}(\{[0-9]{1,2}\})?")
_COUNTED: Final = frozenset({"alignat", "alignat*", "alignedat"})
"""Environments with the number of their columns as an argument."""
_FENCES: Final = frozenset("⟨⟩⟦⟧⌊⌋⌈⌉")
_BAR: Final = "\u2015"
_STRETCHED_BAR: Final = "\u00af"


class _Unreadable(Exception):
    """A formula that cannot be shown."""


def dress_formulas(tree: Element, *, labels: RenderLabels) -> tuple[str, ...]:
    """Turn the formulas of a tree into MathML, in place; return the TeX of those that cannot be read.

    These, and formulas past a limit, are shown as code.
    """
    writer = _FormulaWriter(labels)
    writer.dress(tree)
    return tuple(writer.unreadable)


class _FormulaWriter:
    """Writes the formulas of one text, within the limits above."""

    def __init__(self, labels: RenderLabels) -> None:
        self.unreadable: list[str] = []
        self._labels = labels
        self._formulas = MAX_FORMULAS
        self._characters = MAX_TEX_OF_TEXT

    def dress(self, element: Element) -> None:
        for position, child in enumerate(element.children):
            if not isinstance(child, Element):
                continue
            if child.attrs.get("class") != MATH_CLASS:
                self.dress(child)
            elif child.name == "code":
                element.children[position] = self._formula(child, is_block=False)
            else:
                self._dress_block(child)

    def _dress_block(self, block: Element) -> None:
        code = next((child for child in block.children if isinstance(child, Element)), None)
        if code is None:
            return
        block.children = [self._formula(code, is_block=True)]
        # A wide formula scrolls, also by keyboard.
        block.attrs |= {"tabindex": "0", "role": "group", "aria-label": self._labels.formula}

    def _formula(self, code: Element, *, is_block: bool) -> Element:
        tex = text_of(code)
        if self._formulas > 0 and len(tex) <= self._characters:
            self._formulas -= 1
            self._characters -= len(tex)
            try:
                return mathml(tex, is_block=is_block)
            except _Unreadable:
                self.unreadable.append(tex)
        return Element("code", {}, [tex])


def mathml(tex: str, *, is_block: bool) -> Element:
    """Return a formula as a ``math`` element that contains its TeX as an annotation.

    Raises ``_Unreadable`` for TeX that the converter does not understand completely.
    """
    if _REFUSED.search(tex):
        raise _Unreadable
    display = "block" if is_block else "inline"
    try:
        written = Converter(display=display).convert_to_element(_ENVIRONMENT.sub(_known_environment, tex))
    except Exception as error:
        # The converter fails on unreadable TeX with exceptions of many types, and on deep TeX with RecursionError.
        raise _Unreadable from error
    row = _element(written[0], level=0)
    annotation = Element("annotation", {"encoding": "application/x-tex"}, [tex])
    attrs = {"display": "block"} if is_block else {}
    return Element("math", attrs, [Element("semantics", {}, [row, annotation])])


def tex_of(math: Element) -> str:
    """Return the TeX of a ``math`` element."""
    for child in math.children:
        if isinstance(child, Element):
            if child.name == "annotation":
                return text_of(child)
            if found := tex_of(child):
                return found
    return ""


def _known_environment(found: re.Match[str]) -> str:
    argument = "" if found[2] in _COUNTED else found[3] or ""
    return f"\\{found[1]}{{{_ENVIRONMENTS.get(found[2], found[2])}}}{argument}"


def _element(written: XmlElement, *, level: int) -> Element:
    name, text = written.tag, unescape(written.text or "")
    if level > MAX_LEVELS or name not in MATH_TAGS or name in {"math", "annotation"}:
        raise _Unreadable
    if (name == "mi" and text.startswith("\\")) or written.text == "&":
        # A command that the converter does not know, or a mark outside of a table.
        raise _Unreadable
    attrs = {key: value for key, value in written.attrib.items() if key in MATH_ATTRIBUTES and _VALUE.fullmatch(value)}
    if name == "mi" and text in _FENCES:
        name, attrs = "mo", {"stretchy": "false"}
    elif text == _BAR:
        text, attrs = _STRETCHED_BAR, {"stretchy": "true"}
    if len(written) != _PARTS.get(name, len(written)):
        raise _Unreadable
    below: list[Node] = [_element(child, level=level + 1) for child in written]
    return Element(name, attrs, [text, *below] if text else below)
