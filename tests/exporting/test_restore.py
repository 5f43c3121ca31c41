"""What a restore refuses: nothing is stored then."""

import hashlib
import json
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import Storage
from pytest_django import Settings

from blog_engine.errors import Unavailable
from blog_engine.exporting.restore import RestoreRefused, restore_blog
from blog_engine.models import Post
from tests.exporting.originals import Original, files_in, manifest_of, stored_rows
from tests.requirements import requirement
from tests.support.factories import make_category, save
from tests.support.hosts import HalfWriting, use_storage
from tests.support.tables import everything_stored, wrapped_cursors

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("exporting")]


@pytest.fixture
def export(original: Original, same_settings: Path, tmp_path: Path) -> Path:
    """A copy of the export, which a test can change."""
    return Path(shutil.copytree(original.folder, tmp_path / "export"))


@contextmanager
def refused(*words: str) -> Iterator[None]:
    """The block must raise ``RestoreRefused`` with these words, and leave nothing behind."""
    before = everything_stored()
    with pytest.raises(RestoreRefused) as raised:
        yield
    assert [word for word in words if word not in str(raised.value)] == [], str(raised.value)
    assert everything_stored() == before


def restore(source: Path) -> None:
    list(restore_blog(source))


def forge(export: Path, path: str, content: bytes | None) -> None:
    """Change or remove a file, and make the manifest agree."""
    manifest = manifest_of(export)
    files = {one["path"]: one for one in manifest["files"]}
    files.pop(path, None)
    if content is None:
        (export / path).unlink()
    else:
        (export / path).write_bytes(content)
        files[path] = {"path": path, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    write_manifest(export, manifest | {"files": [files[name] for name in sorted(files)]})


def write_manifest(export: Path, manifest: dict[str, Any]) -> None:
    """Write a manifest as an export does."""
    head = "".join(f' "{name}": {json.dumps(value)},\n' for name, value in manifest.items() if name != "files")
    lines = ",\n".join(f"  {json.dumps(one)}" for one in manifest["files"])
    (export / "manifest.json").write_text(f'{{\n{head} "files": [\n{lines}\n ]\n}}\n', "utf-8")


def change_row(export: Path, path: str, number: int = 0, **changes: Any) -> None:
    """Change some columns of a row; ``...`` removes one."""
    lines = (export / path).read_bytes().splitlines(keepends=True)
    row = json.loads(lines[number]) | changes
    lines[number] = json.dumps({name: value for name, value in row.items() if value is not ...}).encode() + b"\n"
    forge(export, path, b"".join(lines))


@requirement("host.databases.wrapped")
def test_a_restore_needs_no_executemany(export: Path) -> None:
    with wrapped_cursors():
        restore(export)

    assert Post.objects.exists()


@requirement("restore.empty-only")
@pytest.mark.parametrize(
    ("fill", "words"),
    [(lambda: save(title="Mine"), ["1 authors", "1 posts"]), (lambda: make_category(), ["1 categories"])],
)
def test_a_blog_with_rows_is_refused(export: Path, fill: Callable[[], object], words: list[str]) -> None:
    fill()

    with refused("not empty", *words):
        restore(export)


def _without(path: str) -> Callable[[Path], object]:
    return lambda export: (export / path).unlink()


def _cut(path: str) -> Callable[[Path], object]:
    return lambda export: os.truncate(export / path, (export / path).stat().st_size - 9)


def _flipped(path: str) -> Callable[[Path], object]:
    def flip(export: Path) -> None:
        data = bytearray((export / path).read_bytes())
        data[len(data) // 2] ^= 1
        (export / path).write_bytes(data)

    return flip


def _linked(path: str) -> Callable[[Path], object]:
    return lambda export: (export / path).symlink_to((export / path).rename(export.parent / "elsewhere"))


def _more(export: Path) -> None:
    (export / "data" / "more.jsonl").write_text("{}")


def _listed(change: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[Path], object]:
    return lambda export: write_manifest(export, (known := manifest_of(export)) | change(known))


def _named(name: str) -> Callable[[Path], object]:
    return _listed(lambda known: {"files": [{"path": name, "bytes": 0, "sha256": ""}, *known["files"]]})


@requirement("restore.verified")
@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (_without("manifest.json"), ["manifest.json is missing"]),
        (_cut("manifest.json"), ["manifest.json is truncated"]),
        (_without("data/post.jsonl"), ["data/post.jsonl is missing"]),
        (_without("content/posts/stone.md"), ["content/posts/stone.md is missing"]),
        (_cut("data/post.jsonl"), ["data/post.jsonl has", "bytes instead of"]),
        (_flipped("history/revision.jsonl"), ["history/revision.jsonl was changed"]),
        (_linked("data/post.jsonl"), ["data/post.jsonl is missing, or is no ordinary file"]),
        (_linked("data"), ["no ordinary file"]),
        (_more, ["1 files that manifest.json does not list"]),
        (_listed(lambda known: {"format": 2, "engine": "9.1"}), ["manifest.json", "format 2", "'9.1'"]),
        (_named("../x"), ["'../x'", "not safe"]),
        (_named("\ud800"), ["'\\ud800'", "not safe"]),
        (
            _listed(lambda known: {"files": [known["files"][0], *known["files"]]}),
            ["manifest.json is truncated, or not as"],
        ),
    ],
)
def test_an_export_that_is_not_as_it_was_made_is_refused(
    export: Path, damage: Callable[[Path], object], words: list[str]
) -> None:
    damage(export)

    with refused(*words):
        restore(export)


@requirement("restore.verified")
@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{\n", '{\n "files": [\n', "[" * 100_000, '{\n "format": 1,\n "files": [\n ]\n}\n', "\0\xff"],
)
def test_a_manifest_that_is_none_is_refused(export: Path, text: str) -> None:
    (export / "manifest.json").write_text(text, "latin-1")

    with refused("manifest.json"):
        restore(export)


@requirement("restore.rows-checked", "restore.urls")
@pytest.mark.parametrize(
    ("path", "changes", "words"),
    [
        ("data/post.jsonl", {"future": 1}, ["data/post.jsonl, line 1", "unknown columns: future"]),
        ("data/post.jsonl", {"title": ...}, ["data/post.jsonl, line 1", "no value for title"]),
        ("data/post.jsonl", {"title": None}, ["data/post.jsonl, line 1", "title"]),
        ("data/post.jsonl", {"title": 5}, ["data/post.jsonl, line 1", "title"]),
        ("data/post.jsonl", {"created_at": "yesterday"}, ["data/post.jsonl, line 1", "created_at"]),
        ("data/post.jsonl", {"created_at": "2026-01-01"}, ["data/post.jsonl, line 1", "created_at"]),
        ("data/post.jsonl", {"status": "secret"}, ["data/post.jsonl, lines 1 to"]),
        ("data/post.jsonl", {"id": 2}, ["data/post.jsonl, lines 1 to"]),
        ("data/post.jsonl", {"id": 10**30}, ["data/post.jsonl, lines 1 to"]),
        ("data/post.jsonl", {"author_id": 4711}, [""]),
        ("data/post.jsonl", {"category_id": "x"}, ["data/post.jsonl, line"]),
        ("history/revision.jsonl", {"payload": "{}"}, ["history/revision.jsonl, line 1", "does not belong"]),
        ("history/approval.jsonl", {"revision_id": 5}, ["history/approval.jsonl, lines 1 to"]),
        ("history/image.jsonl", {"sha256": "../../etc"}, ["'../../etc'", "no digest"]),
        ("history/image.jsonl", {"content_type": "text/html"}, ["'text/html'"]),
        ("history/image.jsonl", {"sha256": "a" * 64}, ["a" * 64, "not in the export"]),
        ("data/author.jsonl", {"avatar_file": "../../x"}, ["'../../x'", "not safe"]),
        ("data/author.jsonl", {"url": "javascript:alert(1)"}, ["data/author.jsonl, line 1", "url is no URL"]),
        ("data/author.jsonl", {"profile_urls": ["data:text/html,x"]}, ["data/author.jsonl, line 1", "profile_urls is"]),
        ("data/post.jsonl", {"canonical_url": "javascript:alert(1)"}, ["data/post.jsonl, line 1", "canonical_url is"]),
        ("data/post.jsonl", {"canonical_url": "//evil.example"}, ["data/post.jsonl, line 1", "canonical_url is"]),
    ],
)
def test_rows_that_cannot_be_are_refused(export: Path, path: str, changes: dict[str, Any], words: list[str]) -> None:
    change_row(export, path, **changes)

    with refused(*words):
        restore(export)


LINES = (b"nonsense\n", b"[]\n", b'{"id": 1}', b"[" * 100_000 + b"\n", b"\xff\n", b'{"id": 1}\n')


@requirement("restore.rows-checked")
@pytest.mark.parametrize(
    ("path", "content", "words"),
    [
        *(("data/tag.jsonl", line, "data/tag.jsonl, line 1") for line in LINES),
        ("data/last_ids.json", b'{"post": "x"}', "data/last_ids.json"),
    ],
)
def test_lines_that_are_no_rows_are_refused(export: Path, path: str, content: bytes, words: str) -> None:
    forge(export, path, content)

    with refused(words):
        restore(export)


def test_other_bytes_of_an_image_are_refused(export: Path) -> None:
    image = next((export / "static/blog/media").rglob("*.png"))
    forge(export, str(image.relative_to(export)), b"other")

    with refused("do not belong to its digest"):
        restore(export)


@requirement("restore.older")
def test_a_column_that_an_older_release_did_not_have_gets_its_default(export: Path, original: Original) -> None:
    change_row(export, "data/post.jsonl", featured=..., search_text=...)
    forge(export, "history/status_change.jsonl", None)

    restore(export)

    first = Post.objects.order_by("pk").first()
    assert first is not None and (first.featured, first.search_text) == (False, original.rows["Post"][0]["search_text"])
    assert Post.objects.count() == len(original.rows["Post"])


FORGED = {
    "body_html": '<script src="/x.js"></script>',
    "outline": [{"level": 2, "id": "x", "text": "Never written"}],
    "excerpt": "Never written.",
    "body_facts": {},
    "word_count": 4711,
    "reading_time_minutes": 4711,
    "search_text": "never written",
    "indexed_title": "never written",
    "indexed_description": "never written",
    "indexed_body": "never written",
    "indexed_faq": "never written",
    "description_key": "a" * 64,
}


@requirement("restore.derived")
def test_what_follows_from_a_body_is_made_again(export: Path, original: Original) -> None:
    lines = len((export / "data/post.jsonl").read_bytes().splitlines())
    for number in range(lines):
        change_row(export, "data/post.jsonl", number, **FORGED)
    change_row(export, "data/policy_page.jsonl", body_html=FORGED["body_html"])

    restore(export)

    assert stored_rows() == original.rows


@requirement("restore.missing-image")
def test_an_image_that_was_lost_before_the_export_is_no_reason_to_refuse(export: Path, original: Original) -> None:
    image = next((export / "static/blog/media").rglob("*.png"))
    manifest = manifest_of(export)
    write_manifest(export, manifest | {"missing": [f"blog_engine/images/{image.parent.name}.png: missing"]})
    for file in image.parent.iterdir():
        forge(export, str(file.relative_to(export)), None)

    *_, last = restore_blog(export)

    assert [image.parent.name in lost for lost in last.missing] == [True]
    assert stored_rows() == original.rows


@requirement("restore.hostile")
def test_a_hostile_archive_is_refused(same_settings: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
        archive.writestr("../x", "x")

    with refused("evil.zip: '../x'", "not safe"):
        restore(tmp_path / "evil.zip")


@requirement("restore.verified")
@pytest.mark.parametrize("kind", ["zip", "tar"])
@pytest.mark.parametrize("kept", [0, 100, 10_000, -100])
def test_a_truncated_archive_is_refused(
    original: Original, same_settings: Path, tmp_path: Path, kind: str, kept: int
) -> None:
    whole: Path = getattr(original, kind)
    path = tmp_path / whole.name
    path.write_bytes(whole.read_bytes()[:kept])

    with refused(str(path)):
        restore(path)


def test_what_is_not_there_is_refused(same_settings: Path, tmp_path: Path) -> None:
    with refused("nothing.zip: No such file"):
        restore(tmp_path / "nothing.zip")


@requirement("restore.all-or-nothing")
def test_a_storage_that_fails_leaves_nothing(export: Path, settings: Settings) -> None:
    use_storage(settings, HalfWriting, alias="failing")
    settings.BLOG_ENGINE = settings.BLOG_ENGINE | {"storage": "failing"}
    before = everything_stored()

    with pytest.raises(Unavailable):
        restore(export)

    assert everything_stored() == before


@requirement("restore.all-or-nothing")
def test_an_abandoned_restore_leaves_nothing(export: Path, storage: Storage) -> None:
    before = everything_stored()
    steps = restore_blog(export)
    for progress in steps:
        if progress.step == "images" and progress.images == 3:
            break

    steps.close()  # type: ignore[attr-defined]  # a generator

    assert everything_stored() == before


@requirement("restore.all-or-nothing")
def test_files_that_a_killed_restore_left_are_used(export: Path, original: Original, same_settings: Path) -> None:
    whole, half = [name for name in original.files if name.startswith("blog_engine/images")][:2]
    for name, data in {whole: original.files[whole], half: original.files[half][:9]}.items():
        (same_settings / name).parent.mkdir(parents=True, exist_ok=True)
        (same_settings / name).write_bytes(data)

    restore(export)

    assert files_in(same_settings) == original.files


def test_files_that_hugo_made_do_no_harm(export: Path, original: Original) -> None:
    for name in ("public/blog/index.html", "resources/x", ".hugo_build.lock"):
        (export / name).parent.mkdir(parents=True, exist_ok=True)
        (export / name).write_text("made")

    restore(export)

    assert stored_rows() == original.rows
