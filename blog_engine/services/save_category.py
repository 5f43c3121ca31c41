"""Creating and editing categories."""

from datetime import datetime

from blog_engine.actor import Actor
from blog_engine.inputs.taxonomy import CreateCategory, UpdateCategory
from blog_engine.models import Category
from blog_engine.services._records import create, update


def create_category(data: CreateCategory, *, actor: Actor, now: datetime) -> Category:
    """Make a category. Raises ``ValidationFailed`` when its name or slug is taken (records.md 10)."""
    return create(Category(created_at=now), data, actor=actor)


def update_category(data: UpdateCategory, *, actor: Actor, now: datetime) -> Category:
    """Change what was sent of a category. Raises ``NotFound``, or ``ValidationFailed`` as creating does."""
    return update(Category, data, actor=actor, now=now)
