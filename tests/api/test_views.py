"""``GET /posts/:id/views`` and ``GET /views/top``."""

import json
import re
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from blog_engine.models import PageView, Post
from tests.requirements import requirement
from tests.support.clients import assert_json, refusal_in
from tests.support.factories import publish, remove, save
from tests.support.tables import undone

pytestmark = pytest.mark.django_db

API = "/blog/api/v1"
TOP = f"{API}/views/top"
TODAY = datetime(2026, 11, 21, 23, 30, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _late_in_the_day(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    """Half past eleven in UTC is the next day here."""
    settings.TIME_ZONE = "Europe/Berlin"
    monkeypatch.setattr(timezone, "now", lambda: TODAY)


def seen(post: Post, views: int, *, days_ago: int = 0) -> None:
    PageView.objects.create(post=post, day=TODAY.date() - timedelta(days=days_ago), views=views)


def views_of(client: Client, key: object, query: dict[str, Any] | None = None) -> Any:
    return client.get(f"{API}/posts/{key}/views", query)


@requirement("page-views.post", "page-views.span")
@pytest.mark.parametrize("slash", ["", "/"])
def test_the_views_of_a_post_by_day(reader: Client, slash: str) -> None:
    post, other = save(slug="soil").post, save(slug="sea").post
    for days_ago, views in ((0, 3), (30, 100), (29, 2), (7, 5), (-1, 100)):
        seen(post, views, days_ago=days_ago)
    seen(other, 100)

    response = reader.get(f"{API}/posts/soil/views{slash}")

    assert_json(response)
    assert response.status_code == 200
    assert list(response.json().items()) == [
        ("post_id", post.pk),
        ("from", "2026-10-23"),
        ("to", "2026-11-21"),
        ("total", 10),
        (
            "days",
            [
                {"day": "2026-10-23", "views": 2},
                {"day": "2026-11-14", "views": 5},
                {"day": "2026-11-21", "views": 3},
            ],
        ),
    ]


@requirement("page-views.span")
@pytest.mark.parametrize(
    ("query", "first", "last"),
    [
        ({}, "2026-10-23", "2026-11-21"),
        ({"from": "2026-11-21"}, "2026-11-21", "2026-11-21"),
        ({"to": "2024-03-01"}, "2024-02-01", "2024-03-01"),
        ({"from": "2020-02-29", "to": "2020-02-29"}, "2020-02-29", "2020-02-29"),
        ({"from": "0001-01-01", "to": "9999-12-31"}, "0001-01-01", "9999-12-31"),
        ({"to": "0001-01-03"}, "0001-01-01", "0001-01-03"),
    ],
)
def test_both_days_are_included_and_have_defaults(reader: Client, query: dict[str, Any], first: str, last: str) -> None:
    post = save().post
    for day in {first, last}:
        PageView.objects.create(post=post, day=date.fromisoformat(day), views=1)

    answer = views_of(reader, post.pk, query).json()

    assert answer == {
        "post_id": post.pk,
        "from": first,
        "to": last,
        "total": len(answer["days"]),
        "days": [{"day": day, "views": 1} for day in sorted({first, last})],
    }


@requirement("page-views.span")
def test_null_is_the_default(reader: Client) -> None:
    post = save().post

    response = reader.generic(
        "GET", f"{API}/posts/{post.pk}/views", '{"from": null, "to": null}', content_type="application/json"
    )

    assert (response.json()["from"], response.json()["to"]) == ("2026-10-23", "2026-11-21")


BAD_DAYS = [
    "",
    "2026-11-1",
    "2026-02-30",
    "20261121",
    "2026-11-21T00:00:00Z",
    " 2026-11-21",
    "yesterday",
    "2026-11-21\n",
]


@requirement("page-views.days")
def test_another_form_of_a_day_is_refused(reader: Client, subtests: pytest.Subtests) -> None:
    post = save().post

    for day in BAD_DAYS:
        for name in ["from", "to"]:
            with subtests.test(name=name, day=day), undone():
                assert refusal_in(views_of(reader, post.pk, {name: day})) == (422, "validation_failed", [name])


@requirement("page-views.days")
@pytest.mark.parametrize(
    "query",
    [
        {"from": "2026-11-22"},
        {"from": "2026-11-02", "to": "2026-11-01"},
    ],
)
def test_a_span_that_ends_before_it_starts_is_refused(reader: Client, query: dict[str, Any]) -> None:
    post = save().post

    assert refusal_in(views_of(reader, post.pk, query)) == (422, "validation_failed", ["from"])


@requirement("page-views.days")
def test_all_faulty_days_are_named_by_what_was_sent(reader: Client) -> None:
    post = save().post

    assert refusal_in(views_of(reader, post.pk, {"to": "x", "from": "x"})) == (422, "validation_failed", ["from", "to"])


@requirement("page-views.days")
@pytest.mark.parametrize("name", ["from_", "id", "format", "days"])
def test_other_names_are_unknown(reader: Client, name: str) -> None:
    post = save().post

    query = {name: "2026-11-01", "from": "x"}

    assert refusal_in(views_of(reader, post.pk, query)) == (422, "unknown_field", [name])


def test_a_typo_is_answered_with_the_name_to_send(reader: Client) -> None:
    message = views_of(reader, save().post.pk, {"fromm": "2026-11-01"}).json()["error"]["message"]

    assert {"from", "from_"} & set(re.findall(r"\w+", message)) == {"from"}


@requirement("page-views.drafts")
def test_a_deleted_draft_takes_its_views_along(reader: Client) -> None:
    post = save().post
    seen(post, 3)

    remove(post)

    assert not PageView.objects.exists()
    assert refusal_in(views_of(reader, post.pk)) == (404, "not_found", [])


@requirement("page-views.missing")
def test_there_are_no_views_of_a_post_that_does_not_exist(reader: Client) -> None:
    assert refusal_in(views_of(reader, "gone")) == (404, "not_found", [])


@requirement("page-views.top")
def test_the_top_posts_of_all_states(reader: Client) -> None:
    draft, public = save(slug="draft", title="Draft").post, publish(save(slug="public", title="Public").post).post
    archived = remove(publish(save(slug="archived", title="Archived").post).post).post
    unread = save(slug="unread").post
    for post, views, days_ago in (
        *((draft, 1, 0), (draft, 4, 29), (draft, 100, 30)),
        *((public, 3, 1), (public, 4, 2), (public, 100, -1)),
        *((archived, 5, 3), (unread, 100, 40)),
    ):
        seen(post, views, days_ago=days_ago)

    response = reader.get(TOP)

    assert_json(response)
    assert response.status_code == 200
    origin = "https://example.com/blog"
    assert list(response.json().items()) == [
        ("days", 30),
        (
            "posts",
            [
                {"id": public.pk, "slug": "public", "title": "Public", "url": f"{origin}/public", "views": 7},
                {"id": draft.pk, "slug": "draft", "title": "Draft", "url": f"{origin}/draft", "views": 5},
                {"id": archived.pk, "slug": "archived", "title": "Archived", "url": f"{origin}/archived", "views": 5},
            ],
        ),
    ]
    assert [*response.json()["posts"][0]] == ["id", "slug", "title", "url", "views"]


@requirement("page-views.top.limits")
def test_the_days_and_the_number_of_top_posts_are_chosen(reader: Client) -> None:
    posts = [save(slug=f"post-{number}").post for number in range(7)]
    for number, post in enumerate(posts):
        seen(post, number + 1, days_ago=number)

    assert [one["slug"] for one in reader.get(TOP).json()["posts"]] == [f"post-{n}" for n in (6, 5, 4, 3, 2)]
    assert reader.get(TOP, {"days": "2", "limit": "1"}).json() == {
        "days": 2,
        "posts": [
            {
                "id": posts[1].pk,
                "slug": "post-1",
                "title": "Winter garden",
                "url": "https://example.com/blog/post-1",
                "views": 2,
            }
        ],
    }
    assert len(reader.get(TOP, {"days": "36500", "limit": "100"}).json()["posts"]) == 7


@requirement("page-views.top")
def test_a_blog_that_nobody_read_has_no_top_posts(reader: Client) -> None:
    save()

    assert reader.get(f"{TOP}/").json() == {"days": 30, "posts": []}


@requirement("page-views.top.limits")
@pytest.mark.parametrize(
    ("name", "values"),
    [
        (
            "days",
            [0, -1, 36501, True, 1.5, None, "", "0", "36501", "1.0", " 1", "+1", "1_0", "01", "x", [], "9" * 5000],
        ),
        ("limit", [0, 101, False, None, "0", "101", "\u0661"]),
    ],
)
def test_other_numbers_are_refused(reader: Client, name: str, values: list[Any]) -> None:
    for value in values:
        response = reader.generic("GET", TOP, json.dumps({name: value}), content_type="application/json")

        assert refusal_in(response) == (422, "validation_failed", [name]), value


@requirement("page-views.top.limits")
@pytest.mark.parametrize("value", [36500, "36500", 1, "1"], ids=ascii)
def test_numbers_and_their_digits_are_accepted(reader: Client, value: int | str) -> None:
    response = reader.generic("GET", TOP, json.dumps({"days": value}), content_type="application/json")

    assert response.json() == {"days": int(value), "posts": []}


@requirement("page-views.queries")
def test_the_queries_do_not_grow_with_the_rows(reader: Client) -> None:
    posts = [save(slug=f"post-{number}").post for number in range(4)]
    for post in posts:
        for days_ago in range(5):
            seen(post, 1, days_ago=days_ago)

    assert _queries(reader, TOP) == 1
    assert _queries(reader, f"{API}/posts/{posts[0].pk}/views") == 2
    assert _queries(reader, f"{API}/posts/post-1/views") == 2


def _queries(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        client.get(path)
    return len([query for query in queries if "blog_engine_apitoken" not in query["sql"]])
