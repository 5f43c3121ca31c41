"""What a report fetches: over real sockets, and from the application itself."""

from socket import socket

import pytest
from django.test import Client, override_settings
from django.utils.translation import get_language, override

from blog_engine.fetching import Fetched, FetchRefused
from blog_engine.models import PageView
from blog_engine.surface_report import web as bounds
from blog_engine.surface_report.web import USER_AGENT, Application, Web
from tests.fetching.conftest import Serve, names, serve
from tests.requirements import requirement
from tests.support.factories import save
from tests.support.web import Names, Server, answer, by_path, is_silent, says

__all__ = ["names", "serve"]

pytestmark = pytest.mark.django_db


def origin_of(server: Server) -> str:
    return f"http://127.0.0.1:{server.port}"


@requirement("surface-report.fetched-once")
def test_a_url_is_fetched_once_whatever_it_answers(serve: Serve) -> None:
    server = serve(by_path({"/a": answer(b"A", status="404 Gone"), "/a?b": b"nonsense"}))
    web, url = Web(origin_of(server)), f"{origin_of(server)}/a"

    answers = [web.get(url), web.get(f"{url}#part"), web.get(f"{url}?b"), web.get(f"{url}?b")]

    assert answers == [Fetched(url, 404, {}, b"A")] * 2 + [None] * 2
    assert [request.split(" ")[1] for request in server.requests] == ["/a", "/a?b"]
    assert web.limitations == ()


@requirement("surface-report.no-redirects")
def test_a_redirect_is_an_answer(serve: Serve) -> None:
    server = serve(by_path({"/a": answer(status="301 Moved Permanently", Location="/b")}))

    found = Web(origin_of(server)).get(f"{origin_of(server)}/a")

    assert found is not None
    assert (found.status, found.headers["location"], server.hits()) == (301, "/b", 1)


@requirement("surface-report.user-agent")
def test_it_calls_itself_a_bot(serve: Serve) -> None:
    server = serve(says(answer()))

    Web(origin_of(server)).get(f"{origin_of(server)}/")

    assert "Bot" in USER_AGENT
    assert f"\nUser-Agent: {USER_AGENT}\n" in server.requests[0]


@requirement("surface-report.public-hosts")
def test_only_the_own_origin_may_have_a_private_ip(serve: Serve, names: Names) -> None:
    names.lead("private.example", ["127.0.0.1"])
    own, other = serve(says(answer(b"own"))), serve(says(answer(b"other")))
    web = Web(origin_of(own))

    found = web.get(f"{origin_of(own)}/")
    refused = [
        web.get(url)
        for url in (
            f"{origin_of(other)}/",
            f"http://private.example:{own.port}/",
            f"https://127.0.0.1:{own.port}/",
            f"http://127.0.0.1:{own.port}@127.0.0.1:{other.port}/",
            f"http://[::ffff:127.0.0.1]:{other.port}/",
            "ftp://127.0.0.1/",
            "/blog",
        )
    ]

    assert found is not None
    assert (found.body, refused) == (b"own", [None] * 7)
    assert (own.hits(), other.hits()) == (1, 0)


@requirement("surface-report.public-hosts")
def test_an_own_name_may_resolve_to_a_private_ip(serve: Serve, names: Names) -> None:
    names.lead("blog.example", ["127.0.0.1"])
    server = serve(says(answer(b"own")))

    found = Web(f"http://blog.example:{server.port}").get(f"http://Blog.Example:{server.port}/")

    assert found is not None
    assert found.body == b"own"


@requirement("surface-report.unfetched")
def test_without_an_origin_nothing_is_fetched(serve: Serve) -> None:
    server = serve(says(answer()))

    assert Web(None).get(f"{origin_of(server)}/") is None
    assert server.hits() == 0


@requirement("surface-report.bounds")
def test_it_stops_after_so_many_urls(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MOST_URLS", 3)
    server = serve(says(answer()))
    web = Web(origin_of(server))

    answers = [web.get(f"{origin_of(server)}/{number}") for number in (1, 2, 3, 4, 5, 1)]

    assert [answer is not None for answer in answers] == [True, True, True, False, False, True]
    assert web.limitations == ("The report stopped fetching after 3 URLs.",)
    assert server.hits() == 3


@requirement("surface-report.bounds")
def test_it_stops_after_so_many_bytes(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MOST_BYTES", 2 * 1024**2)
    server = serve(says(answer(b"x" * 1024**2)))
    web = Web(origin_of(server))

    answers = [web.get(f"{origin_of(server)}/{number}") for number in (1, 2, 3)]

    assert [answer is not None for answer in answers] == [True, True, False]
    assert web.limitations == ("The report stopped fetching after 2 MiB.",)
    assert server.hits() == 2


@requirement("surface-report.bounds")
def test_a_body_that_has_no_room_left_ends_the_report(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MOST_BYTES", 1024**2)
    large = answer(b"x" * 700_000)
    server = serve(by_path({"/1": large, "/2": large, "/3": answer(b"small")}))
    web = Web(origin_of(server))

    answers = [web.get(f"{origin_of(server)}/{number}") for number in (1, 2)]

    assert [answer is not None for answer in answers] == [True, False]
    assert web.limitations == ("The report stopped fetching after 1 MiB.",)
    assert web.get(f"{origin_of(server)}/3") is None


@requirement("surface-report.bounds")
def test_a_body_that_is_too_large_for_one_answer_ends_nothing(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "MOST_BYTES_PER_REQUEST", 10)
    server = serve(by_path({"/1": answer(b"x" * 11), "/2": answer(b"x" * 10)}))
    web = Web(origin_of(server))

    answers = [web.get(f"{origin_of(server)}/{number}") for number in (1, 2)]

    assert [answer is not None for answer in answers] == [False, True]
    assert web.limitations == ()


@requirement("surface-report.bounds")
def test_it_stops_when_its_time_is_over(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "SECONDS", 0.2)
    server = serve(is_silent)
    web = Web(origin_of(server))

    assert web.get(f"{origin_of(server)}/1") is None
    assert web.limitations == ("The report stopped fetching after 0 seconds.",)
    assert web.get(f"{origin_of(server)}/2") is None
    assert server.hits() == 1


@requirement("surface-report.bounds")
def test_one_answer_is_not_waited_for_longer_than_its_share(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "SECONDS_PER_REQUEST", 0.1)

    def silent_at_first(server: Server, connection: socket, path: str) -> None:
        answers = {"/1": is_silent, "/2": says(answer(b"late"))}
        answers[path](server, connection, path)

    server = serve(silent_at_first)
    web = Web(origin_of(server))

    answers = [web.get(f"{origin_of(server)}/{number}") for number in (1, 2)]

    assert [found and found.body for found in answers] == [None, b"late"]
    assert web.limitations == ()


@requirement("surface-report.user-agent")
def test_no_view_is_counted() -> None:
    save(title="Soil", publish=True)

    Client().get("/blog/soil", headers={"user-agent": USER_AGENT})
    assert not PageView.objects.exists()

    Client().get("/blog/soil", headers={"user-agent": "Mozilla/5.0"})
    assert PageView.objects.exists()


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
