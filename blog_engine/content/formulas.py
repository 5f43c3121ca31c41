"""Formulas in TeX as MathML."""

import re
from typing import Final

from latex2mathml.converter import Converter

from blog_engine.content._mathml import UnreadableTex, element_of
from blog_engine.content.html import Element, text_of
from blog_engine.content.options import RenderLabels

MAX_FORMULAS: Final = 1_000
"""The most formulas of a text that become MathML."""
MAX_TEX_OF_TEXT: Final = 20_000
"""The most characters of all formulas of a text that become MathML; that takes 0.4 s of processor time."""

MATH_CLASS: Final = "blog-math"

_REFUSED: Final = re.compile(
    r"\\(?:[egx]?def|let|(?:re)?new[a-z]+|providecommand|DeclareMathOperator"
    r"|href|url|class|cssId|style|html[A-Za-z]*|unicode|char|require|input|include|sideset)(?![A-Za-z])"
)
"""Commands that define others, so that a short text becomes a long one, are about the page, or would lose a part."""

_ENVIRONMENTS: Final = {
    **dict.fromkeys(["aligned", "align", "alignedat", "alignat", "alignat*", "eqnarray", "eqnarray*"], "align*"),
    **dict.fromkeys(["gathered", "gather", "gather*", "multline", "multline*"], "matrix"),
    "smallmatrix*": "smallmatrix",
}
"""Environments that the converter does not know, or numbers, and those that look the same."""
_ENVIRONMENT: Final = re.compile(r"\\(begin|end)\{([A-Za-z]+\*?)\}(\{[0-9]{1,2}\})?")
_COUNTED: Final = frozenset({"alignat", "alignat*", "alignedat"})
"""Environments with the number of their columns as an argument."""

_ARRAY: Final = re.compile(r"(\\begin\{array\}\s{0,9}\{)([clr|\s]{1,99}\})(?:\s{0,9}\\hline(?![A-Za-z]))*")
_BARS: Final = re.compile(r"\|[|\s]*")
_UPRIGHT: Final = re.compile(r"\\mathrm\{([A-Za-z])\}")
_NAMED: Final = re.compile(r"\\operatorname(\*?)\s{0,9}\{((?:[A-Za-z]|\\[,;: ]){1,99})\}")
_THIN_SPACE: Final = re.compile(r"\\[,;: ]")
_TEXT: Final = re.compile(r"\\(?:text|textrm|mbox)\s{0,9}(?=\{[^{}]*\$)")


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
        formula = self._formula(code, is_block=True)
        block.children = [formula if formula.name == "math" else Element("pre", {}, [formula])]
        # A wide formula scrolls, also by keyboard.
        block.attrs |= {"tabindex": "0", "role": "group", "aria-label": self._labels.formula}

    def _formula(self, code: Element, *, is_block: bool) -> Element:
        tex = text_of(code)
        if self._formulas > 0 and len(tex) <= self._characters:
            self._formulas -= 1
            self._characters -= len(tex)
            try:
                return mathml(tex, is_block=is_block)
            except UnreadableTex:
                self.unreadable.append(tex)
        return Element("code", {}, [tex])


def mathml(tex: str, *, is_block: bool) -> Element:
    """Return a formula as a ``math`` element that contains its TeX as an annotation.

    Raises ``UnreadableTex`` for TeX that the converter does not understand completely.
    """
    if _REFUSED.search(tex):
        raise UnreadableTex
    display = "block" if is_block else "inline"
    try:
        written = Converter(display=display).convert_to_element(_convertible(tex))
    except Exception as error:
        # The converter fails on unreadable TeX with exceptions of many types, and on deep TeX with RecursionError.
        raise UnreadableTex from error
    row = element_of(written[0])
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


def _convertible(tex: str) -> str:
    """Return TeX with the same meaning, as far as the converter can express it, that the converter reads correctly."""
    tex = _ENVIRONMENT.sub(_known_environment, tex)
    tex = _ARRAY.sub(_known_array, tex)
    # The converter makes a plain letter of the one, and reads formulas in a text only in the other.
    tex = _UPRIGHT.sub(r"\\mathrm{{\1}}", tex)
    tex = _TEXT.sub(r"\\hbox", tex)
    return _NAMED.sub(_spaced_name, tex)


def _known_environment(found: re.Match[str]) -> str:
    argument = "" if found[2] in _COUNTED else found[3] or ""
    return f"\\{found[1]}{{{_ENVIRONMENTS.get(found[2], found[2])}}}{argument}"


def _known_array(found: re.Match[str]) -> str:
    """Leave out the lines before the first row and column: the converter counts them as those after the first."""
    return found[1] + _BARS.sub("|", found[2].lstrip("| \n"))


def _spaced_name(found: re.Match[str]) -> str:
    if not _THIN_SPACE.search(found[2]):
        return found[0]
    return rf"\math{'op' if found[1] else 'ord'}{{\text{{{_THIN_SPACE.sub(' ', found[2])}}}}}"
