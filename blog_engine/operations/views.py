"""How often posts were read (service.md section 4.1, Reports; records.md 17)."""

from datetime import date, timedelta

from blog_engine.actor import Call, Scope
from blog_engine.addresses import Addresses
from blog_engine.errors import NotFound, ValidationFailed
from blog_engine.inputs.reports import TopViews, ViewsOfPost
from blog_engine.operations.base import operation
from blog_engine.outputs.views import PostViews, TopPosts
from blog_engine.queries.posts import post_id_of
from blog_engine.queries.views import counted_day, most_viewed, views_by_day

_USUAL_SPAN = timedelta(days=29)


@operation(scope=Scope.READ, refuses=[NotFound])
def get_post_views(data: ViewsOfPost, call: Call) -> PostViews:
    """The views of a post of any state, by day of UTC."""
    last = data.to or counted_day(call.now)
    first = data.from_ or last - min(_USUAL_SPAN, last - date.min)
    if first > last:
        raise ValidationFailed(["from"], hint=f"from must not be after to, which is {last}.")
    post_id = post_id_of(data.id)
    return PostViews.of(views_by_day(post_id, first=first, last=last), post_id=post_id, first=first, last=last)


@operation(scope=Scope.READ)
def get_top_views(data: TopViews, call: Call) -> TopPosts:
    """The posts of all states that were read most in the last days, today (UTC) included."""
    posts = most_viewed(days=data.days, today=counted_day(call.now), limit=data.limit)
    return TopPosts.of(posts, Addresses.on(call.base_url), days=data.days)
