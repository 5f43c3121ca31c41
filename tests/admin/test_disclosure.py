"""The disclosure report at the desk: a period, its posts, and the archive."""

import io
import re
import sys
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from blog_engine.exporting import disclosure
from blog_engine.operations.reports import one_report_at_a_time
from blog_engine.queries import disclosure as queries
from blog_engine.services import make_checkpoint
from tests.admin.desk import EDITOR, WRITER, desk, faults, nothing_written, page_of, url
from tests.requirements import requirement
from tests.support.factories import NOW, approve, save, update
from tests.support.programs import environment, run

pytestmark = pytest.mark.django_db

NOVEMBER = {"first": "2026-11-01", "last": "2026-11-30"}
AI: dict[str, Any] = {"provenance": "ai_assisted", "made_by_ai": True}


@pytest.fixture
def reviewer() -> Iterator[Client]:
    """A person who may sign reviews, and nothing else."""
    yield desk("view_post", "approve_post", name="Rosa Reviewer")


def asked(client: Client, **fields: str) -> Any:
    """Return the answer to the form."""
    return client.get(url("post_disclosure"), fields)


def archive_of(client: Client) -> zipfile.ZipFile:
    """Return the archive of November."""
    answer = asked(client, **NOVEMBER, download="zip")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
    assert answer["Content-Disposition"] == 'attachment; filename="disclosure-2026-11-01-to-2026-11-30.zip"'
    assert {"private", "no-store"} <= {one.strip() for one in answer["Cache-Control"].split(",")}
    return zipfile.ZipFile(io.BytesIO(answer.content))


@requirement("dossier.desk")
def test_the_posts_of_a_period_are_shown_with_ai_part_review_and_notice(reviewer: Client) -> None:
    approve(save(title="Checked", publish=True, **AI).post, now=NOW + timedelta(hours=1))
    save(title="<b>By hand</b>", publish=True, provenance="human_written")
    save(title="Not known", publish=True)
    save(title="A draft")

    answer = asked(reviewer, **NOVEMBER)

    page, reasons = answer.content.decode(), re.compile(r"<p class=\"disclosure-why quiet\">(.*?)</p>")
    rows = [
        [re.sub(r"<[^>]*>", "", cell).strip() for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)]
        for row in re.findall(r"<tr><th scope=\"row\">.*?</tr>", reasons.sub("", page))
    ]
    assert reasons.findall(page)[1] == "No notice was due: the article is declared as written by people, without AI."
    assert rows == [
        [
            *("Checked", "Made with the help of AI", "Rosa Reviewer, Nov. 21, 2026, 13:00 UTC"),
            "Due until Nov. 21, 2026, 13:00 UTC",
        ],
        ["&lt;b&gt;By hand&lt;/b&gt;", "Written by people, without AI", "No review", "Not due"],
        ["Not known", "Not known whether AI helped", "No review", "Due for the whole time"],
    ]
    assert "3 posts were public in this period." in answer.content.decode()


@requirement("dossier.desk")
def test_the_archive_has_the_report_and_verifies(reviewer: Client, tmp_path: Path) -> None:
    post = save(title="Checked", publish=True, **AI).post
    approve(post)
    make_checkpoint(now=NOW + timedelta(days=1))

    with nothing_written():
        archive = archive_of(reviewer)
    archive.extractall(tmp_path)

    assert sorted(archive.namelist()) == [
        "checkpoint.json",
        f"evidence/{post.pk}.json",
        *("manifest.json", "report.html", "verify.py", "versions.csv"),
    ]
    program = [sys.executable, "-I", "-S", "verify.py", f"evidence/{post.pk}.json", "checkpoint.json"]
    assert run(program, env=environment(), cwd=tmp_path).returncode == 0


@requirement("dossier.desk")
@pytest.mark.parametrize(
    ("permissions", "status"), [(WRITER, 403), (("view_post", "publish_post"), 403), (EDITOR, 200)]
)
def test_it_is_for_people_who_sign_reviews(permissions: tuple[str, ...], status: int) -> None:
    save(publish=True)
    client = desk(*permissions)

    answers = [asked(client), asked(client, **NOVEMBER), asked(client, **NOVEMBER, download="zip")]

    assert [answer.status_code for answer in answers] == [status] * 3
    assert (url("post_disclosure") in page_of(client, "post_changelist")) is (status == 200)


@requirement("dossier.desk")
@pytest.mark.parametrize("number", [1, 30])
def test_a_page_takes_the_same_queries_however_many_posts_there_are(reviewer: Client, number: int) -> None:
    for one in range(number):
        post = save(title=f"Post {one}", publish=True, **AI).post
        approve(post)
        update(post, body="Changed.", change="maintenance")
    make_checkpoint(now=NOW + timedelta(days=1))

    with CaptureQueriesContext(connection) as captured:
        answer = asked(reviewer, **NOVEMBER)

    assert answer.content.decode().count('<th scope="row">') == min(number, 25)
    assert len(captured) == 11, [query["sql"] for query in captured]


@requirement("dossier.desk")
def test_the_list_is_in_pages_of_25(reviewer: Client) -> None:
    for one in range(27):
        save(title=f"Post {one}", publish=True)

    last = asked(reviewer, **NOVEMBER, page="2").content.decode()

    assert last.count('<th scope="row">') == 2
    assert "?first=2026-11-01&amp;last=2026-11-30&amp;page=1" in last
    assert asked(reviewer, **NOVEMBER, page="9").content.decode().count('<th scope="row">') == 2
    assert asked(reviewer, **NOVEMBER, page="x").status_code == 404


@requirement("dossier.desk.bounds")
def test_a_large_period_is_refused_with_the_name_of_the_command(
    reviewer: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    for one in range(3):
        save(title=f"Post {one}", publish=True)
    monkeypatch.setattr(disclosure, "MOST_POSTS_AT_ONCE", 2)

    answer = asked(reviewer, **NOVEMBER, download="zip")

    assert faults(answer) == ["__all__"]
    assert "disclosure_report" in answer.content.decode()


@requirement("dossier.desk.bounds")
def test_long_histories_are_refused_before_they_are_read(reviewer: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    save(publish=True, body="Long. " * 100)
    monkeypatch.setattr(disclosure, "MOST_BYTES_AT_ONCE", 500)
    monkeypatch.setattr(disclosure, "evidence_at", None)

    assert faults(asked(reviewer, **NOVEMBER, download="zip")) == ["__all__"]


@requirement("dossier.desk.bounds")
def test_one_archive_is_made_at_a_time(reviewer: Client) -> None:
    save(publish=True)

    with one_report_at_a_time():
        answer = asked(reviewer, **NOVEMBER, download="zip")

    assert "Another report is being made" in answer.content.decode()
    archive_of(reviewer)


@requirement("dossier.desk.bounds")
def test_the_number_of_posts_is_counted_up_to_a_bound(reviewer: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    for one in range(3):
        save(title=f"Post {one}", publish=True)
    monkeypatch.setattr(queries, "MOST_LISTED", 2)

    assert "More than 2 posts were public in this period." in asked(reviewer, **NOVEMBER).content.decode()


@requirement("dossier.desk.faults")
@pytest.mark.parametrize("more", [{}, {"download": "zip"}])
@pytest.mark.parametrize(
    ("sent", "fields"),
    [
        ({"first": "2026-11-30", "last": "2026-11-01"}, ["first"]),
        ({"first": "2026-02-30", "last": "2026-11-01"}, ["first"]),
        ({"first": "2026-11-01", "last": "30.11.2026"}, ["last"]),
        ({"first": "2026-11-01"}, ["last"]),
        ({"first": "", "last": ""}, ["first", "last"]),
        ({"first": "0001-01-01", "last": "2026-11-01"}, ["first"]),
        ({"first": "2026-11-01", "last": "9999-12-31"}, ["last"]),
        ({"first": "2026-11-01\x00", "last": "<script>"}, ["first", "last"]),
    ],
)
def test_days_that_are_no_period_are_shown_in_the_form(
    reviewer: Client, sent: dict[str, str], fields: list[str], more: dict[str, str]
) -> None:
    save(publish=True)

    assert faults(asked(reviewer, **sent, **more)) == fields


@requirement("dossier.desk.faults")
def test_an_empty_period_is_said(reviewer: Client) -> None:
    save(title="A draft")

    shown, archive = asked(reviewer, **NOVEMBER), asked(reviewer, **NOVEMBER, download="zip")

    assert "No post was public in this period." in shown.content.decode()
    assert faults(archive) == ["__all__"]
