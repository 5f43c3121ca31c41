"""What a host's layout shows by itself, around the pages of the blog."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from blog_engine.conf import BlogSettings
from blog_engine.report.surface.html import HtmlPage
from blog_engine.vocabulary import PolicyKind

_PROBE: Final = "/blog-engine-doctor/policy"
"""The URL of every policy while the layout is rendered: where it appears, the layout links the policies."""


@dataclass(frozen=True, slots=True)
class LayoutParts:
    """What is wrong with a layout: elements that the pages bring too, and parts that it lacks; both as sentences."""

    doubled: tuple[str, ...]
    lost: tuple[str, ...]


def parts_of(layout: Any, name: str, settings: BlogSettings) -> LayoutParts:
    """Return what a layout doubles and lacks, judged by its HTML without a page in it.

    Raises whatever the layout raises when it is rendered without a request.
    """
    page = HtmlPage(layout.render({"blog": _blog(settings), "layout": name}))
    return LayoutParts(doubled=tuple(_doubled(page, name)), lost=tuple(_lost(page, name, settings)))


def _blog(settings: BlogSettings) -> dict[str, Any]:
    fixed = "" if settings.color_scheme == "system" else settings.color_scheme
    return {
        "site_name": settings.site_name,
        "title": settings.blog_title,
        "language": settings.language,
        "direction": "ltr",
        "fixed_scheme": fixed,
        "policies": {kind: {"name": kind.value, "url": _PROBE} for kind in PolicyKind},
    }


def _doubled(page: HtmlPage, name: str) -> Iterator[str]:
    found = {"title": page.titles, "viewport": page.metas("viewport"), "canonical link": page.links("canonical")}
    for what, elements in found.items():
        if elements:
            yield (
                f"The layout {name} has a {what} of its own, so that pages have two: take it out, or put it into a "
                "block of your base template and leave that block empty in the layout."
            )


def _lost(page: HtmlPage, name: str, settings: BlogSettings) -> Iterator[str]:
    elements = list(page.root.all())
    targets = [one.attrs.get("href", "") for one in elements if one.name == "a"]
    ids = {f"#{one.attrs['id']}" for one in elements if "id" in one.attrs}
    if ids.isdisjoint(targets):
        yield _lacks(name, "skip link", "_skip_link.html", 'first in its body, and id="blog-main" on its main element')
    if not {_PROBE, *(settings.policy_urls.of(kind) for kind in PolicyKind)} & set(targets):
        yield _lacks(name, "links to the policies", "_policy_links.html", "in its footer")
    if settings.color_scheme == "system" and not any("data-blog-theme-switch" in one.attrs for one in elements):
        yield _lacks(name, "theme switch", "_theme_switch.html", "in its header")


def _lacks(name: str, what: str, include: str, where: str) -> str:
    return f'The layout {name} has no {what}: write {{% include "blog_engine/{include}" %}} {where}.'
