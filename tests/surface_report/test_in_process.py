"""Pages of the site that come from the application itself."""

import pytest
from django.test import override_settings
from django.utils.translation import get_language, override

from blog_engine.fetching import FetchRefused
from blog_engine.surface_report import web as bounds
from blog_engine.surface_report.web import USER_AGENT, Application, Web
from tests.fetching.conftest import Serve, names, serve
from tests.requirements import requirement
from tests.support.factories import save
from tests.support.web import answer, says

__all__ = ["names", "serve"]

pytestmark = pytest.mark.django_db

BASE = "https://example.com"
LIMIT = 1_000_000


def application() -> Application:
    return Application(user_agent=USER_AGENT)


@requirement("surface-report.pages-from")
def test_a_page_is_answered_as_visitors_get_it() -> None:
    save(title="Soil", slug="soil", publish=True)

    found = application().get(f"{BASE}/blog/soil", limit=LIMIT)

    assert found is not None
    assert (found.status, found.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert b"<h1" in found.body
    assert f'<link rel="canonical" href="{BASE}/blog/soil"'.encode() in found.body


@requirement("surface-report.pages-from")
@pytest.mark.parametrize(("path", "status"), [("/blog/nothing", 404), ("/blog/soil/", 301), ("/robots.txt", 404)])
def test_other_statuses_are_answers(path: str, status: int) -> None:
    save(title="Soil", slug="soil", publish=True)

    found = application().get(BASE + path, limit=LIMIT)

    assert found is not None
    assert found.status == status


@requirement("surface-report.pages-from")
@pytest.mark.parametrize("url", [f"{BASE}/media/picture.png", "https://elsewhere.example/blog/"])
def test_what_another_server_answers_is_left_to_the_network(url: str) -> None:
    with override_settings(MEDIA_URL="/media/"):
        assert application().get(url, limit=LIMIT) is None


@requirement("surface-report.bounds")
def test_a_large_page_is_refused() -> None:
    with pytest.raises(FetchRefused):
        application().get(f"{BASE}/blog/", limit=100)


@requirement("surface-report.pages-from")
def test_the_report_goes_on_in_its_own_language() -> None:
    with override("de"):
        application().get(f"{BASE}/blog/", limit=LIMIT)

        assert get_language() == "de"


@requirement("surface-report.pages-from")
def test_files_of_another_server_are_fetched_over_the_network(serve: Serve) -> None:
    server = serve(says(answer(b"file")))
    origin = f"http://127.0.0.1:{server.port}"

    with override_settings(MEDIA_URL="/media/"):
        found = Web(origin, application=application()).get(f"{origin}/media/a.png")

    assert found is not None
    assert found.body == b"file"


@requirement("surface-report.pages-from")
def test_a_server_that_does_not_answer_is_asked_for_one_file_only(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "SECONDS_PER_REQUEST", 0.2)
    server = serve(lambda connection: connection.recv(1) and None)
    origin = f"http://127.0.0.1:{server.port}"
    web = Web(origin, application=application())

    with override_settings(MEDIA_URL="/media/"):
        answers = [web.get(f"{origin}/media/{name}.png") for name in "abc"]

    assert answers == [None, None, None]
    assert server.hits() == 1
