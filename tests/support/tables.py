"""Rows written to the tables directly, what the tables hold, and what a refusal leaves unchanged."""

import json
import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

import pytest
from django.apps import apps
from django.conf import settings
from django.db import IntegrityError, connection, transaction
from django.db.models import Model
from django.db.utils import OperationalError

from blog_engine.doctor.base import ProbeContext, Verdict
from blog_engine.errors import Refusal
from blog_engine.models import (
    AppendOnly,
    Approval,
    ApprovalKey,
    ApprovalSignature,
    Author,
    Baseline,
    ChainLink,
    Checkpoint,
    ConnectionDeclaration,
    ContentVersion,
    Image,
    Post,
    Proposal,
    ProposalEvent,
    Publication,
    Redirect,
    Revision,
    SentForm,
    StatusChange,
    WithheldVersion,
)
from blog_engine.models._triggers import history_triggers
from blog_engine.models.protection import restore_protection
from blog_engine.queries.redirects import path_key
from tests.support.factories import LATER

NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
_Row = TypeVar("_Row", bound=AppendOnly)
_numbers = count(1)


def digest(text: object) -> str:
    """A hexadecimal digest that no other text has."""
    return sha256(str(text).encode()).hexdigest()


def insert_author() -> Author:
    """An author with a slug of their own."""
    return Author.objects.create(name="Mina Holt", slug=f"author-{next(_numbers)}")


def insert_post(**columns: object) -> Post:
    """A draft without history."""
    values = {"slug": f"post-{next(_numbers)}", "title": "Harbour log", "author_name": "Mina Holt"} | columns
    if "author" not in columns:
        values["author"] = insert_author()
    post = Post(current_revision_identifier=digest(values["slug"]), **{"created_at": NOON, "updated_at": NOON} | values)
    post.store()
    return post


def insert_redirect(old_path: str, new_path: str | None = None, **columns: object) -> Redirect:
    """A redirect that somebody recorded by hand; nothing is checked, and no other row follows."""
    keys = {"old_key": path_key(old_path), "new_key": path_key(new_path) if new_path else None}
    values = {"source": "manual", "occurred_on": date(2026, 3, 4)} | keys | columns
    return Redirect.objects.create(old_path=old_path, new_path=new_path, **values)


def new_revision(post: Post, **columns: object) -> Revision:
    """A revision of the post, not stored yet."""
    values = {"identifier": digest(next(_numbers)), "payload": "{}", "created_at": NOON} | columns
    return Revision(post=post, **values)


def new_approval(post: Post, revision: Revision, **columns: object) -> Approval:
    """An approval of the revision, not stored yet."""
    values = {"kind": "sent", "reviewer_name": "Ada", "facts_checked": True, "approved_at": NOON, "created_at": NOON}
    return Approval(post=post, revision=revision, **values | columns)


def new_publication(post: Post, revision: Revision, **columns: object) -> Publication:
    """The first publication of the post, not stored yet."""
    values = {"entry_type": "first", "occurred_at": NOON, "created_at": NOON} | columns
    return Publication(post=post, revision=revision, **values)


def new_baseline(post: Post, revision: Revision, **columns: object) -> Baseline:
    """A baseline with a source of its own, not stored yet."""
    values = {"source_system": "old", "source_id": f"{next(_numbers)}", "provenance": "unknown"} | columns
    return Baseline(post=post, adopted_revision=revision, adopted_at=NOON, created_at=NOON, **values)


def new_declaration(post: Post, **columns: object) -> ConnectionDeclaration:
    """A declaration that there are no connections, not stored yet."""
    values = {"third_party_paid": False, "declared_by": "Ada", "declared_on": date(2026, 3, 4), "created_at": NOON}
    return ConnectionDeclaration(post=post, **values | columns)


def new_status_change(post: Post, **columns: object) -> StatusChange:
    """A withdrawal, not stored yet."""
    values = {"from_status": "published", "to_status": "draft", "occurred_at": NOON, "created_at": NOON}
    return StatusChange(post=post, **values | columns)


def new_proposal(post: Post, revision: Revision, **columns: object) -> Proposal:
    """A proposal of another title, not stored yet."""
    values = {"base_version": 1, "fields": {"title": "Other"}, "base": {"title": "Log"}, "actor": "Ada"} | columns
    return Proposal(post=post, base_revision=revision, revision=revision, **{"created_at": NOON} | values)


def new_proposal_event(post: Post, revision: Revision, **columns: object) -> ProposalEvent:
    """The withdrawal of a proposal of the post, which is stored if there is none; not stored yet."""
    proposal = Proposal.objects.filter(post=post).first() or stored(new_proposal(post, revision))
    values = {"kind": "withdrawn", "proposal": proposal, "occurred_at": NOON, "created_at": NOON} | columns
    return ProposalEvent(post=post, revision=revision, **values)


def new_key(post: Post, **columns: object) -> ApprovalKey:
    """The key of a passkey in the chain of the post, not stored yet."""
    number = next(_numbers)
    values = {"credential_id": f"key-{number}", "x": digest(number), "y": digest(number), "registered_at": NOON}
    return ApprovalKey(post=post, **{"created_at": NOON} | values | columns)


def new_signature(post: Post, revision: Revision, **columns: object) -> ApprovalSignature:
    """The signature of a new approval with a new key, which are stored; not stored yet itself."""
    values: dict[str, object] = {"client_data": "{}", "authenticator_data": "AA", "signature": "AA", "created_at": NOON}
    if "approval" not in columns:
        values["approval"] = stored(new_approval(post, revision))
    return ApprovalSignature(post=post, **values | {"key": stored(new_key(post))} | columns)


def new_image(**columns: object) -> Image:
    """An image row without a file, not stored yet."""
    values = {"filename": "quay.png", "content_type": "image/png", "byte_size": 9, "width": 3, "height": 3}
    return Image(**{"sha256": digest(next(_numbers)), "created_at": NOON, **values, **columns})


def new_withheld(post: Post, **columns: object) -> WithheldVersion:
    """The withholding of a version of the post, not stored yet."""
    values = {"identifier": digest(next(_numbers)), "is_withheld": True, "reason": "Private", "actor": "Ada"} | columns
    return WithheldVersion(post=post, **{"created_at": NOON} | values)


def new_link(post: Post, **columns: object) -> ChainLink:
    """A link of the chain of the post for a record that there is not, not stored yet."""
    number = next(_numbers)
    values = {"position": 1, "kind": "status", "record": number, "digest": digest(number), "previous": ""}
    return ChainLink(post=post.pk, **{"hash": digest(number), "chained_at": NOON} | values | columns)


def new_checkpoint(**columns: object) -> Checkpoint:
    """A checkpoint of nothing, not stored yet."""
    number = next(_numbers)
    values = {"number": number, "created_at": NOON, "boundary": 0, "size": 0, "root": digest(number), "blocks": []}
    return Checkpoint(**{"previous": "", "hash": digest(number)} | values | columns)


@dataclass(frozen=True)
class History:
    """One row of every kind of history of one post."""

    post: Post
    revision: Revision
    approval: Approval
    publication: Publication
    baseline: Baseline
    declaration: ConnectionDeclaration
    status_change: StatusChange
    image: Image
    withheld: WithheldVersion
    link: ChainLink
    checkpoint: Checkpoint
    proposal: Proposal | None
    """``None`` for an adoption that nothing followed, like those below."""
    proposal_event: ProposalEvent | None
    key: ApprovalKey | None
    signature: ApprovalSignature | None

    def row_of(self, model: type[AppendOnly]) -> AppendOnly:
        """The row of a model."""
        return next(row for row in vars(self).values() if type(row) is model)


def new_row(model: type[AppendOnly], post: Post, revision: Revision) -> AppendOnly:
    """A row of any kind of history, not stored yet."""
    make: dict[type[AppendOnly], Callable[[], AppendOnly]] = {
        Revision: lambda: new_revision(post),
        Approval: lambda: new_approval(post, revision),
        Publication: lambda: new_publication(post, revision),
        Baseline: lambda: new_baseline(post, revision),
        ConnectionDeclaration: lambda: new_declaration(post),
        StatusChange: lambda: new_status_change(post),
        Image: new_image,
        WithheldVersion: lambda: new_withheld(post),
        ChainLink: lambda: new_link(post),
        Checkpoint: new_checkpoint,
        Proposal: lambda: new_proposal(post, revision),
        ProposalEvent: lambda: new_proposal_event(post, revision),
        ApprovalKey: lambda: new_key(post),
        ApprovalSignature: lambda: new_signature(post, revision),
    }
    return make[model]()


def stored(row: _Row) -> _Row:
    """The row, after it was stored."""
    row.save()
    return row


def insert_history(*, entry_type: str = "first", **approval: object) -> History:
    """A published post with a row of every kind of history; ``approval`` are columns of its approval."""
    is_followed = entry_type != "adopted"
    image = stored(new_image())
    post = insert_post(cover_image=image)
    names_image = json.dumps({"images": [{"role": "cover", "sha256": image.sha256}]})
    revision = stored(new_revision(post, payload=names_image))
    post.public_revision = revision
    post.status = "published"
    post.store()
    baseline = stored(new_baseline(post, revision))
    signed = stored(new_approval(post, revision, **approval))
    key = stored(new_key(post)) if is_followed else None
    return History(
        post=post,
        revision=revision,
        approval=signed,
        publication=stored(new_publication(post, revision, entry_type=entry_type)),
        baseline=baseline,
        declaration=stored(new_declaration(post)),
        status_change=stored(new_status_change(post, from_status="published" if is_followed else "scheduled")),
        image=image,
        withheld=stored(new_withheld(post)),
        link=stored(new_link(post)),
        checkpoint=stored(new_checkpoint()),
        proposal=stored(new_proposal(post, revision)) if is_followed else None,
        proposal_event=stored(new_proposal_event(post, revision)) if is_followed else None,
        key=key,
        signature=stored(new_signature(post, revision, approval=signed, key=key)) if is_followed else None,
    )


def insert_adoption() -> History:
    """An adopted post that nothing followed: the only kind that a permit opens."""
    return insert_history(entry_type="adopted", kind="imported", confirmed_by="Ada", evidence="Ticket 7")


HISTORY: list[type[AppendOnly]] = [
    Revision,
    Approval,
    Publication,
    Baseline,
    ConnectionDeclaration,
    StatusChange,
    Image,
    WithheldVersion,
    ChainLink,
    Checkpoint,
    Proposal,
    ProposalEvent,
    ApprovalKey,
    ApprovalSignature,
]


def execute(sql: str, *params: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)


def is_of_a_trigger(error: IntegrityError) -> bool:
    """Return whether one of the triggers raised the error, and not a constraint."""
    code = getattr(error.__cause__, "sqlite_errorname", None) or getattr(error.__cause__, "sqlstate", None)
    return code in ("SQLITE_CONSTRAINT_TRIGGER", "23001")


def stored_rows() -> dict[str, list[Any]]:
    return {model.__name__: list(model.objects.order_by("pk").values()) for model in HISTORY}


FORGED_REVISION = """
    INSERT INTO blog_engine_revision (post_id, identifier, payload, created_at)
    SELECT id, current_revision_identifier, '{}', created_at FROM blog_engine_post WHERE id = %s
"""
FORGED_BASELINE = """
    INSERT INTO blog_engine_baseline
        (post_id, adopted_revision_id, provenance, source_system, source_id, adopted_at, created_at)
    SELECT post_id, id, 'unknown', 'forged', CAST(id AS text), created_at, created_at
    FROM blog_engine_revision WHERE post_id = %s LIMIT 1
"""
FORGED_ADOPTION = """
    INSERT INTO blog_engine_publication (post_id, revision_id, entry_type, occurred_at, created_at)
    SELECT post_id, id, 'adopted', created_at, created_at FROM blog_engine_revision WHERE post_id = %s LIMIT 1
"""
PERMIT = "INSERT INTO blog_engine_historypermit (post_id, never_id) VALUES (%s, 0)"
DELETIONS = {
    name: f"DELETE FROM blog_engine_{name} WHERE post_id = %s"  # noqa: S608  our own tables
    for name in ("approval", "publication", "connectiondeclaration", "baseline", "revision")
}


@contextmanager
def unprotected(*models: type[Model]) -> Iterator[None]:
    """Drop the triggers of these tables inside the block, as somebody with all rights could."""
    _check_constraints()
    for model in models:
        for guard in history_triggers(connection, model):
            for statement in guard.drop_statements():
                execute(statement)
    yield
    _check_constraints()
    restore_protection(connection)


def _check_constraints() -> None:
    # PostgreSQL alters no table while checks that were put off to the commit wait for it.
    if connection.vendor == "postgresql":
        execute("SET CONSTRAINTS ALL IMMEDIATE")
        execute("SET CONSTRAINTS ALL DEFERRED")


def everything_stored() -> dict[str, Any]:
    """All rows of the engine and all files of its storage.

    Left out are the content version, which is random, and the forms that were sent, by which a second click is known.
    """
    models = apps.get_app_config("blog_engine").get_models(include_auto_created=True)
    rows = {model.__name__: _rows_of(model) for model in models if model not in {ContentVersion, SentForm}}
    media = Path(settings.MEDIA_ROOT)
    return rows | {"files": sorted(str(path) for path in media.rglob("*") if path.is_file())}


def stored_beside_tokens() -> dict[str, Any]:
    """Return all rows and files except the tokens, which record when they were used."""
    stored = everything_stored()
    del stored["ApiToken"]
    return stored


@contextmanager
def undone() -> Iterator[None]:
    """Roll back the effects of the block."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@contextmanager
def wrapped_cursors() -> Iterator[list[tuple[str, int]]]:
    """Refuse ``executemany`` in the block, and note each statement with the number of its parameters."""
    noted: list[tuple[str, int]] = []

    def note(run: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        assert not many, f"executemany: {sql}"
        noted.append((sql, len(params or ())))
        return run(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield noted


@contextmanager
def failing(*, table: str, cause: Exception | None = None) -> Iterator[None]:
    """Make every statement that names the table fail, as without a server."""

    def fail(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if table in sql:
            raise OperationalError from cause
        return execute(sql, *rest)

    with connection.execute_wrapper(fail):
        yield


class Locked(sqlite3.OperationalError):
    """What SQLite raises after waiting for a lock."""

    sqlite_errorcode = sqlite3.SQLITE_BUSY


def _rows_of(model: type[Model]) -> list[dict[str, Any]]:
    """Every column as the database holds it: hundreds of tests look twice, and a queryset takes ten times as long."""
    table, key = model._meta.db_table, ", ".join(f'"{field.column}"' for field in model._meta.pk_fields)
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT * FROM "{table}" ORDER BY {key}')  # noqa: S608  names of our own models
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


@contextmanager
def refused(refusal: type[Refusal], details: list[str] | None = None) -> Iterator[None]:
    """The block must raise this refusal, with these details when they are given, and leave nothing behind."""
    before = everything_stored()
    with pytest.raises(refusal) as raised:
        yield
    if details is not None:
        assert raised.value.details == details
    assert everything_stored() == before


_FORMAT = logging.Formatter("%(levelname)s %(name)s %(message)s")


def write_lines(caplog: pytest.LogCaptureFixture) -> list[tuple[str, dict[str, Any]]]:
    """Level and fields of each line about a write, without what says nothing and without how long it took."""
    lines = []
    for record in caplog.records:
        if record.name == "blog_engine.writes":
            fields = dict(record.__dict__["blog_engine"])
            assert fields.pop("duration_ms") >= 0
            lines.append(
                (record.levelname, {key: value for key, value in fields.items() if value not in (None, False)})
            )
    return lines


def everything_logged(caplog: pytest.LogCaptureFixture) -> str:
    """Whatever a formatter could show of all records: messages, tracebacks and attributes."""
    return "\n".join(f"{_FORMAT.format(record)} {record.__dict__!r}" for record in caplog.records)


VISIT = ProbeContext(now=LATER, newest_posts=None)


def verdict_of(check: Callable[[ProbeContext], Verdict]) -> tuple[str, str]:
    """Status and message of a check at the factories' ``LATER``."""
    found = check(VISIT)
    return found.status.value, found.message
