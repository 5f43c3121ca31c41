"""``{% load blog_engine %}``: dates as the reader pages write them, and the latest posts for a page of the host."""

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from blog_engine import public
from blog_engine.public import LatestPost
from blog_engine.queries import dates

register = template.Library()

register.filter("long_date", dates.long_date)
register.filter("iso_date", dates.iso_date)


class _Posts(tuple[LatestPost, ...]):
    """The posts, which a template can go through; printed as they are, they become a list of links."""

    __slots__ = ()

    def __html__(self) -> SafeString:
        return render_to_string("blog_engine/_latest_posts.html", {"posts": self})


@register.simple_tag
def latest_posts(count: int = 5, category: str = "", tag: str = "") -> _Posts:
    """Return the newest public posts: a list of links, or with ``as posts`` what ``public.latest_posts`` returns."""
    return _Posts(public.latest_posts(count, category=category, tag=tag))
