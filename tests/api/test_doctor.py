"""``GET /doctor``."""

import re
from datetime import timedelta

import pytest
from pytest_django import Settings

from blog_engine.operations import reports
from tests.doctor.test_doctor import ORDER
from tests.requirements import requirement
from tests.support.clients import assert_json, client_with, refusal_in
from tests.support.factories import NOW, save
from tests.support.hosts import blog_settings
from tests.support.tables import execute

pytestmark = pytest.mark.django_db

DOCTOR = "/blog/api/v1/doctor"


@pytest.fixture(autouse=True)
def nothing_to_ask(settings: Settings) -> None:
    """No address of the host for the doctor to open."""
    settings.BLOG_ENGINE = blog_settings(policy_urls={})


@requirement("doctor.answer")
def test_every_check_has_a_name_a_status_and_a_message() -> None:
    response = client_with("read").get(DOCTOR)

    body = response.json()
    assert_json(response)
    assert response.status_code == 200
    assert body.keys() == {"checks", "time_zone", "today"}
    assert all(check.keys() == {"name", "status", "message"} for check in body["checks"])
    assert [check["name"] for check in body["checks"]] == ORDER
    assert {check["status"] for check in body["checks"]} <= {"ok", "warning", "error"}


@requirement("doctor.scope")
def test_it_takes_no_input() -> None:
    assert refusal_in(client_with("read").get(f"{DOCTOR}?posts=all")) == (422, "unknown_field", ["posts"])


@requirement("doctor.status-200")
def test_an_error_of_the_installation_is_an_ordinary_answer() -> None:
    post = save(publish=True).post
    execute("UPDATE blog_engine_post SET title = 'Sand'")

    response = client_with("read").get(DOCTOR)

    (records,) = [check for check in response.json()["checks"] if check["name"] == "Records"]
    assert response.status_code == 200
    assert records["status"] == "error"
    assert f"{post.pk}: " in records["message"]


@requirement("doctor.records.newest")
def test_only_the_newest_posts_are_recomputed_and_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "MOST_POSTS", 2)
    oldest = save(title="Oldest", publish=True, now=NOW).post
    for number in range(2):
        save(title=f"Newer {number}", publish=True, now=NOW + timedelta(hours=1))
    execute("UPDATE blog_engine_post SET title = 'Sand' WHERE id = %s", oldest.pk)

    checks = {check["name"]: check for check in client_with("read").get(DOCTOR).json()["checks"]}

    assert checks["Records"]["status"] == "ok"
    assert re.findall(r"\d+", checks["Records"]["message"]) == ["2", "3"]


@requirement("doctor.records.newest")
def test_it_looks_at_five_hundred() -> None:
    assert reports.MOST_POSTS == 500


@requirement("access.rate.cache-gone")
def test_it_answers_while_the_cache_is_gone(settings: Settings) -> None:
    settings.RATELIMIT_USE_CACHE = "dead"

    checks = {check["name"]: check for check in client_with("read").get(DOCTOR).json()["checks"]}

    assert checks["Rate limit"]["status"] == "warning"
