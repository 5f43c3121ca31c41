"""Adopting an article again."""

from datetime import timedelta
from typing import Any

import pytest

from blog_engine.models import (
    Approval,
    Baseline,
    Category,
    ConnectionDeclaration,
    Post,
    Publication,
    Revision,
)
from blog_engine.rules.revision import revision_identifier
from tests.requirements import requirement
from tests.support.factories import (
    ARTICLE,
    CONNECTIONS,
    DECLARATION,
    FIRST,
    IMPORTED,
    LATER,
    MODIFIED,
    NOW,
    WHOLE,
    adopt,
    recorded,
    update,
)
from tests.support.tables import everything_stored

pytestmark = pytest.mark.django_db

UNCHANGED = ("same", None, None, None, 0)
IN_A_YEAR = NOW + timedelta(days=365)


def assert_one_whole_adoption(post: Post) -> None:
    """One revision that recomputes, one baseline, one publication, and the post shows them."""
    revision = Revision.objects.get(post=post)
    assert revision_identifier(revision.payload) == revision.identifier
    stored = Post.objects.get(pk=post.pk)
    assert (stored.public_revision_id, stored.current_revision_identifier) == (revision.pk, revision.identifier)
    assert Baseline.objects.get(post=post).adopted_revision_id == revision.pk
    publication = Publication.objects.get(post=post)
    assert (publication.entry_type, publication.revision_id) == ("adopted", revision.pk)
    assert set(Approval.objects.filter(post=post).values_list("revision_id", flat=True)) <= {revision.pk}


SAME: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "the least": (ARTICLE, ARTICLE),
    "everything": (WHOLE, WHOLE),
    "a declaration": (ARTICLE | {"declaration": DECLARATION}, ARTICLE | {"declaration": DECLARATION}),
    "an empty category description": (
        WHOLE | {"category_description": ...},
        WHOLE | {"category_description": None},
    ),
    "a category description that comes too late": (WHOLE, WHOLE | {"category_description": "Another."}),
    "tags in another order and case": (WHOLE, WHOLE | {"tags": ["night", "SEA"]}),
    "records by their slugs": (
        WHOLE,
        WHOLE | {"author": "old-hand", "category": "ships", "series": "crossings"},
    ),
    "defaults sent": (
        ARTICLE,
        ARTICLE
        | {"description": None, "tags": [], "faq": [], "category": "", "featured": False, "provenance": "unknown"}
        | {"dry_run": False, "old_slugs": [], "cover_image": None, "external_id": None, "canonical_url": " "},
    ),
    "other line ends": (ARTICLE | {"body": "a\nb\n"}, ARTICLE | {"body": "a\r\nb"}),
    "more digits of a time": (WHOLE, WHOLE | {"first_published_at": FIRST.replace("Z", "789Z")}),
    "a time in another zone": (WHOLE, WHOLE | {"last_modified_at": "2020-06-07T10:09:10+02:00"}),
    "a time without evidence": (ARTICLE, ARTICLE | {"first_published_at": FIRST}),
    "old slugs in another order": (WHOLE, WHOLE | {"old_slugs": list(reversed(WHOLE["old_slugs"]))}),
    "no word about connections": (WHOLE, WHOLE | {"connections": ...}),
}


@requirement("adoption.repeat.same")
@pytest.mark.parametrize("which", SAME)
def test_the_same_again_writes_nothing(which: str) -> None:
    first, again = SAME[which]
    adopt(first)
    before = everything_stored()

    adopted = adopt(again, now=IN_A_YEAR)

    assert (adopted.created, recorded(adopted)) == (False, UNCHANGED)
    assert everything_stored() == before


def test_the_same_again_answers_like_the_first_time() -> None:
    first = adopt(ARTICLE, declaration=DECLARATION | {"facts_checked": False})
    again = adopt(ARTICLE, declaration=DECLARATION | {"facts_checked": False}, now=LATER)

    assert again.findings == first.findings
    assert (again.label, again.post.updated_at) == (first.label, NOW)


CHANGED: dict[str, dict[str, Any]] = {
    "title": {"title": "Another"},
    "description": {"description": ...},
    "search title": {"search_title": "Another"},
    "search description": {"search_description": None},
    "body": {"body": "Another"},
    "author": {"author": "Another"},
    "default author": {"author": ...},
    "faq": {"faq": []},
    "category": {"category": "Another"},
    "no category": {"category": ...},
    "tags": {"tags": ["Sea"]},
    "series": {"series": "Another"},
    "position": {"series_position": 3},
    "featured": {"featured": ...},
    "canonical": {"canonical_url": ...},
    "external id": {"external_id": "another"},
    "provenance": {"provenance": "ai_assisted"},
    "provenance evidence": {"provenance_evidence": "Another"},
    "digest": {"source_body_sha256": "b" * 64},
    "first publication": {"first_published_at": MODIFIED},
    "first publication unknown": {"first_published_at": ..., "first_published_evidence": ...},
    "evidence only": {"first_published_evidence": "Another"},
    "last change": {"last_modified_at": FIRST},
    "evidence of the change": {"last_modified_evidence": "Another"},
    "approval": {"imported_approval": IMPORTED | {"evidence": "Another"}},
    "approver": {"imported_approval": IMPORTED | {"reviewer_name": "Another"}},
    "time of approval": {"imported_approval": IMPORTED | {"approved_at": FIRST}},
    "facts": {"imported_approval": IMPORTED | {"facts_checked": False}},
    "no approval": {"imported_approval": ...},
    "another kind of approval": {"imported_approval": ..., "declaration": DECLARATION},
    "connections": {"connections": CONNECTIONS | {"connections": []}},
    "payment": {"connections": CONNECTIONS | {"third_party_paid": True}},
    "day of the declaration": {"connections": CONNECTIONS | {"declared_on": "2020-01-01"}},
    "old slugs": {"old_slugs": ["ferry"]},
    "day of a move": {"old_slugs": ["ferry", {"slug": "boat", "moved_on": "2018-12-31"}]},
    "slug": {"slug": "ferry-at-night"},
}


@requirement("adoption.repeat.compared", "adoption.repeat.replaced")
@pytest.mark.parametrize("which", CHANGED)
def test_what_changed_replaces_the_earlier_adoption(which: str) -> None:
    first = adopt(WHOLE)
    article = WHOLE | CHANGED[which]
    approval = {"imported_approval": "imported", "declaration": "declared"}
    kinds = [kind for field, kind in approval.items() if article.get(field, ...) is not ...]

    adopted = adopt(article, now=LATER)

    assert (adopted.created, adopted.post.pk) == (False, first.post.pk)
    assert recorded(adopted) == ("new", "adopted", next(iter(kinds), None), "replaced", len(article["old_slugs"]))
    assert_one_whole_adoption(first.post)
    assert (adopted.post.created_at, adopted.post.updated_at) == (NOW, LATER)
    assert Baseline.objects.get().adopted_at == LATER
    before = everything_stored()
    assert recorded(adopt(article, now=IN_A_YEAR)) == UNCHANGED
    assert everything_stored() == before


@requirement("adoption.dates")
def test_dates_follow_the_new_evidence() -> None:
    first = adopt(WHOLE).post

    again = adopt(WHOLE, first_published_at=..., last_modified_evidence=..., now=LATER).post

    assert (first.published_at, first.modified_at) != (None, None)
    assert (again.published_at, again.modified_at, again.listed_at.year) == (None, None, 1000)


@requirement("adoption.connections")
def test_declarations_are_only_ever_added() -> None:
    adopt(WHOLE)
    adopt(WHOLE, body="New", now=LATER)
    adopt(WHOLE, body="New", connections=CONNECTIONS | {"connections": []}, now=LATER)
    adopt(WHOLE, body="Newer", connections=..., now=LATER)

    assert [row.connections for row in ConnectionDeclaration.objects.all()] == [CONNECTIONS["connections"], []]


@requirement("adoption.repeat.compared")
def test_a_description_for_a_category_that_lost_its_own_is_a_change() -> None:
    adopt(WHOLE)
    Category.objects.update(description="")

    assert adopt(WHOLE, now=LATER).baseline == "replaced"
    assert Category.objects.get().description == "All about ships."


def test_a_revision_returns_under_the_same_identifier() -> None:
    first = adopt(WHOLE).post

    again = adopt(WHOLE, tags=[], now=LATER).post

    assert again.current_revision_identifier == first.current_revision_identifier
    assert_one_whole_adoption(again)


def test_a_repeat_can_be_edited_like_any_public_post() -> None:
    adopt(WHOLE)
    post = adopt(WHOLE, body="New", now=LATER).post

    edited = update(post, title="Edited here", change="substantive", now=IN_A_YEAR).post

    assert list(Publication.objects.values_list("entry_type", flat=True)) == ["adopted", "substantive"]
    assert (edited.published_at, edited.modified_at) == (post.published_at, IN_A_YEAR)
