"""Two writers of one post: nothing is overwritten unseen, and nothing is lost (decision 10.16)."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.errors import RevisionMismatch
from blog_engine.inputs.posts import SavePost
from blog_engine.models import Post
from blog_engine.queries.posts import tag_names
from tests.admin.desk import Fields, address, form_on, nothing_written, opened, send, stored, url
from tests.requirements import requirement
from tests.support.factories import NOW, approve, edit_category, save, update
from tests.support.tables import undone

pytestmark = pytest.mark.django_db


@pytest.fixture
def post() -> Post:
    return save(
        title="Night ferry", body="It leaves at ten.\n", description="When.", tags=["Sea"], category="Ships"
    ).post


def conflict(writer: Client, post: Post, theirs: dict[str, Any], **mine: Any) -> Fields:
    """The page with both versions, after somebody else was faster; nothing is written by it."""
    fields = opened(writer, post.pk)
    update(post, **theirs)

    with nothing_written():
        page = send(writer, address(post.pk), fields, **mine)

    assert page.templates[0].name == "admin/blog_engine/post_conflict.html"
    return form_on(page)


@requirement("desk.conflicts")
def test_both_versions_and_their_difference_are_shown(writer: Client, post: Post) -> None:
    fields = opened(writer, post.pk)
    update(post, body="It leaves at eleven.\n")

    page = send(writer, address(post.pk), fields, body="It leaves at noon.\n").content.decode()

    assert "Ines Editor changed" in page
    assert "It leaves at eleven." in page
    assert "It leaves at noon." in page
    assert "<del>" in page
    assert "<ins>" in page


@requirement("desk.conflicts")
def test_mine_is_saved_over_knowingly(writer: Client, post: Post) -> None:
    fields = conflict(writer, post, {"body": "Theirs"}, body="Mine")

    answer = send(writer, address(post.pk), fields, take_1="mine")

    assert answer.status_code == 302
    assert (stored(post).body, stored(post).unrecorded_actor) == ("Mine", "Wanda Writer")


@requirement("desk.conflicts")
def test_theirs_is_taken_unless_the_writer_chooses(writer: Client, post: Post) -> None:
    theirs = {"body": "Theirs", "title": "Their title"}
    fields = conflict(writer, post, theirs, body="Mine", title="My title", description="My description")

    send(writer, address(post.pk), fields)

    kept = stored(post)
    assert (kept.body, kept.title, kept.description) == ("Theirs", "Their title", "My description")


@requirement("desk.conflicts")
def test_both_versions_of_a_passage_are_saved(writer: Client, post: Post) -> None:
    fields = conflict(writer, post, {"body": "Theirs\n"}, body="Mine")

    send(writer, address(post.pk), fields, take_1="both")

    assert stored(post).body == "Theirs\n\nMine"


@requirement("desk.conflicts")
def test_what_only_the_other_changed_is_kept(writer: Client, post: Post) -> None:
    theirs = {"body": "Theirs", "tags": ["Sea", "Night"], "category": None, "featured": True}
    fields = opened(writer, post.pk)
    update(post, **theirs)

    answer = send(writer, address(post.pk), fields, title="My title")

    kept = stored(post)
    assert answer.status_code == 302
    assert "Ines Editor changed this post while you were writing: Text, Category" in shown_after(writer, post)
    assert (kept.title, kept.body, tag_names(kept), kept.category, kept.featured) == (
        "My title",
        "Theirs",
        ["Sea", "Night"],
        None,
        True,
    )


@requirement("desk.conflicts")
def test_rows_are_chosen_whole(writer: Client, post: Post) -> None:
    mine = {"faq_question": ["Mine?"], "faq_answer": ["Yes."]}
    theirs = {"faq": [{"question": "Theirs?", "answer": "No."}]}
    fields = conflict(writer, post, theirs, **mine)

    send(writer, address(post.pk), fields, take_faq="mine")
    assert [row.question for row in stored(post).faqs.all()] == ["Mine?"]

    other = conflict(writer, post, theirs, faq_question=["Mine again?"], faq_answer=["Yes."])
    send(writer, address(post.pk), other)
    assert [row.question for row in stored(post).faqs.all()] == ["Theirs?"]


@requirement("desk.conflicts")
def test_a_third_version_is_a_new_conflict(writer: Client, post: Post) -> None:
    fields = conflict(writer, post, {"body": "Theirs"}, body="Mine")
    update(post, body="Theirs again")

    with nothing_written():
        page = send(writer, address(post.pk), fields, take_1="mine")

    assert "Theirs again" in page.content.decode()
    send(writer, address(post.pk), form_on(page), take_1="mine")
    assert stored(post).body == "Mine"


THREE = "Para one.\n\nPara two.\n\nPara three.\n"


@requirement("desk.conflicts")
def test_different_passages_are_put_together(writer: Client, post: Post) -> None:
    update(post, body=THREE)
    fields = opened(writer, post.pk)
    update(post, body=THREE.replace("one.", "ONE."))

    answer = send(writer, address(post.pk), fields, body=THREE.replace("three.", "three, with more."))

    assert answer.status_code == 302
    assert stored(post).body == "Para ONE.\n\nPara two.\n\nPara three, with more.\n"


@requirement("desk.conflicts")
def test_only_the_passage_that_both_changed_is_asked_about(writer: Client, post: Post) -> None:
    update(post, body=THREE)
    theirs = THREE.replace("one.", "ONE.").replace("two.", "TWO.")
    mine = THREE.replace("two.", "2.").replace("three.", "3.")
    fields = conflict(writer, post, {"body": theirs}, body=mine)

    assert ([name for name in fields if name.startswith("take_")], "body" in fields) == (["take_1"], False)
    send(writer, address(post.pk), fields)
    assert stored(post).body == "Para ONE.\n\nPara TWO.\n\nPara 3.\n"


@requirement("desk.conflicts")
def test_a_correction_of_a_public_post_is_not_taken_back(editor: Client) -> None:
    public = save(body=THREE, publish=True).post
    fields = opened(editor, public.pk)
    update(public, body=THREE.replace("one.", "ONE."), change="correction", note="One was wrong.")

    page = send(editor, address(public.pk), fields, body=THREE.replace("three.", "three, with more."))

    assert page.templates[0].name == "admin/blog_engine/post_confirm.html"
    assert "Both changes are kept." in page.content.decode()
    send(editor, address(public.pk), form_on(page), change="substantive")
    assert stored(public).body == "Para ONE.\n\nPara two.\n\nPara three, with more.\n"


@requirement("desk.conflicts")
def test_a_proposal_is_put_together_with_what_others_changed(writer: Client) -> None:
    public = save(body=THREE, publish=True).post
    fields = opened(writer, public.pk)
    update(public, body=THREE.replace("one.", "ONE."), change="maintenance")

    page = send(writer, address(public.pk), fields, body=THREE.replace("three.", "3."), propose="1")
    send(writer, address(public.pk), form_on(page), change="maintenance", propose="1")

    assert public.proposals.get().fields["body"] == "Para ONE.\n\nPara two.\n\nPara 3.\n"


@requirement("desk.conflicts")
def test_many_passages_are_asked_about_as_one_text(writer: Client, post: Post) -> None:
    lines = [f"Line {number}.\n\n" for number in range(30)]
    update(post, body="".join(lines))
    theirs = {"body": "".join(lines).replace("Line", "Their line")}

    fields = conflict(writer, post, theirs, body="".join(lines).replace("Line", "My line"))
    send(writer, address(post.pk), fields, take_body="mine")

    assert stored(post).body.startswith("My line 0.")


@pytest.mark.parametrize("base", [None, "Made up."])
def test_a_form_with_another_base_is_asked_about_its_whole_text(writer: Client, post: Post, base: str | None) -> None:
    update(post, body=THREE)
    theirs = {"body": THREE.replace("one.", "ONE.")}

    fields = conflict(writer, post, theirs, body=THREE.replace("three.", "3."), base=base)

    assert "take_body" in fields


def test_another_window_of_the_same_person_is_called_that(writer: Client, post: Post) -> None:
    fields = opened(writer, post.pk)
    send(writer, address(post.pk), opened(writer, post.pk), body="In one.")

    page = send(writer, address(post.pk), fields, body="In the other.").content.decode()

    assert "You changed “Night ferry” in another window" in page


def test_a_write_that_the_form_does_not_show_is_no_conflict(writer: Client, post: Post) -> None:
    fields = opened(writer, post.pk)
    approve(post)
    update(post, body="Other")
    update(post, body="It leaves at ten.\n")

    answer = send(writer, address(post.pk), fields, title="New title")

    assert answer.status_code == 302
    assert stored(post).title == "New title"


def test_a_renamed_category_is_no_change_of_mine(writer: Client, post: Post) -> None:
    fields = opened(writer, post.pk)
    edit_category(post.category_id, name="Boats")

    answer = send(writer, address(post.pk), fields, title="New title")

    assert answer.status_code == 302
    assert (stored(post).title, str(stored(post).category)) == ("New title", "Boats")


@requirement("desk.conflicts")
def test_both_wrote_the_same(writer: Client, post: Post) -> None:
    fields = opened(writer, post.pk)
    update(post, body="The same")

    with nothing_written():
        send(writer, address(post.pk), fields, body="The same")
        assert "Everything is saved." in shown_after(writer, post)
    send(writer, address(post.pk), fields, body="The same", title="T")

    assert (stored(post).body, stored(post).title) == ("The same", "T")


@requirement("desk.conflicts")
def test_going_back_keeps_mine_and_the_new_version(writer: Client, post: Post) -> None:
    fields = conflict(writer, post, {"body": "Theirs", "description": "Their words"}, body="Mine")

    form = form_on(send(writer, address(post.pk), fields, back="1"))
    answer = send(writer, address(post.pk), form)

    assert (form["body"], form["description"]) == (["Mine"], ["Their words"])
    assert answer.status_code == 302
    assert (stored(post).body, stored(post).description) == ("Mine", "Their words")


def test_a_form_without_version_or_digests_overwrites_nothing_unsent(writer: Client, post: Post) -> None:
    answer = send(writer, address(post.pk), opened(writer, post.pk), version=None, opened=None, title="New title")

    assert answer.status_code == 302
    assert (stored(post).title, stored(post).body) == ("New title", "It leaves at ten.\n")


def test_made_up_digests_do_not_break_the_form(writer: Client, post: Post, subtests: pytest.Subtests) -> None:
    for digests in ["", ":", "body:", "nothing:here", "body:x body:y", "{}"]:
        with subtests.test(digests=digests), undone():
            answer = send(writer, address(post.pk), opened(writer, post.pk), opened=digests, body="Mine", version="x")

            assert answer.status_code in {200, 302}


def test_a_public_post_is_confirmed_after_the_choice(editor: Client) -> None:
    public = save(body="Ten.", publish=True).post
    fields = opened(editor, public.pk)
    update(public, body="Eleven.", change="maintenance")

    both = form_on(send(editor, address(public.pk), fields, body="Noon."))
    question = send(editor, address(public.pk), both, take_1="mine")
    assert stored(public).body == "Eleven."
    answer = send(editor, address(public.pk), form_on(question), change="correction", note="Wrong.")

    assert answer.status_code == 302
    assert stored(public).body == "Noon."


@requirement("desk.conflicts")
def test_another_version_during_the_confirmation_is_noticed(editor: Client) -> None:
    public = save(body="Ten.", publish=True).post
    question = form_on(send(editor, address(public.pk), opened(editor, public.pk), body="Noon."))
    update(public, body="Eleven.", change="maintenance")

    with nothing_written():
        page = send(editor, address(public.pk), question, change="correction", note="Wrong.")

    assert page.templates[0].name == "admin/blog_engine/post_conflict.html"


@requirement("desk.conflicts")
def test_a_writer_who_is_faster_than_the_request_is_noticed(writer: Client, post: Post) -> None:
    fields = opened(writer, post.pk)

    with faster(post, body="Theirs"):
        page = send(writer, address(post.pk), fields, body="Mine")

    assert page.templates[0].name == "admin/blog_engine/post_conflict.html"
    assert stored(post).body == "Theirs"
    send(writer, address(post.pk), form_on(page), take_1="mine")
    assert stored(post).body == "Mine"


@requirement("desk.conflicts")
def test_a_writer_who_is_faster_in_another_passage_is_put_together(writer: Client, post: Post) -> None:
    update(post, body=THREE)
    fields = opened(writer, post.pk)

    with faster(post, body=THREE.replace("one.", "ONE.")):
        answer = send(writer, address(post.pk), fields, body=THREE.replace("three.", "3."))

    assert answer.status_code == 302
    assert stored(post).body == "Para ONE.\n\nPara two.\n\nPara 3.\n"


@requirement("desk.conflicts")
def test_autosave_notices_a_writer_who_is_faster_than_the_request(writer: Client, post: Post) -> None:
    fields = opened(writer, post.pk)

    with faster(post, body="Theirs"):
        reply: Any = send(writer, url("post_autosave", post.pk), fields, body="Mine")

    assert reply.json()["state"] == "conflict"
    assert stored(post).body == "Theirs"


@requirement("desk.new-post")
def test_a_draft_that_somebody_else_creates_meanwhile_is_not_written_to() -> None:
    save(title="Theirs", slug="taken", body="Theirs")
    with nothing_written(), pytest.raises(RevisionMismatch):
        services.save_draft(
            SavePost(title="Mine", slug="taken", body="Mine", expected_version=0), actor=Actor("Wanda"), now=NOW
        )


def shown_after(client: Client, post: Post) -> str:
    """The page to which a saved form leads."""
    return client.get(address(post.pk)).content.decode()


@contextmanager
def faster(post: Post, **theirs: Any) -> Iterator[None]:
    """Somebody else writes to the post after the request has read it, and before it writes."""
    waiting = [theirs]

    def write_between(execute: Any, sql: str, *rest: Any) -> Any:
        found = execute(sql, *rest)
        if waiting and 'FROM "blog_engine_connectiondeclaration"' in sql:
            update(post, **waiting.pop())
        return found

    with connection.execute_wrapper(write_between):
        yield
    assert not waiting
