"""What counts as a page view."""

from datetime import UTC, date, datetime

import pytest
import time_machine
from pytest_django import Settings

from blog_engine.models import PageView, Post
from tests.reader.conftest import preview_path
from tests.requirements import requirement
from tests.support.factories import publish, save, unpublish, update
from tests.support.pages import person, total, views
from tests.support.tables import undone

DAY = date(2026, 11, 22)


@pytest.fixture(autouse=True)
def post(db: None) -> Post:
    return save(title="Soil", tags=["roots"], category="Garden", publish=True).post


@requirement("page-views.counted")
def test_an_article_is_counted(subtests: pytest.Subtests) -> None:
    for path in ["/soil", "/soil.html", "/soil?utm_source=letter", "/soil?format=html"]:
        with subtests.test(path=path), undone():
            assert person().get(path).status_code == 200

            assert views() == [("soil", DAY, 1)]


def test_each_view_counts_one_more_of_its_own_post() -> None:
    save(title="Sea", publish=True)
    reader = person()

    for path in ("/soil", "/sea", "/soil", "/soil"):
        reader.get(path)

    assert views() == [("soil", DAY, 3), ("sea", DAY, 1)]


@requirement("page-views.counted")
def test_a_304_is_counted() -> None:
    reader = person()
    tag = reader.get("/soil")["ETag"]

    again = reader.get("/soil", if_none_match=tag)

    assert (again.status_code, total()) == (304, 2)


def dead_ends() -> None:
    """Make a moved post, a withdrawn one and a draft."""
    update(save(title="Old", publish=True).post, slug="new")
    unpublish(save(title="Gone", publish=True).post)
    save(title="Draft")


@requirement("page-views.counted")
def test_nothing_else_is_counted(subtests: pytest.Subtests) -> None:
    dead_ends()

    for path, status in [
        *[
            ("/soil.md", 200),
            ("/soil?format=md", 200),
            ("/soil?format=md&format=html", 200),
            ("/soil?format=json", 404),
        ],
        *[("/old", 301), ("/soil/", 301), ("/gone", 410), ("/draft", 404), ("/none", 404)],
        *[("/", 200), ("/?page=2", 404), ("/tag/roots", 200), ("/category/garden", 200), ("/author/ada-example", 200)],
        *[("/search?q=soil", 200), ("/search.json?q=soil", 200), ("/feed.xml", 200), ("/feed.json", 200)],
        *[("/tag/roots/feed.xml", 200), ("/sitemap.xml", 200), ("/preview/none", 404)],
    ]:
        with subtests.test(path=path, status=status), undone():
            assert person().get(path).status_code == status

            assert views() == []


@requirement("page-views.counted")
def test_a_preview_is_not_counted() -> None:
    path = preview_path(save(title="Draft").post)

    assert person().get(path).status_code == 200

    assert views() == []


def test_the_redirect_of_a_preview_is_not_counted() -> None:
    draft = save(title="Draft").post
    path = preview_path(draft)
    publish(draft)

    assert person().get(path).status_code == 302

    assert views() == []


@requirement("page-views.counted")
@pytest.mark.parametrize(("method", "status"), [("HEAD", 200), ("POST", 405), ("OPTIONS", 405)])
def test_only_get_is_counted(method: str, status: int) -> None:
    assert person().client.generic(method, "/blog/soil").status_code == status

    assert views() == []


@requirement("page-views.failed-conditions")
def test_a_failed_condition_is_not_counted() -> None:
    assert person().get("/soil", if_match='"other"').status_code == 412

    assert views() == []


@requirement("page-views.utc")
@pytest.mark.parametrize("zone", ["UTC", "Pacific/Auckland", "America/Los_Angeles"])
@pytest.mark.parametrize(
    ("moment", "day"),
    [
        (datetime(2026, 11, 24, 0, 0, tzinfo=UTC), date(2026, 11, 24)),
        (datetime(2026, 11, 24, 23, 59, 59, 999_999, tzinfo=UTC), date(2026, 11, 24)),
    ],
    ids=["first moment", "last moment"],
)
def test_a_day_is_that_of_utc(
    clock: time_machine.Traveller, settings: Settings, zone: str, moment: datetime, day: date
) -> None:
    settings.TIME_ZONE = zone
    clock.move_to(moment)

    person().get("/soil")

    assert views() == [("soil", day, 1)]


def test_a_new_day_has_a_total_of_its_own(clock: time_machine.Traveller) -> None:
    reader = person()
    for moment in (datetime(2026, 11, 24, 23, 59, tzinfo=UTC), datetime(2026, 11, 25, 0, 1, tzinfo=UTC)):
        clock.move_to(moment)
        reader.get("/soil")

    assert views() == [("soil", date(2026, 11, 24), 1), ("soil", date(2026, 11, 25), 1)]


@requirement("page-views.privacy")
def test_nothing_about_the_reader_is_stored() -> None:
    reader = person()
    reader.get("/soil", cookie="sessionid=secret", referer="https://elsewhere.example/", x_forwarded_for="192.0.2.7")

    (row,) = PageView.objects.values()

    assert row | {"id": 0} == {"id": 0, "post_id": Post.objects.get().pk, "day": DAY, "views": 1}
