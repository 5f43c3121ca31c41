"""Redirects outside the mount, with ``RedirectMiddleware``."""

from typing import Any

import pytest
from asgiref.sync import async_to_sync, iscoroutinefunction
from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound
from django.test import AsyncClient, Client, RequestFactory, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import clear_script_prefix, include, path, set_script_prefix
from pytest_django import Settings

from blog_engine.middleware import RedirectMiddleware
from tests.requirements import requirement
from tests.support.tables import insert_redirect

pytestmark = pytest.mark.django_db

KEPT_SHORTLY = "max-age=0, private, must-revalidate"


def page(request: HttpRequest, **address: str) -> HttpResponse:
    return HttpResponse("A page of the host")


def nothing(request: HttpRequest, **address: str) -> HttpResponse:
    return HttpResponseNotFound("Nothing of the host", headers={"Cache-Control": "no-store"})


urlpatterns = [
    path("", page),
    path("about/", page),
    path("shop/<str:item>", nothing),
    path("blog/", include("blog_engine.urls")),
]


@pytest.fixture(autouse=True)
def host(settings: Settings) -> None:
    """A host with the middleware."""
    first, *others = settings.MIDDLEWARE
    settings.MIDDLEWARE = [first, "blog_engine.middleware.RedirectMiddleware", *others]
    settings.ROOT_URLCONF = __name__


@requirement("redirects.outside")
@pytest.mark.parametrize("asked", ["/2019/old.php", "/2019/old.php/", "/2019/%6Fld.php", "/2019/old.php?utm=x"])
def test_a_moved_path_is_301(client: Client, asked: str) -> None:
    insert_redirect("/2019/old.php", "/blog/new?x=1#y")

    response = client.get(asked)

    assert (response.status_code, response["Location"]) == (301, "/blog/new?x=1#y")
    assert response["Cache-Control"] == KEPT_SHORTLY


def test_a_path_that_moved_to_another_site_is_301(client: Client) -> None:
    insert_redirect("/old", "https://other.example/")

    assert client.head("/old")["Location"] == "https://other.example/"


@requirement("redirects.outside")
def test_a_gone_path_is_410_on_the_page_of_the_host(client: Client) -> None:
    missing = client.get("/gone")
    insert_redirect("/gone")

    gone = client.get("/gone")

    assert (missing.status_code, gone.status_code, gone.reason_phrase) == (404, 410, "Gone")
    assert gone.content == missing.content
    assert gone["Cache-Control"] == KEPT_SHORTLY


def test_a_404_of_a_view_is_replaced_and_its_caching_kept(client: Client) -> None:
    insert_redirect("/shop/boots", "/blog/boots")
    insert_redirect("/shop/gloves")

    assert client.get("/shop/boots")["Location"] == "/blog/boots"
    assert client.get("/shop/gloves")["Cache-Control"] == "no-store"


@requirement("redirects.outside")
@pytest.mark.parametrize("asked", ["/about/", "/about"])
def test_a_page_of_the_host_wins(client: Client, asked: str) -> None:
    insert_redirect("/about", "/blog/new")

    assert client.get(asked, follow=True).content == b"A page of the host"


@requirement("host.redirect-middleware")
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "options"])
def test_only_readers_are_led(client: Client, method: str) -> None:
    insert_redirect("/old", "/blog/new")

    assert getattr(client, method)("/old").status_code == 404


@requirement("host.redirect-middleware")
def test_a_404_costs_one_query_and_other_answers_none(client: Client) -> None:
    def count(asked: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            client.get(asked)
        return len(queries)

    assert [count(asked) for asked in ("/about/", "/none", "/shop/none")] == [0, 1, 1]


@requirement("host.redirect-middleware")
def test_the_blog_asks_by_itself(client: Client) -> None:
    insert_redirect("/blog/2019/old", "/blog/new")
    with CaptureQueriesContext(connection) as queries:
        client.get("/blog/none")
    asked = [query["sql"] for query in queries if "blog_engine_redirect" in query["sql"]]

    assert len(asked) == 1
    assert client.get("/blog/2019/old")["Location"] == "/blog/new"
    assert client.get("/blog/api/v1/none")["Content-Type"] == "application/json"


@requirement("host.stored-paths")
def test_a_server_prefix_is_put_before_the_target(client: Client) -> None:
    insert_redirect("/old", "/blog/new")
    # Django's test client does not do this, other than its WSGI handler.
    set_script_prefix("/sub/")

    location = client.get("/old", SCRIPT_NAME="/sub")["Location"]

    clear_script_prefix()
    assert location == "/sub/blog/new"


@requirement("host.redirect-middleware")
def test_a_site_without_the_blog_is_left_alone(client: Client, settings: Settings) -> None:
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, f"{__name__}.other_site"]
    insert_redirect("/old", "/blog/new")

    assert client.get("/old").status_code == 404


def other_site(get_response: Any) -> Any:
    def answer(request: HttpRequest) -> HttpResponse:
        request.urlconf = "django.contrib.auth.urls"  # type: ignore[attr-defined]  # as django-hosts does
        return get_response(request)

    return answer


@requirement("redirects.outside")
@override_settings(MIDDLEWARE=["blog_engine.middleware.RedirectMiddleware"])
def test_it_works_under_asgi() -> None:
    insert_redirect("/old", "/blog/new")

    response = async_to_sync(AsyncClient().get)("/old")

    assert (response.status_code, response["Location"]) == (301, "/blog/new")


async def awaited(request: HttpRequest) -> HttpResponse:
    return page(request)


@requirement("redirects.outside")
def test_it_is_asynchronous_where_the_next_middleware_is() -> None:
    request = RequestFactory().get("/about/")
    synchronous, asynchronous = RedirectMiddleware(page), RedirectMiddleware(awaited)

    answers = [synchronous(request), async_to_sync(asynchronous)(request)]

    assert [answer.content for answer in answers] == [b"A page of the host"] * 2
    assert [iscoroutinefunction(one) for one in (synchronous, asynchronous)] == [False, True]


@requirement("redirects.old-path.query")
def test_a_path_that_moved_with_its_query_is_301_at_the_home_page_and_where_nothing_is_found(client: Client) -> None:
    insert_redirect("/?p=17", "/blog/seventeen")
    insert_redirect("/shop/tea?color=green", "/blog/tea")
    insert_redirect("/shop/tea", "/blog/all-tea")

    moved = ["/?p=17", "/shop/tea?color=green", "/shop/tea?color=black", "/shop/tea"]
    assert [client.get(asked)["Location"] for asked in moved] == [
        "/blog/seventeen",
        "/blog/tea",
        "/blog/all-tea",
        "/blog/all-tea",
    ]
    assert [client.get(asked).status_code for asked in ("/", "/?p=18", "/about/?p=17")] == [200, 200, 200]


@requirement("redirects.old-path.query")
@pytest.mark.parametrize(("asked", "queries"), [("/", 0), ("/?p=17", 1), ("/about/?p=17", 0), ("/shop/tea?p=17", 1)])
def test_the_database_is_queried_only_where_a_redirect_is_possible(client: Client, asked: str, queries: int) -> None:
    with CaptureQueriesContext(connection) as asked_for:
        client.get(asked)

    assert len(asked_for) == queries
