"""Makes the tables of proposals and of what happens to them, and two kinds of records in the chain."""

from typing import Any, ClassVar

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from blog_engine.models.protection import ProtectHistory, RenewProtection, release_history

_KINDS = [
    *("revision", "baseline", "declaration", "approval", "status", "publication", "proposal", "proposal_event"),
    "replaced",
]
_EVENTS = ["rebased", "scheduled", "unscheduled", "applied", "rejected", "withdrawn"]


def _to(model: str, *, related_name: str, null: bool = False) -> "models.ForeignKey[models.Model]":
    return models.ForeignKey(
        on_delete=django.db.models.deletion.PROTECT,
        related_name=related_name,
        to=f"blog_engine.{model}",
        null=null,
    )


def _forget_links(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Delete the links of the records whose tables go: undoing this is asked for by a variable, and breaks the proof."""
    release_history(schema_editor, apps)
    links = apps.get_model("blog_engine", "ChainLink").objects.using(schema_editor.connection.alias)
    links.filter(kind__in=["proposal", "proposal_event"]).delete()


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0021_recent_writes")]

    operations: ClassVar = [
        RenewProtection(),
        migrations.CreateModel(
            name="Proposal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("post", _to("post", related_name="proposals")),
                ("base_revision", _to("revision", related_name="+")),
                ("base_version", models.PositiveBigIntegerField()),
                ("revision", _to("revision", related_name="proposals")),
                ("fields", models.JSONField()),
                ("base", models.JSONField()),
                ("actor", models.CharField(max_length=255)),
                ("made_by_ai", models.BooleanField(null=True)),
                ("created_at", models.DateTimeField(editable=False)),
            ],
            options={
                "verbose_name": "proposal",
                "verbose_name_plural": "proposals",
                "ordering": ["id"],
                "abstract": False,
                "base_manager_name": "objects",
            },
        ),
        migrations.CreateModel(
            name="ProposalEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("post", _to("post", related_name="+")),
                ("proposal", _to("proposal", related_name="events")),
                ("kind", models.CharField(choices=[(kind, kind) for kind in _EVENTS], max_length=20)),
                ("revision", _to("revision", related_name="proposal_events")),
                ("publish_at", models.DateTimeField(null=True)),
                ("reason", models.TextField(null=True)),
                ("publication", _to("publication", related_name="+", null=True)),
                ("actor", models.CharField(max_length=255, null=True)),
                ("occurred_at", models.DateTimeField()),
                ("created_at", models.DateTimeField(editable=False)),
            ],
            options={
                "verbose_name": "event of a proposal",
                "verbose_name_plural": "events of proposals",
                "ordering": ["id"],
                "abstract": False,
                "base_manager_name": "objects",
                "indexes": [
                    models.Index(
                        fields=["publish_at"],
                        condition=models.Q(kind="scheduled"),
                        name="blog_engine_proposal_due",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(kind__in=_EVENTS), name="blog_engine_proposal_event_kind"
                    ),
                    models.UniqueConstraint(
                        fields=["proposal"],
                        condition=models.Q(kind__in=["applied", "rejected", "withdrawn"]),
                        name="blog_engine_proposal_event_one_end",
                    ),
                    models.CheckConstraint(
                        condition=~models.Q(kind="scheduled") | models.Q(publish_at__isnull=False),
                        name="blog_engine_proposal_event_has_time",
                    ),
                    models.CheckConstraint(
                        condition=~models.Q(kind="rejected") | models.Q(reason__isnull=False) & ~models.Q(reason=""),
                        name="blog_engine_proposal_event_has_reason",
                    ),
                ],
            },
        ),
        migrations.RemoveConstraint(model_name="chainlink", name="blog_engine_chain_link_kind"),
        migrations.AlterField(
            model_name="chainlink",
            name="kind",
            field=models.CharField(choices=[(kind, kind.replace("_", " ")) for kind in _KINDS], max_length=20),
        ),
        migrations.AddConstraint(
            model_name="chainlink",
            constraint=models.CheckConstraint(condition=models.Q(kind__in=_KINDS), name="blog_engine_chain_link_kind"),
        ),
        migrations.RunPython(migrations.RunPython.noop, _forget_links),
        # Undone first: the tables above cannot go while triggers read them.
        ProtectHistory(),
    ]
