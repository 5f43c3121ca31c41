"""Tags and filters of the desk."""

from datetime import datetime
from typing import Any

from django import template
from django.contrib.auth.models import AnonymousUser
from django.utils.formats import number_format

from blog_engine.admin.isolation import isolate
from blog_engine.admin.zones import planned_moment, zone_of
from blog_engine.enums import PostStatus
from blog_engine.queries.desk_lists import MOST_LISTED
from blog_engine.queries.proposals import number_waiting
from blog_engine.queries.reviews import unpublished_counts, waiting_counts
from blog_engine.rules import dates

register = template.Library()

register.filter("date_and_time", dates.date_and_time)
register.filter("isolate", isolate)

_PERMISSIONS = ("view_post", "write_post", "publish_post", "approve_post")


@register.simple_tag(takes_context=True)
def planned_time(context: template.RequestContext, moment: datetime | None) -> str:
    """Return a time that is to come in words, with the time zone of the person."""
    return planned_moment(moment, zone_of(context.request))


@register.filter
def up_to_most(number: int) -> str:
    """Return a number of posts, or ``10,000+`` if there are more than a list has."""
    shown = number_format(min(number, MOST_LISTED), force_grouping=True)
    return f"{shown}+" if number > MOST_LISTED else shown


@register.inclusion_tag("admin/blog_engine/_waiting.html", takes_context=True)
def posts_that_wait(context: template.Context) -> dict[str, Any]:
    """Show how many posts wait, to users with a permission on posts; three queries."""
    user = context.get("user") or AnonymousUser()
    if not any(user.has_perm(f"blog_engine.{permission}") for permission in _PERMISSIONS):
        return {}
    unpublished = unpublished_counts()
    return {
        "request": context.get("request"),
        "reasons": {reason.value: count for reason, count in waiting_counts().items()},
        "drafts": unpublished[PostStatus.DRAFT],
        "scheduled": unpublished[PostStatus.SCHEDULED],
        "proposals": number_waiting(),
    }
