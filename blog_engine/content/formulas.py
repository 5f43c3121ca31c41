"""Formulas in TeX as MathML."""

from typing import Final

from latex2mathml.converter import Converter

from blog_engine.content._mathml import UnreadableTex, element_of
from blog_engine.content._tex import REFUSED, convertible
from blog_engine.content.html import Element, text_of
from blog_engine.content.options import RenderLabels

MAX_FORMULAS: Final = 1_000
"""The most formulas of a text that become MathML."""
MAX_TEX_OF_TEXT: Final = 20_000
"""The most characters of all formulas of a text that become MathML; that takes 0.4 s of processor time."""

MATH_CLASS: Final = "blog-math"


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
    if REFUSED.search(tex):
        raise UnreadableTex
    display = "block" if is_block else "inline"
    try:
        written = Converter(display=display).convert_to_element(convertible(tex))
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
