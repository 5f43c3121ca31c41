"""Creating and editing series."""

from datetime import datetime

from blog_engine.actor import Actor
from blog_engine.inputs.taxonomy import CreateSeries, UpdateSeries
from blog_engine.models import Series
from blog_engine.services._records import create, update


def create_series(data: CreateSeries, *, actor: Actor, now: datetime) -> Series:
    """Make a series. Raises ``ValidationFailed`` when its slug is taken (records.md 10)."""
    return create(Series(created_at=now), data, actor=actor)


def update_series(data: UpdateSeries, *, actor: Actor, now: datetime) -> Series:
    """Change what was sent of a series. Raises ``NotFound``, or ``ValidationFailed`` as creating does."""
    return update(Series, data, actor=actor, now=now)
