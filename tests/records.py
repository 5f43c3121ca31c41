"""Categories, series and authors made the way hosts make them: through the services."""

from typing import Any

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.inputs.authors import CreateAuthor, UpdateAuthor
from blog_engine.inputs.base import parse
from blog_engine.inputs.taxonomy import CreateCategory, CreateSeries, UpdateCategory, UpdateSeries
from blog_engine.models import Author, Category, Series
from tests.factories import EDITOR, LATER, NOW


def make_category(*, actor: Actor = EDITOR, **fields: Any) -> Category:
    """``POST /categories``; a name is made up when none is given."""
    return services.create_category(parse(CreateCategory, {"name": "Garden"} | fields), actor=actor, now=NOW)


def edit_category(category_id: object, *, actor: Actor = EDITOR, **fields: Any) -> Category:
    """``PATCH /categories/:id``."""
    data = parse(UpdateCategory, fields, fixed={"id": str(category_id)})
    return services.update_category(data, actor=actor, now=LATER)


def make_series(*, actor: Actor = EDITOR, **fields: Any) -> Series:
    """``POST /series``; a name is made up when none is given."""
    return services.create_series(parse(CreateSeries, {"name": "Tides"} | fields), actor=actor, now=NOW)


def edit_series(series_id: object, *, actor: Actor = EDITOR, **fields: Any) -> Series:
    """``PATCH /series/:id``."""
    data = parse(UpdateSeries, fields, fixed={"id": str(series_id)})
    return services.update_series(data, actor=actor, now=LATER)


def make_author(*, actor: Actor = EDITOR, **fields: Any) -> Author:
    """``POST /authors``; a name is made up when none is given."""
    return services.create_author(parse(CreateAuthor, {"name": "Mina Holt"} | fields), actor=actor, now=NOW)


def edit_author(author_id: object, *, actor: Actor = EDITOR, **fields: Any) -> Author:
    """``PATCH /authors/:id``."""
    data = parse(UpdateAuthor, fields, fixed={"id": str(author_id)})
    return services.update_author(data, actor=actor, now=LATER)
