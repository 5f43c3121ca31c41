"""The doctor and the surface report as pages, whose results arrive one by one."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.signals import request_finished
from django.db import close_old_connections
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client
from django.utils.translation import get_language, override

from blog_engine.admin import installation
from blog_engine.admin.streaming import streamed
from blog_engine.admin.words import PREDICATE_WORDS, PROBE_WORDS, RESULT_WORDS, STATUS_WORDS
from blog_engine.doctor import PROBES
from blog_engine.enums import CheckStatus, ReportResult, ReportScope
from blog_engine.operations.reports import one_report_at_a_time
from blog_engine.surface_report import report as report_module
from blog_engine.surface_report.report import OpenedPage, SurfaceReport, make_report, report_steps
from tests.admin.desk import EDITOR, WRITER, desk, nothing_written, url
from tests.requirements import requirement
from tests.support.factories import NOW, save
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db


def parts_of(answer: Any) -> list[str]:
    """The parts in which a page is sent."""
    assert isinstance(answer, StreamingHttpResponse), answer.content.decode()
    return [part.decode() for part in answer]


def leave(answer: Any) -> None:
    """Close a response before its end, as a server does for a reader who leaves."""
    request_finished.disconnect(close_old_connections)
    answer.close()
    request_finished.connect(close_old_connections)


def report(client: Client, **sent: Any) -> str:
    return "".join(parts_of(client.post(url("post_report"), {"scope": "site"} | sent)))


def report_is_free() -> bool:
    with one_report_at_a_time():
        return True


@pytest.mark.parametrize("page", ["post_doctor", "post_report"])
@pytest.mark.parametrize("permissions", [("view_post",), WRITER, (*WRITER, "publish_post", "approve_post")])
def test_both_pages_are_for_those_who_manage_the_blog(page: str, permissions: tuple[str, ...]) -> None:
    client = desk(*permissions)

    assert {client.get(url(page)).status_code, client.post(url(page), {"scope": "site"}).status_code} == {403}


@requirement("desk.checks")
@pytest.mark.parametrize("page", ["post_doctor", "post_report"])
def test_looking_at_the_page_runs_nothing(editor: Client, page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def must_not_run(*args: Any, **kwargs: Any) -> Any:
        raise AssertionError

    monkeypatch.setattr(installation, "each_probe", must_not_run)
    monkeypatch.setattr(installation, "report_steps", must_not_run)

    answer = editor.get(url(page))

    assert (answer.status_code, answer.streaming) == (200, False)
    assert 'method="post"' in answer.content.decode()


@requirement("desk.checks")
def test_the_doctor_sends_each_check_when_it_is_done(editor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    def noting(name: str) -> Any:
        def probe(context: Any) -> Any:
            done.append(name)
            return before[name](context)

        return probe

    before = dict(PROBES)
    for name in before:
        monkeypatch.setitem(PROBES, name, noting(name))
    answer: Any = editor.post(url("post_doctor"))
    parts: Iterator[bytes] = iter(answer)

    head, first, progress = (next(parts).decode() for _ in range(3))

    assert (done, "</html>" in head) == ([next(iter(before))], False)
    assert "Settings" in first
    assert "1 of 14 checks" in progress
    rest = b"".join(parts).decode()
    assert done == list(before)
    assert "14 of 14 checks" in rest
    assert rest.rstrip().endswith("</html>")


@requirement("desk.checks")
def test_the_doctor_shows_all_checks_in_words_and_changes_nothing(editor: Client) -> None:
    with nothing_written():
        html = "".join(parts_of(editor.post(url("post_doctor"))))

    assert re.findall(r"<strong>([^<]+)</strong></p>", html) == [str(PROBE_WORDS[name]) for name in PROBES]
    statuses = re.findall(r'<span class="check-status">([^<]+)</span>', html)
    assert len(statuses) == 14
    assert set(statuses) <= {str(word) for word in STATUS_WORDS.values()}
    assert html.count('lang="en"') >= 14


def test_every_check_and_result_has_words() -> None:
    assert set(PROBE_WORDS) == set(PROBES)
    assert set(STATUS_WORDS) == set(CheckStatus)
    assert set(RESULT_WORDS) == set(ReportResult)
    assert set(installation.RESULT_KINDS) == set(ReportResult)
    save(publish=True)
    made = make_report(ReportScope.ALL, post=None, page=1, per_page=50, reach=False, now=NOW)
    assert {row.predicate for row in made.rows} - set(PREDICATE_WORDS) == set()


def test_a_message_of_a_check_is_escaped(editor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def probe(context: Any) -> Any:
        raise RuntimeError("<script>alert(1)</script>")

    monkeypatch.setitem(PROBES, "Theme", probe)

    html = "".join(parts_of(editor.post(url("post_doctor"))))

    assert "<script>alert" not in html
    assert "&lt;script&gt;alert" in html


@requirement("desk.checks")
def test_the_report_of_the_site_shows_problems_first_and_its_end(editor: Client) -> None:
    save(title="The quay", publish=True)

    with nothing_written():
        html = report(editor)

    assert "Sitemap" not in html
    assert "Done." in html
    assert re.search(r"Passed: \d+, Failed: \d+, Not verified: \d+, Does not apply: \d+\.", html)


def test_the_report_shows_what_is_in_order_when_asked(editor: Client) -> None:
    save(title="The quay", publish=True)

    assert "Sitemap" in report(editor, everything="on")


@requirement("desk.checks")
def test_the_report_opens_the_posts_one_by_one_and_names_them(editor: Client) -> None:
    posts = [save(title=f"Post <{number}>", provenance="ai_assisted", publish=True).post for number in range(3)]

    parts = parts_of(editor.post(url("post_report"), {"scope": "all"}))

    assert [part for part in parts if "posts opened" in part][2].count("3 of 3 posts opened") == 1
    html = "".join(parts)
    assert f'<h2><a href="{url("post_change", posts[0].pk)}">Post &lt;0&gt;</a></h2>' in html
    assert "Review of the facts" in html
    assert "reach=true" not in html


def test_a_long_report_goes_on_with_the_next_posts(editor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "POSTS_AT_ONCE", 2)
    for number in range(3):
        save(title=f"Post {number}", publish=True)

    first = report(editor, scope="all", everything="on")
    second = report(editor, scope="all", page="2")

    assert "2 of 2 posts opened" in first
    assert "Part 1 of 2" in first
    form = first[first.index('<li class="check-end">') :]
    sent = dict(re.findall(r'<input type="hidden" name="(\w+)" value="(\w+)"', form))
    assert (sent["scope"], sent["page"], sent["everything"]) == ("all", "2", "on")
    assert "1 of 1 posts opened" in second
    assert "Continue with the next posts" not in second


def test_the_form_that_goes_on_passes_the_check_of_forged_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installation, "POSTS_AT_ONCE", 1)
    for number in range(2):
        save(title=f"Post {number}", publish=True)
    client = desk(*EDITOR, checks_csrf=True)
    form = client.get(url("post_report")).content.decode()
    token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', form)[-1]

    first = report(client, scope="all", csrfmiddlewaretoken=token)
    token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', first)[-1]

    assert "1 of 1 posts opened" in report(client, scope="all", page="2", csrfmiddlewaretoken=token)


def test_the_report_of_one_post(editor: Client) -> None:
    post = save(title="The quay", slug="quay", publish=True).post
    save(title="Other", publish=True)

    html = report(editor, scope="post", post="quay")

    assert "1 of 1 posts opened" in html
    assert f'href="{url("post_change", post.pk)}"' in html
    assert 'value="quay"' in editor.get(url("post_report"), {"post": "quay"}).content.decode()


def test_a_report_that_cannot_be_made_is_an_error_of_the_field(editor: Client, subtests: pytest.Subtests) -> None:
    save(title="Draft", slug="draft")

    for sent, field in [
        ({"scope": "post", "post": "nothing"}, "post"),
        ({"scope": "post", "post": "draft"}, "post"),
        ({"scope": "post", "post": ""}, "post"),
        ({"scope": "post", "post": "x" * 300}, "post"),
        ({"scope": "post", "post": "a\0b"}, "post"),
        ({"scope": "bogus"}, "scope"),
        ({"scope": ""}, "scope"),
        ({"scope": "all", "page": "0"}, "page"),
        ({"scope": "all", "page": "x"}, "page"),
        ({"scope": "all", "page": "9" * 30}, "page"),
    ]:
        with subtests.test(sent=sent, field=field):
            answer = editor.post(url("post_report"), sent)

            assert (answer.status_code, answer.streaming) == (200, False)
            assert list(answer.context["form"].errors) == [field]
            assert report_is_free()


def test_two_reports_at_once_are_refused_kindly(editor: Client) -> None:
    save(publish=True)

    with one_report_at_a_time():
        answer = editor.post(url("post_report"), {"scope": "site"})

    assert "Another report is being made." in answer.content.decode()
    assert "Done." in report(editor)


def test_a_reader_who_leaves_makes_room_for_the_next_report(editor: Client) -> None:
    save(publish=True)

    answer: Any = editor.post(url("post_report"), {"scope": "all"})
    parts = iter(answer)
    next(parts)
    next(parts)
    leave(answer)

    assert report_is_free()


def test_a_response_that_is_never_sent_makes_room_as_well(editor: Client) -> None:
    save(publish=True)

    answer: Any = editor.post(url("post_report"), {"scope": "all"})
    leave(answer)

    assert report_is_free()


def test_a_fault_ends_the_page_with_a_sentence(
    editor: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    save(publish=True)
    monkeypatch.setitem(report_module.PAGE_PREDICATES, "T7", lambda article, inspection: 1 / 0)  # type: ignore[arg-type]

    html = report(editor, scope="all")

    assert "The checks stopped." in html
    assert html.rstrip().endswith("</html>")
    assert "A page of checks stopped." in caplog.text
    assert report_is_free()


def test_without_a_base_url_the_page_says_so(editor: Client, settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url=...)

    assert "public_base_url" in editor.get(url("post_report")).content.decode()


@pytest.mark.parametrize("page", ["post_doctor", "post_report"])
def test_a_streamed_page_is_kept_by_no_cache_and_no_proxy(editor: Client, page: str) -> None:
    answer = editor.post(url(page), {"scope": "site"})
    parts_of(answer)

    assert answer["X-Accel-Buffering"] == "no"
    assert "no-store" in answer["Cache-Control"]
    assert answer["X-Frame-Options"] in {"DENY", "SAMEORIGIN"}


def test_the_results_are_in_the_language_of_the_page() -> None:
    def parts() -> Any:
        yield str(get_language())
        yield str(get_language())

    with override("de"):
        answer = streamed(HttpResponse("<p><!-- results --></p>"), parts())
    with override("fr"):
        assert b"".join(answer).decode() == "<p>dede</p>"
        assert get_language() == "fr"


def test_the_steps_of_a_report_end_with_the_report_in_its_order() -> None:
    for number in range(2):
        save(title=f"Post {number}", publish=True)
    sent: dict[str, Any] = {"post": None, "page": 1, "per_page": 50, "reach": False, "now": NOW}

    *steps, last = report_steps(ReportScope.ALL, **sent)

    assert isinstance(last, SurfaceReport)
    rows = [step for step in steps if not isinstance(step, OpenedPage)]
    assert [(step.number, step.of) for step in steps if isinstance(step, OpenedPage)] == [(1, 2), (2, 2)]
    assert len(rows) == len(last.rows)
    assert {id(row) for row in rows} == {id(row) for row in last.rows}
    assert [(row.predicate, row.post_id, row.observation) for row in last.rows] == [
        (row.predicate, row.post_id, row.observation) for row in make_report(ReportScope.ALL, **sent).rows
    ]
