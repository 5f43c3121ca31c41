"""Publishing, scheduling, withdrawing and removing posts at the desk."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.admin.models import DELETION, LogEntry
from django.test import Client
from pytest_django import Settings

from blog_engine.enums import PostStatus
from blog_engine.models import Approval, Post, Publication, Redirect, StatusChange
from tests.admin.desk import confirm, nothing_written, seen, stored, text_of, url
from tests.requirements import requirement
from tests.support.factories import NOW, approve, publish, remove, save, unpublish, update
from tests.support.hosts import blog_settings

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("a_day_later")]

TODAY = NOW + timedelta(days=1)
PAGES = ("publish", "schedule", "cancel", "withdraw", "delete")
TOMORROW = {"date": "2026-11-23", "time": "09:05", "zone": "Europe/Berlin"}


def draft() -> Post:
    return save().post


def scheduled() -> Post:
    return publish(save(title="Soon").post, publish_at=(TODAY + timedelta(days=3)).isoformat()).post


def public() -> Post:
    return save(title="Ferry", publish=True).post


def withdrawn() -> Post:
    return unpublish(save(title="Quay", publish=True).post).post


def archived() -> Post:
    return remove(save(title="Gone", publish=True).post).post


STATES = (draft, scheduled, public, withdrawn, archived)


@requirement("desk.confirmations")
@pytest.mark.parametrize(
    ("page", "make", "sentence", "fields", "status"),
    [
        ("publish", draft, "at /blog/winter-garden from now on, and it appears in lists", {}, "published"),
        ("publish", scheduled, "at /blog/soon from now on, not only from Nov. 25, 2026, 12:00 (UTC).", {}, "published"),
        ("publish", withdrawn, "Readers see “Quay” again at /blog/quay, as it was.", {}, "published"),
        ("schedule", draft, "from the time that you choose, and nothing of it before.", TOMORROW, "scheduled"),
        ("schedule", scheduled, "from the new time on, instead of Nov. 25, 2026, 12:00 (UTC).", TOMORROW, "scheduled"),
        (
            "cancel",
            scheduled,
            "Readers do not see “Soon” on Nov. 25, 2026, 12:00 (UTC): it becomes a draft",
            {},
            "draft",
        ),
        ("withdraw", public, "Readers who open /blog/ferry learn that “Ferry” has been removed", {}, "draft"),
        ("withdraw", archived, "For readers nothing changes: “Gone” becomes a draft", {}, "draft"),
        ("delete", public, "you keep it with its history in the archive", {}, "archived"),
        ("delete", withdrawn, "Readers cannot see “Quay” anyway; you keep it", {"redirect_to": "/about"}, "archived"),
        ("delete", archived, "Readers who open /blog/gone are sent to the page", {"redirect_to": "/about"}, "archived"),
    ],
)
def test_a_page_says_what_readers_are_going_to_see_and_does_it(
    editor: Client, page: str, make: Callable[[], Post], sentence: str, fields: dict[str, str], status: str
) -> None:
    post = make()

    shown = text_of(editor.get(url(f"post_{page}", post.pk)))
    answer = confirm(editor, page, post, **fields)

    assert sentence in shown
    assert (answer.status_code, answer["Location"]) == (302, url("post_history", post.pk))
    assert stored(post).status == status
    assert LogEntry.objects.get().change_message in text_of(editor.get(answer["Location"]))


@pytest.mark.parametrize(
    ("page", "make", "obstacle"),
    [
        ("publish", public, "This post is public already."),
        ("schedule", public, "withdraw it first."),
        ("cancel", draft, "This post is not scheduled."),
        ("withdraw", draft, "This post is not public."),
        ("withdraw", scheduled, "This post is not public yet"),
    ],
)
def test_where_there_is_nothing_to_do_the_page_says_why(
    editor: Client, page: str, make: Callable[[], Post], obstacle: str
) -> None:
    post = make()

    with nothing_written():
        answer = confirm(editor, page, post, **TOMORROW)

    assert obstacle in text_of(answer)


@requirement("desk.confirmations")
def test_opening_a_page_changes_nothing(editor: Client, subtests: pytest.Subtests) -> None:
    posts = [make() for make in STATES]

    for page in PAGES:
        with subtests.test(page=page), nothing_written():
            answers = [editor.get(url(f"post_{page}", post.pk)) for post in posts]

            assert {answer.status_code for answer in answers} == {200}


def test_a_writer_cannot_forge_a_confirmation(writer: Client, subtests: pytest.Subtests) -> None:
    posts = [make() for make in STATES]

    for page in PAGES:
        with subtests.test(page=page), nothing_written():
            answers = [confirm(writer, page, post, **TOMORROW, redirect_to="public") for post in posts]

            assert {answer.status_code for answer in answers} == {403}


def test_changed_content_that_was_public_needs_the_kind_of_change(editor: Client) -> None:
    post = save(publish=True, body="Nine metres.").post
    unpublish(post)
    update(post, body="Ten metres.")

    page = editor.get(url("post_publish", post.pk))
    refused = confirm(editor, "publish", post)

    assert "Kind of change" in text_of(page)
    assert "removed: </span>Nine</del>" in page.content.decode()
    assert "This field is required." in text_of(refused)
    assert stored(post).status == PostStatus.DRAFT


def test_a_correction_needs_its_note(editor: Client) -> None:
    post = save(publish=True, body="Nine metres.").post
    unpublish(post)
    update(post, body="Ten metres.")

    refused = confirm(editor, "publish", post, change="correction")
    answer = confirm(editor, "publish", post, change="correction", note="It is ten.")

    assert "A correction needs a note" in text_of(refused)
    assert answer.status_code == 302
    entry = Publication.objects.filter(post=post).last()
    assert entry is not None
    assert (entry.entry_type, entry.note) == ("correction", "It is ten.")


@requirement("desk.seen-version")
def test_a_post_that_was_changed_meanwhile_is_shown_again(editor: Client) -> None:
    post = approve(save(body="Nine metres.").post).post
    old = seen(post)
    update(post, body="Ten metres.")

    with nothing_written():
        answer = editor.post(url("post_publish", post.pk), old)
        page = text_of(answer)

    assert "The post was changed in the meantime. Nothing was done." in page
    assert "Ines Editor changed its content." in page
    assert f"from={old['seen_revision']}&amp;to=draft" in answer.content.decode()
    assert f'value="{stored(post).version}"' in answer.content.decode()
    assert confirm(editor, "publish", post).status_code == 302


def test_a_post_that_another_editor_withdrew_meanwhile_is_not_published(editor: Client) -> None:
    post = scheduled()
    old = seen(post)
    publish(post)

    page = text_of(editor.post(url("post_cancel", post.pk), old))

    assert "Its state was “Scheduled” and is now “Public”." in page
    assert stored(post).status == PostStatus.PUBLISHED


def test_a_form_without_a_possible_version_does_nothing(editor: Client, subtests: pytest.Subtests) -> None:
    post = save().post

    for version in ["", "0", "x", "9" * 40]:
        with subtests.test(version=version), nothing_written():
            answer = confirm(editor, "publish", post, expected_version=version)

            assert answer.status_code == 200


@requirement("desk.refusals")
def test_a_refusal_for_lack_of_an_approval_shows_the_next_step(editor: Client, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(require_approval=True)
    post = save(made_by_ai=True).post

    with nothing_written():
        answer = confirm(editor, "publish", post)

    assert "only once a reviewer has checked the facts" in text_of(answer)
    assert f'href="{url("post_review", post.pk)}">Open the review' in answer.content.decode()


@requirement("desk.refusals")
def test_a_refusal_of_the_host_shows_its_reasons(editor: Client, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(before_publish=lambda post, context: ["No <b>swearing</b>.", "Too short."])
    post = save().post

    with nothing_written():
        answer = confirm(editor, "publish", post)

    assert "<li>No &lt;b&gt;swearing&lt;/b&gt;.</li><li>Too short.</li>" in answer.content.decode()
    assert "Change the post" in text_of(answer)


@requirement("desk.schedule")
def test_a_post_is_scheduled_in_a_time_zone(editor: Client) -> None:
    post = save().post

    answer = confirm(editor, "schedule", post, **TOMORROW)

    assert stored(post).publish_at == datetime(2026, 11, 23, 8, 5, tzinfo=UTC)
    shown = text_of(editor.get(answer["Location"]))
    assert "Nov. 23, 2026, 09:05 (Europe/Berlin), which is Nov. 23, 2026, 08:05 in the time zone of the site" in shown
    change = StatusChange.objects.get(post=post)
    assert (change.to_status, change.actor) == ("scheduled", "Ed Editor")


def test_the_form_has_the_time_zone_of_the_site(editor: Client, settings: Settings) -> None:
    settings.TIME_ZONE = "Asia/Kolkata"
    post = save().post

    page = editor.get(url("post_schedule", post.pk)).content.decode()

    assert 'name="zone" value="Asia/Kolkata"' in page
    assert '<option value="Europe/Berlin"></option>' in page


def test_the_time_is_shown_without_scheduling(editor: Client) -> None:
    post = save().post

    with nothing_written():
        answer = confirm(editor, "schedule", post, **TOMORROW, check="1")

    assert "Readers see “Winter garden” from Nov. 23, 2026, 09:05 (Europe/Berlin)" in text_of(answer)
    assert 'value="09:05"' in answer.content.decode()


@requirement("desk.schedule")
def test_a_wrong_time_is_an_error_at_its_field(editor: Client, subtests: pytest.Subtests) -> None:
    post = save().post

    for fields, error in [
        ({"date": "2026-11-21"}, "This time is in the past."),
        ({"date": "2026-11-22", "time": "12:59"}, "This time is in the past."),
        ({"date": "2027-03-28", "time": "02:30"}, "This time does not exist on that day"),
        ({"zone": "Europe/Atlantis"}, "There is no time zone with this name."),
        ({"zone": "../../etc/passwd"}, "There is no time zone with this name."),
        ({"date": ""}, "This field is required."),
        ({"date": "9999-12-31", "time": "23:59", "zone": "America/New_York"}, "This date is out of range."),
        ({"date": "0001-01-01", "time": "00:00", "zone": "Asia/Tokyo"}, "This date is out of range."),
        ({"time": "25:00"}, "Enter a valid time."),
    ]:
        with subtests.test(fields=fields, error=error), nothing_written():
            answer = confirm(editor, "schedule", post, **(TOMORROW | fields))

            assert error in text_of(answer)
            assert answer.context["form"].errors.keys() <= {"date", "time", "zone"}


def test_a_draft_without_records_is_deleted(editor: Client) -> None:
    post = save().post

    page = text_of(editor.get(url("post_delete", post.pk)))
    answer = confirm(editor, "delete", post)

    assert "it waits in the bin for 30 days, then it is deleted." in page
    assert answer["Location"] == url("post_changelist")
    assert not Post.objects.filter(pk=post.pk).exists()
    entry = LogEntry.objects.get()
    assert (entry.object_repr, entry.action_flag) == ("Winter garden", DELETION)


def test_a_redirect_to_a_page_that_is_not_there_says_so(editor: Client) -> None:
    post = save(title="Old", publish=True).post

    answer = confirm(editor, "delete", post, redirect_to="not-there")

    assert "readers find no page at the target of its URL" in text_of(editor.get(answer["Location"]))


@requirement("desk.schedule")
def test_a_time_that_occurs_twice_is_an_error_that_names_both(editor: Client) -> None:
    post = save().post

    answer = confirm(editor, "schedule", post, date="2027-10-31", time="02:30", zone="Europe/Berlin")

    (error,) = answer.context["form"].errors["time"]
    assert "00:30" in error
    assert "01:30" in error
    assert stored(post).status == "draft"


def test_a_redirect_that_leads_back_is_an_error_at_its_field(editor: Client) -> None:
    post = save(title="Old", publish=True).post

    with nothing_written():
        answer = confirm(editor, "delete", post, redirect_to="old")

    assert list(answer.context["form"].errors) == ["redirect_to"]


def test_where_the_url_of_an_archived_post_leads_is_changed(editor: Client) -> None:
    post = save(title="Old", publish=True).post
    remove(post)

    empty = confirm(editor, "delete", post)
    answer = confirm(editor, "delete", post, redirect_to="/about")

    assert "This field is required." in text_of(empty)
    assert answer.status_code == 302
    assert Redirect.objects.get().new_path == "/about"


def test_a_title_is_escaped(editor: Client) -> None:
    post = save(title="<script>alert(1)</script>", slug="x").post

    pages = [editor.get(url(f"post_{page}", post.pk)) for page in PAGES]

    assert not [page for page in pages if b"<script>alert" in page.content]
    assert not Approval.objects.exists()
