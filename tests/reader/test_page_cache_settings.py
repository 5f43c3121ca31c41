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


class Parent(View):
    """A parent class that changes nothing."""


class SetsCookie(View):
    """Sets a cookie of its own."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = super().dispatch(request, *args, **kwargs)
        response.set_cookie("seen", "yes")
        return response


class PrintsToken(View):
    """Makes a CSRF token, as a layout with a form does."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        get_token(request)
        return super().dispatch(request, *args, **kwargs)


class ReadsSession(View):
    """Looks into the session, as a layout that greets its reader does."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        request.session.get("name")
        return super().dispatch(request, *args, **kwargs)


class Varies(View):
    """Answers in the language of the reader."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = super().dispatch(request, *args, **kwargs)
        patch_vary_headers(response, ["Accept-Language"])
        return response


class Streams(View):
    """Sends the page in parts."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return StreamingHttpResponse([getattr(super().dispatch(request, *args, **kwargs), "content", b"")])


class Forbids(View):
    """Answers with 403."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = super().dispatch(request, *args, **kwargs)
        response.status_code = 403
        return response


class NeverStored(View):
    """Asks that no cache keeps the page."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = super().dispatch(request, *args, **kwargs)
        response.headers["Cache-Control"] = "no-store"
        return response


class PrintsNonce(View):
    """Shows the nonce that a middleware made for this answer."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = super().dispatch(request, *args, **kwargs)
        assert isinstance(response, HttpResponse)
        response.content += str(request.csp_nonce).encode()  # type: ignore[attr-defined]
        return response


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

    def force(parent: type[View]) -> None:
        settings.MIDDLEWARE = [*settings.MIDDLEWARE, f"{__name__}.nonces"]
        settings.BLOG_ENGINE = blog_settings(parent_controller=parent, page_cache={"enabled": True})

    yield force


@requirement("page-cache.exclusions")
@pytest.mark.parametrize(
    "parent", [SetsCookie, PrintsToken, ReadsSession, Varies, Streams, Forbids, NeverStored, PrintsNonce]
)
def test_an_answer_that_is_not_for_everyone_is_not_kept(
    forced: Callable[[type[View]], None], parent: type[View]
) -> None:
    forced(Parent)
    with_nothing = is_kept()

    forced(parent)
    answers = [ask("/blog/category/garden") for _ in range(3)]
    Category.objects.update(description="New.")
    answers.append(ask("/blog/category/garden"))

    assert with_nothing
    assert not any(one.was_kept for one in answers)


@requirement("page-cache.exclusions")
def test_a_page_with_a_cookie_is_sent_with_it_each_time(forced: Callable[[type[View]], None]) -> None:
    forced(SetsCookie)

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
@pytest.mark.parametrize("parent", [SetsCookie, PrintsToken, ReadsSession, Varies, PrintsNonce])
def test_shared_caches_keep_no_page_that_is_for_one_reader(
    settings: Settings, forced: Callable[[type[View]], None], parent: type[View]
) -> None:
    forced(parent)
    settings.BLOG_ENGINE = blog_settings(parent_controller=parent, page_cache={"shared_seconds": 30})

    assert ask("/blog/quay").response["Cache-Control"] == PRIVATE


@requirement("page-cache.shared")
def test_without_a_public_url_shared_caches_keep_nothing(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url=..., page_cache={"shared_seconds": 30})

    assert [ask("/blog/quay").response["Cache-Control"] for _ in range(2)] == [PRIVATE] * 2


@requirement("page-cache.shared")
def test_by_default_shared_caches_keep_no_page() -> None:
    assert ask("/blog/quay").response["Cache-Control"] == rendered("/blog/quay").response["Cache-Control"] == PRIVATE
