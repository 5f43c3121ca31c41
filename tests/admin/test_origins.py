"""The one question of the editor about AI."""

import pytest
from django.test import Client

from blog_engine.models import Post
from tests.admin.desk import nothing_written, opened, page_of, send, stored, text_of, url
from tests.requirements import requirement
from tests.support.factories import approve, save, update
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db


@requirement("desk.origin")
@pytest.mark.parametrize(
    ("answer", "provenance", "made_by_ai"),
    [
        ("human_written", "human_written", False),
        ("ai_assisted", "ai_assisted", None),
        ("made_by_ai", "ai_assisted", True),
        ("unknown", "unknown", None),
    ],
)
def test_each_answer_is_stored_and_shown_again(
    writer: Client, answer: str, provenance: str, made_by_ai: bool | None
) -> None:
    send(writer, url("post_add"), opened(writer), title="Quay", provenance=answer)

    post = stored(Post.objects.get())
    assert (post.provenance, post.unrecorded_made_by_ai) == (provenance, made_by_ai)
    assert opened(writer, post.pk)["provenance"] == [answer]


@requirement("desk.origin")
def test_the_form_asks_once(writer: Client) -> None:
    page = writer.get(url("post_add")).content.decode()

    assert "How was this written?" in page
    assert 'name="made_by_ai"' not in page
    for gone in ("Who wrote it", "AI made this version"):
        assert gone not in page


@requirement("desk.origin")
def test_nothing_is_claimed_for_a_writer_who_does_not_answer(writer: Client) -> None:
    fields = opened(writer)

    answer = writer.get(url("post_add"))
    send(writer, url("post_add"), fields, title="Quay")

    assert fields["provenance"] == ["unknown"]
    assert "Until somebody says it, readers are told that it is not known" in text_of(answer)
    assert (Post.objects.get().provenance, Post.objects.get().unrecorded_made_by_ai) == ("unknown", None)


@requirement("desk.origin")
def test_the_default_of_the_blog_is_shown(writer: Client, settings: object) -> None:
    settings.BLOG_ENGINE = blog_settings(default_provenance="human_written")  # type: ignore[attr-defined]  # of the fixture

    assert opened(writer)["provenance"] == ["human_written"]
    assert "Until somebody says it" not in page_of(writer, "post_add")


@requirement("desk.origin")
@pytest.mark.parametrize("answer", ["human_written", "ai_assisted"])
def test_text_that_ai_made_stays_so_until_it_is_recorded(writer: Client, answer: str) -> None:
    post = save(made_by_ai=True, provenance="ai_assisted").post
    fields = opened(writer, post.pk)

    with nothing_written():
        refused = send(writer, url("post_change", post.pk), fields, provenance=answer)
    approve(post)
    update(stored(post), body="A person's own text.")
    send(writer, url("post_change", post.pk), opened(writer, post.pk), provenance=answer)

    assert "AI made this version." in text_of(refused)
    assert opened(writer, post.pk)["provenance"] == [answer]


@requirement("desk.origin")
def test_an_answer_that_changes_takes_the_claim_back(writer: Client) -> None:
    send(writer, url("post_add"), opened(writer), title="Quay", provenance="human_written")
    post = Post.objects.get()

    send(writer, url("post_change", post.pk), opened(writer, post.pk), provenance="ai_assisted")

    assert (stored(post).provenance, stored(post).unrecorded_made_by_ai) == ("ai_assisted", None)


@requirement("desk.origin")
def test_the_preview_shows_what_follows_from_the_answer(writer: Client) -> None:
    for answer, said in (("made_by_ai", "AI helped to make this article."), ("human_written", "")):
        page = text_of(send(writer, url("post_preview_new"), opened(writer), title="Quay", provenance=answer))
        assert ("AI helped to make this article." in page) is bool(said)
