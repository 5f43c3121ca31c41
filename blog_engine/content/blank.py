"""Bodies that readers see nothing of."""

import re
from html import unescape
from typing import Final

_HOLDERS: Final = re.compile(
    r"<!--.*?-->|</?(?:p|br|div|span|section|h[1-6]|ul|ol|li|dl|dt|dd|blockquote|pre|code|a|em|strong|b|i|u|s|del|sub|sup)"
    r"(?:\s[^<>]*)?/?>",
    re.DOTALL,
)
"""Comments, and tags of elements that show nothing unless something is in them."""


def is_blank(html: str) -> bool:
    """Return whether rendered HTML shows nothing: no visible character, and no element such as an image or a rule."""
    start = 0
    for tag in _HOLDERS.finditer(html):
        if _is_visible(html[start : tag.start()]):
            return False
        start = tag.end()
    return not _is_visible(html[start:])


def _is_visible(text: str) -> bool:
    # Of white space and characters without width, only the space is printable.
    return any(char.isprintable() and char != " " for char in unescape(text))
