"""The visible words of HTML, the same for pages of WordPress and for ours."""

import re
from html import unescape

_HIDDEN = re.compile(r"<(script|style|noscript|svg|iframe)\b.*?</\1>", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_BLOCK = re.compile(
    r"</?(?:p|div|h\d|li|ul|ol|td|th|tr|table|figure|figcaption|br|pre|blockquote|dt|dd|dl|cite)\b[^>]*>"
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f]")


_ADDED = re.compile(
    r'<a class="blog-heading-anchor".*?</a>|<button.*?</button>|<span class="blog-code-lang".*?</span>', re.DOTALL
)


def article_words(html: str) -> str:
    """Return the words of our rendered HTML, without those that the engine adds."""
    return visible_words(_ADDED.sub("", html))


def visible_words(html: str) -> str:
    """Return the words that readers see, separated by single spaces."""
    text = _BLOCK.sub(" ", _COMMENT.sub("", _HIDDEN.sub(" ", html)))
    return " ".join(_CONTROL.sub("", unescape(re.sub(r"<[^>]*>", "", text))).split())
