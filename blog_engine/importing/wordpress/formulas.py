"""The formulas in WordPress posts: ``$latex …$`` and ``[latex]`` of Jetpack, ``$$…$$`` and the like of MathJax."""

import re
from html import escape, unescape
from typing import Final

from blog_engine.importing.wordpress.shortcodes import protected_ranges

_FORMULA: Final = re.compile(
    r"\$latex\s+(?P<jetpack>(?:[^$\\]|\\.)+)\$"
    r"|\[latex\](?P<shortcode>(?:(?!\[/?latex\]).)+)\[/latex\]"
    r"|\$\$(?P<display>(?:(?!\$\$|\n[ \t]*\n).)+)\$\$"
    r"|\\\[(?P<brackets>(?:(?!\\[\[\]]|\n[ \t]*\n).)+)\\\]"
    r"|\\\((?P<inline>(?:(?!\\[()]|\n[ \t]*\n).)+)\\\)",
    re.DOTALL,
)
_PARAMETERS: Final = re.compile(r"&(?:amp;|#038;)?(?:s|bg|fg)=[\w-]*")
"""Size and colours that Jetpack reads after a formula."""
_BREAK: Final = re.compile(r"<br\s*/?>", re.IGNORECASE)
_TEX: Final = re.compile(r"[\\^_{}=+<>]")
_LONGEST: Final = 5_000
_MARKUP: Final = re.compile(r"</?[a-zA-Z]|<!--")
_OF_JETPACK: Final = frozenset({"jetpack", "shortcode"})
_BLOCKS: Final = frozenset({"display", "brackets"})


def with_formulas(content: str) -> str:
    """Return a content whose formulas are MathML with their TeX; code stays, and so do the lines.

    What MathJax reads between dollars is only taken with a character that is TeX: prices are no formulas.
    """
    if not any(mark in content for mark in ("$latex", "[latex]", "$$", "\\[", "\\(")):
        return content
    protected = protected_ranges(content)

    def formula(found: re.Match[str]) -> str:
        kind = found.lastgroup or ""
        written = _BREAK.sub(" ", found[kind])
        tex = " ".join(unescape(_PARAMETERS.sub("", written) if kind in _OF_JETPACK else written).split())
        is_formula = tex and (kind in _OF_JETPACK or _TEX.search(tex)) and not _MARKUP.search(written)
        if not is_formula or len(tex) > _LONGEST or protected.end_at(found.start()):
            return found[0]
        display = ' display="block"' if kind in _BLOCKS else ""
        annotation = f'<annotation encoding="application/x-tex">{escape(tex, quote=False)}</annotation>'
        return f"<math{display}>{annotation}</math>" + "\n" * found[0].count("\n")

    return _FORMULA.sub(formula, content)
