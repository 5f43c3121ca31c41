"""Asking for a review at the desk, and what the editor shows of the conversation."""

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.inputs.conversation import AddRemark, AnswerRemark, ResolveRemark, ReturnReview
from blog_engine.models import Post, Remark
from blog_engine.queries.conversation import remarks_of
from blog_engine.services import _conversation
from tests.admin.desk import desk, nothing_written, page_of, person, sent, stored, text_of, url
from tests.requirements import requirement
from tests.support.factories import LATER, approve, save, update

pytestmark = pytest.mark.django_db

RITA = Actor("Rita Reviewer", id="user:8")


def send_back(post: Post, note: str = "A source, please.") -> Remark:
    written = services.return_review(ReturnReview(id=str(post.pk), note=note), actor=RITA, now=LATER)
    assert written.remark is not None
    return written.remark


def remark(post: Post, text: str = "Really?", passage: str = "") -> Remark:
    written = services.add_remark(AddRemark(id=str(post.pk), text=text, passage=passage), actor=RITA, now=LATER)
    assert written.remark is not None
    return written.remark


@requirement("reviews.desk.ask")
def test_a_writer_asks_a_person_with_a_note(writer: Client) -> None:
    rita = person("approve_post", name="Rita Reviewer")
    post = save().post

    page = page_of(writer, "post_request_review", post.pk)
    assert "Rita Reviewer" in page and "Anyone who reviews" in page
    answer = sent(writer, "post_request_review", post.pk, note="The numbers,\r\nplease.", person=rita.pk)

    assert answer["Location"] == url("post_history", post.pk)
    assert (stored(post).review_asked, remarks_of(post.pk)[0].text) == (str(rita.pk), "The numbers,\nplease.")
    assert "Wanda Writer asked Rita Reviewer for a review." in text_of(writer.get(url("post_history", post.pk)))


@requirement("reviews.desk.ask")
def test_the_state_leads_to_asking_and_takes_it_back(writer: Client) -> None:
    post = save().post
    assert f'href="{url("post_request_review", post.pk)}"' in page_of(writer, "post_history", post.pk)

    sent(writer, "post_request_review", post.pk, wanted="yes")
    assert f'action="{url("post_request_review", post.pk)}"' in page_of(writer, "post_history", post.pk)
    sent(writer, "post_request_review", post.pk, wanted="no")

    assert stored(post).review_requested_at is None


@requirement("reviews.desk.ask")
@pytest.mark.parametrize("fields", [{"person": "4711"}, {"note": "a" * 4001}])
def test_a_faulty_question_is_shown_again(writer: Client, fields: dict[str, str]) -> None:
    post = save().post

    with nothing_written():
        answer = sent(writer, "post_request_review", post.pk, **{"note": "Keep me."} | fields)

    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()


def test_a_person_who_may_not_sign_any_more_is_not_asked(writer: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    rita, post = person("approve_post", name="Rita Reviewer"), save().post
    monkeypatch.setattr(_conversation, "reviewer_with", lambda key: None)

    with nothing_written():
        answer = sent(writer, "post_request_review", post.pk, note="Keep me.", person=rita.pk)

    assert "This person cannot sign reviews any more." in text_of(answer)
    assert "Keep me." in answer.content.decode()


@requirement("reviews.desk.form")
def test_the_editor_shows_who_sent_it_back_and_what_is_open(writer: Client) -> None:
    post = save(body="Leeks are sown in May.").post
    send_back(post, "Check <b>May</b>.")
    open_one, gone, done = remark(post, "March?", "in May"), remark(post, "Why?", "Leeks are"), remark(post, "Done.")
    services.answer_remark(AnswerRemark(id=str(post.pk), remark=open_one.pk, text="I look."), actor=RITA, now=LATER)
    services.resolve_remark(ResolveRemark(id=str(post.pk), remark=done.pk), actor=RITA, now=LATER)
    update(post, body="They are sown in May.")
    page = writer.get(url("post_change", post.pk))

    shown = text_of(page)
    for words in ("Sent back by Rita Reviewer", "Check <b>May</b>.", "March?", "I look.", "Why?", "2 open remarks"):
        assert words in shown
    assert "Done." not in shown
    assert shown.count("This passage is not in the text any more.") == 1
    html = page.content.decode()
    assert "Check &lt;b&gt;May&lt;/b&gt;." in html
    assert html.index("data-conversation ") < html.index('id="post-form"')
    assert f"{url('post_conversation', post.pk)}#remark-{gone.pk}" in html


@requirement("reviews.desk.form")
def test_the_editor_shows_nothing_of_a_post_without_conversation(writer: Client) -> None:
    assert "data-conversation" not in page_of(writer, "post_change", save().post.pk)


@requirement("reviews.desk.form")
def test_remarks_are_answered_and_resolved_without_scripts(writer: Client) -> None:
    post = save().post
    said = remark(post)

    answered = sent(writer, "post_conversation", post.pk, step="answer", remark=said.pk, text="Yes.\r\nSure.")
    sent(writer, "post_conversation", post.pk, step="resolve", remark=said.pk, text="")
    sent(writer, "post_conversation", post.pk, step="remark", text="Mine.")

    assert answered["Location"] == url("post_conversation", post.pk)
    entries = remarks_of(post.pk)
    assert [(one.kind, one.text, one.actor) for one in entries] == [
        ("remark", "Really?", "Rita Reviewer"),
        ("answer", "Yes.\nSure.", "Wanda Writer"),
        ("remark", "Mine.", "Wanda Writer"),
    ]
    assert entries[0].resolved_by == "Wanda Writer"
    shown = text_of(writer.get(url("post_conversation", post.pk)))
    assert shown.index("Mine.") < shown.index("Said before") < shown.index("Really?")
    assert "Resolved by Wanda Writer" in shown


@requirement("reviews.desk.form")
def test_scripts_get_the_part_of_the_page(writer: Client) -> None:
    post = save().post
    send_back(post)
    said = remark(post)

    answer = sent(writer, "post_conversation", post.pk, step="resolve", remark=said.pk, **{"as": "json"})

    told = answer.json()
    assert (answer.status_code, told["done"], told["message"]) == (200, True, "Resolved.")
    assert "Really?" not in told["html"] and "Sent back by Rita Reviewer" in told["html"]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"step": "answer", "text": " "}, "Write something first."),
        ({"step": "answer", "text": "Yes.", "remark": "4711"}, "This remark does not exist any more."),
        ({"step": "resolve", "remark": "9" * 5000}, "This remark does not exist any more."),
        ({"step": "resolve", "remark": "x"}, "This remark does not exist any more."),
        ({"step": "remark", "text": "a" * 4001}, "This is too long"),
    ],
)
def test_a_step_that_is_refused_says_why(writer: Client, fields: dict[str, str], words: str) -> None:
    post = save().post
    remark(post)

    with nothing_written():
        answer = sent(writer, "post_conversation", post.pk, **fields, **{"as": "json"})

    assert answer.status_code == 422
    assert words in answer.json()["message"]


def test_who_only_looks_reads_and_says_nothing() -> None:
    post = save().post
    said = remark(post)
    reader = desk("view_post", name="Otto Other")

    assert "Really?" in page_of(reader, "post_conversation", post.pk)
    assert "data-conversation-form" not in page_of(reader, "post_conversation", post.pk)
    with nothing_written():
        assert sent(reader, "post_conversation", post.pk, step="resolve", remark=said.pk).status_code == 403


def test_who_may_only_sign_answers_and_resolves() -> None:
    post = save().post
    said = remark(post)

    sent(desk("approve_post", name="Sam Signer"), "post_conversation", post.pk, step="resolve", remark=said.pk)

    assert stored(post).open_remarks == 0


@requirement("reviews.desk.timeline")
def test_the_history_tells_the_conversation_in_order(writer: Client) -> None:
    post = save(body="Leeks are sown in May.").post
    sent(writer, "post_request_review", post.pk, note="Please.")
    said = remark(post, "March?", "in May")
    send_back(post)
    sent(writer, "post_conversation", post.pk, step="answer", remark=said.pk, text="Right.")
    sent(writer, "post_conversation", post.pk, step="resolve", remark=said.pk)

    shown = text_of(writer.get(url("post_history", post.pk)))

    sentences = (
        "Wanda Writer asked for a review.",
        "Rita Reviewer made a remark.",
        "Rita Reviewer sent this post back.",
    )
    for words in (*sentences, "“in May”", "March?", "Wanda Writer resolved it.", "Wanda Writer answered.", "Right."):
        assert words in shown
    assert shown.index("Rita Reviewer made a remark.") > shown.index("Rita Reviewer sent this post back.")


@requirement("reviews.return")
def test_the_state_says_that_a_post_was_sent_back(writer: Client) -> None:
    post = save(made_by_ai=True).post
    send_back(post)

    shown = text_of(writer.get(url("post_history", post.pk)))

    assert "Rita Reviewer sent it back on" in shown
    assert "Waits for a review" not in shown


def test_an_approval_ends_the_notice_of_the_editor(writer: Client) -> None:
    post = save().post
    send_back(post)

    approve(post)

    assert "Sent back by" not in page_of(writer, "post_change", post.pk)
    assert get_user_model().objects.count() == 1
