"""The additions to CommonMark that bodies have, for the parsers of other packages."""

from blog_engine.content._markdown_extras import INLINE_HTML, extras_plugin
from blog_engine.content._markdown_math import MATH_FENCE, math_plugin

__all__ = ["INLINE_HTML", "MATH_FENCE", "extras_plugin", "math_plugin"]
