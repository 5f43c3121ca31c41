"""Page views with a host's own middleware and parent class."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.mixins import LoginRequiredMixin
from django.core.exceptions import PermissionDenied
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.test import override_settings
from django.utils.decorators import method_decorator
from django.views.decorators.http import condition
from django.views.generic import View
from pytest_django import Settings

from tests.reader.conftest import parent
from tests.requirements import requirement
from tests.support.factories import save
from tests.support.hosts import blog_settings
from tests.support.pages import person, total
from tests.support.tables import undone

WRITTEN = "Sun, 22 Nov 2026 12:00:00 GMT"
"""A date that the pages of the blog lack."""


@pytest.fixture
def article(db: None) -> None:
    save(title="Soil", publish=True)


@requirement("page-views.counted")
@pytest.mark.usefixtures("article")
@override_settings(
    BLOG_ENGINE=blog_settings(
        parent_controller=parent(lambda _, response: response.headers.setdefault("Last-Modified", WRITTEN))
    )
)
def test_a_304_that_a_middleware_makes_is_counted(settings: Settings) -> None:
    settings.MIDDLEWARE = ["django.middleware.http.ConditionalGetMiddleware", *settings.MIDDLEWARE]

    response = person().get("/soil", if_modified_since=WRITTEN)

    assert (response.status_code, total()) == (304, 1)


@method_decorator(condition(etag_func=lambda request, **kwargs: '"host"'), name="dispatch")
class Tagged(View):
    """Replaces the ``ETag``."""


@requirement("page-views.host-answers")
@pytest.mark.usefixtures("article")
@override_settings(BLOG_ENGINE=blog_settings(parent_controller=Tagged))
def test_a_304_without_the_article_is_not_counted() -> None:
    response = person().get("/soil", if_none_match='"host"')

    assert (response.status_code, total()) == (304, 0)


@requirement("page-views.counted")
@pytest.mark.usefixtures("article")
@pytest.mark.parametrize("is_known", [False, True], ids=["first", "again"])
def test_a_compressed_page_is_counted(settings: Settings, is_known: bool) -> None:
    settings.MIDDLEWARE = [
        "django.middleware.http.ConditionalGetMiddleware",
        "django.middleware.gzip.GZipMiddleware",
        *settings.MIDDLEWARE,
    ]
    tag = person().get("/soil")["ETag"] if is_known else ""
    before = total()

    response = person().get("/soil", accept_encoding="gzip", if_none_match=tag)

    assert response.status_code == 200 + 104 * is_known
    assert response.get("Content-Encoding") == (None if is_known else "gzip")
    assert total() == before + 1


def replacing(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Replace the response by a new one with the same content."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        return HttpResponse(response.content, status=response.status_code)

    return answer


@pytest.mark.usefixtures("article")
def test_a_replaced_response_is_counted(settings: Settings) -> None:
    settings.MIDDLEWARE = [f"{__name__}.replacing", *settings.MIDDLEWARE]

    assert person().get("/soil").status_code == 200

    assert total() == 1


@pytest.mark.usefixtures("article")
@pytest.mark.parametrize(
    "change",
    [
        lambda _, response: response.headers.setdefault("X-Host", "hello"),
        lambda _, response: HttpResponse(response.content + b"<!-- by us -->"),
    ],
    ids=["a header", "another page"],
)
def test_a_page_changed_by_the_parent_class_is_counted(change: Callable[..., object]) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(parent_controller=parent(change))):
        assert person().get("/soil").status_code == 200

    assert total() == 1


class Asking(View):
    """Shows the login form at the URL of the article."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return HttpResponse("Who are you?")


def deny(request: HttpRequest, response: HttpResponseBase) -> None:
    raise PermissionDenied


REFUSALS: dict[str, tuple[type, int]] = {
    "requires a login": (LoginRequiredMixin, 302),
    "answers 403": (parent(lambda *_: HttpResponseForbidden("Not for you.")), 403),
    "redirects to the login": (parent(lambda *_: HttpResponseRedirect("/login/")), 302),
    "raises": (parent(deny), 403),
    "shows the login form at the URL of the article": (Asking, 200),
}


@requirement("page-views.counted")
@pytest.mark.usefixtures("article")
def test_a_reader_refused_by_the_parent_class_is_not_counted(subtests: pytest.Subtests) -> None:
    for refusal, (controller, status) in REFUSALS.items():
        with subtests.test(refusal=refusal), undone():
            with override_settings(BLOG_ENGINE=blog_settings(parent_controller=controller)):
                assert person().get("/soil").status_code == status

            assert total() == 0


@requirement("page-views.after-response")
@pytest.mark.django_db(transaction=True)
def test_a_view_is_counted_outside_of_the_hosts_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    save(title="Soil", publish=True)
    monkeypatch.setitem(connection.settings_dict, "ATOMIC_REQUESTS", True)
    seen: dict[bool, bool] = {}

    def watch(execute: Callable[..., Any], sql: str, *args: Any) -> Any:
        seen["blog_engine_pageview" in sql] = connection.in_atomic_block
        return execute(sql, *args)

    with connection.execute_wrapper(watch):
        person().get("/soil")

    assert seen == {False: True, True: False}
    assert total() == 1


@pytest.mark.django_db(transaction=True)
def test_a_page_that_fails_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    save(title="Soil", publish=True)
    monkeypatch.setitem(connection.settings_dict, "ATOMIC_REQUESTS", True)

    with override_settings(BLOG_ENGINE=blog_settings(parent_controller=parent(deny))):
        person().get("/soil")

    assert not transaction.get_connection().in_atomic_block
    assert total() == 0
