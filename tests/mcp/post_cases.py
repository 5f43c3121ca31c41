"""Cases of the tools that write posts, at least one success and one refusal of each."""

from tests.mcp.parity_case import UNKNOWN_ID, Case, refuses, succeeds
from tests.mcp.small_blog import CONNECTIONS, OF_HARBOUR, OF_TIDE, REVIEW, TOMORROW

_EVERYTHING = {
    "title": "Lamps",
    "description": "All about lamps.",
    "search_title": "Old lamps",
    "search_description": "Lamps of the harbour.",
    "body": "## Oil\n\nIt burns. \U0001f56f\n",
    "body_format": "markdown",
    "author": {"name": "Quay Press", "type": "organization", "url": "https://quay.example/"},
    "cover_image": {"image_id": 1},
    "cover_alt": "A lamp",
    "social_image": {"image_id": 1},
    "faq": [{"question": "Which oil?", "answer": "Whale, once."}],
    "category": "Light",
    "tags": ["Oil", "Été"],
    "series": "Tides",
    "series_position": 2,
    "featured": True,
    "canonical_url": "https://quay.example/lamps",
    "slug": "lamps",
    "external_id": "lamps-1",
    "provenance": "human_written",
    "provenance_evidence": "Typed by hand.",
    "made_by_ai": False,
    "approval": REVIEW,
    "change": "maintenance",
    "change_description": "Nothing yet.",
    "note": "None.",
    "connections": CONNECTIONS,
    "publish_at": None,
}
"""A post write with many fields."""

POSTS: list[Case] = [
    succeeds("save_draft", "new with a title", title="Lamps"),
    succeeds("save_draft", "new with everything", **_EVERYTHING),
    succeeds("save_draft", "found by external_id", external_id="tide-1", body="High at one.", cover_image=None),
    succeeds("save_draft", "found by slug", slug="fog", tags=[]),
    succeeds("save_draft", "a scheduled one", slug="regatta", description="Ten."),
    refuses("save_draft", "a public one", "post_is_public", slug="harbour", body="New."),
    refuses(
        "save_draft", "two at once", "identity_conflict", ["slug", "external_id"], slug="fog", external_id="tide-1"
    ),
    refuses("save_draft", "a taken title", "identity_conflict", ["slug"], title="Fog"),
    refuses("save_draft", "a reserved slug", "slug_reserved", title="Feed", slug="feed"),
    refuses("save_draft", "an odd slug", "slug_not_supported", ["slug"], title="A", slug="Été !"),
    refuses(
        "save_draft",
        "several values",
        "validation_failed",
        ["title", "faq", "tags", "featured"],
        title=" ",
        tags="x",
        featured="yes",
        faq=[{"question": "Why?"}],
    ),
    refuses(
        "save_draft",
        "unknown names at two depths",
        "unknown_field",
        ["titel", "faq.questoin", "approval.nam"],
        titel="A",
        approval={"nam": "Rosa"},
        faq=[{"question": "Why?", "answer": "So.", "questoin": "x"}],
    ),
    refuses("save_draft", "half an approval", "approval_incomplete", title="A", approval={"name": "Rosa"}),
    refuses("save_draft", "another format", "body_format_not_permitted", title="A", body_format="rich_text"),
    refuses(
        "save_draft", "two images at once", "image_not_permitted", title="A", cover_image={"image_id": 1, "url": "x"}
    ),
    refuses("save_draft", "an image that is not there", "not_found", title="A", social_image={"image_id": 9}),
    refuses("save_draft", "without the scope", "scope_required", ["write"], scopes=("read", "publish"), title="A"),
    refuses(
        "save_draft", "an approval of a writer", "scope_required", ["publish"], ("write",), title="A", approval=REVIEW
    ),
    succeeds("publish_post", "a draft", id="fog"),
    succeeds(
        "publish_post", "a draft with a last edit", id=1, body="At one.", approval=REVIEW, provenance="ai_assisted"
    ),
    succeeds("publish_post", "later", id="fog", publish_at=TOMORROW),
    succeeds("publish_post", "a new one", **_EVERYTHING),
    succeeds("publish_post", "found by slug", slug="tide", approval=REVIEW | {"revision_identifier": OF_TIDE}),
    refuses("publish_post", "a change without its kind", "change_type_required", id="harbour", body="New."),
    refuses(
        "publish_post", "a correction without note", "correction_note_required", id=3, body="N.", change="correction"
    ),
    refuses(
        "publish_post",
        "the review of another revision",
        "revision_mismatch",
        id="fog",
        approval=REVIEW | {"revision_identifier": OF_TIDE},
    ),
    refuses("publish_post", "publish is its own", "unknown_field", ["publish"], id="fog", publish=True),
    refuses("publish_post", "without the scope", "scope_required", ["publish"], ("read", "write"), id="fog", titel="A"),
    refuses("publish_post", "unknown id", "not_found", id="nobody"),
    succeeds("update_post", "a draft by a writer", ("write",), id="tide", body="High at two."),
    succeeds("update_post", "a public post", id=3, body="Five ropes.", change="substantive", approval=REVIEW),
    succeeds("update_post", "nothing", id="harbour"),
    succeeds("update_post", "the slug of a public post", id="harbour", slug="port", change="maintenance"),
    succeeds("update_post", "an archived post", id="wreck", title="The wreck", change="maintenance"),
    refuses("update_post", "a change without its kind", "change_type_required", id="harbour", title="Port"),
    refuses("update_post", "a public post by a writer", "scope_required", ["publish"], ("read", "write"), id="harbour"),
    refuses(
        "update_post",
        "several values",
        "validation_failed",
        ["title", "series_position"],
        id=1,
        title="",
        series_position=0,
    ),
    refuses("update_post", "the time of a public post", "validation_failed", ["publish_at"], id=3, publish_at=TOMORROW),
    refuses("update_post", "unknown id", "not_found", id=UNKNOWN_ID, title="A"),
    succeeds("correct_post", "with a note", id="harbour", body="Five ropes.", note="There were five."),
    succeeds("correct_post", "as it says itself", id=3, note="There were five.", change="correction", faq=[]),
    refuses("correct_post", "without note", "correction_note_required", id="harbour", body="Five ropes."),
    refuses(
        "correct_post", "with a blank note", "correction_note_required", id="harbour", body="Five ropes.", note=" "
    ),
    refuses("correct_post", "by a writer", "scope_required", ["publish"], ("write",), id="harbour", note="Five."),
    succeeds("approve_revision", "a draft", id="tide", revision_identifier=OF_TIDE, **REVIEW),
    succeeds(
        "approve_revision", "a public post", id=3, revision_identifier=OF_HARBOUR, name="Mina", facts_checked=False
    ),
    refuses("approve_revision", "another one", "revision_mismatch", id="fog", revision_identifier=OF_TIDE, **REVIEW),
    refuses("approve_revision", "half", "approval_incomplete", id="tide", revision_identifier=OF_TIDE, name=" "),
    succeeds("declare_connections", "some", id="harbour", declared_on="2026-11-20", **CONNECTIONS),
    refuses(
        "declare_connections",
        "several values",
        "validation_failed",
        ["connections", "third_party_paid", "declared_by"],
        id="harbour",
        connections=[{"party": "A"}],
        third_party_paid=0,
    ),
    refuses("declare_connections", "by a writer", "scope_required", ["publish"], ("write",), id="tide", **CONNECTIONS),
    succeeds("unpublish_post", "a public post", id="harbour"),
    succeeds("unpublish_post", "a scheduled post", id="regatta"),
    refuses("unpublish_post", "unknown id", "not_found", id="nobody"),
    refuses("unpublish_post", "with a target", "unknown_field", ["redirect_to"], id="harbour", redirect_to="fog"),
    succeeds("remove_post", "a draft without a history", id="fog"),
    succeeds("remove_post", "a public post", id="harbour", redirect_to="night-ferry"),
    refuses(
        "remove_post", "to nowhere", "validation_failed", ["redirect_to"], id="harbour", redirect_to="nowhere at all"
    ),
    refuses("remove_post", "by a writer", "scope_required", ["publish"], ("read", "write"), id="harbour"),
]
