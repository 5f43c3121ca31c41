"""``dumpdata`` and ``loaddata`` into an empty blog: the proof of the history comes with the rows, or nothing does."""

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection, models

from blog_engine.doctor.content import probe_records
from blog_engine.models import ChainLink, Checkpoint, Post
from blog_engine.models._triggers import drop_statements
from blog_engine.models.base import AppendOnly, ExactDateTimeField
from blog_engine.models.protection import restore_protection
from blog_engine.rules.chain import CHAINED_MODELS, canonical_record, described_link
from blog_engine.services import complete_posts, index_posts, make_checkpoint
from blog_engine.verify import digest_of_json, link_hash
from tests.requirements import requirement
from tests.support.factories import (
    LATER,
    NOW,
    WHOLE,
    adopt,
    approve,
    declare,
    propose,
    publish,
    reject,
    save,
    unpublish,
    update,
)
from tests.support.passkeys import Device, register, sign, signer
from tests.support.tables import everything_stored, execute, new_declaration, stored, verdict_of

pytestmark = pytest.mark.django_db

ODD = timedelta(microseconds=256)
"""What makes a time that no JSON of Django holds."""
TEXT = "Ten.\r\n\r\nSharp, at the <b>quay</b> & nowhere else: 日本語 \U0001d518.\n\n    code"


def live(*, body: str = "It leaves at *ten*.") -> Post:
    """Record everything that there is, at odd times; return the post with most of it."""
    now, later = NOW + ODD, LATER + ODD
    post = save(title="Harbour log", body=body, publish=True, provenance="ai_assisted", now=now, tags=["Sea"]).post
    approve(post, now=now)
    declare(post, now=now)
    changed = update(post, body=f"{body} At eleven.", change="correction", note="It left at ten.", now=later).post
    reject(propose(changed, now=later), now=later + ODD)
    unpublish(save(title="Taken back", publish=True, now=now).post, now=later)
    publish(save(title="Planned", now=now).post, publish_at=(later + timedelta(days=9)).isoformat(), now=later)
    adopt(WHOLE, now=now)
    rosa, laptop = signer(), Device()
    register(laptop, actor=rosa, now=now)
    sign(changed, actor=rosa, device=laptop, now=later.replace(microsecond=0))
    make_checkpoint(now=later + ODD)
    return post


def dump(folder: Path, name: str = "blog.json") -> Path:
    """Dump the blog as an operator does."""
    file = folder / name
    call_command("dumpdata", "blog_engine", output=str(file), format=file.suffix[1:], verbosity=0)
    return file


def empty_database() -> None:
    """Empty all tables of the blog, as those of a new database are."""
    for statement in drop_statements(connection):
        execute(statement)
    for model in apps.get_app_config("blog_engine").get_models():
        execute(f"DELETE FROM {model._meta.db_table}")  # noqa: S608  our own tables
    restore_protection(connection)


def load(file: Path, *options: str) -> None:
    """Load a dump as an operator does."""
    call_command("loaddata", str(file), *options, verbosity=0)


@requirement("proof.dumps", "proof.times")
@pytest.mark.parametrize("format_name", ["json", "xml", "jsonl", "yaml"])
def test_a_loaded_dump_is_as_recorded(tmp_path: Path, format_name: str) -> None:
    live()
    before = everything_stored()
    file = dump(tmp_path, f"blog.{format_name}")

    empty_database()
    load(file)

    assert verdict_of(probe_records)[0] == "ok"
    assert _without_changes_of_format(everything_stored()) == _without_changes_of_format(before)


def _without_changes_of_format(rows: dict[str, Any]) -> dict[str, Any]:
    """Return the rows of the history: times of other rows are dumped in milliseconds."""
    names = {model.__name__ for model in apps.get_models() if issubclass(model, AppendOnly)} - {"Image"}
    return {name: found for name, found in rows.items() if name in names}


@requirement("proof.dumps", "proof.dumps.refused")
def test_carriage_returns_come_with_json_and_xml_is_refused(tmp_path: Path) -> None:
    post = live(body=TEXT)
    update(post, body="Ten.", change="correction", note="It said:\r\nten, sharp.", now=LATER + timedelta(days=1))
    files = [dump(tmp_path, name) for name in ("blog.xml", "blog.json")]
    empty_database()

    with pytest.raises(CommandError, match="Nothing was loaded"):
        load(files[0])
    load(files[1])

    assert verdict_of(probe_records)[0] == "ok"


@requirement("proof.times")
def test_records_are_made_in_whole_milliseconds() -> None:
    live()

    moments = [
        (name, column.name, value)
        for name, model in {**{str(kind): model for kind, model in CHAINED_MODELS.items()}, "": ChainLink}.items()
        for column in model._meta.concrete_fields
        if isinstance(column, models.DateTimeField)
        for value in model._default_manager.values_list(column.name, flat=True)
        if value is not None
    ]
    moments += [("checkpoint", "created_at", at) for at in Checkpoint.objects.values_list("created_at", flat=True)]
    assert len({name for name, *_ in moments}) == len(CHAINED_MODELS) + 2
    assert [moment for moment in moments if moment[2].microsecond % 1000] == []


@requirement("proof.dumps")
def test_every_time_that_the_chain_covers_is_dumped_whole() -> None:
    covered = [*CHAINED_MODELS.values(), ChainLink, Checkpoint]

    cut = [
        column
        for model in covered
        for column in model._meta.concrete_fields
        if isinstance(column, models.DateTimeField) and not isinstance(column, ExactDateTimeField)
    ]

    assert cut == []
    assert isinstance(Post._meta.get_field("listed_at"), ExactDateTimeField)


def live_before() -> None:
    """Leave records and links with microseconds, as earlier versions made them."""
    post = live()
    stored(new_declaration(post, created_at=NOW + ODD))
    make_checkpoint(now=LATER + timedelta(days=1))
    last = ChainLink.objects.filter(post=post.pk).order_by("-position")[0]
    record = stored(new_declaration(post, created_at=NOW))
    link = ChainLink(
        post=post.pk, position=last.position + 1, kind="declaration", record=record.pk, previous=last.hash,
        digest=last.digest, chained_at=LATER + ODD,
    )  # fmt: skip
    link.digest = _digest_of(record)
    link.hash = link_hash(described_link(link), post=post.pk)
    link.save()
    assert verdict_of(probe_records)[0] == "ok"


def _digest_of(record: Any) -> str:
    return digest_of_json(canonical_record(record))


@requirement("proof.dumps")
@pytest.mark.parametrize("format_name", ["json", "xml"])
def test_microseconds_of_earlier_versions_come_with_a_dump(tmp_path: Path, format_name: str) -> None:
    live_before()
    file = dump(tmp_path, f"blog.{format_name}")

    empty_database()
    load(file)

    assert verdict_of(probe_records)[0] == "ok"


def cut_times(file: Path, *, only: str = "") -> None:
    """Cut the times of a dump to milliseconds, as an earlier version wrote them; default: of every model."""
    rows = json.loads(file.read_text())
    for row in rows:
        if only in row["model"]:
            cut = {
                name: re.sub(r"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})\d{3}", r"\1", value)
                for name, value in row["fields"].items()
                if isinstance(value, str)
            }
            row["fields"] |= cut
    file.write_text(json.dumps(rows))


@requirement("proof.dumps.refused")
@pytest.mark.parametrize("only", ["", "connectiondeclaration", "chainlink"])
def test_a_dump_without_microseconds_is_refused_whole(tmp_path: Path, only: str) -> None:
    live_before()
    file = dump(tmp_path)
    cut_times(file, only=only)
    empty_database()

    with pytest.raises(CommandError, match=r"Nothing was loaded: .* --exclude blog_engine\.chainlink"):
        load(file)

    assert not Post.objects.exists()
    assert not ChainLink.objects.exists()


@requirement("proof.dumps.refused")
@pytest.mark.parametrize("name", ["revision", "approval", "publication", "baseline", "checkpoint", "proposalevent"])
def test_any_record_that_is_not_the_chained_one_is_refused(tmp_path: Path, name: str) -> None:
    live()
    file = dump(tmp_path)
    rows = json.loads(file.read_text())
    next(row for row in rows if row["model"] == f"blog_engine.{name}")["fields"]["created_at"] = "2026-01-01T00:00:00Z"
    file.write_text(json.dumps(rows))
    empty_database()

    with pytest.raises(CommandError, match="Nothing was loaded"):
        load(file)

    assert not Post.objects.exists()


@requirement("proof.dumps.refused")
def test_the_way_that_the_refusal_names_chains_the_records_anew(tmp_path: Path) -> None:
    live_before()
    file = dump(tmp_path)
    cut_times(file)
    empty_database()

    load(file, "--exclude", "blog_engine.chainlink", "--exclude", "blog_engine.checkpoint")
    make_checkpoint(now=LATER + timedelta(days=2))
    index_posts()
    complete_posts()

    assert verdict_of(probe_records)[0] == "ok"


def test_other_fixtures_load_as_ever(tmp_path: Path) -> None:
    file = tmp_path / "draft.json"
    save(title="Only a draft")
    call_command("dumpdata", "blog_engine", output=str(file), verbosity=0)
    empty_database()

    load(file)

    assert Post.objects.get().title == "Only a draft"
