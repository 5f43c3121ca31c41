"""Creating and editing series."""

from datetime import datetime

from blog_engine.actor import Actor, Scope
from blog_engine.inputs.taxonomy import CreateSeries, UpdateSeries
from blog_engine.models import Series
from blog_engine.services._records import assign, locked, store
from blog_engine.services._transaction import write_transaction

_FIELDS = ("name", "description")


def create_series(data: CreateSeries, *, actor: Actor, now: datetime) -> Series:
    """Make a series. Raises ``ValidationFailed`` when its slug is taken (records.md 10)."""
    actor.require(Scope.WRITE)
    with write_transaction():
        series = Series(created_at=now)
        assign(series, data, fields=_FIELDS)
        return store(series, data)


def update_series(data: UpdateSeries, *, actor: Actor, now: datetime) -> Series:
    """Change what was sent of a series. Raises ``NotFound``, or ``ValidationFailed`` as creating does."""
    actor.require(Scope.WRITE)
    with write_transaction():
        series = locked(Series, data.id)
        assign(series, data, fields=_FIELDS)
        return store(series, data)
