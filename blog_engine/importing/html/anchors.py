"""Links of a body to places of its own page."""

from typing import Final
from urllib.parse import quote, unquote

from blog_engine.content.headings import dress_headings, remove_empty_headings
from blog_engine.content.html import HEADINGS, Element, walk
from blog_engine.content.options import RenderLabels
from blog_engine.importing.html.reading import ANCHOR, LINE, without_marks
from blog_engine.importing.source import Losses, LossKind

_LABELS: Final = RenderLabels()


def move_page_links(tree: Element, losses: Losses) -> None:
    """Point links to places of the page at the ids that its headings get, in place; name those that find none."""
    links = [element for element in walk(tree) if len(element.attrs.get("href", "")) > 1]
    links = [link for link in links if link.name == "a" and link.attrs["href"].startswith("#")]
    if not links:
        return
    ids = _new_ids(tree)
    for link in links:
        target = unquote(link.attrs["href"][1:])
        if target in ids:
            link.attrs["href"] = f"#{quote(ids[target])}"
        else:
            message = f"The link #{target} to a place of the page leads nowhere now"
            losses.add(LossKind.LINK, message, int(link.attrs.get(LINE, "1")))


def _new_ids(tree: Element) -> dict[str, str]:
    """Return the ids of headings on the page, by the ids that they or elements inside them had, and by themselves."""
    # No page shows them, and they get no id.
    remove_empty_headings(tree)
    headings = [element for element in walk(tree) if element.name in HEADINGS]
    shown = dress_headings(without_marks(tree), labels=_LABELS)
    ids = {heading.id: heading.id for heading in shown}
    for element, heading in zip(headings, shown, strict=True):
        for anchored in (element, *walk(element)):
            if ANCHOR in anchored.attrs:
                ids[anchored.attrs[ANCHOR]] = heading.id
    return ids
