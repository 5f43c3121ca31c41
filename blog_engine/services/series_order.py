"""Setting the reading order of a series."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from django.db import IntegrityError
from django.db.models import Case, F, QuerySet, Value, When

from blog_engine.actor import Actor, Scope
from blog_engine.errors import ValidationFailed
from blog_engine.inputs.records import OrderSeries
from blog_engine.models import Post, Series
from blog_engine.queries.records import row_of
from blog_engine.services._transaction import savepoint, write_transaction

_OTHER_POSTS: Final = "The series has other posts by now, or another order: read it again, and send all of its posts."


def order_series(data: OrderSeries, *, actor: Actor, now: datetime) -> Series:
    """Give the posts of a series the positions 1, 2, 3 … in the order in which they were sent.

    Raises ``ScopeRequired``, ``NotFound``, or ``ValidationFailed(["posts"])`` unless these are exactly the posts that
    the series has, each once; then every post keeps its position.
    """
    actor.require(Scope.WRITE)
    with write_transaction():
        series = row_of(Series.objects.select_for_update(of=("self",), no_key=True), data.id)
        posts = Post.objects.filter(series=series)
        held = posts.select_for_update(of=("self",), no_key=True).order_by("pk")
        positions = dict(held.values_list("pk", "series_position"))
        if sorted(data.posts) != sorted(positions):
            raise ValidationFailed(["posts"], hint=_OTHER_POSTS)
        moved = {pk: place for place, pk in enumerate(data.posts, start=1) if positions[pk] != place}
        try:
            with savepoint():
                _place(moved, now=now)
        except IntegrityError as fault:
            # Another writer has given one of these positions to a post that was in no series, or in another one.
            raise ValidationFailed(["posts"], hint=_OTHER_POSTS) from fault
        return series


def _place(positions: Mapping[int, int], *, now: datetime) -> None:
    posts = Post.objects.filter(pk__in=positions)
    # Past the guard of posts: the position is not content. First none, because no two posts of a series have one
    # position at any time.
    QuerySet.update(posts, series_position=None)
    places = Case(*(When(pk=pk, then=Value(place)) for pk, place in positions.items()))
    QuerySet.update(posts, series_position=places, updated_at=now, version=F("version") + 1)
