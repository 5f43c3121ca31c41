"""The queue of posts that wait, the review of a post, its signature, and what the index of the admin shows."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from lxml import html

from blog_engine import services
from blog_engine.enums import ReviewReason
from blog_engine.inputs.posts import PostRef
from blog_engine.models import Approval, Post
from blog_engine.queries import desk_lists, reviews
from blog_engine.templatetags import blog_desk
from tests.admin.desk import WRITER, desk, nothing_written, stored, text_of, url
from tests.requirements import requirement
from tests.support.factories import AGENT, LATER, NOW, approve, publish, remove, save, unpublish, update
from tests.support.factories import EDITOR as INES

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("a_day_later")]

REVIEWER = ("view_post", "approve_post")


def request_review(post: Post) -> None:
    services.request_review(PostRef(id=str(post.pk)), actor=INES, now=LATER)


def sign(client: Client, post: Post, **fields: Any) -> Any:
    sent = {"revision_identifier": stored(post).current_revision_identifier, "name": "Ed Editor"}
    return client.post(url("post_review", post.pk), {**sent, "facts_checked": "yes", **fields})


def ticked(page: str) -> dict[str, str]:
    """Return the values that are chosen on a page, by the names of their controls."""
    chosen = html.fromstring(page).xpath("//input[@checked]")
    return {one.get("name"): one.get("value") for one in chosen}


# The queue


def test_the_queue_lists_what_waits_by_reason(editor: Client) -> None:
    asked = save(title="Asked for").post
    request_review(asked)
    save(title="By an agent", made_by_ai=True, actor=AGENT)
    publish(save(title="Soon").post, publish_at=(NOW + timedelta(days=9)).isoformat())
    save(title="Nothing to do")

    first = editor.get(url("post_queue"))
    drafts = editor.get(url("post_queue"), {"reason": "ai_draft"})

    assert (
        "Review requested (1) Scheduled without approval (1) Changed since the approval (0) Draft made with AI (1)"
        in (text_of(first))
    )
    assert "Asked for Ines Editor asked for a review on Nov. 21, 2026, 13:00." in text_of(first)
    assert f'href="{url("post_review", asked.pk)}"' in first.content.decode()
    assert "By an agent" not in text_of(first)
    assert "By an agent" in text_of(drafts)


def test_the_queue_begins_with_the_first_reason_for_which_a_post_waits(editor: Client) -> None:
    save(title="By an agent", made_by_ai=True)

    assert "By an agent" in text_of(editor.get(url("post_queue")))
    assert "No post waits for this reason." in text_of(editor.get(url("post_queue"), {"reason": "requested"}))
    assert editor.get(url("post_queue"), {"reason": "nonsense"}).status_code == 200


def test_the_queue_is_paged_the_oldest_first(editor: Client) -> None:
    for number in range(27):
        save(title=f"Draft {number:02}", slug=f"d{number}", made_by_ai=True, now=NOW - timedelta(hours=number))

    first, second = (text_of(editor.get(url("post_queue"), {"page": page})) for page in (1, 2))
    beyond = text_of(editor.get(url("post_queue"), {"page": 99}))

    assert first.index("Draft 26") < first.index("Draft 25") < first.index("Draft 02")
    assert "Draft 01" not in first
    assert "Draft 00" in second
    assert beyond == second
    assert editor.get(url("post_queue"), {"page": "x"}).status_code == 404


@pytest.fixture
def ends_after_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists that end after two posts instead of 10,000."""
    for module in (reviews, desk_lists):
        monkeypatch.setattr(module, "MOST_LISTED", 2)


def test_the_queue_ends_where_lists_end(editor: Client, ends_after_two: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviews, "PER_PAGE", 1)
    for number in range(4):
        save(title=f"Draft {number}", made_by_ai=True, now=NOW + timedelta(hours=number))

    last = text_of(editor.get(url("post_queue"), {"page": 99}))

    assert "Draft made with AI (2+)" in last
    assert "Draft 1 " in last
    assert "Page 2 of 2" in last


def test_a_queue_of_many_posts_needs_few_queries(editor: Client) -> None:
    for number in range(30):
        save(title=f"Draft {number}", slug=f"d{number}", made_by_ai=True)

    with CaptureQueriesContext(connection) as queries:
        editor.get(url("post_queue"))

    assert len(queries) <= 7


def test_a_writer_finds_the_history_in_the_queue() -> None:
    post = save(made_by_ai=True).post

    page = desk(*WRITER).get(url("post_queue")).content.decode()

    assert f'href="{url("post_history", post.pk)}"' in page
    assert url("post_review", post.pk) not in page


# Requests


def test_a_writer_asks_for_a_review_and_takes_it_back() -> None:
    writer, post = desk(*WRITER, name="Wanda Writer"), save().post

    asked = writer.post(url("post_request_review", post.pk), {"wanted": "yes"})
    waiting = stored(post)
    page = text_of(writer.get(asked["Location"]))
    writer.post(url("post_request_review", post.pk), {"wanted": "no"})

    assert (waiting.review_reason, waiting.review_requested_by) == ("requested", "Wanda Writer")
    assert "A review is requested." in page
    assert "Take back the request for a review" in page
    assert stored(post).review_reason is None


def test_a_request_for_what_is_approved_says_so() -> None:
    writer, post = desk(*WRITER), save().post
    approve(post)

    answer = writer.post(url("post_request_review", post.pk), {"wanted": "yes"})

    assert "Nothing to review" in text_of(writer.get(answer["Location"]))
    assert stored(post).review_reason is None


def test_a_review_is_not_requested_by_opening_a_page() -> None:
    post = save().post

    with nothing_written():
        assert desk(*WRITER).get(url("post_request_review", post.pk)).status_code == 200


# The review


@requirement("desk.review-difference")
def test_the_review_shows_what_changed_since_the_approval(editor: Client) -> None:
    post = save(title="Ferry", body="It leaves at nine.", faq=[{"question": "When?", "answer": "At nine."}]).post
    approve(post)
    update(post, body="It leaves at ten.", faq=[{"question": "When?", "answer": "At ten."}], description="A boat.")

    page = editor.get(url("post_review", post.pk))

    shown = text_of(page)
    assert "Compared with the version of Nov. 21, 2026, 12:00, the last other one that a reviewer signed." in shown
    assert "It leaves at removed: nine added: ten ." in shown
    assert "Questions and answers When? At removed: nine added: ten ." in shown
    assert "Description added: A boat." in shown
    assert "<h3>Title</h3>" not in page.content.decode()


@requirement("desk.review-difference")
def test_the_review_shows_what_changed_since_the_publication(editor: Client) -> None:
    post = save(publish=True, body="It leaves at nine.").post
    unpublish(post)
    update(post, body="It leaves at ten.")

    page = text_of(editor.get(url("post_review", post.pk)))

    assert "Compared with the public version of Nov. 21, 2026, 12:00." in page
    assert "It leaves at removed: nine added: ten ." in page


def test_an_approval_without_checked_facts_is_not_what_to_compare_with(editor: Client) -> None:
    post = save(body="It leaves at nine.").post
    approve(post, facts_checked=False)
    update(post, body="It leaves at ten.")

    page = text_of(editor.get(url("post_review", post.pk)))

    assert "No other version of this post was signed or published." in page


@pytest.mark.parametrize(
    ("made_by_ai", "sentence"),
    [
        (True, "Drafting agent wrote this version with the help of AI."),
        (False, "Drafting agent wrote this version without AI."),
        (None, "Drafting agent wrote this version; whether AI helped is not recorded."),
    ],
)
def test_the_review_says_who_wrote_it_and_whether_ai_helped(
    editor: Client, made_by_ai: bool | None, sentence: str
) -> None:
    post = save(made_by_ai=made_by_ai, actor=AGENT).post

    assert sentence in text_of(editor.get(url("post_review", post.pk)))
    approve(post)
    assert sentence in text_of(editor.get(url("post_review", post.pk)))


def test_the_review_shows_the_findings_and_frames_the_article(editor: Client) -> None:
    post = save(body="# Title\n\nText.").post

    page = editor.get(url("post_review", post.pk)).content.decode()
    source = f"{url('post_article', post.pk)}?revision={post.current_revision_identifier}"

    assert f'<iframe class="review-article" src="{source}"' in page
    assert "The post has no category" in page or "category" in page
    article = editor.get(source)
    assert article["X-Frame-Options"] == "SAMEORIGIN"
    assert 'class="blog-article__title p-name" dir="auto">Winter garden' in article.content.decode()
    assert 'name="robots" content="noindex, nofollow"' in article.content.decode()


def test_the_framed_article_is_the_one_that_is_reviewed(editor: Client) -> None:
    post = save(body="Nine.").post
    source = f"{url('post_article', post.pk)}?revision={post.current_revision_identifier}"
    update(post, body="Ten.")

    assert editor.get(source).status_code == 409


@requirement("desk.signature")
def test_nothing_is_ticked_beforehand(editor: Client) -> None:
    page = editor.get(url("post_review", save().post.pk)).content.decode()

    assert ticked(page) == {"then": "nothing"}
    assert 'name="name" value="Ed Editor"' in page


# The signature


@requirement("desk.signature")
def test_a_reviewer_signs_exactly_the_revision_of_the_page() -> None:
    reviewer, post = desk(*REVIEWER, name="Rita Reviewer"), save(made_by_ai=True).post

    answer = sign(reviewer, post, name="Dr. Rita Reviewer")

    assert (answer.status_code, answer["Location"]) == (302, url("post_review", post.pk))
    approval = Approval.objects.get()
    assert approval.revision_identifier == post.current_revision_identifier
    assert (approval.reviewer_name, approval.recorded_by) == ("Dr. Rita Reviewer", "Rita Reviewer")
    assert approval.facts_checked
    assert stored(post).review_reason is None
    assert "Dr. Rita Reviewer checked the facts of this version and approved it." in text_of(
        reviewer.get(answer["Location"])
    )


def test_a_reviewer_may_say_that_the_facts_were_not_checked(editor: Client) -> None:
    post = save(provenance="ai_assisted").post

    sign(editor, post, facts_checked="no")

    assert not Approval.objects.get().facts_checked
    assert stored(post).review_reason == "ai_draft"


@pytest.mark.parametrize(
    "fields",
    [{"facts_checked": ""}, {"facts_checked": "maybe"}, {"name": " "}, {"name": "x" * 256}, {"name": "a\x00b"}],
)
def test_an_incomplete_signature_records_nothing(editor: Client, fields: dict[str, str]) -> None:
    post = save().post

    with nothing_written():
        answer = sign(editor, post, **fields)

    assert answer.status_code == 200
    assert answer.context["form"].errors.keys() == fields.keys()


@requirement("desk.signature")
def test_a_newer_revision_refuses_the_signature_and_is_shown(editor: Client) -> None:
    post = save(body="It leaves at nine.").post
    approve(post)
    seen = update(post, body="It leaves at ten.").post.current_revision_identifier
    update(post, body="It leaves at eleven.")

    with nothing_written():
        answer = sign(editor, post, revision_identifier=seen, name="Rita Reviewer")

    page = text_of(answer)
    assert "The post was changed while you were reading. Nothing was signed." in page
    assert "removed: nine added: eleven" in page
    content = answer.content.decode()
    assert 'value="Rita Reviewer"' in content
    assert ticked(content) == {"then": "nothing"}
    assert f'value="{stored(post).current_revision_identifier}"' in content


@requirement("desk.signature")
def test_what_changed_while_a_person_read_is_shown_if_that_version_is_kept(editor: Client) -> None:
    post = save(body="It leaves at nine.").post
    approve(post, facts_checked=False)
    seen = post.current_revision_identifier
    update(post, body="It leaves at ten.")

    page = text_of(sign(editor, post, revision_identifier=seen))

    assert "What changed while you were reading" in page
    assert "Compared with the version that this page showed you. Text It leaves at removed: nine added: ten ." in page


def test_a_public_post_is_signed(editor: Client) -> None:
    post = save(publish=True).post

    sign(editor, post)

    assert Approval.objects.get().revision == stored(post).public_revision


@pytest.mark.parametrize("permissions", [("view_post",), WRITER, ("view_post", "publish_post")], ids=" ".join)
def test_only_who_may_approve_signs(permissions: tuple[str, ...]) -> None:
    client, post = desk(*permissions), save().post

    with nothing_written():
        assert sign(client, post).status_code == 403


# The index


@requirement("desk.waiting")
def test_the_index_shows_what_waits(editor: Client) -> None:
    save(made_by_ai=True)
    request_review(save(title="Two").post)
    publish(save(title="Three").post, publish_at=(NOW + timedelta(days=9)).isoformat())

    page = text_of(editor.get(reverse("admin:index")))

    assert (
        "What waits 0 Proposals to decide 1 Reviews requested 1 Scheduled without approval 0 Changed since the approval"
        in page
    )
    assert "1 Drafts made with AI 2 Drafts 1 Scheduled posts" in page


@requirement("desk.waiting")
def test_the_index_counts_no_further_than_lists_go(editor: Client, ends_after_two: None) -> None:
    for number in range(5):
        save(title=f"Draft {number}", made_by_ai=number < 2)

    numbers = reviews.blog_numbers()
    assert (numbers.drafts, numbers.scheduled, numbers.reasons[ReviewReason.AI_DRAFT]) == (3, 0, 2)
    assert reviews.waiting_counts()[ReviewReason.AI_DRAFT] == 2
    assert "2 Drafts made with AI 2+ Drafts 0 Scheduled posts" in text_of(editor.get(reverse("admin:index")))


def test_a_number_of_posts_ends_with_ten_thousand() -> None:
    assert [blog_desk.up_to_most(number) for number in (0, 9_999, 10_000, 10_001)] == [
        "0",
        "9,999",
        "10,000",
        "10,000+",
    ]


@requirement("desk.waiting")
def test_the_index_shows_nothing_without_a_permission_on_posts() -> None:
    save(made_by_ai=True)

    for client in (desk(name="No Body"), desk("manage_supporting", name="Sue Support")):
        with CaptureQueriesContext(connection) as queries:
            page = client.get(reverse("admin:index"))

        assert "What waits" not in page.content.decode()
        assert not [query for query in queries if "blog_engine_post" in query["sql"]]


def test_a_removed_post_is_reviewed_without_a_fault(editor: Client) -> None:
    post = save(publish=True).post
    remove(post)

    assert "The post is removed." in text_of(editor.get(url("post_review", post.pk)))
