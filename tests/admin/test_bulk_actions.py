"""Actions on several posts of the list: one service call for each, refusals with their reason, and forged forms."""

import sqlite3
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client

from blog_engine import services
from blog_engine.admin import bulk_actions
from blog_engine.enums import PostStatus
from blog_engine.models import Post, Publication, StatusChange, Tag
from tests.admin.desk import WRITER, desk, nothing_written, url
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, remove, save, update
from tests.support.hosts import blog_settings
from tests.support.tables import everything_stored, undone

pytestmark = pytest.mark.django_db

VERBS = ["publish_selected", "withdraw_selected", "tag_selected"]


def choose(client: Client, verb: str, *posts: Post, **more: Any) -> Any:
    """Choose posts in the list and press the button of an action."""
    sent = {"action": verb, "index": "0", "_selected_action": [str(post.pk) for post in posts]}
    return client.post(url("post_changelist"), sent | more)


def confirm(client: Client, verb: str, *posts: Post, **more: Any) -> Any:
    """Send the page of confirmation, as it was shown for the posts as they were given."""
    versions = {f"version_{post.pk}": str(post.version) for post in posts}
    sent = {"action": verb, "confirmed": "1", "_selected_action": [str(post.pk) for post in posts]}
    return client.post(url("post_changelist"), sent | versions | more)


def status_of(*posts: Post) -> list[str]:
    return [Post.objects.get(pk=post.pk).status for post in posts]


def tags_of(post: Post) -> list[str]:
    return list(Post.objects.get(pk=post.pk).taggings.order_by("id").values_list("tag__name", flat=True))


def said(answer: Any) -> list[str]:
    return [str(message) for message in answer.wsgi_request._messages]


def drafts(number: int = 2, **fields: Any) -> list[Post]:
    return [save(title=f"Draft {index}", **fields).post for index in range(number)]


@requirement("desk.bulk")
@pytest.mark.parametrize("verb", VERBS)
def test_an_action_first_shows_the_posts_and_changes_nothing(editor: Client, verb: str) -> None:
    posts = drafts()

    with nothing_written():
        answer = choose(editor, verb, *posts)

    shown = answer.content.decode()
    assert answer.status_code == 200
    assert all(post.title in shown and f'name="version_{post.pk}"' in shown for post in posts)


@requirement("desk.bulk")
def test_publishing_makes_one_record_for_each_post(editor: Client) -> None:
    posts = drafts()

    answer = confirm(editor, "publish_selected", *posts)

    assert (answer.status_code, answer["Location"]) == (302, url("post_changelist"))
    assert said(answer) == ["2 posts are public now."]
    assert status_of(*posts) == ["published", "published"]
    assert set(Publication.objects.values_list("post", "released_by")) == {(post.pk, "Ed Editor") for post in posts}
    assert LogEntry.objects.filter(change_message="Published from the list.").count() == 2


def test_publishing_a_scheduled_post_does_not_wait(editor: Client) -> None:
    post = save(publish=True, publish_at="2030-01-01T00:00:00Z", provenance="human_written").post

    confirm(editor, "publish_selected", post)

    assert status_of(post) == ["published"]


@requirement("desk.bulk")
def test_withdrawing_makes_one_record_for_each_post(editor: Client) -> None:
    public = save(publish=True).post
    scheduled = save(title="Later", publish=True, publish_at="2030-01-01T00:00:00Z", provenance="human_written").post

    answer = confirm(editor, "withdraw_selected", public, scheduled)

    assert said(answer) == ["2 posts were withdrawn."]
    assert status_of(public, scheduled) == ["draft", "draft"]
    withdrawn = StatusChange.objects.filter(actor="Ed Editor", to_status="draft")
    assert set(withdrawn.values_list("post", flat=True)) == {public.pk, scheduled.pk}


@requirement("desk.bulk")
def test_a_tag_is_added_to_those_that_a_post_has(editor: Client) -> None:
    draft, public = save(tags=["Soil", "Mud"]).post, save(title="Public", tags=["Quay"], publish=True).post

    answer = confirm(editor, "tag_selected", draft, public, tag="Winter")

    assert said(answer) == ["2 posts have the tag now.", "These tags are new: “Winter”."]
    assert (tags_of(draft), tags_of(public)) == (["Soil", "Mud", "Winter"], ["Quay", "Winter"])
    assert status_of(draft, public) == ["draft", "published"]
    kinds = Publication.objects.filter(post=public).order_by("id").values_list("entry_type", flat=True)
    # Tags are no part of what the history records.
    assert list(kinds) == ["first"]


def test_a_tag_that_cannot_be_one_is_an_error_of_the_field(editor: Client, subtests: pytest.Subtests) -> None:
    posts = drafts()

    for tag in ["", "   ", "x" * 256, "a\0b"]:
        with subtests.test(tag=tag), nothing_written():
            answer = confirm(editor, "tag_selected", *posts, tag=tag)

            assert (answer.status_code, list(answer.context["form"].errors)) == (200, ["tag"])


@requirement("desk.bulk")
def test_a_post_that_has_the_tag_is_left_alone(editor: Client) -> None:
    has, lacks = save(tags=["Winter"]).post, save(title="Lacks").post

    answer = confirm(editor, "tag_selected", has, lacks, tag="WINTER")

    assert answer.status_code == 200
    assert "It has the tag already." in answer.content.decode()
    assert (Post.objects.get(pk=has.pk).version, tags_of(lacks)) == (has.version, ["Winter"])
    assert Tag.objects.count() == 1


@requirement("desk.bulk")
def test_what_is_done_and_what_is_not_is_shown_with_reasons_and_links(editor: Client) -> None:
    draft, public = save(title="Draft").post, save(title="Already", publish=True).post

    answer = confirm(editor, "publish_selected", draft, public)

    shown = answer.content.decode()
    assert answer.status_code == 200
    assert status_of(draft, public) == ["published", "published"]
    assert f'<a href="{url("post_change", public.pk)}">Already</a>: It is public already.' in shown
    assert "1 post is public now." in shown


@requirement("desk.bulk")
def test_withdrawing_leaves_drafts_and_archived_posts_alone(editor: Client) -> None:
    draft, archived = save(title="Draft").post, save(title="Archived", publish=True).post
    remove(archived)
    archived.refresh_from_db()

    answer = confirm(editor, "withdraw_selected", draft, archived)

    assert answer.content.decode().count("It is neither public nor scheduled.") == 2
    assert status_of(draft, archived) == ["draft", "archived"]


@requirement("desk.bulk")
def test_a_refusal_of_the_service_leaves_that_post_and_no_other(editor: Client, settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(require_approval=True)
    by_ai = save(title="By AI", provenance="ai_assisted").post
    by_hand = save(title="By hand", provenance="human_written").post

    answer = confirm(editor, "publish_selected", by_ai, by_hand)

    assert "only once a reviewer has checked the facts" in answer.content.decode()
    assert status_of(by_ai, by_hand) == ["draft", "published"]
    assert LogEntry.objects.count() == 1


@requirement("desk.bulk")
def test_the_reasons_of_the_check_of_the_host_are_shown(editor: Client, settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(before_publish=lambda post, context: ["Too short.", "No <image>."])
    (post,) = drafts(1)

    answer = confirm(editor, "publish_selected", post)

    assert "The check of the site refused it: Too short.; No &lt;image&gt;." in answer.content.decode()
    assert "Nothing was changed" in answer.content.decode()
    assert status_of(post) == ["draft"]


@requirement("desk.bulk.versions")
def test_a_post_that_was_changed_after_the_page_was_shown_stays_as_it_is(editor: Client) -> None:
    post, other = drafts()
    update(post, title="Somebody's newer title", now=LATER)

    answer = confirm(editor, "publish_selected", post, other)

    assert "The post was changed in the meantime." in answer.content.decode()
    assert status_of(post, other) == ["draft", "published"]


@requirement("desk.bulk.versions")
def test_a_post_that_is_changed_at_the_same_moment_stays_as_it_is(
    editor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    (post,) = drafts(1)
    publish = services.publish_post

    def raced(*args: Any, **kwargs: Any) -> Any:
        update(post, title="Faster", now=LATER)
        return publish(*args, **kwargs)

    monkeypatch.setattr(services, "publish_post", raced)
    answer = confirm(editor, "publish_selected", post)

    assert "The post was changed in the meantime." in answer.content.decode()
    assert status_of(post) == ["draft"]


def test_a_form_without_the_version_changes_nothing(editor: Client, subtests: pytest.Subtests) -> None:
    (post,) = drafts(1)
    sent = {"action": "publish_selected", "confirmed": "1", "_selected_action": [str(post.pk)]}

    for version in ["", "x", "999", None]:
        with subtests.test(version=version), undone():
            answer = editor.post(
                url("post_changelist"), sent | ({} if version is None else {f"version_{post.pk}": version})
            )

            assert (answer.status_code, status_of(post)) == (200, ["draft"])


@requirement("desk.bulk")
def test_a_busy_database_is_a_reason_as_well(editor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    (post,) = drafts(1)

    def busy(*args: Any, **kwargs: Any) -> None:
        cause = sqlite3.OperationalError("database is locked")
        cause.sqlite_errorcode = sqlite3.SQLITE_BUSY
        raise OperationalError("locked") from cause

    monkeypatch.setattr(services, "publish_post", busy)
    answer = confirm(editor, "publish_selected", post)

    assert "The database is busy." in answer.content.decode()


def test_a_writer_cannot_publish_by_forging_the_form(subtests: pytest.Subtests) -> None:
    for permissions in [(), WRITER]:
        for verb in ["publish_selected", "withdraw_selected"]:
            with subtests.test(verb=verb, permissions=permissions), undone():
                client = desk("view_post", *permissions)
                draft, public = save(title="Draft").post, save(title="Public", publish=True).post
                before = everything_stored()

                answers = [act(client, verb, draft, public) for act in (choose, confirm)]

                assert {answer.status_code for answer in answers} <= {200, 302}
                assert everything_stored() == before
                assert "bulk-posts" not in "".join(answer.content.decode() for answer in answers)


@requirement("desk.bulk")
def test_a_writer_tags_drafts_and_not_public_posts(writer: Client) -> None:
    draft, public = save(title="Draft").post, save(title="Public", publish=True).post

    answer = confirm(writer, "tag_selected", draft, public, tag="Winter")

    assert (tags_of(draft), tags_of(public)) == (["Winter"], [])
    assert "You do not have the permission to do this." in answer.content.decode()


def test_who_may_only_look_cannot_tag() -> None:
    client, (post,) = desk("view_post"), drafts(1)

    confirm(client, "tag_selected", post, tag="Winter")

    assert tags_of(post) == []


def test_an_action_that_is_not_offered_does_nothing(editor: Client, subtests: pytest.Subtests) -> None:
    posts = drafts()

    for verb in ["delete_selected", "delete", "bogus", "__init__", "get_queryset"]:
        with subtests.test(verb=verb), nothing_written():
            for act in (choose, confirm):
                assert act(editor, verb, *posts, post="yes").status_code == 302


def test_made_up_ids_change_nothing(editor: Client, subtests: pytest.Subtests) -> None:
    drafts()

    for chosen in [["x"], ["1 OR 1=1"], ["-1"], ["9" * 30], ["999999999"], ["٣"], [""]]:
        with subtests.test(chosen=chosen), nothing_written():
            answer = editor.post(
                url("post_changelist"), {"action": "publish_selected", "confirmed": "1", "_selected_action": chosen}
            )

            assert answer.status_code == 302
            assert said(answer)[-1:] == ["These posts do not exist. Nothing was changed."]


def test_an_action_without_posts_says_so(editor: Client) -> None:
    answer = choose(editor, "publish_selected")

    assert (answer.status_code, len(said(answer))) == (302, 1)


@requirement("desk.bulk")
def test_all_pages_at_once_cannot_be_chosen(editor: Client) -> None:
    posts = drafts()

    with nothing_written():
        answer = choose(editor, "publish_selected", posts[0], select_across="1")

    assert said(answer) == ["Choose at most 100 posts at once. Nothing was changed."]


@requirement("desk.bulk")
def test_more_posts_than_a_page_are_refused(editor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk_actions, "MOST_AT_ONCE", 2)
    posts = drafts(3)

    with nothing_written():
        answer = confirm(editor, "publish_selected", *posts)

    assert said(answer) == ["Choose at most 2 posts at once. Nothing was changed."]


def test_a_get_runs_no_action(editor: Client) -> None:
    (post,) = drafts(1)

    with nothing_written():
        editor.get(url("post_changelist"), {"action": "publish_selected", "_selected_action": str(post.pk)})


def test_the_list_comes_back_with_its_filters(editor: Client) -> None:
    (post,) = drafts(1)
    sent = {"action": "publish_selected", "confirmed": "1", "_selected_action": [str(post.pk)]}

    answer: HttpResponse = editor.post(
        f"{url('post_changelist')}?status=draft", sent | {f"version_{post.pk}": str(post.version)}
    )

    assert answer["Location"] == f"{url('post_changelist')}?status=draft"


def test_titles_are_escaped(editor: Client) -> None:
    post = save(title="<script>alert(1)</script>", publish=True).post

    shown = choose(editor, "tag_selected", post).content.decode()
    summary = confirm(editor, "publish_selected", post).content.decode()

    assert "<script>alert" not in shown + summary


def test_the_posts_are_changed_in_the_order_of_the_list(editor: Client) -> None:
    posts = [save(title=str(number), now=NOW + timedelta(hours=number)).post for number in range(3)]

    confirm(editor, "publish_selected", *posts)

    assert list(Publication.objects.order_by("id").values_list("post", flat=True)) == [
        post.pk for post in reversed(posts)
    ]
    assert {post.status for post in Post.objects.all()} == {PostStatus.PUBLISHED.value}
