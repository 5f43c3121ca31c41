"""Creating and editing series."""

from typing import Any

import pytest

from blog_engine.actor import Actor
from blog_engine.errors import NotFound, ScopeRequired, ValidationFailed
from blog_engine.models import Series
from tests.requirements import requirement
from tests.support.factories import NOW, edit_series, make_series
from tests.support.tables import refused

pytestmark = pytest.mark.django_db

READER = Actor("Reader", scopes=["read"])


def columns(series: Series) -> tuple[str, str, str]:
    row = Series.objects.get(pk=series.pk)
    return row.name, row.slug, row.description


@requirement("taxonomy.series.fields")
def test_a_series_is_made_of_its_fields() -> None:
    assert columns(make_series(name="Low tide")) == ("Low tide", "low-tide", "")
    assert columns(make_series(name="High tide", slug="ht", description="D")) == ("High tide", "ht", "D")
    assert set(Series.objects.values_list("created_at", flat=True)) == {NOW}


@requirement("taxonomy.slugs.fallback")
@pytest.mark.parametrize("name", ["!!!", "???"])
def test_a_name_without_letters_has_a_slug_of_its_kind(name: str) -> None:
    assert make_series(name=name).slug.startswith("series-")


@requirement("taxonomy.statuses", "taxonomy.series.fields")
@pytest.mark.parametrize(
    ("fields", "after"),
    [
        ({}, ("Tides", "tides", "D")),
        ({"name": "Ebb"}, ("Ebb", "tides", "D")),
        ({"slug": ""}, ("Tides", "tides", "D")),
        ({"slug": "ebb", "description": None}, ("Tides", "ebb", "")),
    ],
)
def test_an_edit_writes_what_was_sent(fields: dict[str, Any], after: tuple[str, str, str]) -> None:
    series = make_series(description="D")

    edit_series(series.pk, **fields)

    assert columns(series) == after


@requirement("taxonomy.slugs")
def test_two_series_may_share_a_name_but_no_slug() -> None:
    make_series(name="Tides")

    other = make_series(name="Tides", slug="tides-2")

    with refused(ValidationFailed, ["name"]):
        make_series(name="Tides")
    with refused(ValidationFailed, ["slug"]):
        make_series(name="Ebb", slug="tides")
    with refused(ValidationFailed, ["slug"]):
        edit_series(other.pk, slug="tides", name="Ebb")


def test_a_series_that_does_not_exist_is_not_found() -> None:
    with refused(NotFound, []):
        edit_series(1, name="Ebb")


@requirement("taxonomy.scopes")
def test_writing_needs_the_scope_write() -> None:
    series = make_series()

    with refused(ScopeRequired, ["write"]):
        make_series(name="Ebb", actor=READER)
    with refused(ScopeRequired, ["write"]):
        edit_series(series.pk, actor=READER)
