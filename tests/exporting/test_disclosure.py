"""Disclosure reports: which posts they have, what they say, and files that verify."""

import csv
import hashlib
import io
import json
import os
import re
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation
from pytest_django import Settings

from blog_engine.actor import Actor
from blog_engine.enums import ActorKind, EntryType
from blog_engine.exporting import disclosure
from blog_engine.exporting._disclosure_page import MOST_REVIEWS, MOST_VERSIONS
from blog_engine.exporting._disclosure_table import COLUMNS, safe_cell
from blog_engine.exporting.disclosure import write_disclosure_report
from blog_engine.exporting.disclosure_words import FIELD_WORDS, changes_in_words
from blog_engine.models import Post, StatusChange
from blog_engine.queries import disclosure as queries
from blog_engine.queries.posts import read_post, with_review
from blog_engine.rules.content_fields import REVISION_TEXTS
from blog_engine.rules.disclosure import Period
from blog_engine.rules.label import label_of
from blog_engine.services import make_checkpoint
from tests.exporting.test_export import in_another_connection
from tests.requirements import requirement
from tests.support.factories import (
    DECLARATION,
    IMPORTED,
    NOW,
    adopt,
    approve,
    propose,
    publish,
    reject,
    remove,
    save,
    store_image,
    unpublish,
    update,
)
from tests.support.hosts import blog_settings
from tests.support.images import plain
from tests.support.programs import environment, run

pytestmark = pytest.mark.django_db

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
"""The factories publish at noon of November 21, 2026."""
NOVEMBER = Period(date(2026, 11, 1), date(2026, 11, 30))
PERSON = Actor("Rosa Reviewer", kind=ActorKind.PERSON, user_id="7")
AI: dict[str, Any] = {"provenance": "ai_assisted", "made_by_ai": True}

Row = dict[str, str]


def make(target: Path, period: Period = NOVEMBER) -> disclosure.DisclosureTotals:
    """Write a report and return its numbers."""
    *_, totals = write_disclosure_report(target, period=period, now=NOW + 30 * DAY)
    return totals


def rows_of(folder: Path) -> list[Row]:
    """Return the lines of the table."""
    return list(csv.DictReader(io.StringIO((folder / "versions.csv").read_text("utf-8-sig"), newline="")))


def lines_of(tmp_path: Path, period: Period = NOVEMBER) -> list[Row]:
    """Return the lines of the table of a report that is made now."""
    folder = tmp_path / f"report-{len(list(tmp_path.iterdir()))}"
    make(folder, period)
    return rows_of(folder)


def titles(tmp_path: Path, first: date, last: date) -> list[str]:
    """Return the titles of the posts of a report; none if there is nothing to report."""
    try:
        return [row["title_now"] for row in lines_of(tmp_path, Period(first, last))]
    except disclosure.NothingDisclosed:
        return []


def files_in(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder by their paths."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def only(rows: list[Row], *names: str) -> list[tuple[str, ...]]:
    """Return some columns of lines."""
    return [tuple(row[name] for name in names) for row in rows]


# The command


def command(*arguments: str) -> str:
    """Run the command and return what it wrote on standard output."""
    out = io.StringIO()
    call_command("disclosure_report", *arguments, stdout=out)
    return out.getvalue()


@requirement("dossier.command", "dossier.command.uncovered")
def test_the_command_writes_a_report_and_says_what_no_checkpoint_covers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save(publish=True)
    target = tmp_path / "report"

    said = command("FROM=2026-11-01", "TO=2026-11-30", f"OUTPUT={target}")

    assert said == f"Wrote a report on 1 posts to {target}\n"
    assert "make_checkpoint" in capsys.readouterr().err
    assert (target / "report.html").exists()


@requirement("dossier.command")
def test_the_command_writes_a_line_for_each_hundred_posts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("blog_engine.management.commands.disclosure_report._LINE_EVERY", 2)
    for number in range(3):
        save(title=f"Post {number}", publish=True)

    said = command("--from", "2026-11-01", "--to", "2026-11-30", "--output", str(tmp_path / "report.zip"))

    assert said.splitlines()[0] == "2 of 3 posts"


@requirement("dossier.command.days")
@pytest.mark.parametrize(
    ("first", "last", "named"),
    [
        ("2026-13-01", "2026-12-31", "FROM"),
        ("2026-02-30", "2026-12-31", "FROM"),
        ("yesterday", "2026-12-31", "FROM"),
        ("2026-01-01", "31.12.2026", "TO"),
        ("2026-01-01", "2026-01-01T00:00:00Z", "TO"),
        ("2026-12-31", "2026-01-01", "FROM"),
        ("0001-01-01", "2026-01-01", "FROM"),
        ("2026-01-01", "9999-12-31", "TO"),
        ("2026-01-01", "\x00", "TO"),
        ("", "2026-01-01", "FROM"),
        ("2026-01-01", "", "TO"),
    ],
)
def test_days_that_are_no_period_are_refused(tmp_path: Path, first: str, last: str, named: str) -> None:
    save(publish=True)

    with pytest.raises(CommandError, match=rf"\b{named}\b"):
        command(f"FROM={first}", f"TO={last}", f"OUTPUT={tmp_path / 'report'}")

    assert list(tmp_path.iterdir()) == []


@requirement("dossier.command.days")
@pytest.mark.parametrize("missing", ["FROM", "TO", "OUTPUT"])
def test_each_key_is_needed(tmp_path: Path, missing: str) -> None:
    given = {"FROM": "2026-11-01", "TO": "2026-11-30", "OUTPUT": str(tmp_path / "report")}

    with pytest.raises(CommandError, match=f"{missing} is missing"):
        command(*(f"{name}={value}" for name, value in given.items() if name != missing))


@requirement("dossier.command.empty")
@pytest.mark.parametrize("name", ["report", "report.zip", "report.tar.gz"])
def test_an_empty_period_writes_nothing(tmp_path: Path, name: str) -> None:
    save(title="A draft")
    save(title="Later", publish=True)

    with pytest.raises(CommandError, match="No post was public from 2026-01-01 to 2026-02-01"):
        command("FROM=2026-01-01", "TO=2026-02-01", f"OUTPUT={tmp_path / name}")

    assert list(tmp_path.iterdir()) == []


@requirement("dossier.command.whole")
@pytest.mark.parametrize("name", ["report", "report.zip"])
def test_an_existing_output_is_refused_and_stays(tmp_path: Path, name: str) -> None:
    save(publish=True)
    (tmp_path / name).write_text("mine")

    with pytest.raises(CommandError, match="exists already"):
        command("FROM=2026-11-01", "TO=2026-11-30", f"OUTPUT={tmp_path / name}")

    assert files_in(tmp_path) == {name: b"mine"}


@requirement("dossier.command.whole")
def test_a_report_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(publish=True)

    def fail(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(disclosure, "evidence_at", fail)

    with pytest.raises(CommandError, match="No space left"):
        command("FROM=2026-11-01", "TO=2026-11-30", f"OUTPUT={tmp_path / 'report'}")

    assert list(tmp_path.iterdir()) == []


@requirement("dossier.command.whole")
@pytest.mark.parametrize("name", ["report", "report.zip", "report.tgz"])
def test_a_report_is_its_owners(tmp_path: Path, name: str) -> None:
    save(publish=True)
    before = os.umask(0o022)
    try:
        make(tmp_path / name)
    finally:
        os.umask(before)

    assert (tmp_path / name).stat().st_mode & 0o077 == 0


@requirement("dossier.moment")
@pytest.mark.django_db(transaction=True)
def test_a_report_has_the_rows_of_one_moment(tmp_path: Path) -> None:
    first, second = save(title="One", publish=True).post, save(title="Two", publish=True, **AI).post
    steps = write_disclosure_report(tmp_path / "report", period=NOVEMBER, now=NOW)
    next(steps)

    def meanwhile() -> None:
        save(title="Meanwhile", publish=True)
        approve(second)
        update(first, title="Changed", change="maintenance")

    in_another_connection(meanwhile)
    for _ in steps:
        pass

    assert only(rows_of(tmp_path / "report"), "title_now", "reviews") == [("One", "0"), ("Two", "0")]
    evidence = json.loads((tmp_path / f"report/evidence/{second.pk}.json").read_text())
    assert [one["record"]["kind"] for one in evidence["records"]] == ["revision", "publication"]


@requirement("dossier.cost")
def test_further_posts_cost_the_queries_of_their_evidence_alone(tmp_path: Path) -> None:
    def queries(name: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            make(tmp_path / name)
        return len(captured)

    def add(number: int) -> None:
        post = save(title=f"Post {number}", publish=True, body=f"Text {number}", **AI).post
        approve(post)
        update(post, body="Changed", change="maintenance")

    add(0)
    make_checkpoint(now=NOW + DAY)
    found = [queries("one")]
    for number in range(1, 9):
        add(number)
        if number in (4, 8):
            make_checkpoint(now=NOW + (number + 1) * DAY)
            found.append(queries(f"to-{number}"))

    assert (found[1] - found[0]) == (found[2] - found[1])


@requirement("dossier.cost")
def test_pages_are_written_as_their_posts_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disclosure, "POSTS_ON_PAGE", 2)
    for number in range(5):
        save(title=f"Post {number}", publish=True)

    make(tmp_path / "report")

    pages = {name: text.decode() for name, text in files_in(tmp_path / "report").items() if name.endswith(".html")}
    shown = {name: re.findall(r"<h2 dir=\"auto\">(.+)</h2>", text) for name, text in pages.items()}
    assert shown == {
        "report.html": ["Post 0", "Post 1"],
        "report-2.html": ["Post 2", "Post 3"],
        "report-3.html": ["Post 4"],
    }
    links = {name: re.findall(r'href="(report[^"]*)" rel="(\w+)"', text) for name, text in pages.items()}
    assert links == {
        "report.html": [("report-2.html", "next")],
        "report-2.html": [("report.html", "prev"), ("report-3.html", "next")],
        "report-3.html": [("report-2.html", "prev")],
    }
    assert re.findall(r'<a href="(report-\d\.html)">\d', pages["report.html"]) == ["report-2.html", "report-3.html"]
    assert "<strong>5 articles</strong>" in pages["report.html"]


# Which posts


@requirement("dossier.period")
def test_the_posts_are_those_that_readers_saw_in_the_period(tmp_path: Path) -> None:
    save(title="Draft")
    save(title="Scheduled", publish=True, publish_at="2026-11-29T12:00:00Z")
    save(title="Public", publish=True)
    unpublish(save(title="Withdrawn", publish=True).post, now=NOW + 2 * DAY)
    remove(save(title="Removed", publish=True).post, now=NOW + 3 * DAY)
    returned = save(title="Returned", publish=True).post
    unpublish(returned, now=NOW + DAY)
    publish(read_post(returned.pk), now=NOW + 6 * DAY)

    def on(*days: int) -> list[str]:
        return titles(tmp_path, date(2026, 11, days[0]), date(2026, 11, days[-1]))

    assert on(20) == []
    assert on(21) == ["Public", "Withdrawn", "Removed", "Returned"]
    assert on(22) == ["Public", "Withdrawn", "Removed", "Returned"]
    assert on(23) == ["Public", "Withdrawn", "Removed"]
    assert on(24) == ["Public", "Removed"]
    assert on(25) == ["Public"]
    assert on(27) == ["Public", "Returned"]
    assert titles(tmp_path, date(2030, 1, 1), date(2030, 1, 1)) == ["Public", "Returned"]


@requirement("dossier.period", "dossier.command.days")
@pytest.mark.parametrize(("zone", "day"), [("UTC", 21), ("Pacific/Kiritimati", 22), ("Pacific/Pago_Pago", 20)])
def test_days_are_those_of_the_site(tmp_path: Path, settings: Settings, zone: str, day: int) -> None:
    settings.TIME_ZONE = zone
    moment = datetime(2026, 11, 21, 10, 30, tzinfo=UTC)
    post = save(publish=True, now=moment).post
    unpublish(post, now=moment + timedelta(minutes=1))

    found = [
        one for one in range(19, 24) if titles(tmp_path, date(2026, 11, one), date(2026, 11, one)) == ["Winter garden"]
    ]

    assert found == [day]


@requirement("dossier.period")
def test_the_ends_of_the_period_are_exact(tmp_path: Path) -> None:
    midnight = datetime(2026, 11, 21, tzinfo=UTC)
    save(title="First moment", publish=True, now=midnight)
    save(title="Before", publish=True, now=midnight - timedelta(milliseconds=1))
    ended = save(title="Ended at midnight", publish=True, now=midnight - DAY).post
    unpublish(ended, now=midnight)

    assert titles(tmp_path, date(2026, 11, 20), date(2026, 11, 20)) == ["Before", "Ended at midnight"]
    assert titles(tmp_path, date(2026, 11, 21), date(2026, 11, 21)) == ["First moment", "Before"]


@requirement("dossier.period.unrecorded")
def test_a_withdrawal_without_a_record_has_no_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    post = save(publish=True).post
    # As version 0.1 did.
    monkeypatch.setattr("blog_engine.services.posts.record_change_of_status", lambda *args, **kwargs: None)
    unpublish(post)
    assert not StatusChange.objects.exists()

    rows = lines_of(tmp_path, Period(date(2027, 1, 1), date(2027, 1, 31)))

    assert only(rows, "status_now", "public_until", "ended_by") == [("draft", "", "unrecorded")]


@requirement("dossier.versions")
def test_versions_are_numbered_over_the_whole_history(tmp_path: Path) -> None:
    post = save(publish=True, body="One.").post
    for number in range(1, 5):
        update(post, now=NOW + number * DAY, body=f"Text {number}.", change="maintenance")
    folder = tmp_path / "report"

    make(folder, Period(date(2026, 11, 23), date(2026, 11, 23)))

    assert only(rows_of(folder), "version", "public_from", "ended_by", "changed_afterwards") == [
        ("2", "2026-11-22T12:00:00.711+00:00", "changed", "body"),
        ("3", "2026-11-23T12:00:00.711+00:00", "changed", "body"),
    ]
    page = (folder / "report.html").read_text("utf-8")
    assert "1 version was public only before the period" in page
    assert "2 versions came after the period" in page


@requirement("dossier.versions")
def test_the_order_is_that_of_the_chain_also_when_a_clock_was_put_back(tmp_path: Path) -> None:
    post = save(publish=True, body="One.").post
    update(post, now=NOW - HOUR, body="Two.", change="maintenance")

    rows = lines_of(tmp_path)

    assert only(rows, "version", "changed_afterwards") == [("1", "body"), ("2", "")]
    assert rows[0]["public_until"] == rows[0]["public_from"]


# Reviews, what followed, and notices


@requirement("dossier.reviews")
def test_a_review_names_who_recorded_it_and_what_that_was(tmp_path: Path) -> None:
    post = save(publish=True, **AI, actor=Actor("Agent", id="token:3", kind=ActorKind.TOKEN)).post
    approve(post, facts_checked=False, now=NOW + HOUR)
    approve(post, actor=PERSON, now=NOW + 2 * HOUR)
    approve(post, facts_checked=False, now=NOW + 3 * HOUR)
    folder = tmp_path / "report"

    totals = make(folder)

    [row] = rows_of(folder)
    assert {name: row[name] for name in ("reviewer", "review_kind", "reviewed_at", "facts_checked", "reviews")} == {
        "reviewer": "Rosa Reviewer",
        "review_kind": "sent",
        "reviewed_at": "2026-11-21T14:00:00.711+00:00",
        "facts_checked": "true",
        "reviews": "3",
    }
    assert only([row], "review_recorded_by", "review_recorded_by_kind", "review_recorded_by_id") == [
        ("Rosa Reviewer", "person", "user:7")
    ]
    assert only([row], "writer", "writer_kind", "writer_id", "ai_recorded") == [("Agent", "token", "token:3", "true")]
    assert (totals.reviewed, totals.by_person) == (1, 1)
    text = words_of(folder)
    assert "Recorded by Rosa Reviewer: a person who was signed in, user:7." in text
    assert "but did not check its facts" in text
    assert "released by Agent (a program with an API token, token:3)" in text


@requirement("dossier.reviews", "dossier.notice.recorded")
@pytest.mark.parametrize(
    ("sent", "kind", "sentence"),
    [
        ({"imported_approval": IMPORTED}, "imported", "given elsewhere and imported; Mina Holt confirmed it"),
        ({"declaration": DECLARATION}, "declared", "given before the article came to this blog; Mina Holt"),
    ],
)
def test_reviews_from_before_the_blog_say_so(tmp_path: Path, sent: dict[str, Any], kind: str, sentence: str) -> None:
    adopt(provenance="ai_assisted", provenance_evidence="Said so.", **sent)
    folder = tmp_path / "report"

    make(folder)

    assert only(rows_of(folder), "release", "review_kind", "reviewed_at", "notice") == [
        (EntryType.ADOPTED, kind, "2020-01-02T03:04:05.000+00:00", "")
    ]
    assert sentence in words_of(folder)
    assert "Taken over from another system (oldpress)" in words_of(folder)


@requirement("dossier.notice", "dossier.notice.recorded")
def test_a_notice_is_due_until_the_review_of_exactly_this_version(tmp_path: Path) -> None:
    post = save(publish=True, **AI).post
    approve(post, now=NOW + HOUR)
    update(post, now=NOW + DAY, body="Changed.", change="substantive")

    rows = lines_of(tmp_path)

    assert only(rows, "notice", "notice_from", "notice_until", "notice_grounds", "no_notice_grounds") == [
        (
            *("ai_assisted", "2026-11-21T12:00:00.711+00:00", "2026-11-21T13:00:00.711+00:00"),
            *("not_reviewed", "reviewed"),
        ),
        ("ai_assisted", "2026-11-22T12:00:00.711+00:00", "", "not_reviewed", ""),
    ]


@requirement("dossier.notice")
@pytest.mark.parametrize(
    ("fields", "is_approved", "options", "expected"),
    [
        ({"provenance": "human_written"}, False, {}, ("", "", "written_by_people")),
        ({"provenance": "human_written"}, True, {"policy_urls": ...}, ("", "", "written_by_people")),
        ({"provenance": "ai_assisted"}, True, {}, ("", "", "reviewed")),
        ({"provenance": "unknown"}, True, {"ai_label": "always"}, ("", "", "reviewed")),
        ({"provenance": "unknown"}, False, {}, ("ai_unknown", "not_reviewed", "")),
        ({"provenance": "ai_assisted"}, True, {"ai_label": "always"}, ("ai_assisted", "always", "")),
        ({"provenance": "ai_assisted"}, True, {"policy_urls": ...}, ("ai_assisted", "no_responsible_party", "")),
        (
            {"provenance": "ai_assisted", "body": "![Quay](https://elsewhere.example/quay.png)"},
            True,
            {},
            ("ai_assisted", "unknown_images", ""),
        ),
        (
            {"provenance": "ai_assisted"},
            False,
            {"policy_urls": ..., "ai_label": "always"},
            ("ai_assisted", "always not_reviewed no_responsible_party", ""),
        ),
    ],
)
def test_the_reasons_are_those_of_the_label(
    tmp_path: Path,
    settings: Settings,
    fields: dict[str, Any],
    is_approved: bool,
    options: dict[str, Any],
    expected: tuple[str, ...],
) -> None:
    post = save(**fields).post
    if is_approved:
        approve(post)
    publish(post, now=NOW + HOUR)
    settings.BLOG_ENGINE = blog_settings(**options)

    rows = lines_of(tmp_path)

    assert only(rows, "notice", "notice_grounds", "no_notice_grounds") == [expected]
    stored = with_review(Post.objects.all()).get()
    label = label_of(stored, has_responsible_party="policy_urls" not in options)
    assert label == (rows[0]["notice"] or "none")


@requirement("dossier.notice")
def test_a_review_that_does_not_count_ends_no_notice(tmp_path: Path, settings: Settings) -> None:
    post = save(publish=True, **AI).post
    approve(post, now=NOW + HOUR, actor=Actor("Rosa Reviewer", id="token:3", kind=ActorKind.TOKEN))
    settings.BLOG_ENGINE = blog_settings(approvals_by="people")

    rows = lines_of(tmp_path)

    assert only(rows, "notice", "notice_until", "notice_grounds", "review_recorded_by_kind") == [
        ("ai_assisted", "", "not_counted", "token")
    ]


@requirement("dossier.notice.premises")
def test_the_report_says_what_it_knows_of_the_present_alone(tmp_path: Path) -> None:
    post = save(publish=True, provenance="unknown").post
    update(post, provenance="human_written")
    folder = tmp_path / "report"

    make(folder)

    assert only(rows_of(folder), "ai_declared", "notice", "no_notice_grounds") == [
        ("human_written", "", "written_by_people")
    ]
    text = words_of(folder)
    assert "the blog keeps the present declaration alone, and it is no part of the records" in text
    assert "The responsible party and the settings of the blog at an earlier time" in text


@requirement("dossier.afterwards")
def test_each_version_says_what_followed(tmp_path: Path) -> None:
    post = save(publish=True, body="One.", **AI).post
    approve(post)
    update(post, now=NOW + DAY, title="Spring garden", body="Two.", change="correction", note="It is spring.")
    approve(read_post(post.pk), now=NOW + DAY + HOUR)
    unpublish(read_post(post.pk), now=NOW + 2 * DAY)
    publish(read_post(post.pk), now=NOW + 3 * DAY)
    remove(read_post(post.pk), now=NOW + 4 * DAY)
    folder = tmp_path / "report"

    make(folder)

    rows = rows_of(folder)
    assert only(rows, "ended_by", "changed_afterwards", "note") == [
        ("changed", "body title", ""),
        ("withdrawn", "", "It is spring."),
        ("archived", "", ""),
    ]
    text = words_of(folder)
    assert (
        "Changed on Nov. 22, 2026, 12:00 UTC: text, title. Rosa Reviewer checked the facts of the changed version on "
        "Nov. 22, 2026, 13:00 UTC." in text
    )
    assert "Not changed. Withdrawn on Nov. 23, 2026, 12:00 UTC" in text
    assert "Removed on Nov. 25, 2026, 12:00 UTC and kept in the archive" in text
    assert "“It is spring.”" in text


@requirement("dossier.afterwards")
def test_what_followed_after_the_period_is_said(tmp_path: Path) -> None:
    post = save(publish=True).post
    update(post, now=NOW + 40 * DAY, title="Spring garden", change="maintenance")

    rows = lines_of(tmp_path)

    assert only(rows, "changed_afterwards", "public_until") == [("title", "2026-12-31T12:00:00.711+00:00")]


@requirement("dossier.images")
def test_a_version_names_its_images_by_ai_whatever_was_approved(tmp_path: Path, settings: Settings) -> None:
    made = store_image(plain(color="red"), filename="made.png", digital_source_type="trainedAlgorithmicMedia")
    partly = store_image(plain(color="blue"), filename="=partly.png", digital_source_type="compositeSynthetic")
    photo = store_image(plain(color="green"), filename="photo.png", digital_source_type="digitalCapture")
    body = "".join(f"![A picture]({image.url})\n\n" for image in (made, photo, made))
    social = {"image_id": partly.pk}
    post = save(publish=True, body=body, social_image=social, provenance="human_written").post
    approve(post)
    update(post, now=NOW + DAY, body=f"![]({made.url})", social_image=None, change="maintenance")
    update(post, now=NOW + 2 * DAY, body="None.", change="maintenance")
    save(title="Of people", slug="people", publish=True, body=f"![]({photo.url})")
    folder = tmp_path / "report"

    totals = make(folder)

    assert only(rows_of(folder), "ai_images") == [
        ("made.png: trainedAlgorithmicMedia; =partly.png: compositeSynthetic",),
        ("made.png: trainedAlgorithmicMedia",),
        ("",),
        ("",),
    ]
    text = words_of(folder).replace("\u2068", "").replace("\u2069", "")
    both = "Image made with AI: made.png. Image made partly with AI: =partly.png."
    assert (text.count(both), text.count("AI in images")) == (2, 2)
    assert (totals.with_ai_images, "photo.png" in text) == (1, False)
    assert "Articles with images by AI 1" in text


@requirement("dossier.images")
def test_many_images_are_looked_up_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "_IMAGES", 2)
    made = [
        store_image(plain(color=color), filename=f"{color}.png", digital_source_type="trainedAlgorithmicMedia")
        for color in ("red", "blue", "green")
    ]
    save(publish=True, body="".join(f"![]({image.url})\n\n" for image in made))

    [row] = lines_of(tmp_path)

    assert row["ai_images"].count(".png: trainedAlgorithmicMedia") == 3


@requirement("dossier.lists")
@pytest.mark.parametrize(("language", "list_of_parts"), [("en", "a, b"), ("ar", "a، b"), ("zh-hans", "a，b")])  # noqa: RUF001
def test_lists_have_the_separator_of_the_language(language: str, list_of_parts: str) -> None:
    with translation.override(language):
        assert changes_in_words(["a", "b"]) == list_of_parts


def test_every_part_of_a_revision_has_a_word() -> None:
    assert {*REVISION_TEXTS, "body", "faq", "images"} <= set(FIELD_WORDS)


# The files


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """The folder of a report on three posts, of which a checkpoint covers two."""
    post = save(title="Winter garden", publish=True, **AI).post
    approve(post, actor=PERSON, now=NOW + HOUR)
    proposal = propose(post, now=NOW + 2 * HOUR, body="A secret proposal.", change="maintenance")
    reject(proposal, now=NOW + 3 * HOUR)
    save(title=HOSTILE, publish=True, provenance="human_written", body="Stone.")
    make_checkpoint(now=NOW + DAY)
    save(title="After the checkpoint", publish=True, now=NOW + 2 * DAY)
    save(title="A secret draft")
    make(tmp_path / "report")
    return tmp_path / "report"


HOSTILE = '=HYPERLINK("https://evil.example") <script>alert(1)</script>\' & \u2067\u05d0'


class _Words(HTMLParser):
    """Collects the text of a page, and everything that it would load or run."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.loads: list[str] = []
        self._style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._style = tag == "style"
        active = tag in {"script", "iframe", "img", "link", "object", "embed", "form", "base"}
        if active or any(name.startswith("on") or name in {"src", "style"} for name, _ in attrs):
            self.loads.append(self.get_starttag_text() or tag)

    def handle_endtag(self, tag: str) -> None:
        self._style = False

    def handle_data(self, data: str) -> None:
        if not self._style:
            self.words += data.split()


def parsed(folder: Path) -> _Words:
    """Return the first page, parsed."""
    words = _Words()
    words.feed((folder / "report.html").read_text("utf-8"))
    return words


def words_of(folder: Path) -> str:
    """Return the text of the first page."""
    return " ".join(parsed(folder).words)


@requirement("dossier.files")
def test_folder_zip_and_tar_have_the_same_files(report: Path, tmp_path: Path) -> None:
    for name in ("report.zip", "report.tar.gz"):
        make(tmp_path / name)
    with zipfile.ZipFile(tmp_path / "report.zip") as archive:
        in_zip = {name: archive.read(name) for name in archive.namelist()}
    with tarfile.open(tmp_path / "report.tar.gz", "r:gz") as packed:
        in_tar = {entry.name: packed.extractfile(entry).read() for entry in packed}  # type: ignore[union-attr]

    files = files_in(report)

    assert in_zip == in_tar == files
    assert set(files) - {name for name in files if name.startswith("evidence/")} == {
        *("report.html", "versions.csv", "checkpoint.json", "verify.py", "manifest.json")
    }


@requirement("dossier.files")
def test_the_manifest_lists_every_other_file(report: Path) -> None:
    files = files_in(report)
    manifest = json.loads(files.pop("manifest.json"))

    assert {one["path"]: (one["bytes"], one["sha256"]) for one in manifest.pop("files")} == {
        path: (len(data), hashlib.sha256(data).hexdigest()) for path, data in files.items()
    }
    assert manifest == {
        "format": "blog_engine.disclosure-report/1",
        "engine": manifest["engine"],
        "made_at": "2026-12-21T12:00:00.711000Z",
        "from": "2026-11-01",
        "to": "2026-11-30",
        "time_zone": "UTC",
        "posts": 3,
    }


def unpacked_zip(tmp_path: Path) -> Path:
    """Return the folder of a zip that is made now."""
    make(tmp_path / "made.zip")
    with zipfile.ZipFile(tmp_path / "made.zip") as archive:
        assert archive.testzip() is None
        archive.extractall(tmp_path / "unpacked")  # noqa: S202 - our own
    return tmp_path / "unpacked"


@requirement("dossier.evidence")
def test_the_evidence_of_a_zip_verifies_with_its_own_program(report: Path, tmp_path: Path) -> None:
    folder = unpacked_zip(tmp_path)
    ids = list(Post.objects.exclude(status="draft").order_by("pk").values_list("pk", flat=True))

    def verified(post: int) -> tuple[int, str]:
        program = [sys.executable, "-I", "-S", "verify.py", f"evidence/{post}.json", "checkpoint.json"]
        done = run(program, env=environment(), cwd=folder)
        assert done.stderr == ""
        return done.returncode, done.stdout

    assert [verified(post)[0] for post in ids] == [0, 0, 1]
    assert "Rosa Reviewer" in verified(ids[0])[1]
    assert {row["post_id"]: row["covered"] for row in rows_of(folder)} == dict(
        zip(map(str, ids), ["true", "true", "false"], strict=True)
    )
    evidence = folder / f"evidence/{ids[0]}.json"
    evidence.write_bytes(evidence.read_bytes().replace(b"Rosa Reviewer", b"Rosa Rewriter"))
    assert verified(ids[0])[0] == 1


@requirement("dossier.evidence")
def test_the_evidence_is_that_of_the_command(report: Path, tmp_path: Path) -> None:
    for file in (report / "evidence").iterdir():
        call_command("blog_evidence", f"POST={file.stem}", f"OUTPUT={tmp_path / file.name}")

        assert (tmp_path / file.name).read_bytes() == file.read_bytes()


@requirement("dossier.page")
def test_the_page_loads_nothing_and_escapes_everything(report: Path) -> None:
    page = parsed(report)

    assert page.loads == []
    text = " ".join(page.words)
    assert HOSTILE in text
    assert "<script>" not in (report / "report.html").read_text("utf-8")
    checkpoint = json.loads((report / "checkpoint.json").read_text())
    assert checkpoint["hash"] in text
    assert "https://example.com/blog/checkpoints/1" in text
    assert "python verify.py evidence/" in text
    assert "Nov. 21, 2026, 13:00 UTC" in text
    assert "Not all records are covered by the checkpoint" in text


@requirement("dossier.page")
def test_a_blog_without_a_checkpoint_has_nothing_proven(tmp_path: Path) -> None:
    save(publish=True)
    folder = tmp_path / "report"

    make(folder)

    assert "Nothing in this report is proven: the blog has no checkpoint." in words_of(folder)
    assert "checkpoint.json" not in files_in(folder)
    assert only(rows_of(folder), "covered") == [("false",)]


@requirement("dossier.page")
def test_times_have_the_zone_of_the_site(tmp_path: Path, settings: Settings) -> None:
    settings.TIME_ZONE = "Europe/Berlin"
    save(publish=True)
    folder = tmp_path / "report"

    make(folder)

    assert "Public since Nov. 21, 2026, 13:00 CET" in words_of(folder)
    assert "in the time zone Europe/Berlin" in words_of(folder)
    assert only(rows_of(folder), "public_from") == [("2026-11-21T13:00:00.711+01:00",)]


@requirement("dossier.page")
@pytest.mark.parametrize(("locale", "attributes"), [("de", 'lang="de" dir="ltr"'), ("ar", 'lang="ar" dir="rtl"')])
def test_the_page_is_in_the_language_of_the_blog(
    tmp_path: Path, settings: Settings, locale: str, attributes: str
) -> None:
    settings.BLOG_ENGINE = blog_settings(locale=locale)
    save(publish=True)
    make(tmp_path / "report")

    assert f"<html {attributes}>" in (tmp_path / "report/report.html").read_text("utf-8")


@requirement("dossier.page.bounds")
def test_a_page_shows_the_last_versions_and_reviews(tmp_path: Path) -> None:
    post = save(publish=True, body="Text.", **AI).post
    for number in range(MOST_REVIEWS + 2):
        approve(post, now=NOW + timedelta(minutes=11 * number))
    for number in range(MOST_VERSIONS + 1):
        update(post, now=NOW + DAY, body=f"Text {number}.", change="maintenance")
    folder = tmp_path / "report"

    make(folder)

    assert len(rows_of(folder)) == MOST_VERSIONS + 2
    page = (folder / "report.html").read_text("utf-8")
    assert page.count('<div class="version">') == MOST_VERSIONS
    assert "2 more versions of the period are in the table and the evidence" in page


@requirement("dossier.page.bounds")
def test_a_page_counts_earlier_reviews(tmp_path: Path) -> None:
    post = save(publish=True, **AI).post
    for number in range(MOST_REVIEWS + 2):
        approve(post, now=NOW + timedelta(minutes=11 * number))

    make(tmp_path / "report")

    page = (tmp_path / "report/report.html").read_text("utf-8")
    assert page.count("Recorded by") == MOST_REVIEWS
    assert "2 earlier reviews are in the evidence" in page


@requirement("dossier.table")
def test_the_table_has_the_documented_columns_and_a_byte_order_mark(report: Path) -> None:
    data = (report / "versions.csv").read_bytes()
    documented = re.findall(r"^\| (`[^|]+`) \|", _page_section("The files", "At the desk"), re.MULTILINE)

    assert data.startswith(b"\xef\xbb\xbfpost_id,title_now,")
    assert data.count(b"\r\n") == data.count(b"\n")
    columns = [name for cell in documented for name in re.findall(r"`(\w+)`", cell)]
    assert [name for name in columns if "." not in name] == list(COLUMNS)


def _page_section(first: str, last: str) -> str:
    page = Path(__file__).parents[2] / "docs/contract/disclosure-report.md"
    return page.read_text("utf-8").partition(f"## {first}")[2].partition(f"## {last}")[0]


@requirement("dossier.table.formulas")
@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\r\n=1", "\uff1d1", "|calc", "%0A", "\n@x"]
)
def test_no_cell_is_a_formula(text: str) -> None:
    assert safe_cell(text) == f"'{text}"


@requirement("dossier.table.formulas")
@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("Stone", "Stone"),
        ("", ""),
        (None, ""),
        (-1, "-1"),
        (True, "true"),
        ("1=1", "1=1"),
        (date(2026, 1, 2), "2026-01-02"),
    ],
)
def test_other_cells_stay(value: object, cell: str) -> None:
    assert safe_cell(value) == cell


@requirement("dossier.table.formulas")
def test_a_hostile_title_is_no_formula(report: Path) -> None:
    assert f"'{HOSTILE}" in {row["title_now"] for row in rows_of(report)}


@requirement("dossier.private")
def test_pages_and_table_show_nothing_of_drafts_and_proposals(report: Path) -> None:
    files = files_in(report)
    shown = {name: data.decode() for name, data in files.items() if not name.startswith("evidence/")}

    found = [(name, word) for name, text in shown.items() for word in ("secret", "Not true.") if word in text]

    assert found == []
    assert b"A secret proposal." in b"".join(files.values())
    assert "The evidence also has texts that readers never saw" in " ".join(shown["report.html"].split())


@pytest.fixture(autouse=True)
def _english(settings: Settings) -> Iterator[None]:
    settings.BLOG_ENGINE = blog_settings(locale="en")
    yield
