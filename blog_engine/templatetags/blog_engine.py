"""The library of ``{% load blog_engine %}``: dates, image sizes, latest posts and parts of pages."""

import re
from typing import TYPE_CHECKING

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from blog_engine.rules import dates

if TYPE_CHECKING:
    from blog_engine.public import LatestPost

register = template.Library()

register.filter("long_date", dates.long_date)
register.filter("short_date", dates.short_date)
register.filter("iso_date", dates.iso_date)

_LENGTH_AT_THE_END = re.compile(r"([0-9.]+)([a-z]+)(?=\s*(?:,|$))")


@register.filter
def enlarged(sizes: str, factor: float) -> str:
    """Return a ``sizes`` attribute with the lengths multiplied, except ``calc()``."""
    return _LENGTH_AT_THE_END.sub(lambda found: f"{float(found[1]) * factor:.4g}{found[2]}", sizes)


class _Posts(tuple["LatestPost", ...]):
    """Posts that a template can iterate over, rendered as a list of links."""

    __slots__ = ()

    def __html__(self) -> SafeString:
        return render_to_string("blog_engine/_latest_posts.html", {"posts": self})


@register.simple_tag(takes_context=True, name="part")
def part_tag(context: template.Context, name: str, **values: object) -> SafeString:
    """Return a part of a page, with these values besides those of the page."""
    from blog_engine.reader.parts import part

    return part(context, name, **values)


@register.simple_tag
def robots_rules() -> SafeString:
    """Return the lines about the blog for a template of ``robots.txt``, below ``User-agent: *``."""
    from blog_engine.public import robots_lines

    return mark_safe("\n".join(robots_lines()))  # noqa: S308 - plain text of checked URLs and our own words


@register.simple_tag(name="latest_posts")
def latest_posts_tag(count: int = 5, category: str = "", tag: str = "") -> _Posts:
    """Return the newest public posts, rendered as a list of links.

    With ``as posts`` a template gets what ``blog_engine.public.latest_posts`` returns.
    """
    from blog_engine.public import latest_posts

    return _Posts(latest_posts(count, category=category, tag=tag))
