"""Tags and filters of the desk."""

from datetime import datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from django import template
from django.contrib.auth.models import AnonymousUser
from django.utils.formats import date_format, number_format
from django.utils.timezone import get_default_timezone, localtime

from blog_engine.conf import get_settings
from blog_engine.conf.site_names import named_after_blog
from blog_engine.http.zones import planned_moment, zone_of
from blog_engine.rules import dates
from blog_engine.rules.isolation import isolate

register = template.Library()

register.filter("date_and_time", dates.date_and_time)
register.filter("isolate", isolate)

_PERMISSIONS = ("view_post", "write_post", "publish_post", "approve_post")


@register.simple_tag(takes_context=True)
def planned_time(context: template.RequestContext, moment: datetime | None) -> str:
    """Return a time that is to come in words, with the time zone of the person."""
    return planned_moment(moment, zone_of(context.request))


@register.simple_tag(takes_context=True)
def short_planned_time(context: template.RequestContext, moment: datetime) -> str:
    """Return a time that is to come as ``short_moment`` does, with the zone of the person in short."""
    zone = ZoneInfo(zone_of(context.request))
    return f"{_short(moment, zone)} {date_format(localtime(moment, zone), 'T')}"


@register.filter
def up_to_most(number: int) -> str:
    """Return a number of posts, or ``10,000+`` if there are more than a list has."""
    from blog_engine.queries.desk_lists import MOST_LISTED

    shown = number_format(min(number, MOST_LISTED), force_grouping=True)
    return f"{shown}+" if number > MOST_LISTED else shown


@register.filter
def short_moment(moment: datetime) -> str:
    """Return a moment as lists of the desk show it, such as ``Nov 24, 2026, 09:05``; in English without this year."""
    return _short(moment, get_default_timezone())


def _short(moment: datetime, zone: tzinfo) -> str:
    this_year = f", {localtime(timezone=zone).year:04}"
    day = dates.short_date(moment, zone).removesuffix(this_year)
    return f"{day}, {date_format(localtime(moment, zone), 'H:i')}"


@register.inclusion_tag("admin/blog_engine/_start.html", takes_context=True)
def start_of_desk(context: template.Context) -> dict[str, Any]:
    """Show what is the user's own and what waits in the blog, to users with a permission on posts; three queries."""
    from blog_engine.queries.people import author_of_user
    from blog_engine.queries.reviews import blog_numbers
    from blog_engine.queries.start_page import own_work

    user = context.get("user") or AnonymousUser()
    held = {name for name in _PERMISSIONS if user.has_perm(f"blog_engine.{name}")}
    if not held:
        return {}
    numbers, may_write, may_approve = blog_numbers(), "write_post" in held, "approve_post" in held
    return {
        "request": context.get("request"),
        "own": own_work(user.pk, may_approve=may_approve),
        "may_write": may_write,
        "may_approve": may_approve,
        "byline": author_of_user(user.pk) if may_write else None,
        "default_author": get_settings().default_author.name,
        "numbers": numbers,
        "reasons": {reason.value: count for reason, count in numbers.reasons.items()},
    }


@register.simple_tag(takes_context=True)
def name_the_blog(context: template.Context) -> str:
    """Let the rest of the page say the name of the blog where it would say that of Django's own admin site."""
    match = getattr(context.get("request"), "resolver_match", None)
    site = getattr(match.func, "admin_site", None) if match else None
    if site is not None:
        context.update(named_after_blog(site))
    return ""
