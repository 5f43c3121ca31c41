"""The additions to CommonMark that bodies have, for the parsers of other packages."""

from blog_engine.content._code_options import code_attributes, read_code_options
from blog_engine.content._markdown_extras import INLINE_HTML, extras_plugin
from blog_engine.content._markdown_math import MATH_FENCE, math_plugin

__all__ = ["INLINE_HTML", "MATH_FENCE", "code_attributes", "extras_plugin", "math_plugin", "read_code_options"]
