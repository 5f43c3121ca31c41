"""The records that an adoption makes, and the dates that it gives the post."""

from datetime import UTC, date, datetime
from typing import Any

import pytest

from blog_engine.models import UNDATED, Approval, Baseline, ConnectionDeclaration, Publication, Revision
from tests.requirements import requirement
from tests.support.factories import (
    CONNECTIONS,
    DECLARATION,
    EDITOR,
    FIRST,
    IMPORTED,
    MODIFIED,
    NOW,
    WHOLE,
    adopt,
    recorded,
)

pytestmark = pytest.mark.django_db

THEN = datetime(2019, 5, 6, 7, 8, 9, 123000, tzinfo=UTC)
"""``FIRST`` in whole milliseconds."""
CHANGED = datetime(2020, 6, 7, 8, 9, 10, tzinfo=UTC)
REVIEWED = datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC)


def row_of(model: type[Any], *leave_out: str) -> dict[str, Any]:
    """The only row of a table, without its keys."""
    (row,) = model.objects.values()
    return {name: value for name, value in row.items() if name not in {"id", "post_id", *leave_out}}


@requirement("adoption.public")
def test_the_publication_is_of_the_time_of_the_adoption() -> None:
    adopt(WHOLE)

    assert row_of(Publication, "revision_id") == {
        "entry_type": "adopted",
        "occurred_at": NOW,
        **EDITOR.recorded.columns("released_by"),
        "description": None,
        "note": None,
        "created_at": NOW,
    }


@requirement("adoption.baseline")
def test_the_baseline_keeps_what_is_known() -> None:
    adopt(WHOLE)

    assert row_of(Baseline) == {
        "adopted_at": NOW,
        "adopted_revision_id": Revision.objects.get().pk,
        "provenance": "human_written",
        "provenance_evidence": "Written in 2019.",
        "first_published_at": THEN,
        "first_published_evidence": "Database dump",
        "declared_first_published_at": None,
        "last_modified_at": CHANGED,
        "last_modified_evidence": "Database dump, column changed",
        "source_system": "oldpress",
        "source_id": "17",
        "source_body_sha256": "a" * 64,
        **EDITOR.recorded.columns("adopted_by"),
        "created_at": NOW,
    }


@requirement("adoption.approval.imported", "adoption.approval.declared")
@pytest.mark.parametrize(
    ("fields", "kind", "own"),
    [
        ({"imported_approval": IMPORTED}, "imported", {"confirmed_by": "Mina Holt", "evidence": "Workflow entry 4"}),
        ({"declaration": DECLARATION}, "declared", {"declared_on": date(2026, 11, 20), "declared_by": "Mina Holt"}),
    ],
    ids=["imported", "declared"],
)
def test_an_earlier_approval_is_recorded(fields: dict[str, Any], kind: str, own: dict[str, Any]) -> None:
    adopted = adopt(**fields)

    assert recorded(adopted) == ("new", "adopted", kind, "new", 0)
    assert adopted.post.is_approved
    assert row_of(Approval, "revision_id") == {
        "kind": kind,
        "reviewer_name": "Rosa Reviewer",
        "facts_checked": True,
        "approved_at": REVIEWED,
        "declared_on": None,
        "declared_by": None,
        "confirmed_by": None,
        "evidence": None,
        **EDITOR.recorded.columns("recorded_by"),
        "created_at": NOW,
        **own,
    }


@requirement("adoption.connections")
def test_connections_are_declared_of_the_day_when_none_was_sent() -> None:
    adopt(connections=CONNECTIONS)

    assert row_of(ConnectionDeclaration) == {
        "connections": [{"party": "Quay Ltd", "relation": "customer"}],
        "third_party_paid": False,
        "declared_by": "Mina Holt",
        "declared_on": NOW.date(),
        **EDITOR.recorded.columns("recorded_by"),
        "created_at": NOW,
    }


@requirement("adoption.evidence", "adoption.dates", "history.dates.source")
@pytest.mark.parametrize(
    ("fields", "published", "modified"),
    [
        ({}, None, None),
        ({"first_published_at": FIRST}, None, None),
        ({"first_published_evidence": "Dump"}, None, None),
        ({"first_published_at": FIRST, "first_published_evidence": "Dump"}, THEN, THEN),
        ({"last_modified_at": MODIFIED}, None, None),
        ({"last_modified_at": MODIFIED, "last_modified_evidence": "Dump"}, None, CHANGED),
        ({"declaration": DECLARATION | {"declared_first_published_at": FIRST}}, THEN, THEN),
        (
            {
                "declaration": DECLARATION | {"declared_first_published_at": FIRST},
                "last_modified_at": MODIFIED,
                "last_modified_evidence": "Dump",
            },
            THEN,
            CHANGED,
        ),
    ],
)
def test_dates_come_from_evidence_or_a_declaration(
    fields: dict[str, Any], published: datetime | None, modified: datetime | None
) -> None:
    post = adopt(**fields).post

    assert (post.published_at, post.modified_at, post.listed_at) == (published, modified, published or UNDATED)


@requirement("adoption.evidence")
def test_evidence_is_kept_without_its_time_and_a_time_not_without_evidence() -> None:
    adopt(first_published_evidence="A note", last_modified_at=MODIFIED)

    baseline = Baseline.objects.get()
    assert (baseline.first_published_at, baseline.first_published_evidence) == (None, "A note")
    assert (baseline.last_modified_at, baseline.last_modified_evidence) == (None, None)
