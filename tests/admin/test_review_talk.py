"""The conversation on the page of a review: sending back, remarks on passages, answers, and what is resolved."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.inputs.conversation import LONGEST_PASSAGE, LONGEST_REMARK, AddRemark, AnswerRemark, RequestReview
from blog_engine.models import Post, Remark
from tests.admin.desk import EDITOR, WRITER, desk, nothing_written, person, stored, text_of, url
from tests.admin.test_every_page import MOST_QUERIES
from tests.requirements import requirement
from tests.support.factories import AGENT, LATER, NOW, approve, publish, remove, save, store_image, unpublish, update

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("a_day_later")]

WANDA = Actor("Wanda Writer", scopes=["read", "write"], id="user:7")
BODY = "The ferry leaves at *nine*.\n\nIt is **never** late, [they say](https://example.com/late).\n"


def page(client: Client, post: Post) -> str:
    return text_of(client.get(url("post_review", post.pk)))


def ask(post: Post, note: str = "", asked: str = "") -> None:
    services.request_review(RequestReview(id=str(post.pk), note=note, person=asked), actor=WANDA, now=NOW)


def remark(post: Post, text: str, passage: str = "", *, actor: Actor = WANDA) -> Remark:
    written = services.add_remark(AddRemark(id=str(post.pk), text=text, passage=passage), actor=actor, now=NOW)
    assert written.remark is not None
    return written.remark


def say(client: Client, post: Post, step: str, **fields: Any) -> Any:
    return client.post(url("post_review", post.pk), {"step": step, **fields})


def send_back(client: Client, post: Post, text: str, **fields: Any) -> Any:
    identifier = stored(post).current_revision_identifier
    return say(client, post, "return", **{"revision_identifier": identifier, "text": text, **fields})


@requirement("desk.review.note")
def test_a_review_begins_with_the_request(editor: Client) -> None:
    person(*EDITOR, name="Rita Reviewer")
    post, other = save(body=BODY).post, save(title="Other").post
    ask(post, "Please look at <b>the numbers</b>.", "rita.reviewer")
    ask(other)

    shown = editor.get(url("post_review", post.pk))

    assert "Wanda Writer asked Rita Reviewer for a review on Nov. 21, 2026, 12:00. Please look at" in text_of(shown)
    assert "Please look at &lt;b&gt;the numbers&lt;/b&gt;." in shown.content.decode()
    assert "Wanda Writer asked for a review on Nov. 21, 2026, 12:00." in page(editor, other)
    queue = text_of(editor.get(url("post_queue")))
    assert "Wanda Writer asked Rita Reviewer for a review on" in queue
    assert "Wanda Writer asked for a review on" in queue


@requirement("desk.review.return")
def test_a_reviewer_sends_a_post_back_with_a_text() -> None:
    reviewer, post = desk("view_post", "approve_post", name="Rita Reviewer"), save(body=BODY).post
    ask(post)

    answer = send_back(reviewer, post, "Source for\r\nparagraph 2, please.")

    entry = Remark.objects.get(kind="return")
    assert answer["Location"] == f"{url('post_review', post.pk)}#remark-{entry.pk}"
    assert (entry.text, entry.actor) == ("Source for\nparagraph 2, please.", "Rita Reviewer")
    now = stored(post)
    assert (now.review_requested_at, now.review_reason, now.review_returned_by) == (None, None, "Rita Reviewer")
    shown = page(reviewer, post)
    assert "Rita Reviewer sent this post back on Nov. 22, 2026, 12:00." in shown
    assert "Sent back. The writer sees it on top of the text." in shown


@requirement("desk.review.return")
@pytest.mark.parametrize("text", ["", " \n ", "x" * (LONGEST_REMARK + 1), "a\x00b"])
def test_a_post_is_not_sent_back_without_a_text(editor: Client, text: str) -> None:
    post = save(body=BODY).post
    ask(post)

    with nothing_written():
        answer = send_back(editor, post, text)

    assert answer.context["return_form"].errors.keys() == {"text"}


@requirement("desk.review.return")
@pytest.mark.parametrize("identifier", [None, "", "nonsense"])
def test_text_that_changed_meanwhile_is_not_sent_back_and_the_remark_is_kept(
    editor: Client, identifier: str | None
) -> None:
    post = save(body="It leaves at nine.").post
    approve(post, facts_checked=False)
    ask(post)
    opened = stored(post).current_revision_identifier
    update(post, body="It leaves at ten.", actor=AGENT)

    with nothing_written():
        answer = send_back(
            editor, post, "Nine is wrong.", revision_identifier=opened if identifier is None else identifier
        )

    shown = text_of(answer)
    assert "The post was changed while you were reading. Nothing was sent back." in shown
    assert ("It leaves at removed: nine added: ten ." in shown) == (identifier is None)
    content = answer.content.decode()
    assert ">\nNine is wrong.</textarea>" in content
    assert f'name="revision_identifier" value="{stored(post).current_revision_identifier}"' in content
    assert send_back(editor, post, "Nine is wrong.").status_code == 302


@requirement("desk.review.return")
def test_a_form_that_is_sent_twice_sends_back_once(editor: Client) -> None:
    post = save(body=BODY).post

    for _ in range(2):
        assert send_back(editor, post, "Source, please.").status_code == 302

    assert Remark.objects.count() == 1


@requirement("desk.review.return")
def test_what_is_approved_or_archived_is_not_sent_back(editor: Client) -> None:
    approved, archived = save(title="Approved").post, save(title="Archived", publish=True).post
    approve(approved)
    remove(archived)

    for post in (approved, archived):
        assert 'id="send-back"' not in editor.get(url("post_review", post.pk)).content.decode()
        with nothing_written():
            answer = send_back(editor, post, "Too late.")
        assert "Too late." in answer.content.decode()
        assert answer.context["return_form"].errors


@requirement("desk.review.remarks")
def test_a_passage_is_quoted_as_readers_see_it(editor: Client) -> None:
    post = save(body=BODY).post

    say(editor, post, "remark", passage=" It is never late,\r\nthey say. ", text="Who <i>says</i> so?")

    entry = Remark.objects.get()
    assert (entry.passage, entry.text, entry.actor) == (
        "It is never late,\nthey say.",
        "Who <i>says</i> so?",
        "Ed Editor",
    )
    shown = editor.get(url("post_review", post.pk))
    assert "Who &lt;i&gt;says&lt;/i&gt; so?" in shown.content.decode()
    assert 'data-passage="It is never late,\nthey say."' in shown.content.decode()
    assert stored(post).version == post.version


@requirement("desk.review.remarks")
@pytest.mark.parametrize(
    ("passage", "text", "fields"),
    [
        ("It is always late", "Really?", {"passage"}),
        ("x" * (LONGEST_PASSAGE + 1), "Really?", {"passage"}),
        ("", " ", {"text"}),
        ("It is never late", "", {"text"}),
    ],
)
def test_a_remark_that_cannot_be_is_kept_in_the_form(editor: Client, passage: str, text: str, fields: set[str]) -> None:
    post = save(body=BODY).post

    with nothing_written():
        answer = say(editor, post, "remark", passage=passage, text=text)

    assert answer.context["remark_form"].errors.keys() == fields
    assert '<details class="review-fold" open data-remark-form>' in answer.content.decode()
    assert passage in answer.content.decode()


@requirement("desk.review.remarks")
def test_words_that_are_gone_are_said_to_be(editor: Client) -> None:
    post = save(body=BODY).post
    entry = remark(post, "Sure?", "It is never late")
    update(post, body="The ferry leaves at ten.")

    shown = editor.get(url("post_review", post.pk))

    assert "It is never late These words are no longer in the text. Wanda Writer" in text_of(shown)
    assert "data-passage" not in shown.content.decode()
    assert f'id="remark-{entry.pk}"' in shown.content.decode()


@requirement("desk.review.remarks")
def test_a_remark_is_answered_and_resolved(editor: Client) -> None:
    post = save(body=BODY).post
    entry = remark(post, "Which ferry?")
    services.answer_remark(AnswerRemark(id=str(post.pk), remark=entry.pk, text="The white one."), actor=WANDA, now=NOW)

    answered = say(editor, post, "answer", remark=entry.pk, text="Then say so.")
    both = page(editor, post)
    resolved = say(editor, post, "resolve", remark=entry.pk)
    after = page(editor, post)

    assert both.index("Which ferry?") < both.index("The white one.") < both.index("Then say so.")
    assert answered.status_code == resolved.status_code == 302
    assert "No remark is open." in after
    assert "Resolved by Ed Editor on Nov. 22, 2026, 12:00." in after
    assert stored(post).open_remarks == 0


@requirement("desk.review.remarks")
def test_an_answer_that_is_refused_is_kept_in_its_form(editor: Client) -> None:
    post = save(body=BODY).post
    entry, other = remark(post, "Which ferry?"), remark(post, "Which day?")

    with nothing_written():
        answer = say(editor, post, "answer", remark=other.pk, text=" ")

    content = answer.content.decode()
    assert content.count('<details class="review-fold" open>') == 1
    assert content.index("Which day?") < content.index('<details class="review-fold" open>')
    assert f'id="answer-{entry.pk}"' in content


@requirement("desk.review.remarks")
@pytest.mark.parametrize("step", ["answer", "resolve"])
@pytest.mark.parametrize("wrong", ["other post", "none", "no number", "absent"])
def test_a_remark_that_is_not_there_is_neither_answered_nor_resolved(editor: Client, step: str, wrong: str) -> None:
    post = save(body=BODY).post
    elsewhere = remark(save(title="Other").post, "Elsewhere")
    number = {"other post": str(elsewhere.pk), "none": str(10**12), "no number": "x", "absent": ""}[wrong]

    with nothing_written():
        answer = say(editor, post, step, remark=number, text="Hello.")

    assert answer.status_code == 200


@requirement("desk.permissions")
@pytest.mark.parametrize("permissions", [("view_post",), WRITER, ("view_post", "publish_post")], ids=" ".join)
@pytest.mark.parametrize("step", ["return", "remark", "answer", "resolve"])
def test_only_who_may_sign_talks_on_the_page(permissions: tuple[str, ...], step: str) -> None:
    client, post = desk(*permissions, name="Sue Support"), save(body=BODY).post
    entry = remark(post, "Which ferry?")

    with nothing_written():
        answer = say(client, post, step, remark=entry.pk, text="Hello.", revision_identifier="")

    assert answer.status_code == 403


@requirement("desk.review-difference")
def test_who_sent_it_back_sees_what_changed_since(editor: Client) -> None:
    post = save(body="It leaves at nine.").post
    approve(post, facts_checked=False)
    ask(post)
    send_back(editor, post, "Nine is wrong.")
    update(post, body="It leaves at ten.", actor=AGENT)

    assert "What changed since you were here" in page(editor, post)
    assert "What changed since you were here" not in page(desk(*EDITOR, name="Rita Reviewer"), post)


@requirement("desk.review-difference", "desk.queries")
@pytest.mark.parametrize("was_public", [False, True])
def test_a_draft_that_was_sent_back_is_compared_with_what_was_read(editor: Client, was_public: bool) -> None:
    image = store_image()
    fields: dict[str, Any] = {"tags": ["fog"], "faq": [{"question": "When?", "answer": "At nine."}], "category": "Quay"}
    cover = {"cover_image": {"image_id": image.pk}, "cover_alt": "A quay"}
    post = save(body="It leaves at nine.", actor=AGENT, series="Boats", **fields, **cover).post
    if was_public:
        unpublish(publish(post).post)
        update(post, body="It leaves at nine.", title="Another title", actor=AGENT, now=LATER + timedelta(hours=1))
    ask(post)
    send_back(editor, post, "Nine is wrong.")
    update(post, body="It leaves at ten.", actor=AGENT)
    ask(post)

    with CaptureQueriesContext(connection) as queries:
        shown = text_of(editor.get(url("post_review", post.pk)))

    assert "What changed since you were here" in shown
    assert "It leaves at removed: nine added: ten ." in shown
    assert len(queries) <= MOST_QUERIES, [query["sql"] for query in queries]


@requirement("desk.queries")
def test_a_long_conversation_needs_no_more_queries(editor: Client) -> None:
    post = save(body=BODY, publish=True).post
    approve(post)
    for number in range(20):
        entry = remark(post, f"Remark {number}", "It is never late")
        data = AnswerRemark(id=str(post.pk), remark=entry.pk, text=f"Answer {number}")
        services.answer_remark(data, actor=WANDA, now=NOW)

    with CaptureQueriesContext(connection) as queries:
        editor.get(url("post_review", post.pk))

    assert len(queries) <= MOST_QUERIES, [query["sql"] for query in queries]


def test_a_public_post_is_remarked_on(editor: Client) -> None:
    post = save(body=BODY, publish=True).post

    assert say(editor, post, "remark", passage="It is never late", text="Still?").status_code == 302
    assert publish(post, now=NOW + timedelta(days=1)).post.open_remarks == 1
