"""Changes that bypass the engine are detected."""

import re
from datetime import timedelta

import pytest

from blog_engine.doctor.base import ProbeContext
from blog_engine.doctor.content import probe_records
from blog_engine.models import Baseline, Publication, Revision
from tests.requirements import requirement
from tests.support.assertions import verdict_of
from tests.support.factories import LATER, NOW, WHOLE, adopt, save, update
from tests.support.tables import execute, unprotected

pytestmark = pytest.mark.django_db


def numbers_in(message: str) -> list[int]:
    return [int(digits) for digits in re.findall(r"\d+", message)]


@requirement("doctor.records")
def test_what_the_services_wrote_is_well() -> None:
    save(publish=True)
    save(title="Draft")

    status, message = verdict_of(probe_records)

    assert (status, numbers_in(message)) == ("ok", [1])


@requirement("doctor.records")
def test_a_post_that_was_changed_past_the_engine_is_an_error_with_its_id() -> None:
    post = save(title="Soil", publish=True).post
    other = save(title="Sea", publish=True).post
    execute("UPDATE blog_engine_post SET title = 'Soil!' WHERE id = %s", post.pk)

    status, message = verdict_of(probe_records)

    assert status == "error"
    assert f"{post.pk}: " in message
    assert f"{other.pk}: " not in message


@requirement("doctor.records")
def test_a_forged_history_is_an_error() -> None:
    post = save(publish=True).post
    with unprotected(Publication):
        execute("UPDATE blog_engine_publication SET occurred_at = %s", NOW - timedelta(days=365))

    status, message = verdict_of(probe_records)

    assert status == "error"
    assert f"{post.pk}: published_at " in message


@requirement("doctor.records.gaps")
def test_a_deleted_publication_is_an_error_with_the_id_of_its_post() -> None:
    post, other = save(title="Soil", publish=True).post, save(title="Sea", publish=True).post
    with unprotected(Publication):
        execute("DELETE FROM blog_engine_publication WHERE post_id = %s", post.pk)

    status, message = verdict_of(probe_records)

    assert status == "error"
    assert f"{post.pk}: a revision without an approval or a publication, no publication of the public" in message
    assert f"{other.pk}: " not in message


def test_a_long_list_is_cut() -> None:
    posts = [save(title=f"Post {number}", publish=True).post for number in range(25)]
    execute("UPDATE blog_engine_post SET title = 'Soil!'")

    message = verdict_of(probe_records)[1]

    assert [post.pk for post in posts if f"{post.pk}: " in message] == [post.pk for post in posts[:20]]
    assert numbers_in(message)[-1] == 5


def test_a_look_at_the_newest_says_how_far_it_went() -> None:
    for number in range(3):
        save(title=f"Post {number}", publish=True, now=NOW + timedelta(minutes=number))

    found = probe_records(ProbeContext(now=LATER, newest_posts=2))

    assert (found.status.value, numbers_in(found.message)) == ("ok", [2, 3])


@requirement("doctor.records.protection")
@pytest.mark.parametrize("model", [Revision, Publication])
def test_a_trigger_that_is_gone_is_an_error_that_names_it(model: type[Revision]) -> None:
    with unprotected(model):
        status, message = verdict_of(probe_records)

    assert status == "error"
    assert f"{model._meta.db_table}_no_update" in message
    assert verdict_of(probe_records)[0] == "ok"


def test_a_forged_post_and_a_gone_trigger_are_both_told() -> None:
    post = save(publish=True).post
    execute("UPDATE blog_engine_post SET title = 'Soil!'")

    with unprotected(Revision):
        status, message = verdict_of(probe_records)

    assert status == "error"
    assert f"{post.pk}: " in message
    assert "blog_engine_revision_no_update" in message


@requirement("doctor.records")
def test_a_changed_post_is_well_again_after_every_kind_of_change() -> None:
    post = save(publish=True, faq=[{"question": "When?", "answer": "At noon."}]).post
    update(post, title="Soil", change="substantive")
    update(post, title="Soils", change="correction", note="Wrong.", now=LATER + timedelta(hours=1))
    update(post, description="All of them.", change="maintenance", now=LATER + timedelta(hours=2))

    assert verdict_of(probe_records)[0] == "ok"


@requirement("doctor.records")
def test_an_adopted_article_is_well_as_it_came_and_after_a_change() -> None:
    adopt(WHOLE)
    post = adopt(WHOLE, body="New from there.", now=LATER).post
    adopted = verdict_of(probe_records)
    update(post, title="Edited here", change="substantive", now=LATER + timedelta(hours=1))

    assert (adopted[0], verdict_of(probe_records)[0]) == ("ok", "ok")
    with unprotected(Baseline):
        execute("UPDATE blog_engine_baseline SET first_published_at = NULL")
        assert f"{post.pk}: published_at " in verdict_of(probe_records)[1]
