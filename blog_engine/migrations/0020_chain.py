"""Chains the records of every post, and makes the table of checkpoints.

The records and the links have the form of proof.records and proof.chain as it is at this migration. A process of the
previous version chains nothing: the next checkpoint chains what it recorded.
"""

import datetime
import hashlib
import json
from typing import Any, ClassVar

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.utils import timezone

from blog_engine.models.protection import RenewProtection

_KINDS = ["revision", "baseline", "declaration", "approval", "status", "publication", "replaced"]
_POSTS = 200
_COLUMNS = {
    "Revision": ("revision", {"identifier", "actor", "made_by_ai"}, None),
    "Baseline": (
        "baseline",
        {"adopted_at", "provenance", "provenance_evidence", "first_published_at", "first_published_evidence"}
        | {"declared_first_published_at", "last_modified_at", "last_modified_evidence", "source_system", "source_id"}
        | {"source_body_sha256", "adopted_by"},
        "adopted_revision",
    ),
    "ConnectionDeclaration": (
        "declaration",
        {"connections", "third_party_paid", "declared_by", "declared_on", "recorded_by"},
        None,
    ),
    "Approval": (
        "approval",
        {"reviewer_name", "facts_checked", "approved_at", "declared_on", "declared_by", "confirmed_by", "evidence"}
        | {"recorded_by"},
        "revision",
    ),
    "StatusChange": (
        "status",
        {"from_status", "to_status", "publish_at", "redirect_to", "actor", "occurred_at"},
        None,
    ),
    "Publication": (
        "publication",
        {"entry_type", "occurred_at", "released_by", "description", "note"},
        "revision",
    ),
}


def _chain(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Chain the records post by post, a few posts at a time."""
    alias, now = schema_editor.connection.alias, timezone.now()
    posts, links = (apps.get_model("blog_engine", name).objects.using(alias) for name in ("Post", "ChainLink"))
    last = 0
    while ids := list(posts.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:_POSTS]):
        found: dict[int, list[Any]] = {}
        for order, name in enumerate(_COLUMNS):
            for record in _records(apps, alias, name, ids):
                found.setdefault(record.post_id, []).append((record.created_at, order, record.pk, name, record))
        made = []
        for post, records in sorted(found.items()):
            previous = ""
            for position, (_, _, pk, name, record) in enumerate(sorted(records, key=lambda one: one[:3]), start=1):
                link = {"post": post, "position": position, "kind": _COLUMNS[name][0], "previous": previous}
                link |= {"digest": _digest(_canonical(name, record)), "chained_at": _plain(now)}
                previous = _digest(link)
                made.append(links.model(**link | {"record": pk, "hash": previous, "chained_at": now}))
        links.bulk_create(made, batch_size=500)
        last = ids[-1]


def _records(apps: Any, alias: str, name: str, ids: list[int]) -> Any:
    rows = apps.get_model("blog_engine", name).objects.using(alias).filter(post__in=ids).order_by("pk")
    revision = _COLUMNS[name][2]
    if revision is not None:
        return rows.select_related(revision).defer(f"{revision}__payload").iterator()
    return (rows.defer("payload") if name == "Revision" else rows).iterator()


def _canonical(name: str, record: Any) -> dict[str, Any]:
    kind, columns, revision = _COLUMNS[name]
    found = {column: _plain(getattr(record, column)) for column in columns | {"created_at"}}
    found |= {"kind": kind, "post": record.post_id}
    if revision is not None:
        found["revision"] = getattr(record, revision).identifier
    if name == "Approval":
        found["approval_kind"] = record.kind
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).isoformat(timespec="microseconds").replace("+00:00", "Z")
    return value.isoformat() if isinstance(value, datetime.date) else value


def _digest(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class Migration(migrations.Migration):
    dependencies: ClassVar = [("blog_engine", "0019_desk_indexes")]

    operations: ClassVar = [
        migrations.CreateModel(
            name="ChainLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("post", models.BigIntegerField()),
                ("position", models.PositiveBigIntegerField()),
                ("kind", models.CharField(choices=[(kind, kind) for kind in _KINDS], max_length=20)),
                ("record", models.BigIntegerField(null=True)),
                ("digest", models.CharField(max_length=64)),
                ("previous", models.CharField(max_length=64)),
                ("hash", models.CharField(max_length=64)),
                ("chained_at", models.DateTimeField()),
            ],
            options={
                "ordering": ["id"],
                "abstract": False,
                "base_manager_name": "objects",
                "constraints": [
                    models.UniqueConstraint(fields=("post", "position"), name="blog_engine_chain_link_position"),
                    models.UniqueConstraint(fields=("kind", "record"), name="blog_engine_chain_link_record"),
                    models.CheckConstraint(condition=models.Q(kind__in=_KINDS), name="blog_engine_chain_link_kind"),
                    models.CheckConstraint(condition=models.Q(position__gte=1), name="blog_engine_chain_link_from_1"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Checkpoint",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveBigIntegerField(unique=True)),
                ("created_at", models.DateTimeField(editable=False)),
                ("boundary", models.BigIntegerField()),
                ("size", models.PositiveBigIntegerField()),
                ("root", models.CharField(max_length=64)),
                ("blocks", models.JSONField()),
                ("previous", models.CharField(max_length=64)),
                ("hash", models.CharField(max_length=64)),
            ],
            options={
                "ordering": ["id"],
                "abstract": False,
                "base_manager_name": "objects",
                "constraints": [
                    models.CheckConstraint(condition=models.Q(number__gte=1), name="blog_engine_checkpoint_from_1")
                ],
            },
        ),
        migrations.RunPython(_chain, migrations.RunPython.noop),
        RenewProtection(),
    ]
