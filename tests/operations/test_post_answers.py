"""Exact keys, null rules and forms of the answers."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from pytest_django import Settings

from blog_engine.actor import Actor, Call
from blog_engine.errors import NotFound, ScopeRequired, UnknownField, ValidationFailed
from blog_engine.inputs.posts import ContentFields, SavePost
from blog_engine.operations import posts
from blog_engine.operations.base import Operation, execute
from blog_engine.outputs.posts import FullPost, ListedCard
from tests.requirements import RULES, fields_below, requirement
from tests.support.clients import call_operation
from tests.support.factories import EDITOR, LATER, NOW, approve, declare, publish, remove, save, unpublish, update
from tests.support.tables import undone

pytestmark = pytest.mark.django_db

CARD = list(ListedCard.model_fields)
FULL = list(FullPost.model_fields)


@requirement("posts.object.card", "posts.object.full")
def test_a_post_has_exactly_the_fields_of_the_contract() -> None:
    card = next(rule.sentence for rule in RULES if rule.id == "posts.object.card")

    assert re.findall("`([a-z_]+)`", card) == CARD
    assert set(FULL) == set(fields_below("posts.object.full", page="posts.md"))


@requirement("posts.fields", "posts.object.text")
def test_every_text_that_null_clears_is_stored_kept_and_cleared() -> None:
    texts = [name for name in ContentFields.model_fields if name in FULL and _is_cleared_by_null(name)]
    sent = {name: f"A text for {name}" for name in texts} | {"language": "de"}

    call_operation(posts.save_post, {"title": "One"} | sent)
    kept = call_operation(posts.update_post, {"featured": True}, id="one")["post"]
    cleared = call_operation(posts.update_post, dict.fromkeys(texts), id="one")["post"]

    assert {"description", "body", "cover_alt"} <= set(texts)
    assert {name: kept[name] for name in texts} == sent
    assert {name: cleared[name] for name in texts} == dict.fromkeys(texts, "")


def _is_cleared_by_null(name: str) -> bool:
    try:
        return getattr(SavePost.from_data({name: None}), name) == ""
    except ValidationFailed:
        return False


@requirement(
    "posts.object.full", "posts.object.identifiers", "posts.object.times", "posts.object.preview", "posts.read"
)
def test_a_draft_has_its_null_rules() -> None:
    post = save(title="One").post

    answer = call_operation(posts.get_post, id="one")

    assert list(answer) == FULL
    preview = answer.pop("preview_url")
    assert re.fullmatch(r"https://example\.com/blog/preview/[^/]+", preview)
    assert (
        answer.items()
        >= {
            "id": post.pk,
            "slug": "one",
            "url": "https://example.com/blog/one",
            "status": "draft",
            "title": "One",
            "description": "",
            "author": {
                "id": post.author_id,
                "name": "Ada Example",
                "slug": "ada-example",
                "type": "person",
                "url": None,
            },
            "category": None,
            "tags": [],
            "published_at": None,
            "modified_at": None,
            "revision_identifier": post.current_revision_identifier,
            "label": "ai_unknown",
            "search_title": "",
            "search_description": "",
            "body_format": "markdown",
            "body": "",
            "series": None,
            "featured": False,
            "canonical_url": None,
            "cover_image": None,
            "cover_alt": "",
            "social_image": None,
            "faq": [],
            "provenance": "unknown",
            "provenance_evidence": None,
            "external_id": None,
            "publish_at": None,
            "public_revision_identifier": None,
            "approved": False,
            "reading_time_minutes": 1,
            "word_count": 0,
            "created_at": "2026-11-21T12:00:00Z",
            "updated_at": "2026-11-21T12:00:00Z",
        }.items()
    )


@requirement("approvals.approved", "posts.object.embedded", "posts.object.text", "posts.object.identifiers")
def test_a_public_post_shows_its_records_and_no_preview() -> None:
    faq = [{"question": " Why?\r\n", "answer": "So."}]
    post = save(publish=True, faq=faq, series="S", series_position=2, category="C", tags=["b", "a"]).post
    approve(post)

    answer = call_operation(posts.get_post, id=str(post.pk))

    assert (answer["preview_url"], answer["approved"], answer["label"]) == (None, True, "none")
    assert answer["public_revision_identifier"] == answer["revision_identifier"]
    assert answer["published_at"] == answer["modified_at"] == "2026-11-21T12:00:00Z"
    assert answer["series"] == {"id": post.series_id, "name": "S", "slug": "s", "position": 2}
    assert answer["category"] == {"id": post.category_id, "name": "C", "slug": "c"}
    assert (answer["tags"], answer["faq"]) == (["b", "a"], faq)


@requirement("posts.object.author")
def test_the_author_is_shown_as_it_is_now() -> None:
    post = save(author="Mina Holt").post
    post.author.name = "Mina Sand"
    post.author.save()

    assert call_operation(posts.get_post, id=str(post.pk))["author"]["name"] == "Mina Sand"


@requirement("posts.object.preview")
def test_only_drafts_and_schedules_have_a_preview(subtests: pytest.Subtests) -> None:
    for make, has_preview in [
        (lambda: save().post, True),
        (lambda: publish(save().post, publish_at="2027-01-01T00:00:00Z").post, True),
        (lambda: save(publish=True).post, False),
        (lambda: remove(save(publish=True).post).post, False),
        (lambda: unpublish(save(publish=True).post).post, True),
    ]:
        with subtests.test(make=make, has_preview=has_preview), undone():
            post = make()

            assert (call_operation(posts.get_post, id=str(post.pk))["preview_url"] is not None) is has_preview
            if has_preview:
                assert list(call_operation(posts.get_preview_link, id=str(post.pk))) == [
                    "preview_url",
                    "review_url",
                    "revision_identifier",
                    "expires_at",
                ]
            else:
                with pytest.raises(NotFound):
                    call_operation(posts.get_preview_link, id=str(post.pk))


@requirement("posts.object.withdrawn")
def test_a_withdrawn_post_still_tells_its_public_revision() -> None:
    post = save(publish=True).post
    unpublish(post)

    answer = call_operation(posts.get_post, id=str(post.pk))

    assert answer["public_revision_identifier"] == post.public_revision.identifier
    assert answer["published_at"] == "2026-11-21T12:00:00Z"


@requirement("posts.object.preview")
def test_a_preview_link_lasts_as_long_as_the_setting_says() -> None:
    save(slug="p")

    assert call_operation(posts.get_preview_link, id="p")["expires_at"] == "2026-11-28T12:00:00Z"


@requirement("posts.envelope.fields", "posts.object.full", "posts.envelope.records", "findings.object")
def test_a_write_answers_with_its_envelope() -> None:
    answer = call_operation(posts.save_post, {"title": "One", "publish": True})

    assert list(answer) == ["post", "created", "records", "label", "findings", "redirects"]
    assert list(answer["post"]) == FULL
    assert (answer["created"], answer["label"]) == (True, answer["post"]["label"])
    assert answer["records"] == {"revision": "new", "publication": "first", "approval": None}
    assert list(answer["findings"][0]) == ["code", "rule", "message", "location"]


@requirement("posts.delete.draft")
def test_removing_a_draft_answers_nothing() -> None:
    save(slug="p")

    assert call_operation(posts.remove_post, id="p") is None


@requirement("posts.object.card", "posts.list.answer")
def test_a_list_has_cards_in_the_order_of_their_making() -> None:
    for number in range(3):
        save(title=f"Post {number}", now=datetime(2026, 1, 1 + number, tzinfo=UTC))

    answer = call_operation(posts.list_posts, {"per_page": 2})

    assert list(answer) == ["posts", "page", "per_page", "total", "next_cursor"]
    assert [list(card) for card in answer["posts"]] == [CARD, CARD]
    assert [card["slug"] for card in answer["posts"]] == ["post-2", "post-1"]
    assert (answer["page"], answer["per_page"], answer["total"]) == (1, 2, 3)
    assert [card["slug"] for card in call_operation(posts.list_posts, {"page": 2, "per_page": 2})["posts"]] == [
        "post-0"
    ]
    assert call_operation(posts.list_posts, {"page": 9})["posts"] == []


@requirement("history.object", "history.rows", "posts.object.times")
def test_a_whole_history_is_told_in_order() -> None:
    post = save(slug="p", body="One.", made_by_ai=True).post
    approve(post)
    publish(post, now=NOW)
    update(post, body="Two.", change="correction", note="It was two.", change_description="Fixed.")
    declare(post, connections=[{"party": "Seed Ltd", "relation": "sponsor"}], third_party_paid=True)
    one, two = post.current_revision_identifier, post.revisions.last().identifier

    assert call_operation(posts.get_post_records, id="p") == {
        "revisions": [
            {
                "identifier": one,
                **EDITOR.recorded.columns(),
                "made_by_ai": True,
                "is_proposed": False,
                "created_at": "2026-11-21T12:00:00.711Z",
            },
            {
                "identifier": two,
                **EDITOR.recorded.columns(),
                "made_by_ai": None,
                "is_proposed": False,
                "created_at": "2026-11-21T13:00:00.711Z",
            },
        ],
        "approvals": [
            {
                "kind": "sent",
                "revision_identifier": one,
                "reviewer_name": "Rosa Reviewer",
                "facts_checked": True,
                "approved_at": "2026-11-21T12:00:00.711Z",
                "declared_on": None,
                "declared_by": None,
                "confirmed_by": None,
                "evidence": None,
                **EDITOR.recorded.columns("recorded_by"),
                "signed": False,
            }
        ],
        "publications": [
            {
                "entry_type": "first",
                "revision_identifier": one,
                "occurred_at": "2026-11-21T12:00:00.711Z",
                **EDITOR.recorded.columns("released_by"),
                "description": None,
                "note": None,
            },
            {
                "entry_type": "correction",
                "revision_identifier": two,
                "occurred_at": "2026-11-21T13:00:00.711Z",
                **EDITOR.recorded.columns("released_by"),
                "description": "Fixed.",
                "note": "It was two.",
            },
        ],
        "baseline": None,
        "connections": [
            {
                "post_id": post.pk,
                "connections": [{"party": "Seed Ltd", "relation": "sponsor"}],
                "third_party_paid": True,
                "declared_by": "Ines Editor",
                "declared_on": "2026-11-21",
                **EDITOR.recorded.columns("recorded_by"),
            }
        ],
        "proposals": [],
        "versions": [],
        "conversation": [],
    }


@requirement("findings.object")
def test_findings_are_listed_under_their_own_key() -> None:
    save(slug="p")

    answer = call_operation(posts.check_post, id="p")

    assert list(answer) == ["findings"]
    assert {finding["code"] for finding in answer["findings"]} >= {"description_absent", "provenance_unknown"}


@requirement("access.order")
@pytest.mark.parametrize("op", [posts.save_post, posts.update_post], ids=lambda op: op.name)
def test_edits_look_at_the_fields_before_the_scope(op: Operation[Any, Any]) -> None:
    save(slug="p")
    nobody = Call(actor=Actor("Nobody", scopes=[]), now=LATER, base_url="")
    fixed = {"id": "p"} if op is posts.update_post else {}

    with pytest.raises(UnknownField):
        execute(op, {"nope": 1}, nobody, fixed=fixed)
    with pytest.raises(ValidationFailed):
        execute(op, {"title": 1}, nobody, fixed=fixed)
    with pytest.raises(ScopeRequired):
        execute(op, {"title": "Other"}, nobody, fixed=fixed)


@requirement("api.id-or-slug")
def test_an_all_digit_slug_is_found_after_the_ids() -> None:
    post = save(slug="2026").post

    assert call_operation(posts.get_post, id="2026")["id"] == post.pk


@pytest.mark.parametrize("key", ["9" * 30, "0", "-1", "nope", "٣", "1.0"])
def test_a_key_of_nothing_is_not_found(key: str) -> None:
    save(slug="p")

    with pytest.raises(NotFound):
        call_operation(posts.get_post, id=key)


@requirement("posts.object.times")
def test_the_time_zone_of_the_site_does_not_show_in_answers(settings: Settings) -> None:
    settings.TIME_ZONE = "Asia/Kathmandu"
    approve(save(slug="frost", publish=True).post)

    shown, records = (call_operation(operation, id="frost") for operation in (posts.get_post, posts.get_post_records))

    assert {shown[name] for name in ("created_at", "published_at", "modified_at")} == {"2026-11-21T12:00:00Z"}
    assert records["approvals"][0]["approved_at"] == "2026-11-21T12:00:00.711Z"


def is_approved() -> bool:
    approved: bool = call_operation(posts.get_post, id="frost")["approved"]
    return approved


@requirement("approvals.approved")
def test_it_tells_of_the_public_revision_only() -> None:
    post = save(slug="frost", body="One.").post
    approve(post)
    as_draft = is_approved()
    publish(post)
    as_public = is_approved()
    update(post, body="Two.", change="substantive")
    as_changed = is_approved()
    update(post, body="One.", change="substantive")
    as_before = is_approved()
    unpublish(post)

    assert [as_draft, as_public, as_changed, as_before, is_approved()] == [False, True, False, True, True]


@requirement("approvals.approved")
def test_an_approval_without_checked_facts_does_not_count() -> None:
    approve(save(slug="frost", publish=True).post, facts_checked=False)

    assert is_approved() is False
