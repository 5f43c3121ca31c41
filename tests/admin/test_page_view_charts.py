"""Page views as charts: the bars, the table that says the same, and the posts with the most."""

import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from blog_engine.admin.page_views import BarChart, round_top
from blog_engine.models import PageView, Post
from blog_engine.queries.page_views import blog_views_by_day, utc_day
from tests.admin.desk import desk, url
from tests.requirements import requirement
from tests.support.factories import save
from tests.support.tables import everything_stored

FIRST = date(2026, 1, 1)


def view(post: Post, *, days_ago: int, views: int) -> None:
    PageView.objects.create(post=post, day=utc_day(timezone.now()) - timedelta(days=days_ago), views=views)


def shown(client: Client, path: str, **query: Any) -> str:
    answer = client.get(path, query)
    assert answer.status_code == 200
    return answer.content.decode()


def bars_in(html: str) -> list[str]:
    return re.findall(r'<rect class="chart-bar"[^>]* height="([\d.]+)"', html)


@pytest.mark.parametrize(
    ("most", "top"),
    [
        (0, 2),
        (1, 2),
        (2, 2),
        (3, 4),
        (5, 6),
        (7, 10),
        (10, 10),
        (11, 20),
        (22, 30),
        (41, 60),
        (61, 100),
        (999, 1000),
        (1001, 2000),
    ],
)
def test_the_axis_ends_at_a_round_number_with_a_whole_middle(most: int, top: int) -> None:
    assert round_top(most) == top
    assert top % 2 == 0


@requirement("desk.views")
def test_every_day_has_a_bar_in_proportion() -> None:
    chart = BarChart.of({FIRST: 10, FIRST + timedelta(days=2): 5}, first=FIRST, last=FIRST + timedelta(days=3))

    assert [(bar.value, bar.y, bar.height) for bar in chart.bars] == [
        *((10, "0.00", "100.00"), (0, "100.00", "0.00"), (5, "50.00", "50.00"), (0, "100.00", "0.00"))
    ]
    assert (chart.total, chart.average, chart.width, chart.middle) == (15, 3.75, "40", 5)
    assert chart.best is not None and chart.best.day == FIRST
    assert [chart.dates[0], chart.dates[-1]] == [FIRST, FIRST + timedelta(days=3)]
    assert [bar.value for bar in chart.newest_first] == [0, 5, 0, 10]


def test_a_chart_without_views_has_no_best_day() -> None:
    chart = BarChart.of({}, first=FIRST, last=FIRST + timedelta(days=29))

    assert (chart.best, chart.total, len(chart.bars)) == (None, 0, 30)


@requirement("desk.views")
@pytest.mark.django_db
def test_the_page_of_a_post_shows_its_views_alone() -> None:
    post, other = save(title="The quay").post, save(title="Other").post
    view(post, days_ago=0, views=7)
    view(post, days_ago=29, views=3)
    view(post, days_ago=30, views=1000)
    view(other, days_ago=1, views=500)

    html = shown(desk("view_post"), url("post_views", post.pk))

    assert bars_in(html) == ["30.00", "70.00"]
    assert re.findall(r'<td class="chart-number">(\d+)</td>', html) == ["7", *["0"] * 28, "3"]
    assert "The quay" in html
    assert re.search(r"<dt>Views</dt><dd>10</dd>", html)


@requirement("desk.views")
@pytest.mark.django_db
def test_periods(subtests: pytest.Subtests) -> None:
    post, client = save().post, desk("view_post")
    view(post, days_ago=0, views=1)

    for sent, days in [("30", 30), ("90", 90), ("365", 365), ("7", 30), ("x", 30), ("", 30), ("9" * 50, 30)]:
        with subtests.test(sent=sent, days=days):
            for path in (url("post_views", post.pk), url("post_blog_views")):
                html = shown(client, path, days=sent)
                assert html.count('<tr><th scope="row"><time') == days
                assert re.findall(r'href="\?days=(\d+)" aria-current="page"', html) == [str(days)]


@requirement("desk.views")
@pytest.mark.django_db
def test_the_page_of_the_blog_adds_all_posts_up_and_names_the_first_ten() -> None:
    posts = [save(title=f"Post {number}").post for number in range(12)]
    for number, post in enumerate(posts):
        view(post, days_ago=0, views=number + 1)
        view(post, days_ago=3, views=1)

    html = shown(desk("view_post"), url("post_blog_views"), days=90)

    assert bars_in(html) == ["12.00", "78.00"]
    assert re.findall(r">Post (\d+)</a>", html) == [str(number) for number in range(11, 1, -1)]
    assert f'href="{url("post_views", posts[11].pk)}?days=90"' in html


@pytest.mark.django_db
def test_the_pages_of_a_post_lead_to_its_views(editor: Client) -> None:
    post = save(title="The quay").post

    assert f'href="{url("post_views", post.pk)}"' in shown(editor, url("post_history", post.pk))
    assert f'href="{url("post_views", post.pk)}" aria-current="page"' in shown(editor, url("post_views", post.pk))


@pytest.mark.django_db
def test_the_views_of_the_blog_are_counted_by_day() -> None:
    one, two = save().post, save(title="Two").post
    for post in (one, two):
        PageView.objects.create(post=post, day=FIRST, views=2)
    PageView.objects.create(post=one, day=FIRST + timedelta(days=2), views=9)
    PageView.objects.create(post=one, day=FIRST + timedelta(days=5), views=9)

    found = blog_views_by_day(first=FIRST, last=FIRST + timedelta(days=3))

    assert found == [(FIRST, 4), (FIRST + timedelta(days=2), 9)]


@pytest.mark.django_db
def test_a_blog_without_views_says_so() -> None:
    html = shown(desk("view_post"), url("post_blog_views"))

    assert bars_in(html) == []
    assert html.count("No views in this time.") == 2


@pytest.mark.django_db
def test_the_chart_has_words_for_those_who_do_not_see_it_and_no_colour_of_its_own() -> None:
    post = save(title="The quay").post
    view(post, days_ago=0, views=7)

    html = shown(desk("view_post"), url("post_views", post.pk))

    assert 'role="img" aria-labelledby="chart-title chart-text"' in html
    assert "7 views in all. The most on one day were 7, on " in html
    svg = html[html.index("<svg viewBox") : html.index("</figure>")]
    assert "style=" not in svg
    assert "fill=" not in svg


@pytest.mark.django_db
def test_the_numbers_of_the_drawing_are_the_same_in_every_language(settings: Any) -> None:
    settings.USE_THOUSAND_SEPARATOR = True
    post = save().post
    view(post, days_ago=0, views=1234)
    view(post, days_ago=100, views=617)

    client = desk("view_post")
    with translation.override("de"):
        html = client.get(
            url("post_views", post.pk), {"days": "365"}, headers={"Accept-Language": "de"}
        ).content.decode()

    assert 'viewBox="0 0 3650 100"' in html
    assert bars_in(html) == ["30.85", "61.70"]


@pytest.mark.django_db
def test_a_post_that_does_not_exist_has_no_page() -> None:
    client = desk("view_post")

    assert {client.get(url("post_views", number)).status_code for number in (0, 10**9, 10**30)} == {404}


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["post_views", "post_blog_views"])
def test_views_need_a_permission_cost_few_queries_and_change_nothing(editor: Client, page: str) -> None:
    posts = [save(title=f"Post {number}").post for number in range(15)]
    for post in posts:
        for days_ago in range(20):
            view(post, days_ago=days_ago, views=3)
    path = url(page, posts[0].pk) if page == "post_views" else url(page)
    before = everything_stored()

    with CaptureQueriesContext(connection) as queries:
        assert editor.get(path, {"days": "365"}).status_code == 200

    assert len(queries) <= 7
    assert editor.post(path).status_code == 405
    assert desk(name="Stan Stranger").get(path).status_code == 403
    assert everything_stored() == before
