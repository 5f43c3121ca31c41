"""The house style for agents: a resource, and the sentence of the instructions that leads to it."""

from typing import Final

from blog_engine.mcp.protocol import MARKDOWN, Result
from blog_engine.queries.house_style import stored_style

STYLE_URI: Final = "blog://house-style"
_LEADS_TO_IT: Final = (
    f"This blog has a house style: before you write, read the resource {STYLE_URI}, or blog_get_site_page with kind "
    "house_style."
)


def with_house_style(instructions: str) -> str:
    """Return instructions with a sentence that leads to the house style, if there is one; one query."""
    return instructions if stored_style() is None else f"{instructions}\n\n{_LEADS_TO_IT}"


def style_resources() -> list[Result]:
    """Return the description of the house style for the list of resources, if there is one; one query."""
    if stored_style() is None:
        return []
    return [
        {
            "uri": STYLE_URI,
            "name": "house-style",
            "title": "House style",
            "description": "The rules of this blog for its posts: tone, terms, form. Read them before you write.",
            "mimeType": MARKDOWN,
        }
    ]
