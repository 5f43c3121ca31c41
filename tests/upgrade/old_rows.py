"""Rows written with the historical models of a migration, without services and guards."""

from datetime import UTC, date, datetime
from typing import Any

NOON = datetime(2026, 3, 4, 12, 0, 0, 5, tzinfo=UTC)


def one_row_of_each_kind(models: Any) -> None:
    """Create a post with a row in every history table, with the models of the app registry ``models``."""

    def make(model: str, /, **columns: object) -> Any:
        return models.get_model("blog_engine", model).objects.create(**columns)

    author = make("Author", name="Mina Hölt", slug="mina")
    post = make("Post", slug="harbour", title="Harbour 🌊", author=author, current_revision_identifier="a" * 64)
    revision = make("Revision", post=post, identifier="a" * 64, payload='{"title":"Harbour 🌊"}', created_at=NOON)
    of_the_post = {"post": post, "created_at": NOON}
    make(
        "Baseline",
        adopted_at=NOON,
        adopted_revision=revision,
        provenance="unknown",
        source_system="old",
        source_id="1",
        **of_the_post,
    )
    make(
        "Approval",
        kind="sent",
        reviewer_name="Rosa",
        facts_checked=True,
        approved_at=NOON,
        revision=revision,
        **of_the_post,
    )
    make("Publication", entry_type="adopted", occurred_at=NOON, revision=revision, **of_the_post)
    make(
        "ConnectionDeclaration",
        third_party_paid=False,
        declared_by="Rosa",
        declared_on=date(2026, 3, 4),
        **of_the_post,
    )
    make("Image", sha256="b" * 64, filename="quay.png", content_type="image/png", byte_size=9, width=3, height=3)
