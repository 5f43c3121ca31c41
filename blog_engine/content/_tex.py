"""TeX of authors in the form that the converter to MathML reads."""

import re
from typing import Final

REFUSED: Final = re.compile(
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


def convertible(tex: str) -> str:
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
