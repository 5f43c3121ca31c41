"""Formulas in TeX as MathML that browsers show."""

import re
import unicodedata
from collections.abc import Iterator
from html import unescape
from typing import TYPE_CHECKING, Final

from blog_engine.content.html import Element, Node, replace_elements, text_of, walk
from blog_engine.content.options import RenderLabels

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element as XmlElement

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

MAX_LEVELS: Final = 40
"""The deepest nesting of elements in a formula."""
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
_TOKENS: Final = frozenset({"mi", "mn", "mo", "ms", "mtext"})
"""Elements with text only: HTML parsers take any element in them out of the formula."""
_VALUE: Final = re.compile(r"[A-Za-z0-9 .%+/-]{1,100}")
_LENGTHS: Final = {"negativethinmathspace": "-0.167em"}
"""Lengths of MathML 3 that browsers no longer know."""
_FENCES: Final = frozenset("⟨⟩⟦⟧⌊⌋⌈⌉")
_BAR: Final = "\u2015"
_STRETCHED_BAR: Final = "\u00af"
_NAMES_WITH_LIMITS: Final = frozenset({"lim", "max", "min", "sup", "inf"})
_BIG_OPERATORS: Final = frozenset("∏∐⋀\u22c1⋂\u22c3⨀⨁⨂⨃⨄⨅⨆")
_BESIDE: Final = {"msub": "munder", "msup": "mover", "msubsup": "munderover"}
"""What has limits beside its operator, and the same with limits below and above."""
_ESCAPED: Final = re.compile(r"\\([%$&#_{} \u00a0])")
_TEX_IN_TEXT: Final = re.compile(r"(?<!\\)\$|\\(?![%$&#_{} \u00a0])")
_STYLED_NAME: Final = re.compile(r"(?:MATHEMATICAL )?([A-Z -]+?) (?:CAPITAL|SMALL|DIGIT|NABLA|PARTIAL|\w+ SYMBOL\Z).*")


def dress_formulas(tree: Element, *, labels: RenderLabels) -> tuple[str, ...]:
    """Turn the formulas of a tree into MathML, in place; return the TeX of those that cannot be read.

    These, and formulas past a limit, are shown as code.
    """
    formulas, characters, unreadable = MAX_FORMULAS, MAX_TEX_OF_TEXT, list[str]()

    def formula(code: Element, *, is_block: bool) -> Element:
        nonlocal formulas, characters
        tex = text_of(code)
        if formulas > 0 and len(tex) <= characters:
            formulas, characters = formulas - 1, characters - len(tex)
            try:
                return mathml(tex, is_block=is_block)
            except UnreadableTex:
                unreadable.append(tex)
        return Element("code", {}, [tex])

    def dressed(element: Element) -> Element | None:
        if element.attrs.get("class") != MATH_CLASS:
            return None
        if element.name == "code":
            return formula(element, is_block=False)
        if code := next((child for child in element.children if isinstance(child, Element)), None):
            shown = formula(code, is_block=True)
            element.children = [shown if shown.name == "math" else Element("pre", {}, [shown])]
            # A wide formula scrolls, also by keyboard.
            element.attrs |= {"tabindex": "0", "role": "group", "aria-label": labels.formula}
        return element

    replace_elements(tree, dressed)
    return tuple(unreadable)


def mathml(tex: str, *, is_block: bool) -> Element:
    """Return a formula as a ``math`` element that contains its TeX as an annotation.

    Raises ``UnreadableTex`` for TeX that the converter does not understand completely.
    """
    from latex2mathml.converter import Converter

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
    annotation = next((one for one in walk(math) if one.name == "annotation"), None)
    return text_of(annotation) if annotation else ""


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


class UnreadableTex(Exception):
    """A formula that cannot be shown."""


def element_of(written: "XmlElement", *, level: int = 0) -> Element:
    """Return an element of the converter in the form that browsers show.

    Raises ``UnreadableTex`` for one that is not listed, that lacks a part or that contains TeX.
    """
    name, text = written.tag, unescape(written.text or "")
    if level > MAX_LEVELS or name not in MATH_TAGS or name in {"math", "annotation"} or written.text == "&":
        # An ampersand is a mark outside of a table.
        raise UnreadableTex
    if len(written) != _PARTS.get(name, len(written)):
        raise UnreadableTex
    attrs = {key: value for key, value in written.attrib.items() if key in MATH_ATTRIBUTES and _VALUE.fullmatch(value)}
    parts = [element_of(child, level=level + 1) for child in written]
    if name in _TOKENS:
        return _operator(name, attrs, parts) if parts else _token(name, attrs, text)
    if name == "mspace":
        attrs |= {key: _LENGTHS[value] for key, value in attrs.items() if value in _LENGTHS}
    if name == "mtable":
        _move_lines(attrs, parts)
    if name in _BESIDE and _takes_limits(parts[0]):
        name, parts[0].attrs["movablelimits"] = _BESIDE[name], "true"
    children: list[Node] = [Element("mtext", {}, [text]), *parts] if text.strip() else [*parts]
    return Element(name, attrs, children)


def _token(name: str, attrs: dict[str, str], text: str) -> Element:
    if name == "mtext":
        return Element(name, attrs, [_plain(text)])
    if (name == "mi" and (text.startswith("\\") or text in {"{", "}"})) or (name == "mo" and not (text or attrs)):
        # A command that the converter does not know, or one whose argument it does not understand.
        raise UnreadableTex
    if name == "mi" and text in _FENCES:
        name, attrs = "mo", {"stretchy": "false"}
    elif name == "mi" and text in _BIG_OPERATORS:
        name = "mo"
    elif text == _BAR:
        text, attrs = _STRETCHED_BAR, {"stretchy": "true"}
    variant = attrs.pop("mathvariant", "")
    if name in {"mi", "mn"}:
        text = "".join(_STYLED.get((variant, letter), letter) for letter in text)
    if name == "mi" and variant == "normal" and len(text) == 1:
        # A single letter is italic otherwise.
        attrs["mathvariant"] = variant
    return Element(name, attrs, [text] if text else [])


def _plain(text: str) -> str:
    """Return the text of ``\\text``, without the backslashes before its special characters."""
    if _TEX_IN_TEXT.search(text):
        raise UnreadableTex
    return _ESCAPED.sub(r"\1", text.replace("~", "\u00a0"))


def _operator(name: str, attrs: dict[str, str], parts: list[Element]) -> Element:
    """Return what ``\\mathop``, ``\\mathrel`` and the like make of a part: an operator if it is a name or one sign."""
    leaves = [leaf for part in parts for leaf in _leaves(part)]
    text = "".join(map(text_of, leaves))
    is_name = all(leaf.name in {"mi", "mtext"} for leaf in leaves) and text.replace("\u00a0", "").isalpha()
    is_sign = len(leaves) == 1 and leaves[0].name == "mo"
    if name != "mo" or not (is_name or is_sign):
        return Element("mrow", {}, [*parts])
    return Element("mo", {**leaves[0].attrs, **attrs} if is_sign else {**attrs, "movablelimits": "true"}, [text])


def _leaves(part: Element) -> Iterator[Element]:
    if part.name != "mrow":
        yield part
        return
    for child in part.children:
        if isinstance(child, Element):
            yield from _leaves(child)


def _takes_limits(base: Element) -> bool:
    if base.name != "mo":
        return False
    return text_of(base) in _NAMES_WITH_LIMITS | _BIG_OPERATORS or base.attrs.get("movablelimits") == "true"


def _move_lines(attrs: dict[str, str], rows: list[Element]) -> None:
    """Move the lines of a table to the rows and cells before them, where a style sheet finds them."""
    below, after = attrs.pop("rowlines", "").split(), attrs.pop("columnlines", "").split()
    for row, line in zip(rows, below, strict=False):
        if line != "none":
            row.attrs["rowlines"] = line
    for row in rows:
        for cell, line in zip(row.children, after, strict=False):
            if line != "none" and isinstance(cell, Element):
                cell.attrs["columnlines"] = line


def _styled_characters() -> Iterator[tuple[tuple[str, str], str]]:
    """Yield the letters and digits of a style with the style, named as in ``mathvariant``, and the plain character."""
    # The letterlike symbols have those that the mathematical alphanumeric symbols leave out.
    for character in map(chr, (*range(0x2100, 0x2150), *range(0x1D400, 0x1D800))):
        kind, _, plain = unicodedata.decomposition(character).partition(" ")
        named = _STYLED_NAME.fullmatch(unicodedata.name(character, ""))
        if kind == "<font>" and named:
            style = named[1].replace("BLACK-LETTER", "FRAKTUR").replace(" ", "-").lower()
            yield (style, chr(int(plain, 16))), character


_STYLED: Final = {key: character for key, character in _styled_characters() if key[0] != "italic"}
"""Browsers know no ``mathvariant`` but ``normal``; a letter of its own is italic anyway."""
