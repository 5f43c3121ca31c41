"""Makes the tables of passkeys and of what is signed with them, and two kinds of records in the chain."""

from typing import Any, ClassVar

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from blog_engine.models.protection import ProtectHistory, RenewProtection, release_history

_KINDS = [
    *("revision", "baseline", "declaration", "key", "approval", "signature", "status", "publication", "proposal"),
    *("proposal_event", "replaced"),
]


def _id() -> tuple[str, "models.BigAutoField[int, int]"]:
    return "id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


def _to(model: str, *, related_name: str) -> "models.ForeignKey[models.Model]":
    return models.ForeignKey(
        on_delete=django.db.models.deletion.PROTECT, related_name=related_name, to=f"blog_engine.{model}"
    )


def _options(name: str, plural: str) -> dict[str, Any]:
    return {
        "verbose_name": name,
        "verbose_name_plural": plural,
        "ordering": ["id"],
        "abstract": False,
        "base_manager_name": "objects",
    }


def _forget_links(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Delete the links of the records whose tables go: undoing this is asked for by a variable, and breaks the proof."""
    release_history(schema_editor, apps)
    links = apps.get_model("blog_engine", "ChainLink").objects.using(schema_editor.connection.alias)
    links.filter(kind__in=["key", "signature"]).delete()


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0036_image_origin")]

    operations: ClassVar = [
        RenewProtection(),
        migrations.CreateModel(
            name="Passkey",
            fields=[
                _id(),
                ("person", models.CharField(max_length=255, db_index=True)),
                ("name", models.CharField(max_length=100)),
                ("credential_id", models.CharField(max_length=1364, unique=True)),
                ("x", models.CharField(max_length=64)),
                ("y", models.CharField(max_length=64)),
                ("sign_count", models.PositiveBigIntegerField(default=0)),
                ("transports", models.JSONField(default=list)),
                ("created_at", models.DateTimeField()),
                ("last_used_at", models.DateTimeField(null=True)),
                ("revoked_at", models.DateTimeField(null=True)),
            ],
            options=_options("passkey", "passkeys"),
        ),
        migrations.CreateModel(
            name="ApprovalKey",
            fields=[
                _id(),
                ("post", _to("post", related_name="approval_keys")),
                ("credential_id", models.CharField(max_length=1364)),
                ("x", models.CharField(max_length=64)),
                ("y", models.CharField(max_length=64)),
                ("actor_kind", models.CharField(max_length=20, null=True)),
                ("actor_id", models.CharField(max_length=255, null=True)),
                ("registered_at", models.DateTimeField()),
                ("created_at", models.DateTimeField(editable=False)),
            ],
            options={
                **_options("key of an approval", "keys of approvals"),
                "constraints": [
                    models.UniqueConstraint(fields=["post", "credential_id"], name="blog_engine_approval_key_once")
                ],
            },
        ),
        migrations.CreateModel(
            name="ApprovalSignature",
            fields=[
                _id(),
                ("post", _to("post", related_name="approval_signatures")),
                (
                    "approval",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="signature",
                        to="blog_engine.approval",
                    ),
                ),
                ("key", _to("approvalkey", related_name="signatures")),
                ("actor_kind", models.CharField(max_length=20, null=True)),
                ("actor_id", models.CharField(max_length=255, null=True)),
                ("client_data", models.TextField()),
                ("authenticator_data", models.CharField(max_length=2000)),
                ("signature", models.CharField(max_length=100)),
                ("created_at", models.DateTimeField(editable=False)),
            ],
            options=_options("signature of an approval", "signatures of approvals"),
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
