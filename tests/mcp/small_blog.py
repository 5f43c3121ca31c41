"""A small blog on which every tool can succeed and be refused, with ids that begin with 1."""

import base64
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.apps import apps
from django.core.management.color import no_style
from django.db import connection

from blog_engine import services
from blog_engine.inputs.base import parse
from blog_engine.inputs.images import ImageBytes, UploadImage
from blog_engine.inputs.records import SavePage, SaveRedirect
from blog_engine.models import PageView, Post
from tests.support.factories import (
    EDITOR,
    LATER,
    NOW,
    adopt,
    approve,
    declare,
    make_author,
    make_category,
    make_series,
    publish,
    remove,
    save,
    update,
)
from tests.support.images import png

TODAY = LATER + timedelta(hours=2)
"""The time of the calls."""
TOMORROW = (TODAY + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
REVIEW = {"name": "Rosa Reviewer", "facts_checked": True}
CONNECTIONS: dict[str, Any] = {
    "connections": [{"party": "Northern Ropeworks", "relation": "gave us a rope"}],
    "third_party_paid": False,
    "declared_by": "Mina Holt",
}
PNG = base64.b64encode(png("red")).decode()
OF_TIDE = "the revision of tide"
OF_HARBOUR = "the revision of harbour"
"""Placeholders for identifiers, which ``named`` replaces."""
UPLOAD = {"base64": PNG, "filename": "quay wall.png", "content_type": "image/png"}


def small_blog() -> None:
    """Fill an empty database.

    Posts: ``tide`` and ``fog`` (drafts, the latter without a history), ``regatta`` (scheduled), ``harbour`` (public, in
    all lists, reviewed and read), ``wreck`` (archived), ``night-ferry`` (adopted), ``day-ferry`` (adopted, then
    changed). Category, author, series, image and redirect have the id 1.
    """
    align_ids()
    make_category(name="Garden")
    make_author(name="Mina Holt")
    make_series(name="Tides")
    file = ImageBytes(data=png(), filename="quay.png", content_type="image/png")
    services.store_image(UploadImage(file=file), actor=EDITOR, now=NOW)
    redirect = parse(SaveRedirect, {"old_path": "/old", "new_path": "/new"})
    services.add_redirect(redirect, actor=EDITOR, now=NOW)
    page = {"kind": "corrections", "title": "Corrections", "body": "We correct.", "status": "published"}
    services.save_page(parse(SavePage, page), actor=EDITOR, now=NOW)
    approve(save(title="Tide tables", slug="tide", external_id="tide-1", body="High at noon.").post)
    save(title="Fog", slug="fog", now=LATER)
    _harbour()
    regatta = save(title="Regatta", slug="regatta", body="Ten boats.", now=LATER).post
    publish(regatta, publish_at=TOMORROW)
    remove(save(title="Wreck", slug="wreck", body="It sank.", publish=True).post, redirect_to="harbour")
    adopt()
    day_ferry = adopt(source_id="18", slug="day-ferry", title="The day ferry").post
    update(day_ferry, body="It leaves at noon.", change="substantive")


def _harbour() -> None:
    post = save(
        title="Harbour",
        slug="harbour",
        body="## Ropes\n\nFour ropes hung over the quay.",
        author="Mina Holt",
        category="Garden",
        tags=["Ropes", "Winter"],
        series="Tides",
        series_position=1,
        cover_image={"image_id": 1},
        faq=[{"question": "Which rope lasted?", "answer": "The tarred one."}],
        provenance="ai_assisted",
    ).post
    approve(post)
    publish(post)
    declare(post)
    for days, views in ((0, 3), (1, 5), (40, 7)):
        PageView.objects.create(post_id=post.pk, day=TODAY.date() - timedelta(days=days), views=views)


def align_ids() -> None:
    """Reset the sequences, so that the next row of every table has the id after its last one.

    Tests that commit leave the sequences as they were.
    """
    models = list(apps.get_app_config("blog_engine").get_models(include_auto_created=True))
    counters = [{"table": model._meta.db_table, "column": None} for model in models]
    # PostgreSQL continues from the last row, SQLite from the larger of zero and the last row.
    statements = (
        connection.ops.sequence_reset_by_name_sql(no_style(), counters)
        if connection.vendor == "sqlite"
        else connection.ops.sequence_reset_sql(no_style(), models)
    )
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def named(value: Any) -> Any:
    """Return the value with the identifiers for ``OF_TIDE`` and ``OF_HARBOUR``, at any depth."""
    if isinstance(value, dict):
        return {name: named(inner) for name, inner in value.items()}
    slug = {OF_TIDE: "tide", OF_HARBOUR: "harbour"}.get(value) if isinstance(value, str) else None
    return Post.objects.get(slug=slug).current_revision_identifier if slug else value


@pytest.fixture
def small(db: None, own_images: None) -> Iterator[None]:
    """The small blog, at a fixed time."""
    small_blog()
    with time_machine.travel(TODAY, tick=False):
        yield
