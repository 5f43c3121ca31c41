"""When pages are kept at a host: its layout, templates, parent class, middleware and the setting ``page_cache``."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connections
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import get_token
from django.test import Client, override_settings
from django.utils.cache import patch_vary_headers
from django.utils.functional import SimpleLazyObject
from django.views.generic import View
from pytest_django import Settings

from blog_engine.models import Category
from tests.reader.conftest import parent
from tests.requirements import requirement
from tests.support.databases import replayed
from tests.support.factories import save
from tests.support.hosts import LoginWall, blog_settings, host_templates
from tests.support.pages import ask, rendered

pytestmark = pytest.mark.django_db(transaction=True)


@replayed
def _publish_article() -> None:
    save(title="Quay", body="Text.", category="Garden", publish=True)


@pytest.fixture(autouse=True)
def article(transactional_db: None) -> None:
    _publish_article()


def is_kept(path: str = "/blog/quay") -> bool:
    """Whether the second of two answers comes from memory."""
    ask(path)
    return ask(path).was_kept


def print_nonce(request: HttpRequest, response: HttpResponseBase) -> None:
    """Show the nonce that a middleware made for this answer."""
    assert isinstance(response, HttpResponse)
    response.content += str(request.csp_nonce).encode()  # type: ignore[attr-defined]


FOR_ONE_READER: dict[str, Callable[[HttpRequest, Any], object]] = {
    "sets a cookie": lambda _, response: response.set_cookie("seen", "yes"),
    "makes a CSRF token, as a layout with a form does": lambda request, _: get_token(request),
    "looks into the session, as a layout that greets": lambda request, _: request.session.get("name"),
    "answers in the language of the reader": lambda _, response: patch_vary_headers(response, ["Accept-Language"]),
    "shows the nonce of this answer": print_nonce,
}
NOT_KEPT: dict[str, Callable[[HttpRequest, Any], object]] = FOR_ONE_READER | {
    "streams": lambda _, response: StreamingHttpResponse([response.content]),
    "answers 403": lambda _, response: setattr(response, "status_code", 403),
    "asks that no cache keeps it": lambda _, response: response.__setitem__("Cache-Control", "no-store"),
}
"""What a parent class of a host does."""


def nonces(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Offers a nonce, as the middlewares of Django 6 and django-csp do."""

    def middleware(request: HttpRequest) -> HttpResponse:
        request.csp_nonce = SimpleLazyObject(lambda: "c0ffee")  # type: ignore[attr-defined]
        return get_response(request)

    return middleware


@requirement("page-cache.automatic")
def test_pages_are_kept_without_any_setting() -> None:
    assert is_kept()


@requirement("page-cache.automatic")
@pytest.mark.parametrize(
    "changed",
    [
        {"BLOG_ENGINE": blog_settings(layout="reader_tests/host.html"), "TEMPLATES": host_templates()},
        {"BLOG_ENGINE": blog_settings(parent_controller=LoginWall)},
        {"DEBUG": True},
    ],
    ids=["layout", "parent", "debug"],
)
def test_pages_with_code_of_the_host_are_kept_only_if_it_says_so(changed: dict[str, Any]) -> None:
    with override_settings(**changed):
        automatic = is_kept()
    forced = {"BLOG_ENGINE": {**changed.get("BLOG_ENGINE", blog_settings()), "page_cache": {"enabled": True}}}
    with override_settings(**changed | forced):
        wanted = is_kept()

    assert (automatic, wanted) == (False, True)


@requirement("page-cache.automatic")
@pytest.mark.parametrize("name", ["_card.html", "layout.html", "post.html"])
def test_pages_are_not_kept_by_themselves_when_a_template_is_replaced(
    settings: Settings, tmp_path: Path, name: str
) -> None:
    own = tmp_path / "blog_engine" / name
    own.parent.mkdir()
    own.write_text("<p>{% now 'U' %}</p>")
    engine = settings.TEMPLATES[0]
    settings.TEMPLATES = [{**engine, "DIRS": [tmp_path, *engine["DIRS"]]}]

    assert not is_kept()


@requirement("page-cache.automatic")
def test_the_setting_turns_the_cache_off(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(page_cache={"enabled": False})

    assert not is_kept()


@pytest.fixture
def forced(settings: Settings) -> Iterator[Callable[[type[View]], None]]:
    """Keep the pages of a parent class."""

    def force(controller: type[View]) -> None:
        settings.MIDDLEWARE = [*settings.MIDDLEWARE, f"{__name__}.nonces"]
        settings.BLOG_ENGINE = blog_settings(parent_controller=controller, page_cache={"enabled": True})

    yield force


@requirement("page-cache.exclusions")
@pytest.mark.parametrize("change", NOT_KEPT)
def test_an_answer_that_is_not_for_everyone_is_not_kept(forced: Callable[[type[View]], None], change: str) -> None:
    forced(parent(lambda request, response: None))
    with_nothing = is_kept()

    forced(parent(NOT_KEPT[change]))
    answers = [ask("/blog/category/garden") for _ in range(3)]
    Category.objects.update(description="New.")
    answers.append(ask("/blog/category/garden"))

    assert with_nothing
    assert not any(one.was_kept for one in answers)


@requirement("page-cache.exclusions")
def test_a_page_with_a_cookie_is_sent_with_it_each_time(forced: Callable[[type[View]], None]) -> None:
    forced(parent(FOR_ONE_READER["sets a cookie"]))

    assert [ask("/blog/quay").response.cookies["seen"].value for _ in range(3)] == ["yes"] * 3


def headed(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """A middleware that counts what it sees."""
    seen = 0

    def middleware(request: HttpRequest) -> HttpResponse:
        nonlocal seen
        seen += 1
        response = get_response(request)
        response.headers["X-Seen"] = str(seen)
        return response

    return middleware


@requirement("page-cache.middleware")
def test_the_middleware_of_the_host_runs_for_kept_pages(settings: Settings) -> None:
    settings.MIDDLEWARE = [*settings.MIDDLEWARE, f"{__name__}.headed"]
    client = Client()
    asked = [ask("/blog/quay", client=client) for _ in range(3)]

    assert [one.was_kept for one in asked] == [False, True, True]
    assert [one.response["X-Seen"] for one in asked] == ["1", "2", "3"]


@requirement("page-cache.middleware")
def test_a_site_that_asks_for_a_login_asks_for_it_in_front_of_kept_pages(settings: Settings) -> None:
    ask("/blog/quay")
    login = "django.contrib.auth.middleware.LoginRequiredMiddleware"

    settings.MIDDLEWARE = [*settings.MIDDLEWARE, login]
    answers = [ask("/blog/quay").response for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 302]


def test_pages_are_kept_inside_the_transactions_of_requests(settings: Settings) -> None:
    atomic = connections.settings["default"]["ATOMIC_REQUESTS"]
    connections.settings["default"]["ATOMIC_REQUESTS"] = True
    try:
        first, again = ask("/blog/quay"), ask("/blog/quay")
    finally:
        connections.settings["default"]["ATOMIC_REQUESTS"] = atomic

    assert (first.response.status_code, again.was_kept) == (200, True)
    assert first.whole == again.whole


PRIVATE = "max-age=0, private, must-revalidate"
SHARED = "max-age=0, s-maxage=30, public, must-revalidate"


@requirement("page-cache.shared")
@pytest.mark.parametrize("enabled", [True, False])
def test_shared_caches_may_keep_pages_that_anyone_gets(settings: Settings, enabled: bool) -> None:
    settings.BLOG_ENGINE = blog_settings(page_cache={"enabled": enabled, "shared_seconds": 30})
    paths = ["/blog/", "/blog/quay", "/blog/quay.md", "/blog/category/garden"]

    found = [ask(path).response["Cache-Control"] for path in paths * 2]
    tag = ask("/blog/quay").response["ETag"]
    again = ask("/blog/quay", headers={"if-none-match": tag}).response

    assert found == [SHARED] * 8
    assert (again.status_code, again["Cache-Control"], again["Vary"]) == (304, SHARED, "Cookie")


@requirement("page-cache.shared")
def test_shared_caches_keep_nothing_else(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(page_cache={"shared_seconds": 30})
    draft_preview = ask("/blog/preview/none").response

    assert draft_preview["Cache-Control"] == "no-store"
    for path in ("/blog/search?q=quay", "/blog/missing", "/blog/quay?utm_source=letter", "/blog/?page=2"):
        assert ask(path).response["Cache-Control"] == PRIVATE, path
    assert ask("/blog/quay", headers={"cookie": "a=b"}).response["Cache-Control"] == PRIVATE
    assert ask("/blog/quay", headers={"authorization": "Basic YTpi"}).response["Cache-Control"] == PRIVATE
    assert ask("/blog/feed.xml").response["Cache-Control"] == "max-age=3600, public"


@requirement("page-cache.shared")
@pytest.mark.parametrize("change", FOR_ONE_READER)
def test_shared_caches_keep_no_page_that_is_for_one_reader(
    settings: Settings, forced: Callable[[type[View]], None], change: str
) -> None:
    changing = parent(FOR_ONE_READER[change])
    forced(changing)
    settings.BLOG_ENGINE = blog_settings(parent_controller=changing, page_cache={"shared_seconds": 30})

    assert ask("/blog/quay").response["Cache-Control"] == PRIVATE


@requirement("page-cache.shared")
def test_without_a_public_url_shared_caches_keep_nothing(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url=..., page_cache={"shared_seconds": 30})

    assert [ask("/blog/quay").response["Cache-Control"] for _ in range(2)] == [PRIVATE] * 2


@requirement("page-cache.shared")
def test_by_default_shared_caches_keep_no_page() -> None:
    assert ask("/blog/quay").response["Cache-Control"] == rendered("/blog/quay").response["Cache-Control"] == PRIVATE
