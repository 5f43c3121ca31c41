"""The texts of posts as resources: ``blog://posts/{slug}.md`` (mcp.md, decision 7)."""

import re
from collections.abc import Mapping
from typing import Any

from django.utils import translation

from blog_engine.actor import Call, Scope
from blog_engine.addresses import Addresses
from blog_engine.conf import get_settings
from blog_engine.queries.article_markdown import article_markdown
from blog_engine.queries.articles import stored_article_at

# Without what no database takes in a text.
_ADDRESS = re.compile(r"blog://posts/([^/\x00\ud800-\udfff]+)\.md")
_MARKDOWN = "text/markdown"

TEMPLATES: tuple[Mapping[str, Any], ...] = (
    {
        "uriTemplate": "blog://posts/{slug}.md",
        "name": "post",
        "title": "Post as Markdown",
        "description": "The text of a post of any state with title, byline, notices and FAQ, as readers get it.",
        "mimeType": _MARKDOWN,
    },
)


def read_resource(uri: str, call: Call) -> dict[str, Any] | None:
    """The Markdown text of a post, in the blog's language; ``None`` when no such post is stored.

    Raises ``ScopeRequired`` without the scope ``read``.
    """
    call.actor.require(Scope.READ)
    found = _ADDRESS.fullmatch(uri)
    post = stored_article_at(found[1]) if found else None
    if post is None:
        return None
    with translation.override(get_settings().catalogue):
        text = article_markdown(post, here=Addresses.on(call.base_url), now=call.now)
    return {"uri": uri, "mimeType": _MARKDOWN, "text": text}
