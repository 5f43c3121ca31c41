"""A write that takes the content of an earlier version."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.errors import ChangeTypeRequired, RevisionMismatch, ScopeRequired, ValidationFailed
from blog_engine.inputs.proposals import ApplyProposal
from blog_engine.models import Author, DraftVersion, Post, Proposal, Publication, Revision
from blog_engine.queries.versions import versions_of
from tests.requirements import requirement
from tests.support.factories import AGENT, EDITOR, LATER, NOW, publish, save, store_image, unpublish, update
from tests.support.hosts import blog_settings
from tests.support.tables import everything_stored, refused

pytestmark = pytest.mark.django_db

MINA = Actor("Mina Holt")
EVERYTHING: dict[str, Any] = {
    "title": "The boats",
    "description": "About boats.",
    "search_title": "Boats",
    "search_description": "When boats leave.",
    "body": "They leave at nine.",
    "author": {"name": "Mina Holt"},
    "language": "en",
    "faq": [{"question": "When?", "answer": "At nine."}],
    "cover_alt": "A boat",
}
OTHERS: dict[str, Any] = {
    "title": "Gone",
    "description": "",
    "search_title": "",
    "search_description": "",
    "body": "x",
    "author": {"name": "Ole Berg"},
    "language": "de",
    "faq": [],
    "cover_image": None,
    "cover_alt": "",
    "social_image": None,
}


def identifier_of(post: Post) -> str:
    return Post.objects.get(pk=post.pk).current_revision_identifier


@requirement("posts.restore")
def test_a_restored_draft_has_exactly_the_content_of_the_version(own_images: None) -> None:
    pictures = {name: {"image_id": store_image().pk} for name in ("cover_image", "social_image")}
    post = save(**EVERYTHING, **pictures).post
    wanted = identifier_of(post)
    update(post, **OTHERS)
    assert identifier_of(post) != wanted

    update(post, restore=wanted[:8], now=LATER + timedelta(hours=1))

    assert identifier_of(post) == wanted
    assert Post.objects.get(pk=post.pk).author == Author.objects.get(name="Mina Holt")
    assert {row.identifier for row in versions_of(post.pk)} >= {wanted}


@requirement("posts.restore", "desk.versions.kept")
def test_what_a_restore_overwrites_is_kept_even_within_a_moment() -> None:
    post = save(actor=MINA, body="One two three four five six seven.").post
    update(post, actor=MINA, now=NOW, body="x")
    there = identifier_of(post)

    update(post, actor=MINA, now=NOW, restore=versions_of(post.pk)[0].identifier)

    assert there in {row.identifier for row in versions_of(post.pk)}


@requirement("posts.restore")
def test_a_public_post_needs_the_kind_of_change() -> None:
    post = save(publish=True, body="One.").post
    first = identifier_of(post)
    update(post, body="Two.", change="substantive")

    with refused(ChangeTypeRequired):
        update(post, restore=first)
    written = update(post, restore=first, change="correction", note="The second was wrong.")

    assert (written.post.body, written.records.publication) == ("One.", "correction")
    assert Publication.objects.count() == 3
    assert not DraftVersion.objects.exists()


@requirement("posts.restore")
def test_a_restore_can_be_proposed() -> None:
    post = save(publish=True, body="One.", author={"name": "Mina Holt"}).post
    first = identifier_of(post)
    update(post, body="Two.", author={"name": "Ole Berg"}, change="substantive")

    with refused(ScopeRequired):
        update(post, actor=AGENT, restore=first, change="substantive")
    proposed = update(post, actor=AGENT, restore=first, change="substantive", propose=True).proposal
    assert proposed is not None
    services.apply_proposal(ApplyProposal(proposal=proposed), actor=EDITOR, now=LATER)

    again = Post.objects.get(pk=post.pk)
    assert (again.body, again.author_name) == ("One.", "Ole Berg")


@requirement("posts.restore")
def test_a_dry_run_shows_what_a_restore_would_make() -> None:
    post = save(body="One two three four five six seven.").post
    first = identifier_of(post)
    update(post, body="x", now=NOW)
    before = everything_stored()

    difference = update(post, restore=first, dry_run=True).difference

    assert "+One two three four five six seven." in difference
    assert everything_stored() == before


@requirement("posts.restore")
def test_the_content_of_ai_stays_that_of_ai() -> None:
    post = save(body="One two three four five six seven.", made_by_ai=True).post
    first = identifier_of(post)
    publish(post)
    update(post, body="By hand.", change="substantive", made_by_ai=False)
    update(post, body="By hand again.", change="substantive", made_by_ai=False)
    unpublish(post)

    update(post, restore=first)

    assert Post.objects.get(pk=post.pk).current_revision_identifier == first
    assert Revision.objects.get(identifier=first).made_by_ai is True


@requirement("posts.restore")
def test_the_body_format_of_a_version_comes_back(settings: LazySettings) -> None:
    settings.BLOG_ENGINE = blog_settings(body_formats=["markdown", "rich_text"])
    post = save(body="<p>One two three four five six seven.</p>", body_format="rich_text").post
    first = identifier_of(post)
    update(post, body="Plain.", body_format="markdown", now=NOW)

    assert update(post, restore=first).post.body_format == "rich_text"


@requirement("posts.restore.refused")
@pytest.mark.parametrize(
    "fields",
    [
        {"restore": "f" * 64},
        {"restore": "f" * 8},
        {"restore": "1234567"},
        {"restore": "public"},
        {"restore": "F" * 8},
        {"restore": 12345678},
        {"title": "Other"},
        {"edits": [{"append": "More."}]},
        {"tags": []},
        {"publish_at": None},
    ],
)
def test_what_a_restore_refuses(fields: dict[str, Any]) -> None:
    post = save(body="One two three four five six seven.").post
    first = identifier_of(post)
    update(post, body="x", now=NOW)

    with refused(ValidationFailed, ["restore"]):
        update(post, **({"restore": first} | fields))


@requirement("posts.restore.refused")
def test_a_version_of_another_post_is_unknown() -> None:
    other, own = save(slug="other", publish=True, body="Other.").post, save(body="Own.").post

    with refused(ValidationFailed, ["restore"]):
        update(own, restore=identifier_of(other))


@requirement("posts.restore.refused")
def test_a_caller_who_cannot_write_learns_nothing_of_versions() -> None:
    post = save(publish=True, body="Own.").post

    with refused(ScopeRequired, ["write"]):
        update(post, actor=Actor("Reader", scopes=["read"]), restore="f" * 8)


@requirement("posts.restore.refused")
def test_the_digits_of_several_versions_are_refused() -> None:
    post = save(body="One.").post
    rows = [
        DraftVersion(post=post.pk, slot=str(number), identifier=f"{'a' * 10}{number}", payload="{}", saved_at=NOW)
        for number in range(2)
    ]
    DraftVersion.objects.bulk_create(rows)

    with refused(ValidationFailed, ["restore"]):
        update(post, restore="a" * 8)


def test_an_expected_version_holds_for_a_restore() -> None:
    post = save(body="One two three four five six seven.").post
    first = identifier_of(post)
    update(post, body="x", now=NOW)

    with refused(RevisionMismatch, ["expected_version"]):
        update(post, restore=first, expected_version=1)


def test_a_post_that_has_the_content_already_stays_as_it_is() -> None:
    post = save(publish=True, body="One.").post

    written = update(post, restore=identifier_of(post))

    assert written.records.publication is None
    assert not Proposal.objects.exists()
