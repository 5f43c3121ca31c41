"""Setting the reading order of a series."""

import pytest

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.errors import NotFound, ScopeRequired, ValidationFailed
from blog_engine.inputs.records import OrderSeries
from blog_engine.models import Post, Series
from tests.requirements import requirement
from tests.support.factories import EDITOR, LATER, NOW, save
from tests.support.tables import refused

pytestmark = pytest.mark.django_db


def part(title: str, position: int | None = None, series: str = "Tides") -> Post:
    return save(title=title, series=series, series_position=position).post


def order(*posts: int, actor: Actor = EDITOR) -> Series:
    series = Series.objects.get(slug="tides")
    return services.order_series(OrderSeries(id=series.pk, posts=posts), actor=actor, now=LATER)


def stored() -> dict[str, int | None]:
    return dict(Post.objects.order_by("id").values_list("title", "series_position"))


@requirement("taxonomy.series.order")
def test_the_posts_get_the_positions_in_which_they_were_sent() -> None:
    one, two, three = part("One", 1), part("Two", 2), part("Three", 7)

    order(three.pk, one.pk, two.pk)

    assert stored() == {"One": 2, "Two": 3, "Three": 1}


@requirement("taxonomy.series.order")
def test_posts_without_a_position_get_one() -> None:
    one, two = part("One"), part("Two")

    order(two.pk, one.pk)

    assert stored() == {"One": 2, "Two": 1}


def test_only_posts_that_moved_are_written() -> None:
    one, two, three = part("One", 1), part("Two", 2), part("Three", 3)

    order(one.pk, three.pk, two.pk)

    rows = Post.objects.order_by("id").values_list("updated_at", "version")
    assert list(rows) == [(NOW, one.version), (LATER, two.version + 1), (LATER, three.version + 1)]


def test_an_equal_order_writes_nothing() -> None:
    one, two = part("One", 1), part("Two", 2)

    order(one.pk, two.pk)

    assert set(Post.objects.values_list("updated_at", flat=True)) == {NOW}


@requirement("taxonomy.series.order")
@pytest.mark.parametrize("wrong", ["missing", "foreign", "twice", "unknown"])
def test_another_set_of_posts_is_refused(wrong: str) -> None:
    one, two, other = part("One", 1), part("Two", 2), part("Other", 1, series="Winds")
    sent = {
        "missing": (two.pk,),
        "foreign": (two.pk, one.pk, other.pk),
        "twice": (two.pk, one.pk, two.pk),
        "unknown": (two.pk, 10**9),
    }

    with refused(ValidationFailed, ["posts"]):
        order(*sent[wrong])


def test_ordering_needs_the_scope_write() -> None:
    one = part("One", 1)

    with refused(ScopeRequired, ["write"]):
        order(one.pk, actor=Actor("Reader", scopes=["read", "publish"]))


def test_a_series_that_does_not_exist_is_not_found() -> None:
    with refused(NotFound, []):
        services.order_series(OrderSeries(id=10**9, posts=()), actor=EDITOR, now=LATER)
