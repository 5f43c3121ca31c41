"""What somebody with all rights in the database does to the history, and what evidence shows of it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from blog_engine import verify
from blog_engine.models import ChainLink, Post
from blog_engine.models._triggers import history_triggers
from blog_engine.models.protection import restore_protection
from blog_engine.rules.chain import CHAINED_MODELS, ChainedRecord, ChainEnd, links_after
from blog_engine.services import make_checkpoint
from tests.support.clients import client_with
from tests.support.factories import (
    ARTICLE,
    CONNECTIONS,
    DECLARATION,
    LATER,
    adopt,
    approve,
    publish,
    save,
    unpublish,
    update,
)
from tests.support.proposals import propose, reject
from tests.support.replay import replayed
from tests.support.tables import HISTORY, execute

CHECKED = LATER + timedelta(hours=1)
"""When the checkpoint of the story is made."""
Read = pytest.CaptureFixture[str]


@dataclass(frozen=True)
class Told:
    """A post with records of every kind, and the checkpoint over it that others have a copy of."""

    post: Post
    published: Path
    folder: Path

    def evidence(self, *, number: int | None = 1) -> bytes:
        """Return the evidence for a checkpoint, as the blog answers."""
        query = "" if number is None else f"?checkpoint={number}"
        response = client_with("read").get(f"/blog/api/v1/posts/{self.post.pk}/evidence{query}")
        assert response.status_code == 200, response.content
        return bytes(response.content)

    def verdict(self, capsys: Read, *, number: int | None = 1, published: Path | None = None) -> tuple[int, str]:
        """Return the exit status and the words of the verifier, with the published checkpoint."""
        return verdict_on(self.evidence(number=number), published or self.published, folder=self.folder, capsys=capsys)


def verdict_on(evidence: bytes, *others: Path, folder: Path, capsys: Read) -> tuple[int, str]:
    """Return the exit status and the words of the verifier."""
    file = folder / "evidence.json"
    file.write_bytes(evidence)
    capsys.readouterr()
    status = verify.main([str(one) for one in (file, *others)])
    return status, capsys.readouterr().out


def tell_of_a_post(folder: Path) -> Told:
    """An adopted post that was corrected, withdrawn and published again, among others, and a published checkpoint."""
    post = _story()
    return Told(post, publish_checkpoint(folder), folder)


@replayed
def _story() -> Post:
    save(title="Before", publish=True)
    post = adopt(ARTICLE, declaration=DECLARATION, connections=CONNECTIONS).post
    update(post, body="It leaves at eleven.", change="correction", note="It left at ten before.", now=LATER)
    approve(post, identifier=Post.objects.get(pk=post.pk).current_revision_identifier, now=LATER)
    unpublish(post, now=LATER)
    publish(post, now=LATER)
    reject(propose(post, title="The late ferry", change="maintenance"))
    save(title="After", publish=True)
    make_checkpoint(now=CHECKED)
    return post


def publish_checkpoint(folder: Path, *, number: int = 1) -> Path:
    """Return a copy of a published checkpoint, which no one with the database can change later."""
    response = client_with().get(f"/blog/checkpoints/{number}")
    assert response.status_code == 200
    copy = folder / f"checkpoint-{number}.json"
    copy.write_bytes(response.content)
    return copy


@contextmanager
def past_the_engine() -> Iterator[None]:
    """Drop the triggers of all tables inside the block, and create them again after it."""
    _check_now()
    for model in HISTORY:
        for guard in history_triggers(connection, model):
            for statement in guard.drop_statements():
                execute(statement)
    yield
    _check_now()
    restore_protection(connection)


def _check_now() -> None:
    if connection.vendor == "postgresql":
        execute("SET CONSTRAINTS ALL IMMEDIATE")
        execute("SET CONSTRAINTS ALL DEFERRED")


Place = tuple[ChainedRecord, datetime]
"""A record, and the time that its link claims."""


def places_of(post: Post) -> list[Place]:
    """Return the records of a post in the order of their links; those without one last."""
    links = {(link.kind, link.record): link for link in ChainLink.objects.filter(post=post.pk)}
    rows: list[tuple[int, int, Place]] = []
    for kind, model in CHAINED_MODELS.items():
        for row in model._default_manager.filter(post=post.pk):
            link = links.get((kind.value, row.pk))
            rows.append((link.position if link else 10_000, row.pk, (row, link.chained_at if link else row.created_at)))
    return [place for *_, place in sorted(rows, key=lambda one: one[:2])]


def chain_anew(post: Post, places: Sequence[Place]) -> None:
    """Replace the chain of a post by one whose hashes are right, as somebody would who knows how they are made."""
    ids = [link.pk for link in ChainLink.objects.filter(post=post.pk).order_by("pk")]
    spare = max(ChainLink.objects.values_list("pk", flat=True)) + 1
    execute("DELETE FROM blog_engine_chainlink WHERE post = %s", post.pk)
    end = ChainEnd()
    for number, (record, chained_at) in enumerate(places):
        (link,) = links_after(end, [record], post=post.pk, now=chained_at)
        link.pk = ids[number] if number < len(ids) else spare + number
        link.save()
        end = ChainEnd.of(link)


def insert_row(row: Any) -> None:
    """Insert a row past the models."""
    columns = {
        field.column: field.get_db_prep_save(getattr(row, field.attname), connection)
        for field in row._meta.concrete_fields
        if getattr(row, field.attname) is not None
    }
    names, marks = ", ".join(columns), ", ".join(["%s"] * len(columns))
    execute(f"INSERT INTO {row._meta.db_table} ({names}) VALUES ({marks})", *columns.values())  # noqa: S608  our own tables
