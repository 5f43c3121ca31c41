"""The page-view reports (records.md 17)."""

from collections.abc import Iterable, Sequence
from datetime import date

from pydantic import Field

from blog_engine.addresses import Addresses
from blog_engine.outputs.base import Output
from blog_engine.outputs.types import Day
from blog_engine.queries.views import DayViews, ViewedPost


class ViewsOnDay(Output):
    """The views of one UTC day."""

    day: Day
    views: int


class PostViews(Output):
    """The views of a post; days on which nobody read it are left out."""

    post_id: int
    from_: Day = Field(serialization_alias="from")
    to: Day
    total: int
    days: list[ViewsOnDay]

    @classmethod
    def of(cls, counted: Sequence[DayViews], *, post_id: int, first: date, last: date) -> "PostViews":
        return cls(
            post_id=post_id,
            from_=first.isoformat(),
            to=last.isoformat(),
            total=sum(one.views for one in counted),
            days=[ViewsOnDay(day=one.day.isoformat(), views=one.views) for one in counted],
        )


class TopPost(Output):
    """A post that was read often."""

    id: int
    slug: str
    title: str
    url: str
    views: int


class TopPosts(Output):
    """The posts that were read most in a number of days, the most read one first."""

    days: int
    posts: list[TopPost]

    @classmethod
    def of(cls, posts: Iterable[ViewedPost], addresses: Addresses, *, days: int) -> "TopPosts":
        return cls(
            days=days,
            posts=[
                TopPost(id=one.id, slug=one.slug, title=one.title, url=addresses.post_url(one.slug), views=one.views)
                for one in posts
            ],
        )
