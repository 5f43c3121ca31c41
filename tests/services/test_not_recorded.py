"""What a write was sent and did not keep is answered with a finding, by that write only."""

from datetime import timedelta
from typing import Any

import pytest

from blog_engine.findings import findings_of
from blog_engine.queries.posts import read_post
from blog_engine.services import Written
from tests.requirements import requirement
from tests.support.factories import (
    ARTICLE,
    DECLARATION,
    FIRST,
    LATER,
    MODIFIED,
    NOW,
    adopt,
    publish,
    remove,
    save,
    update,
)
from tests.support.tables import new_image, stored

pytestmark = pytest.mark.django_db

CODES = {"note_not_recorded", "date_not_recorded", "published_now", "redirect_target_missing"}
SAID = {"note": "It was wrong.", "change": "correction", "change_description": "Rewritten."}
YESTERDAY = (NOW - timedelta(days=1)).isoformat()


def about_the_write(written: Written) -> list[tuple[str, str | None]]:
    """The findings of this kind in the answer; a later reading of the post has none of them."""
    if written.post.pk is not None:
        later = findings_of(read_post(written.post.pk), has_responsible_party=True, now=LATER)
        assert CODES.isdisjoint(finding.code for finding in later)
    return [(finding.code, finding.location) for finding in written.findings if finding.code in CODES]


@requirement("findings.not-recorded")
@pytest.mark.parametrize("field", SAID)
def test_a_field_of_a_publication_on_a_draft(field: str) -> None:
    post = save().post

    written = update(post, **{"note": "It was wrong.", field: SAID[field]})

    expected = [name for name in SAID if name in {"note", field}]
    assert about_the_write(written) == [("note_not_recorded", name) for name in expected]


@requirement("findings.not-recorded")
def test_a_field_of_a_publication_on_a_new_draft_and_on_a_schedule() -> None:
    written = save(note="First words.")
    scheduled = publish(written.post, publish_at="2999-01-01T00:00:00Z", change_description="Later.")

    assert about_the_write(written) == [("note_not_recorded", "note")]
    assert about_the_write(scheduled) == [("note_not_recorded", "change_description")]


@requirement("findings.not-recorded")
@pytest.mark.parametrize("nothing", [{}, {"note": ""}, {"note": None}, {"change_description": None}])
def test_where_nothing_was_said_nothing_is_lost(nothing: dict[str, Any]) -> None:
    assert about_the_write(save(**nothing)) == []


@requirement("findings.not-recorded")
def test_what_a_publication_keeps_is_no_finding() -> None:
    first = save(publish=True, change_description="Hello.")
    changed = update(first.post, body="Other.", **SAID)
    unchanged = update(first.post, **SAID)

    assert [about_the_write(one) for one in (first, changed, unchanged)] == [[], [], []]


@requirement("findings.not-recorded")
def test_a_description_without_a_kind_on_a_public_post_that_does_not_change() -> None:
    post = save(publish=True).post

    assert about_the_write(update(post, change_description="Nothing.")) == [("note_not_recorded", "change_description")]


@requirement("findings.not-recorded")
@pytest.mark.parametrize("dry_run", [False, True])
def test_times_of_an_adoption_without_evidence(dry_run: bool) -> None:
    adopted = adopt(ARTICLE, first_published_at=FIRST, last_modified_at=MODIFIED, dry_run=dry_run)

    lost = [(one.code, one.location) for one in adopted.findings if one.code in CODES]
    assert lost == [("date_not_recorded", "first_published_at"), ("date_not_recorded", "last_modified_at")]


@requirement("findings.not-recorded")
def test_times_of_an_adoption_with_evidence() -> None:
    evidence = {"first_published_evidence": "The dump.", "last_modified_evidence": "The dump."}
    declared = DECLARATION | {"declared_first_published_at": FIRST}

    proven = adopt(ARTICLE, first_published_at=FIRST, last_modified_at=MODIFIED, **evidence)
    told = adopt(ARTICLE, slug="other", source_id="18", declaration=declared)

    assert [about_the_write(proven), about_the_write(told)] == [[], []]


@requirement("findings.not-recorded")
def test_a_repeated_adoption_says_again_what_it_does_not_keep() -> None:
    adopt(ARTICLE, first_published_at=FIRST)

    again = adopt(ARTICLE, first_published_at=FIRST)

    assert again.records.revision == "same"
    assert about_the_write(again) == [("date_not_recorded", "first_published_at")]


@requirement("findings.published-now")
def test_a_time_in_the_past() -> None:
    created = save(slug="a", publish=True, publish_at=YESTERDAY)
    released = publish(save(slug="b").post, publish_at=YESTERDAY, now=NOW)
    scheduled = publish(save(slug="c").post, publish_at="2999-01-01T00:00:00Z")
    hurried = publish(scheduled.post, publish_at=YESTERDAY, now=NOW)
    cancelled = update(publish(save(slug="d").post, publish_at="2999-01-01T00:00:00Z").post, publish_at=None)

    assert [about_the_write(one) for one in (created, released, hurried)] == [[("published_now", "publish_at")]] * 3
    assert [about_the_write(one) for one in (scheduled, cancelled)] == [[], []]
    assert {one.post.status for one in (created, released, hurried)} == {"published"}


@requirement("findings.redirect-target")
@pytest.mark.parametrize(
    "target",
    [
        *("nowhere", "a-draft", "/blog/nowhere.md", "/blog/category/none", "/blog/policies/none?x=1"),
        *("https://example.com/blog/nowhere#top", "removed", "/blog/media/" + "0" * 64 + "/x.png"),
    ],
)
def test_a_target_that_the_blog_does_not_serve(target: str) -> None:
    save(slug="a-draft")
    remove(save(slug="removed", publish=True).post)

    written = remove(save(slug="p", publish=True).post, redirect_to=target)

    assert about_the_write(written) == [("redirect_target_missing", "redirect_to")]


@requirement("findings.redirect-target")
@pytest.mark.parametrize(
    "target", ["soil", "/blog/soil.md", "former", "/blog/", "/blog/search?q=x", "/about", "https://other.example/x"]
)
def test_a_target_that_readers_find_or_that_is_not_the_blogs(target: str) -> None:
    update(save(slug="former", publish=True).post, slug="soil")

    written = remove(save(title="P", slug="p", publish=True).post, redirect_to=target)

    assert about_the_write(written) == []


@requirement("findings.redirect-target")
def test_a_stored_image_is_a_target() -> None:
    image = stored(new_image())

    written = remove(save(publish=True).post, redirect_to=f"/blog/media/{image.sha256}/{image.filename}")

    assert about_the_write(written) == []


@requirement("findings.redirect-target")
def test_a_removal_without_a_target_is_no_finding() -> None:
    assert about_the_write(remove(save(publish=True).post)) == []
