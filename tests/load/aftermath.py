"""Invariants of everything stored, after many processes wrote at once."""

import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import boto3

from blog_engine.images.files import file_name
from blog_engine.models import Image, PageView, Post, Publication
from blog_engine.queries.audit import audit_public_posts
from tests.concurrency.test_crowd import ANSWERS
from tests.load.ledger import Ledger
from tests.load.object_store import BUCKET, KEYS
from tests.load.planner import Planner
from tests.load.readers import Reader
from tests.support.programs import Environment, run

_OF_READERS = {
    "article": {200, 301, 304, 404, 410},
    "article, by a crawler": {200, 301, 404, 410},
    "article, beforehand": {200, 301, 404, 410},
    "article, HEAD": {200, 301, 404, 410},
    "Markdown": {200, 301, 304, 404, 410},
    "index": {200, 304},
    "list": {200, 304, 404},
    "search": {200, 304},
    "feed": {200, 304, 404},
    "sitemap": {200},
    "media": {302},
    "object storage": {200},
}
_LOCATION = "media/blog_engine/images"


def assert_nothing_went_wrong(ledger: Ledger) -> None:
    """Check that no client got a server error or ``busy``: PostgreSQL makes them wait."""
    assert ledger.failures() == Counter()
    assert ledger.unexpected(_OF_READERS, otherwise=ANSWERS) == Counter()


def assert_plans_came_true(planner: Planner, logs: Sequence[Path]) -> None:
    """Check that each due post was published once, by one of the schedulers, and no cancelled one."""
    by_a_scheduler: list[tuple[str, str | None]] = [("first", None)]
    expected = dict.fromkeys(planner.released, by_a_scheduler) | {slug: [] for slug in planner.called_off}

    assert {slug: _publications_of(slug) for slug in expected} == expected
    said = [line.removeprefix("Published ") for log in logs for line in log.read_text("utf-8").splitlines()]
    assert Counter(said) == Counter(planner.released)


def assert_published_posts_agree() -> None:
    """Check identifiers and dates of public posts, as the doctor does, and that each was first published once."""
    audit = audit_public_posts()

    assert audit.differing == {}
    assert audit.checked == audit.public > 0
    first = Counter(Publication.objects.filter(entry_type="first").values_list("post_id", flat=True))
    published = Post.objects.filter(public_revision__isnull=False, baseline__isnull=True)
    assert first == Counter(published.values_list("pk", flat=True))


def assert_files_are_those_of_the_rows(address: str) -> None:
    """Check that every image has its original with its bytes, and that no other file is stored."""
    client = boto3.client("s3", endpoint_url=address, **KEYS)
    pages = client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET)
    keys = {entry["Key"] for page in pages for entry in page.get("Contents", [])}
    images = {image.sha256: image for image in Image.objects.all()}
    originals = {f"media/{file_name(image.sha256, image.content_type)}" for image in images.values()}

    assert originals <= keys
    assert {key for key in keys - originals if _digest_in(key) not in images} == set()
    for image in images.values():
        key = f"media/{file_name(image.sha256, image.content_type)}"
        data = client.get_object(Bucket=BUCKET, Key=key)["Body"].read()
        assert hashlib.sha256(data).hexdigest() == image.sha256
    for key in [key for key in keys if key.endswith(".txt")]:
        noted = client.get_object(Bucket=BUCKET, Key=key)["Body"].read().decode()
        assert f"media/{noted}" in keys, key
    client.close()


def assert_views_are_those_of_the_readers(readers: Iterable[Reader]) -> None:
    """Check that as many views were counted as articles were shown.

    Article by article for the posts that keep their URL; those of the crowd take each other's.
    """
    shown = sum((reader.views for reader in readers), Counter[str]())
    counted: Counter[str] = Counter()
    for view in PageView.objects.select_related("post"):
        counted[view.post.slug] += view.views

    assert _settled(counted) == _settled(shown)
    assert counted.total() == shown.total()


def errors_in(log: Path) -> list[str]:
    """Return the lines of a server's log that report a problem."""
    lines = log.read_text("utf-8").splitlines()
    return [line for line in lines if re.search(r"ERROR|CRITICAL|Traceback|Exception|WORKER TIMEOUT", line)]


def doctor_says(environment: Environment) -> dict[str, str]:
    """Return the warnings and errors of the doctor: status and message by name of the check."""
    command = [sys.executable, "example_site/manage.py", "blog_doctor", "JSON=true"]
    # It exits with 1 for an error, which the report also has.
    done = run(command, env=environment, timeout=60)
    report: dict[str, Any] = json.loads(done.stdout)
    return {
        check["name"]: f"{check['status']}: {check['message']}" for check in report["checks"] if check["status"] != "ok"
    }


def _publications_of(slug: str) -> list[tuple[str, str | None]]:
    entries = Publication.objects.filter(post__slug=slug).order_by("id")
    return list(entries.values_list("entry_type", "released_by"))


def _digest_in(key: str) -> str | None:
    found = re.match(rf"{_LOCATION}/[0-9a-f]{{2}}/([0-9a-f]{{64}})-w[0-9]+-", key)
    return found[1] if found else None


def _settled(views: Counter[str]) -> Counter[str]:
    return Counter({slug: count for slug, count in views.items() if slug.startswith(("owner-", "planned-", "wanted-"))})
