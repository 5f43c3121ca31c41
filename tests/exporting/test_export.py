"""What is in an export, what is not, and how it comes to be whole."""

import hashlib
import json
import signal
import sys
import tarfile
import time
import zipfile
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import yaml
from django.apps import apps
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, connections
from django.test.utils import CaptureQueriesContext
from hypothesis import given, strategies
from hypothesis import settings as of_hypothesis
from pytest_django import Settings

from blog_engine.exporting.export import export_blog
from blog_engine.exporting.hugo_bodies import front_matter
from blog_engine.exporting.tables import LEFT_OUT, exported_tables
from blog_engine.exporting.targets import TargetRefused, open_target
from blog_engine.models import AppendOnly, Image, Post, Revision
from blog_engine.models._guard import HISTORY_MODELS
from blog_engine.queries.database import one_snapshot
from tests.exporting.originals import MOMENT, Original, files_in, manifest_of, write
from tests.requirements import requirement
from tests.support.databases import migrate_site
from tests.support.factories import save, store_image
from tests.support.images import png
from tests.support.programs import start
from tests.support.servers import environment_of

pytestmark = pytest.mark.xdist_group("exporting")


def in_zip(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def in_tar(path: Path) -> dict[str, bytes]:
    with tarfile.open(path, "r:gz") as archive:
        return {entry.name: archive.extractfile(entry).read() for entry in archive}  # type: ignore[union-attr]


@requirement("export.target", "export.repeatable")
def test_folder_zip_and_tar_have_the_same_files(original: Original) -> None:
    assert in_zip(original.zip) == files_in(original.folder)
    assert in_tar(original.tar) == files_in(original.folder)


@requirement("export.repeatable")
def test_two_exports_differ_only_in_the_moment(original: Original) -> None:
    one, two = files_in(original.folder), files_in(original.again)

    assert {path for path in one.keys() | two.keys() if one.get(path) != two.get(path)} == {"manifest.json"}
    first, second = manifest_of(original.folder), manifest_of(original.again)
    assert first["exported_at"] != second["exported_at"]
    assert first | {"exported_at": ""} == second | {"exported_at": ""}


@requirement("export.repeatable")
@pytest.mark.django_db
def test_archives_of_one_moment_are_equal(storage: object, tmp_path: Path) -> None:
    save(title="Stone", publish=True)
    for name in ("a.zip", "b.zip", "a.tar.gz", "b.tar.gz"):
        write(tmp_path / name)
        time.sleep(0.01)

    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    assert (tmp_path / "a.tar.gz").read_bytes() == (tmp_path / "b.tar.gz").read_bytes()


@requirement("export.manifest")
def test_the_manifest_lists_every_file_with_its_size_and_digest(original: Original) -> None:
    manifest = manifest_of(original.folder)
    files = files_in(original.folder)
    del files["manifest.json"]

    assert {one["path"]: (one["bytes"], one["sha256"]) for one in manifest["files"]} == {
        path: (len(data), hashlib.sha256(data).hexdigest()) for path, data in files.items()
    }
    assert (manifest["format"], manifest["exported_at"]) == (1, "2026-11-23T12:00:00.000000Z")


@requirement("export.left-out")
def test_every_model_is_exported_or_left_out_for_a_reason() -> None:
    models = {model.__name__ for model in apps.get_app_config("blog_engine").get_models(include_auto_created=True)}
    exported = [table.model.__name__ for table in exported_tables()]

    assert sorted([*exported, *LEFT_OUT]) == sorted(models)
    assert all(reason.endswith(".") for reason in LEFT_OUT.values())
    assert set(HISTORY_MODELS) <= {
        table.model.__name__ for table in exported_tables() if table.path.startswith("history/")
    }


@requirement("export.history")
def test_the_history_has_every_record_with_its_exact_content(original: Original) -> None:
    lines = [json.loads(line) for line in (original.folder / "history/revision.jsonl").read_text("utf-8").splitlines()]

    assert [line["payload"] for line in lines] == [row["payload"] for row in original.rows["Revision"]]
    assert all(hashlib.sha256(line["payload"].encode()).hexdigest() == line["identifier"] for line in lines)
    history = [table for table in exported_tables() if issubclass(table.model, AppendOnly)]
    counted = {table.model.__name__: (original.folder / table.path).read_bytes().count(b"\n") for table in history}
    assert counted == {name: len(original.rows[name]) for name in counted}
    assert sum(1 for number in counted.values() if number) >= 7


@requirement("export.secrets")
def test_no_secret_is_in_an_export(original: Original, settings: Settings) -> None:
    digest = hashlib.sha256(original.secret.encode()).hexdigest()
    forbidden = [original.secret, digest, original.secret[:8], settings.SECRET_KEY, "token_digest", "preview/"]

    found = [
        (path, text)
        for path, data in files_in(original.folder).items()
        for text in forbidden
        if text.encode() in data and not (text == "preview/" and path.startswith("layouts/"))
    ]

    assert found == []


@requirement("export.images")
def test_images_have_their_original_bytes_at_their_paths(original: Original) -> None:
    digests = {row["sha256"] for row in original.rows["Image"]}
    media = original.folder / "static/blog/media"

    originals = [file for file in media.rglob("*") if file.is_file() and file.name not in {"w1200.jpg", "w1200.png"}]
    files = {file.parent.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in originals}

    assert files == {digest: digest for digest in digests}
    assert (original.folder / "files/blog_engine/avatars/mina.png").read_bytes() in original.files.values()


@requirement("export.front-matter")
def test_front_matter_has_the_fields_of_the_post(original: Original) -> None:
    text = (original.folder / "content/posts/whole-ferry.md").read_text("utf-8")
    _, head, body = text.split("---\n", 2)

    fields = yaml.safe_load(head)

    wanted = {
        "title": "The night ferry",
        "url": "/blog/whole-ferry",
        "draft": False,
        "status": "published",
        "date": "2019-05-06T07:08:09.123000Z",
        "lastmod": "2020-06-07T08:09:10.000000Z",
        "categories": ["ships"],
        "tags": ["sea", "night"],
        "series": ["crossings"],
        "series_position": 2,
        "authors": ["old-hand"],
        "featured": True,
        "canonical_url": "https://old.example/ferry",
        "feed_id": "https://old.example/?p=9",
        "faq": [{"question": "When?", "answer": "At ten."}],
        "connections": [{"party": "Quay Ltd", "relation": "customer"}],
        "provenance": "human_written",
    }
    assert {name: fields[name] for name in wanted} == wanted
    assert body == "\nIt leaves at ten.\n"


@requirement("export.front-matter")
@pytest.mark.parametrize(
    ("slug", "fields"),
    [
        ("regatta", {"draft": False, "status": "scheduled"}),
        ("wreck", {"draft": True, "status": "archived"}),
        ("tide", {"draft": True, "status": "draft"}),
    ],
)
def test_front_matter_says_whether_a_post_is_public(original: Original, slug: str, fields: dict[str, Any]) -> None:
    (file,) = original.folder.glob(f"content/posts/{slug}.*")
    head = yaml.safe_load(file.read_text("utf-8").split("---\n", 2)[1])

    assert {name: head[name] for name in fields} == fields
    assert slug != "regatta" or head["date"] == head["publishDate"] == "2026-11-22T15:00:00.000000Z"


@of_hypothesis(deadline=None, max_examples=60)
@given(strategies.text(strategies.characters(exclude_categories=["Cs"])))
@pytest.mark.heavy
def test_every_text_survives_the_front_matter(text: str) -> None:
    head = front_matter({"title": text, "tags": [text], "faq": [{"question": text}], "kept": 0})

    fields = yaml.safe_load(head.removeprefix("---\n").removesuffix("---\n"))

    assert head.splitlines()[0] == "---"
    assert fields == ({"title": text} if text else {}) | {"tags": [text], "faq": [{"question": text}], "kept": 0}


each_target = pytest.mark.parametrize("name", ["blog", "blog.zip", "blog.tar.gz"])


@requirement("export.not-over", "export.partial")
@each_target
@pytest.mark.parametrize(("ending", "message"), [("", "{} exists already"), (".partial", "{} exists: another export")])
def test_what_is_there_is_named_and_stays(tmp_path: Path, name: str, ending: str, message: str) -> None:
    (tmp_path / f"{name}{ending}").write_text("mine")

    with (
        pytest.raises(TargetRefused, match=message.format(f"{name}{ending}")),
        open_target(tmp_path / name),
    ):
        pytest.fail("It was opened.")

    assert files_in(tmp_path) == {f"{name}{ending}": b"mine"}


@requirement("export.not-over")
@each_target
def test_what_takes_the_name_meanwhile_stays(tmp_path: Path, name: str) -> None:
    with pytest.raises(TargetRefused, match=name), open_target(tmp_path / name) as target:
        target.write("a", "b")
        (tmp_path / name).write_text("mine")

    assert files_in(tmp_path) == {name: b"mine"}


@requirement("export.partial")
@each_target
def test_a_second_export_leaves_the_first_one_alone(tmp_path: Path, name: str) -> None:
    with open_target(tmp_path / name) as first:
        with pytest.raises(TargetRefused, match="another export"), open_target(tmp_path / name):
            pytest.fail("It was opened.")
        first.write("a", "b")

    assert [path.name for path in tmp_path.iterdir()] == [name]


@requirement("export.partial")
@pytest.mark.parametrize("fault", [KeyboardInterrupt, ZeroDivisionError])
@each_target
def test_an_export_that_fails_leaves_nothing(tmp_path: Path, name: str, fault: type[BaseException]) -> None:
    with pytest.raises(fault), open_target(tmp_path / name) as target:
        target.write("a/b", "c")
        with target.open("d") as file:
            file.write(b"e")
            raise fault

    assert list(tmp_path.iterdir()) == []


def test_a_target_in_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TargetRefused, match="nowhere"), open_target(tmp_path / "nowhere" / "blog.zip"):
        pytest.fail("It was opened.")


def test_a_disk_that_refuses_is_a_refusal(tmp_path: Path) -> None:
    with pytest.raises(TargetRefused, match="could not be written"), open_target(tmp_path / "blog") as target:
        target.write("x" * 300, "too long a name")

    assert list(tmp_path.iterdir()) == []


@requirement("export.missing-image")
@pytest.mark.django_db
def test_a_missing_and_a_changed_image_are_named(
    storage: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for color in ("teal", "red", "blue"):
        store_image(png(color))
    gone, changed, kept = (
        f"blog_engine/images/{one.sha256[:2]}/{one.sha256}.png" for one in Image.objects.order_by("pk")
    )
    storage.delete(gone)
    Path(storage.path(changed)).write_bytes(b"other bytes")

    with pytest.raises(CommandError, match="2 image files could not be read"):
        call_command("export_blog", f"TARGET={tmp_path / 'out'}")

    err = capsys.readouterr().err
    assert f"{gone}: missing" in err and f"{changed}: it has other bytes" in err
    manifest = manifest_of(tmp_path / "out")
    assert [line.partition(":")[0] for line in manifest["missing"]] == [gone, changed]
    assert kept.rpartition("/")[2].removesuffix(".png") in {path.parent.name for path in tmp_path.rglob("quay.png")}


@requirement("export.command")
@pytest.mark.django_db
def test_the_command_exports_and_tells_how_much(
    storage: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save(title="Stone", publish=True)

    call_command("export_blog", target=str(tmp_path / "blog.zip"))

    assert capsys.readouterr().out == f"Exported 1 posts and 0 images to {tmp_path / 'blog.zip'}\n"
    with pytest.raises(CommandError, match="exists already"):
        call_command("export_blog", f"TARGET={tmp_path / 'blog.zip'}")
    with pytest.raises(CommandError, match="TARGET is missing"):
        call_command("export_blog")


@requirement("export.cost")
@pytest.mark.django_db
def test_the_number_of_queries_grows_with_batches_only(storage: object, tmp_path: Path) -> None:
    def queries(name: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            write(tmp_path / name)
        return len(captured)

    save(title="Post 0", publish=True)
    few = queries("few")
    for number in range(1, 30):
        save(title=f"Post {number}", tags=[f"Tag {number}"], body="Text", publish=number % 2 == 0)

    assert queries("many") == few


@requirement("export.moment")
@pytest.mark.django_db(transaction=True)
def test_an_export_has_the_rows_of_one_moment(storage: object, tmp_path: Path) -> None:
    save(title="Before", publish=True)
    steps = export_blog(tmp_path / "blog", now=MOMENT)
    next(steps)

    in_another_connection(lambda: save(title="Meanwhile", publish=True))
    for _ in steps:
        pass

    assert Post.objects.count() == 2
    assert (tmp_path / "blog/data/post.jsonl").read_text("utf-8").count("\n") == 1
    assert (tmp_path / "blog/history/revision.jsonl").read_text("utf-8").count("\n") == 1
    assert Revision.objects.count() == 2


@requirement("export.moment")
@pytest.mark.django_db(transaction=True)
def test_a_snapshot_writes_nothing_and_keeps_no_writer_out(storage: object) -> None:
    before = getattr(connection, "transaction_mode", None)
    with one_snapshot():
        in_another_connection(lambda: save(title="Meanwhile"))
        seen = Post.objects.count()

    assert (seen, Post.objects.count()) == (0, 1)
    assert getattr(connection, "transaction_mode", None) == before


def in_another_connection(happen: Any) -> None:
    """Let something happen in a thread, which has a connection of its own."""
    faults: list[BaseException] = []

    def work() -> None:
        try:
            happen()
        except BaseException as fault:
            faults.append(fault)
        finally:
            connections.close_all()

    thread = Thread(target=work)
    thread.start()
    thread.join()
    assert faults == []


_KILLED = """
import os, signal
from pathlib import Path
from django.utils import timezone
from blog_engine.exporting.export import export_blog
from tests.support.factories import save
for number in range(5):
    save(title=f"Post {{number}}", publish=True)
for progress in export_blog(Path({target!r}), now=timezone.now()):
    if progress.posts == 3:
        os.kill(os.getpid(), signal.SIGKILL)
"""


@requirement("export.partial")
@pytest.mark.sqlite
@pytest.mark.parametrize(
    "name", ["blog", *(pytest.param(name, marks=pytest.mark.heavy) for name in ("blog.zip", "blog.tar.gz"))]
)
@pytest.mark.heavy
def test_a_killed_export_leaves_no_file_that_looks_whole(django_db_setup: None, tmp_path: Path, name: str) -> None:
    site, exports = tmp_path / "site", tmp_path / "exports"
    site.mkdir()
    exports.mkdir()
    environment = environment_of(site, settings="example_site.settings", origin="https://example.com")
    migrate_site(environment, site / "db.sqlite3")
    code = _KILLED.format(target=str(exports / name))

    killed = start([sys.executable, "example_site/manage.py", "shell", "--verbosity=0", "-c", code], env=environment)

    assert killed.wait(timeout=60) == -signal.SIGKILL
    assert [path.name for path in exports.iterdir()] == [f"{name}.partial"]
    assert list(exports.rglob("manifest.json")) == []
