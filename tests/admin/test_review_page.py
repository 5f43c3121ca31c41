"""The page of a review: what it shows, the signature with a release, and posts that changed meanwhile."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.inputs.posts import ApproveRevision
from blog_engine.models import Approval, Post, Publication
from tests.admin.desk import EDITOR, confirm, desk, nothing_written, seen, stored, text_of, url
from tests.requirements import requirement
from tests.support.factories import (
    AGENT,
    LATER,
    NOW,
    approve,
    propose,
    publish,
    remove,
    save,
    store_image,
    unpublish,
    update,
)
from tests.support.hosts import blog_settings

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("a_day_later")]

TODAY = NOW + timedelta(days=1)
REVIEWER = ("view_post", "approve_post")
AT_A_TIME = {"then": "schedule", "date": "2026-11-23", "time": "09:05", "zone": "Europe/Berlin"}
NOW_THEN = {"then": "publish"}
REFUSED_TIMES: list[dict[str, Any]] = [
    {"time": "25:00"},
    {"date": "2026-11-22", "time": "12:59"},
    {"date": "2027-03-28", "time": "02:30"},
    {"zone": "Europe/Atlantis"},
    {"date": ""},
]


def page(client: Client, post: Post) -> str:
    return text_of(client.get(url("post_review", post.pk)))


def decide(client: Client, post: Post, **fields: Any) -> Any:
    """Send the form of the review as it is shown now; ``fields`` replace or add to what it holds."""
    now = seen(post)
    sent = {"revision_identifier": now["seen_revision"], **now, "name": "Ed Editor", "facts_checked": "yes"}
    return client.post(url("post_review", post.pk), {**sent, **fields})


# What it shows


@requirement("desk.review.page", "desk.release-facts")
@pytest.mark.parametrize("name", ["review", "publish", "schedule"])
def test_findings_and_cover_are_shown_where_a_post_is_released(editor: Client, name: str) -> None:
    image = store_image()
    described = save(title="Quay", cover_image={"image_id": image.pk}, cover_alt="A quay <b>in</b> fog").post
    silent = save(title="Pier", cover_image={"image_id": image.pk}).post
    bare = save(title="Bare").post

    first, second, third = (editor.get(url(f"post_{name}", post.pk)) for post in (described, silent, bare))

    assert "Cover Described as A quay <b>in</b> fog" in text_of(first)
    assert 'alt="A quay &lt;b&gt;in&lt;/b&gt; fog"' in first.content.decode()
    assert "What it shows is not described." in text_of(second)
    assert "The post has no cover." in text_of(third)
    assert third.context["findings"]
    assert all(finding.translated in text_of(third) for finding in third.context["findings"])


@requirement("desk.review-difference")
def test_a_reviewer_sees_what_changed_since_the_own_signature(editor: Client) -> None:
    post = save(body="It leaves at eight.").post
    approve(post)
    update(post, body="It leaves at nine.")
    decide(editor, post, facts_checked="no")
    update(post, body="It leaves at ten.")

    own, other = page(editor, post), page(desk(*REVIEWER, name="Rita Reviewer"), post)

    assert "What changed since you were here Compared with the version of Nov. 22, 2026, 12:00" in own
    assert "It leaves at removed: nine added: ten ." in own
    assert "It leaves at removed: eight added: ten ." in own
    assert "What changed since you were here" not in other
    assert "It leaves at removed: eight added: ten ." in other


@requirement("desk.review-difference")
def test_who_was_the_last_to_see_the_present_text_has_no_difference_of_their_own(editor: Client) -> None:
    post = save(body="It leaves at eight.").post
    decide(editor, post, facts_checked="no")
    update(post, body="It leaves at nine.")
    decide(editor, post, facts_checked="no")

    assert "What changed since you were here" not in page(editor, post)


# The signature alone


@requirement("desk.signature.once")
def test_the_same_signature_is_stored_once_within_ten_minutes(editor: Client, time_machine: Any) -> None:
    post = save().post
    time_machine.move_to(TODAY, tick=False)
    first = decide(editor, post)
    second = decide(editor, post)
    decide(editor, post, facts_checked="no")
    decide(editor, post, name="Another")
    decide(desk(*EDITOR, name="Ines Editor"), post)
    within = Approval.objects.count()
    time_machine.move_to(TODAY + timedelta(minutes=11), tick=False)
    decide(editor, post)

    assert first.status_code == second.status_code == 302
    assert (within, Approval.objects.count()) == (4, 5)


@requirement("desk.signature.once")
def test_a_repeated_signature_changes_nothing_of_the_post(editor: Client) -> None:
    post = save().post
    decide(editor, post)
    version = stored(post).version

    decide(editor, post)

    assert stored(post).version == version


@requirement("desk.signature.once")
def test_a_proposal_is_signed_once_as_well(editor: Client) -> None:
    post = save(publish=True, body="Eight.").post
    proposal = propose(post, body="Nine.", change="maintenance")
    path = url("post_proposal", post.pk, proposal)
    identifier = editor.get(path).context["identifier"]

    for _ in range(2):
        sent = {"revision_identifier": identifier, "name": "Ed Editor", "facts_checked": "yes"}
        assert editor.post(path, sent).status_code == 302

    assert Approval.objects.count() == 1


def test_a_program_records_an_approval_as_often_as_it_sends_it() -> None:
    post = save().post
    data = ApproveRevision(
        id=str(post.pk), revision_identifier=post.current_revision_identifier, name="Ines", facts_checked=True
    )

    for _ in range(2):
        services.approve_revision(data, actor=Actor("Agent", scopes=["publish"]), now=LATER)

    assert Approval.objects.count() == 2


# The signature and a release


def draft() -> Post:
    return save(made_by_ai=True).post


def scheduled() -> Post:
    return publish(save(title="Soon").post, publish_at=(TODAY + timedelta(days=3)).isoformat()).post


def withdrawn() -> Post:
    return unpublish(save(title="Quay", publish=True).post).post


@requirement("desk.review.decisions")
@pytest.mark.parametrize("make", [draft, scheduled, withdrawn])
@pytest.mark.parametrize(
    ("fields", "status", "message"),
    [
        ({}, None, "Signed: the facts of this version are checked."),
        ({"then": "nothing"}, None, "Signed: the facts of this version are checked."),
        (NOW_THEN, "published", "Signed and published. Readers see “"),
        (AT_A_TIME, "scheduled", "” from Nov. 23, 2026, 09:05 (Europe/Berlin), which is Nov. 23, 2026, 08:05"),
    ],
)
def test_one_form_signs_and_releases(
    editor: Client, make: Callable[[], Post], fields: dict[str, str], status: str | None, message: str
) -> None:
    post = make()
    before = post.status

    answer = decide(editor, post, **fields)

    assert (answer.status_code, answer["Location"]) == (302, url("post_review", post.pk))
    approval = Approval.objects.get()
    now = stored(post)
    assert (approval.revision_identifier, approval.reviewer_name) == (now.current_revision_identifier, "Ed Editor")
    assert approval.facts_checked
    assert (now.status, now.review_reason) == (status or before, None)
    assert message in text_of(editor.get(answer["Location"]))


@requirement("desk.review.decisions")
def test_the_schedule_has_the_time_in_the_zone(editor: Client) -> None:
    post = draft()

    decide(editor, post, **AT_A_TIME)

    assert stored(post).publish_at == datetime(2026, 11, 23, 8, 5, tzinfo=UTC)


@requirement("desk.review.decisions")
def test_what_happens_then_is_asked_of_those_who_may_publish(editor: Client) -> None:
    reviewer, post = desk(*REVIEWER, name="Rita Reviewer"), draft()
    public = save(title="Public", publish=True).post

    assert "What happens then?" in page(editor, post)
    assert "What happens then?" not in page(reviewer, post)
    assert "What happens then?" not in page(editor, public)
    assert "it stays scheduled for Nov. 25, 2026, 12:00" in page(editor, scheduled())


@requirement("desk.review.decisions", "desk.review.at-once")
@pytest.mark.parametrize("fields", [NOW_THEN, AT_A_TIME])
def test_a_reviewer_who_may_not_publish_publishes_nothing(fields: dict[str, str]) -> None:
    reviewer, post = desk(*REVIEWER, name="Rita Reviewer"), draft()

    with nothing_written():
        answer = decide(reviewer, post, **fields)

    assert "This post cannot be published here. Nothing was signed." in text_of(answer)


@requirement("desk.review.decisions")
def test_text_that_differs_from_the_public_one_takes_the_kind_of_change(editor: Client) -> None:
    post = withdrawn()
    update(post, body="It leaves at nine.")

    with nothing_written():
        refused = decide(editor, post, **NOW_THEN)
        without_note = decide(editor, post, **NOW_THEN, change="correction")
    answer = decide(editor, post, **NOW_THEN, change="correction", note="It said eight.")

    assert "Nothing was signed and nothing published: correct the errors below." in text_of(refused)
    assert refused.context["form"].change.errors.keys() == {"change"}
    assert "A correction needs a note" in text_of(without_note)
    assert "Nothing was signed, and nothing was published." in text_of(without_note)
    assert answer.status_code == 302
    entry = Publication.objects.latest("pk")
    assert (entry.entry_type, entry.note, Approval.objects.count()) == ("correction", "It said eight.", 1)


@requirement("desk.review.at-once", "desk.schedule")
@pytest.mark.parametrize("fields", REFUSED_TIMES)
def test_a_time_that_cannot_be_signs_nothing(editor: Client, fields: dict[str, str]) -> None:
    post = draft()

    with nothing_written():
        answer = decide(editor, post, **(AT_A_TIME | fields))

    assert answer.context["form"].schedule.errors
    assert answer.context["form"]["then"].value() == "schedule"


@requirement("desk.review.at-once")
@pytest.mark.parametrize("fields", [{"facts_checked": ""}, {"name": " "}, {"then": "later"}])
def test_an_incomplete_form_releases_nothing(editor: Client, fields: dict[str, str]) -> None:
    post = draft()

    with nothing_written():
        answer = decide(editor, post, **(NOW_THEN | fields))

    assert answer.status_code == 200
    assert answer.context["form"].errors.keys() == fields.keys()


@requirement("desk.review.at-once")
def test_a_refused_release_signs_nothing(editor: Client, settings: Settings) -> None:
    post = draft()
    settings.BLOG_ENGINE = blog_settings(require_approval=True)
    with nothing_written():
        unchecked = text_of(decide(editor, post, **NOW_THEN, facts_checked="no"))
    settings.BLOG_ENGINE = blog_settings(before_publish=lambda post, context: ["No <b>swearing</b>."])
    with nothing_written():
        objected = decide(editor, post, **NOW_THEN)

    assert "only once a reviewer has checked the facts" in unchecked
    assert "Nothing was signed, and nothing was published." in unchecked
    assert "<li>No &lt;b&gt;swearing&lt;/b&gt;.</li>" in objected.content.decode()
    assert "Nothing was signed, and nothing was published." in text_of(objected)


@requirement("desk.review.at-once")
def test_a_text_that_the_site_changes_when_it_publishes_is_not_signed(editor: Client, settings: Settings) -> None:
    def stamp(post: Any, context: Any) -> None:
        post.body = "Stamped."

    post = draft()
    settings.BLOG_ENGINE = blog_settings(before_publish=stamp)

    with nothing_written():
        answer = decide(editor, post, **NOW_THEN)

    assert "The site changes this text when it is published" in text_of(answer)


def change_tags(post: Post) -> None:
    update(post, tags=["fog"])


def change_text(post: Post) -> None:
    update(post, body="Another text.", actor=AGENT)


def publish_it(post: Post) -> None:
    publish(post)


def schedule_it(post: Post) -> None:
    publish(post, publish_at=(TODAY + timedelta(days=3)).isoformat())


@requirement("desk.review.at-once", "desk.seen-version")
@pytest.mark.parametrize("fields", [NOW_THEN, AT_A_TIME])
@pytest.mark.parametrize(
    ("happens", "sentence"),
    [
        (change_tags, "Something else was changed, such as its tags"),
        (change_text, "Drafting agent changed its content."),
        (publish_it, "Its state was “Draft” and is now “Public”."),
        (schedule_it, "Its state was “Draft” and is now “Scheduled”."),
    ],
)
def test_a_post_that_changed_in_any_way_is_not_released(
    editor: Client, happens: Callable[[Post], None], sentence: str, fields: dict[str, str]
) -> None:
    post = draft()
    opened = seen(post)
    happens(post)

    with nothing_written():
        answer = decide(editor, post, **opened, revision_identifier=opened["seen_revision"], **fields)

    shown = text_of(answer)
    assert "The post was changed while you were reading. Nothing was signed." in shown
    assert sentence in shown
    assert f'value="{stored(post).version}"' in answer.content.decode()


@requirement("desk.signature")
def test_a_post_that_was_published_meanwhile_can_be_signed_alone(editor: Client) -> None:
    post = draft()
    opened = seen(post)
    publish(post)

    answer = decide(editor, post, **opened)

    assert answer.status_code == 302
    assert Approval.objects.get().revision == stored(post).public_revision


@requirement("desk.once")
@pytest.mark.parametrize(
    ("name", "make", "fields"),
    [
        ("review", draft, NOW_THEN),
        ("review", draft, AT_A_TIME),
        ("publish", draft, {}),
        ("schedule", draft, AT_A_TIME),
        ("schedule", scheduled, AT_A_TIME),
        ("cancel", scheduled, {}),
    ],
)
def test_a_release_that_is_sent_twice_is_done_once(
    editor: Client, name: str, make: Callable[[], Post], fields: dict[str, str]
) -> None:
    post = make()
    path = url(f"post_{name}", post.pk)
    token = str(editor.get(path).context["csrf_token"])
    signature = {"revision_identifier": post.current_revision_identifier, "name": "Ed Editor", "facts_checked": "yes"}
    sent = {"csrfmiddlewaretoken": token, **seen(post), **(signature if name == "review" else {}), **fields}

    first = editor.post(path, sent)
    version = stored(post).version
    second = editor.post(path, sent)

    assert (first.status_code, second.status_code) == (302, 302)
    assert second["Location"] == first["Location"]
    assert stored(post).version == version
    assert Approval.objects.count() == (name == "review")
    assert "The form was sent twice, and counts once." in text_of(editor.get(second["Location"]))


@requirement("desk.seen-version")
def test_what_another_editor_has_done_is_told_to_who_wants_the_same(editor: Client) -> None:
    post = draft()
    opened = seen(post)
    confirm(desk(*EDITOR, name="Ines Editor"), "publish", post, **opened)

    assert "Its state was “Draft” and is now “Public”." in text_of(confirm(editor, "publish", post, **opened))


# The link to share


@requirement("desk.share")
@pytest.mark.parametrize("make", [draft, scheduled, withdrawn])
def test_a_draft_has_a_link_to_share(make: Callable[[], Post]) -> None:
    viewer, post = desk("view_post"), make()

    shown = viewer.get(url("post_history", post.pk))
    link = viewer.get(url("post_share", post.pk), {"link": ""}).json()["url"]
    opened = viewer.get(url("post_share", post.pk))

    assert "It works for 1 week, and not after a change of the text." in text_of(shown).replace("\xa0", " ")
    assert f'href="{url("post_share", post.pk)}"' in shown.content.decode()
    assert opened.status_code == 302
    assert Client().get(opened["Location"]).status_code == 200
    assert stored(post).title in Client().get(link).content.decode()


@requirement("desk.share")
def test_the_link_is_that_of_the_text_that_is_stored_now(editor: Client) -> None:
    post = draft()
    before = editor.get(url("post_share", post.pk))["Location"]
    update(post, body="Another text.")

    assert Client().get(before).status_code == 404
    assert "Another text." in Client().get(editor.get(url("post_share", post.pk))["Location"]).content.decode()


@requirement("desk.share")
def test_a_public_post_has_no_link_to_share(editor: Client) -> None:
    post, gone = save(publish=True).post, remove(save(title="Gone", publish=True).post).post

    assert editor.get(url("post_share", post.pk))["Location"].endswith("/blog/winter-garden")
    assert editor.get(url("post_share", gone.pk)).status_code == 404
    assert "Link to share" not in page(editor, post) + page(editor, gone)


@requirement("desk.signature")
def test_what_changed_while_a_person_read_a_draft_is_shown(editor: Client) -> None:
    post = save(body="It leaves at nine.", made_by_ai=True, actor=AGENT).post
    opened = {**seen(post), "revision_identifier": post.current_revision_identifier}
    update(post, body="It leaves at ten.", actor=AGENT)
    update(post, body="It leaves at eleven.", actor=AGENT)

    with nothing_written():
        signed, released = (decide(editor, post, **opened, **fields) for fields in ({}, NOW_THEN))

    for answer in (signed, released):
        shown = text_of(answer)
        assert "Nothing was signed." in shown
        assert "It leaves at removed: nine added: eleven ." in shown
