"""Finds the posts that wait for a review, by the rule of this release (desk.queue)."""

from typing import Any, ClassVar

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Exists, OuterRef, Q


def _find(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    alias = schema_editor.connection.alias
    checks = apps.get_model("blog_engine", "Approval").objects.using(alias).filter(post=OuterRef("pk"))
    checked = checks.filter(facts_checked=True)
    present = checked.filter(revision__identifier=OuterRef("current_revision_identifier"))
    posts = apps.get_model("blog_engine", "Post").objects.using(alias).order_by()
    waiting = posts.exclude(status="archived").filter(~Exists(present)).exclude(provenance="human_written")
    by_ai = Q(unrecorded_made_by_ai=True) | Q(provenance="ai_assisted")
    waiting.filter(by_ai, status="draft").update(review_reason="ai_draft")
    waiting.filter(Exists(checked)).update(review_reason="changed")
    waiting.filter(status="scheduled").update(review_reason="scheduled")


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0016_desk")]

    operations: ClassVar = [migrations.RunPython(_find, migrations.RunPython.noop)]
