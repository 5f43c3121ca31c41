"""What readers get on each page while the database is out of reach."""

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as host_settings
from django.db import DataError, connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from pytest_django import Settings

from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.clients import refusal_in
from tests.support.hosts import blog_settings, host_templates
from tests.support.pages import check_pages, parse, text_of

IMAGE = "0" * 64
PATHS = [
    *["/", "/soil", "/soil.md", "/soil.html", "/none/none", "/policies/ai-use", f"/media/{IMAGE}/a.png"],
    *["/category/garden", "/tag/soil", "/author/ada", "/series/ground", "/search?q=soil", "/sitemap.xml"],
    *["/feed.xml", "/feed.json", "/category/garden/feed.xml"],
]


def get(path: str = "/") -> Any:
    return Client().get(f"/blog{path}")


class Host:
    """A mixin of a host that looks up every reader in the database."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        Post.objects.exists()
        response: HttpResponse = super().dispatch(request, *args, **kwargs)  # type: ignore[misc]
        response.headers["X-Host"] = "yes"
        return response


class Broken:
    """A faulty mixin of a host."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        raise DataError


@requirement("host.faults.page")
@pytest.mark.usefixtures("gone")
@pytest.mark.parametrize("path", PATHS)
def test_every_page_says_that_it_will_be_back(path: str) -> None:
    response = get(path)

    assert response.status_code == 503
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert response.headers["Content-Language"] == "en"
    assert (response.headers["Retry-After"], response.headers["Cache-Control"]) == ("1", "no-store")
    assert "ETag" not in response.headers
    page = parse(text_of(response))
    assert page.one("title").text == "Back in a moment — The Example Journal"
    assert page.one("a", class_="blog-button").attrs["href"] == ""


@pytest.mark.usefixtures("gone")
@pytest.mark.parametrize("path", ["/search.json?q=soil", "/search?q=soil&format=json"])
def test_suggestions_get_the_envelope(path: str) -> None:
    response = get(path)

    assert refusal_in(response) == (503, "unavailable", [])
    assert response.headers["Retry-After"] == "1"


@requirement("host.faults.page")
@pytest.mark.usefixtures("gone")
def test_paths_outside_the_blog_that_can_have_moved_are_unavailable(settings: Settings) -> None:
    settings.MIDDLEWARE = ["blog_engine.middleware.RedirectMiddleware", *settings.MIDDLEWARE]
    settings.BLOG_ENGINE = blog_settings(locale="de")

    response = Client().get("/moved/or/not")

    assert (response.status_code, response.headers["Retry-After"]) == (503, "1")
    assert parse(text_of(response)).one("h1").text == "Gleich wieder da"


@pytest.mark.usefixtures("gone")
def test_colours_need_no_database() -> None:
    with override_settings(BLOG_ENGINE=blog_settings(theme_colors={"accent": "#7a1f5c"})):
        sheet = parse(text_of(get())).all("link", rel="stylesheet")[-1].attrs["href"]

        assert Client().get(sheet).status_code == 200


@pytest.mark.usefixtures("gone")
def test_the_page_speaks_the_language_of_the_blog() -> None:
    with override_settings(BLOG_ENGINE=blog_settings(locale="de")):
        response = get()

    assert parse(text_of(response)).one("html").attrs["lang"] == "de"
    assert parse(text_of(response)).one("h1").text == "Gleich wieder da"


@requirement("host.faults.page")
@pytest.mark.usefixtures("gone")
def test_a_host_that_asks_the_database_for_each_page_changes_nothing() -> None:
    host = blog_settings(parent_controller=Host, layout="reader_tests/host.html")

    with override_settings(BLOG_ENGINE=host, TEMPLATES=host_templates()):
        response = get()

    assert (response.status_code, response.headers["Retry-After"]) == (503, "1")
    assert "X-Host" not in response.headers
    assert not parse(text_of(response)).has("body", id="host")


@requirement("host.faults.page")
def test_a_host_that_wraps_requests_into_transactions_changes_nothing(
    gone: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(connection.settings_dict, "ATOMIC_REQUESTS", True)

    assert get().status_code == 503


@pytest.mark.django_db(transaction=True)
def test_pages_run_in_the_transaction_of_a_host_that_wants_one(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    class Asking:
        def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            seen.append(connection.in_atomic_block)
            response: HttpResponse = super().dispatch(request, *args, **kwargs)  # type: ignore[misc]
            return response

    with override_settings(BLOG_ENGINE=blog_settings(parent_controller=Asking)):
        get()
        monkeypatch.setitem(connection.settings_dict, "ATOMIC_REQUESTS", True)
        get()

    assert seen == [False, True]


@pytest.mark.django_db
def test_a_bug_is_not_called_a_pause() -> None:
    with override_settings(BLOG_ENGINE=blog_settings(parent_controller=Broken)), pytest.raises(DataError):
        get()


@pytest.mark.usefixtures("gone")
def test_a_host_can_have_its_own_template() -> None:
    engine = host_settings.TEMPLATES[0]
    mine = {"blog_engine/out_of_reach.html": "{{ blog.site_name }} sleeps"}
    loaders = [("django.template.loaders.locmem.Loader", mine)]
    templates = [{**engine, "APP_DIRS": False, "OPTIONS": {**engine["OPTIONS"], "loaders": loaders}}]

    with override_settings(TEMPLATES=templates):
        assert text_of(get()) == "The Example Journal sleeps"


@pytest.mark.markup
@pytest.mark.usefixtures("gone")
def test_the_page_is_valid(tmp_path: Path) -> None:
    dark = override_settings(BLOG_ENGINE=blog_settings(color_scheme="dark", theme_colors={"accent": "#7a1f5c"}))
    plain = text_of(get())
    with dark:
        pages = {"plain": plain, "dark": text_of(get())}

    assert check_pages(pages, folder=tmp_path / "pages") == []
