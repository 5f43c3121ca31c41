"""The report on the example site as it is served: real pages over a real socket."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.requirements import requirement
from tests.support.databases import migrate_site
from tests.support.servers import environment_of, free_port, gunicorn, manage, origin_at, run_python

pytestmark = [pytest.mark.heavy, pytest.mark.xdist_group("reported")]

REACH = ("T1", "T2", "T14")
_VIEWS = "from blog_engine.models import PageView; print(PageView.objects.count())"
_REPLACE = """
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("UPDATE blog_engine_post SET body_html = replace(body_html, '{}', '{}') WHERE id = 2")
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment of the example site with its sample articles, while it is served."""
    folder = tmp_path_factory.mktemp("reported")
    listener = free_port()
    environment = environment_of(folder, settings="example_site.settings", origin=origin_at(listener))
    migrate_site(environment, folder / "db.sqlite3")
    manage(environment, "blog_sample")
    with gunicorn(listener, environment):
        yield environment


def report(site: dict[str, str], *args: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(manage(site, "blog_report", "JSON=true", *args))
    return answer


def run_in(site: dict[str, str], program: str) -> str:
    return run_python(site, "example_site/manage.py", "shell", "-c", program)


@requirement("surface-report.no-views")
def test_the_sample_articles_are_what_was_recorded(site: dict[str, str]) -> None:
    answer = report(site, "SCOPE=all", "REACH=true")

    failed = {(row["predicate"], row.get("post_id")) for row in answer["results"] if row["result"] == "fail"}
    assert failed == {
        ("E8", None),  # the example publishes one policy only
        ("E16", None),
        ("E17", None),
        ("E18", 3),  # the article that is not checked yet
        ("E19", 3),
        *(("T2", number) for number in (1, 2, 3)),  # no https on a machine of one's own
    }
    assert answer["counts"]["not verified"] == 0
    assert (answer["limitations"], answer["pages_from"]) == ([], "network")


@requirement("surface-report.no-views")
def test_what_was_written_past_the_engine_is_found(site: dict[str, str]) -> None:
    before = report(site, "SCOPE=post", "POST=2")
    run_in(site, _REPLACE.format("</p>", " And more.</p>"))

    after = report(site, "SCOPE=post", "POST=2")

    run_in(site, _REPLACE.format(" And more.</p>", "</p>"))
    (sound,), (found,) = ([row for row in one["results"] if row["predicate"] == "E19"] for one in (before, after))
    assert (sound["result"], found["result"]) == ("pass", "fail")
    assert [part for part, result in found["details"].items() if result == "fail"] == ["B"]


@requirement("surface-report.no-views")
def test_a_report_is_no_visit(site: dict[str, str]) -> None:
    report(site, "SCOPE=all")

    assert run_in(site, _VIEWS).splitlines()[-1] == "0"


@requirement("surface-report.pages-from")
def test_a_server_with_one_worker_does_not_wait_for_itself(
    site: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    secret = manage(site, "create_blog_token", "NAME=reader", "SCOPES=read")
    listener = free_port()
    origin = origin_at(listener)
    with (
        gunicorn(listener, site | {"PUBLIC_BASE_URL": origin}, threads=1),
        closing(HTTPConnection(urlsplit(origin).netloc, timeout=50)) as connection,
    ):
        headers = {"Authorization": f"Bearer {secret}"}
        connection.request("GET", "/blog/api/v1/report?scope=all&show=all", headers=headers)
        response = connection.getresponse()
        answer = json.loads(response.read())

    over_network = report(site, "SCOPE=all", "REACH=true")
    assert (response.status, answer["limitations"], answer["pages_from"]) == (200, [], "application")
    found, expected = (
        {
            (row["predicate"], row.get("post_id")): row["result"]
            for row in one["results"]
            if row["predicate"] not in REACH
        }
        for one in (answer, over_network)
    )
    assert found == expected


@requirement("surface-report.one-at-a-time")
def test_as_many_reports_as_the_server_has_threads_do_not_wait(site: dict[str, str]) -> None:
    secret = manage(site, "create_blog_token", "NAME=reader", "SCOPES=read")

    def ask(_: int) -> tuple[int, object]:
        with closing(HTTPConnection(urlsplit(site["PUBLIC_BASE_URL"]).netloc, timeout=50)) as connection:
            connection.request("GET", "/blog/api/v1/report?scope=all", headers={"Authorization": f"Bearer {secret}"})
            response = connection.getresponse()
            answer = json.loads(response.read())
        return response.status, answer["limitations"] if response.status == 200 else answer["error"]["code"]

    with ThreadPoolExecutor(8) as callers:
        answers = list(callers.map(ask, range(8)))

    assert (200, []) in answers
    assert [one for one in answers if one not in [(200, []), (429, "rate_limited")]] == []
    assert ask(0) == (200, [])
