"""The order of a series beside writes of its posts, in real transactions on PostgreSQL."""

from collections.abc import Callable
from typing import Any

import pytest

from blog_engine import services
from blog_engine.errors import ValidationFailed
from blog_engine.inputs.records import OrderSeries
from blog_engine.models import Post, Series
from tests.concurrency.races import Held, race, slowly, together
from tests.requirements import requirement
from tests.support.factories import EDITOR, LATER, save, update

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def parts() -> list[Post]:
    return [save(title=f"Part {n}", series="Tides", series_position=n).post for n in (1, 2, 3)]


def ordering(*parts: Post) -> Callable[[], Any]:
    data = OrderSeries(id=Series.objects.get().pk, posts=tuple(part.pk for part in parts))
    return lambda: services.order_series(data, actor=EDITOR, now=LATER)


def stored() -> dict[str, int | None]:
    return dict(Post.objects.order_by("id").values_list("title", "series_position"))


@requirement("taxonomy.series.order")
def test_of_two_orders_the_second_wins(parts: list[Post]) -> None:
    one, two, three = parts
    held = Held()

    race(held, slowly(held, ordering(three, two, one)), ordering(two, three, one))

    assert stored() == {"Part 1": 3, "Part 2": 1, "Part 3": 2}


@requirement("taxonomy.series.order")
def test_many_orders_at_once_are_each_whole(parts: list[Post]) -> None:
    one, two, three = parts

    outcomes = together(*(ordering(*order) for order in [(one, two, three), (three, two, one), (two, one, three)] * 2))

    assert not [one for one in outcomes if isinstance(one, type)]
    assert sorted(position or 0 for position in stored().values()) == [1, 2, 3]


@requirement("taxonomy.series.order")
def test_a_post_that_left_meanwhile_refuses_the_order(parts: list[Post]) -> None:
    one, two, three = parts
    held = Held()

    _, refused = race(held, slowly(held, lambda: update(two, series=None)), ordering(three, two, one))

    assert refused is ValidationFailed
    assert stored() == {"Part 1": 1, "Part 2": 2, "Part 3": 3}
    assert Post.objects.get(pk=two.pk).series is None


@requirement("taxonomy.series.order")
def test_a_position_that_a_new_post_takes_meanwhile_refuses_the_order(parts: list[Post]) -> None:
    one, two, three = parts
    update(three, series_position=9)
    held = Held()

    _, refused = race(
        held,
        slowly(held, lambda: save(title="Part 4", series="Tides", series_position=3)),
        ordering(one, two, three),
    )

    assert refused is ValidationFailed
    assert stored() == {"Part 1": 1, "Part 2": 2, "Part 3": 9, "Part 4": 3}
