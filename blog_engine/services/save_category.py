"""Creating and editing categories."""

from datetime import datetime

from blog_engine.actor import Actor, Scope
from blog_engine.inputs.taxonomy import CreateCategory, UpdateCategory
from blog_engine.models import Category
from blog_engine.services._records import assign, locked, store
from blog_engine.services._transaction import write_transaction

_FIELDS = ("name", "description", "position")


def create_category(data: CreateCategory, *, actor: Actor, now: datetime) -> Category:
    """Make a category. Raises ``ValidationFailed`` when its name or slug is taken (records.md 10)."""
    actor.require(Scope.WRITE)
    with write_transaction():
        category = Category(created_at=now)
        assign(category, data, fields=_FIELDS)
        return store(category, data)


def update_category(data: UpdateCategory, *, actor: Actor, now: datetime) -> Category:
    """Change what was sent of a category. Raises ``NotFound``, or ``ValidationFailed`` as creating does."""
    actor.require(Scope.WRITE)
    with write_transaction():
        category = locked(Category, data.id)
        assign(category, data, fields=_FIELDS)
        return store(category, data)
