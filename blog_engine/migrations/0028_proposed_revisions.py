"""Revisions that proposals recorded are rows of their own: they say nothing of who wrote the same content of a post."""

import os
from typing import Any, ClassVar

from django.core.management import CommandError
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import OuterRef, Subquery

from blog_engine.models.protection import ProtectHistory, RenewProtection, release_history


def _keep_one_of_each(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Let proposals name the revision of their post where it has the same content, which breaks the proof."""
    rows = {
        name: _rows(apps, name, schema_editor)
        for name in ("Revision", "Approval", "Proposal", "ProposalEvent", "ChainLink")
    }
    own = rows["Revision"].filter(post=OuterRef("post"), identifier=OuterRef("identifier"), is_proposed=False)
    doubled = list(
        rows["Revision"].filter(is_proposed=True).annotate(own=Subquery(own.values("pk")[:1])).filter(own__isnull=False)
    )
    if doubled and os.environ.get("BLOG_ENGINE_DELETE_HISTORY") != "1":
        raise CommandError(
            f"Nothing was undone: {len(doubled)} contents were proposed, and are recorded as content of their post as "
            f"well. Before this migration a database holds one revision of each: BLOG_ENGINE_DELETE_HISTORY=1 lets the proposals "
            "name the other one, and breaks the proof of these posts."
        )
    if doubled:
        release_history(schema_editor, apps)
    for revision in doubled:
        rows["Approval"].filter(revision=revision).update(revision=revision.own)
        rows["Proposal"].filter(revision=revision).update(revision=revision.own)
        rows["Proposal"].filter(base_revision=revision).update(base_revision=revision.own)
        rows["ProposalEvent"].filter(revision=revision).update(revision=revision.own)
        rows["ChainLink"].filter(kind="revision", record=revision.pk).delete()
        revision.delete()
    if doubled:
        # PostgreSQL alters no table that has rows to check.
        schema_editor.connection.check_constraints()


def _rows(apps: Any, name: str, schema_editor: BaseDatabaseSchemaEditor) -> Any:
    return apps.get_model("blog_engine", name).objects.using(schema_editor.connection.alias)


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0027_withdrawals_end_permits")]

    operations: ClassVar = [
        RenewProtection(),
        migrations.AddField(
            model_name="revision", name="is_proposed", field=models.BooleanField(db_default=False, default=False)
        ),
        migrations.RemoveConstraint(model_name="revision", name="blog_engine_revision_once"),
        migrations.AddConstraint(
            model_name="revision",
            constraint=models.UniqueConstraint(
                fields=("post", "identifier", "is_proposed"), name="blog_engine_revision_once"
            ),
        ),
        # Undone first: the column above cannot go while triggers read it.
        ProtectHistory(),
        migrations.RunPython(migrations.RunPython.noop, _keep_one_of_each),
    ]
