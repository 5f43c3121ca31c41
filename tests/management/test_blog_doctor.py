"""The command ``blog_doctor``."""

import json
import os
import re
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage, Storage
from django.core.management import CommandError, call_command
from PIL import Image as Picture
from pytest_django import Settings

from tests.doctor.test_doctor import ORDER
from tests.requirements import requirement
from tests.support import programs
from tests.support.factories import save, store_image
from tests.support.hosts import Append, WriteOnly, blog_settings, file_names, use_storage
from tests.support.images import encoded, plain
from tests.support.programs import environment
from tests.support.tables import execute, failing

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def nothing_to_ask(settings: Settings) -> None:
    """Configure no URL of the host that the doctor would open."""
    settings.BLOG_ENGINE = blog_settings(policy_urls={})


ORPHAN = f"blog_engine/images/ab/{'ab' * 32}.png"
STRANGER = "blog_engine/images/two\nlines.txt"


def output_of(*args: str, **options: object) -> str:
    out = StringIO()
    call_command("blog_doctor", *args, stdout=out, **options)
    return out.getvalue()


@requirement("doctor.command")
@pytest.mark.django_db
def test_every_check_is_one_line() -> None:
    lines = output_of().splitlines()

    parts = [line.partition(" — ") for line in lines]
    heads = [head.partition(": ") for head, _, _ in parts]
    assert [name for _, _, name in heads] == ORDER
    assert {status for status, _, _ in heads} <= {"ok", "warning"}
    assert all(message for _, _, message in parts)


@requirement("doctor.answer", "doctor.command")
@pytest.mark.django_db
@pytest.mark.parametrize("args", [["--json"], ["JSON=true"], ["json=True"]])
def test_json_is_the_object_of_the_api(args: list[str]) -> None:
    body = json.loads(output_of(*args))

    assert body.keys() == {"checks", "time_zone", "today"}
    assert [check["name"] for check in body["checks"]] == ORDER
    assert all(list(check) == ["name", "status", "message"] for check in body["checks"])


@pytest.mark.django_db
@pytest.mark.parametrize("json_too", [True, False])
def test_python_callers_pass_keywords(json_too: bool) -> None:
    assert output_of(json=json_too).startswith("{") is json_too


@requirement("doctor.records.newest")
@pytest.mark.django_db
def test_all_posts_are_recomputed() -> None:
    for number in range(3):
        save(title=f"Post {number}", publish=True)

    (records,) = [line for line in output_of().splitlines() if line.startswith("ok: Records — ")]

    assert re.findall(r"\d+", records) == ["3"]


@requirement("doctor.command")
@pytest.mark.django_db
@pytest.mark.parametrize("args", [[], ["--json"]])
def test_an_error_is_printed_before_the_command_fails(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    save(publish=True)
    execute("UPDATE blog_engine_post SET title = 'Sand'")

    with pytest.raises(CommandError, match="Records"):
        call_command("blog_doctor", *args)

    out = capsys.readouterr().out
    assert all(name in out for name in ORDER)


@pytest.mark.django_db
@pytest.mark.parametrize("args", [["JSON=perhaps"], ["JSON="], ["POSTS=all"], ["JSON=true", "--json"]])
def test_other_words_are_refused(args: list[str]) -> None:
    with pytest.raises(CommandError):
        output_of(*args)


@requirement("images.storage.leftovers")
@pytest.mark.django_db
@pytest.mark.parametrize("args", [["--clean-storage"], ["CLEAN_STORAGE=true"], ["--clean-storage", "DRY_RUN=false"]])
def test_files_without_an_image_are_removed_and_reported(storage: Storage, args: list[str]) -> None:
    image = store_image()
    (its_file,) = file_names(storage)
    storage.save(ORPHAN, ContentFile(b"x"))
    (Path(storage.location) / STRANGER).write_bytes(b"x")

    lines = output_of(*args).splitlines()

    assert lines[:-1] == [f"Not created by the blog, kept: {STRANGER!r}", f"Removed {ORPHAN}"]
    assert re.findall(r"\d+", lines[-1]) == ["1"]
    assert file_names(storage) == sorted([its_file, STRANGER])
    assert image.sha256 in its_file


@requirement("images.storage.leftovers")
@pytest.mark.django_db
@pytest.mark.parametrize("args", [["--clean-storage", "--dry-run"], ["CLEAN_STORAGE=true", "DRY_RUN=true"]])
def test_a_dry_run_names_files_and_removes_none(storage: Storage, args: list[str]) -> None:
    storage.save(ORPHAN, ContentFile(b"x"))

    lines = output_of(*args).splitlines()

    assert lines[:-1] == [f"No image refers to {ORPHAN}"]
    assert file_names(storage) == [ORPHAN]


@pytest.mark.django_db
def test_without_leftovers_the_command_says_so(storage: Storage) -> None:
    store_image()

    (line,) = output_of("--clean-storage").splitlines()

    assert re.findall(r"\d+", line) == ["0"]


@pytest.mark.django_db
def test_a_file_that_cannot_be_removed_is_exit_1(
    storage: Storage, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    storage.save(ORPHAN, ContentFile(b"x"))
    use_storage(settings, Append)

    with pytest.raises(CommandError):
        call_command("blog_doctor", "--clean-storage")

    assert capsys.readouterr().err == f"Not removed: {ORPHAN} (PermissionError: deleting is not allowed)\n"
    assert file_names(storage) == [ORPHAN]


@pytest.mark.django_db
@pytest.mark.parametrize("change", [{"storage": "nowhere"}, {"storage": "unlistable"}, {"site_nmae": "x"}])
def test_a_storage_that_cannot_be_listed_is_exit_1(settings: Settings, change: dict[str, str]) -> None:
    use_storage(settings, Storage, alias="unlistable")
    settings.BLOG_ENGINE = blog_settings(**change)

    with pytest.raises(CommandError):
        output_of("--clean-storage")


@pytest.mark.django_db
def test_without_the_database_no_file_is_removed(storage: Storage) -> None:
    storage.save(ORPHAN, ContentFile(b"x"))

    with failing(table="blog_engine_image"), pytest.raises(CommandError):
        output_of("--clean-storage")

    assert file_names(storage) == [ORPHAN]


@pytest.mark.django_db
@pytest.mark.parametrize("args", [["--dry-run"], ["--clean-storage", "--json"], ["CLEAN_STORAGE=all"]])
def test_switches_that_do_not_go_together_are_refused(storage: Storage, args: list[str]) -> None:
    storage.save(ORPHAN, ContentFile(b"x"))

    with pytest.raises(CommandError):
        output_of(*args)

    assert file_names(storage) == [ORPHAN]


@requirement("doctor.command")
@pytest.mark.heavy
def test_broken_settings_and_no_database_are_fourteen_lines_and_exit_1(tmp_path: Path) -> None:
    (tmp_path / "broken_host.py").write_text(
        "from example_site.settings import *\n"
        "BLOG_ENGINE['site_nmae'] = 'x'\n"
        "MEDIA_ROOT = '/dev/null/media'\n"
        "DATABASES = {'default': {'ENGINE': 'django.db.backends.sqlite3', 'NAME': '/dev/null/db'}}\n"
    )
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    own = environment({"DJANGO_SETTINGS_MODULE": "broken_host", "PYTHONPATH": path}, without=["PYTEST_"])
    command = [sys.executable, "-m", "django", "blog_doctor"]

    done = programs.run(command, env=own)

    assert done.returncode == 1
    assert [line.partition(": ")[2].partition(" — ")[0] for line in done.stdout.splitlines()] == ORDER
    assert done.stderr.startswith("CommandError: Errors: Configuration, Migrations")


@requirement("images.storage.compared")
@pytest.mark.django_db
@pytest.mark.parametrize("args", [["--check-images"], ["CHECK_IMAGES=true"]])
def test_missing_and_damaged_image_files_are_named(
    storage: Storage, args: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    whole, lost, cut, other = (
        store_image(plain(color=color), filename=f"{color}.png") for color in ("red", "tan", "navy", "teal")
    )
    names = {
        image.filename: f"blog_engine/images/{image.sha256[:2]}/{image.sha256}.png"
        for image in (whole, lost, cut, other)
    }
    for image, left in ((lost, None), (cut, b"x"), (other, b"x" * other.byte_size)):
        storage.delete(names[image.filename])
        if left:
            storage.save(names[image.filename], ContentFile(left))

    with pytest.raises(CommandError, match="backup"):
        call_command("blog_doctor", *args)

    assert capsys.readouterr().out.splitlines() == [
        f"The file {names['tan.png']} of 'tan.png' is missing.",
        f"The file {names['navy.png']} of 'navy.png' has 1 bytes instead of {cut.byte_size}.",
        f"The file {names['teal.png']} of 'teal.png' has other bytes.",
        "Images: 4. Missing or damaged files: 3.",
    ]


@requirement("images.storage.compared")
@pytest.mark.django_db
def test_whole_image_files_pass(storage: Storage) -> None:
    store_image()
    before = file_names(storage)

    assert output_of("--check-images") == "Images: 1. Missing or damaged files: 0.\n"
    assert file_names(storage) == before


@pytest.mark.django_db
def test_image_files_that_cannot_be_read_are_named_with_the_fault(
    storage: Storage, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    store_image()
    use_storage(settings, WriteOnly)

    with pytest.raises(CommandError):
        call_command("blog_doctor", "--check-images")

    assert "cannot be read (PermissionError: reading is not allowed)." in capsys.readouterr().out


@requirement("images.storage.compared")
@pytest.mark.django_db
def test_image_files_are_compared_in_pieces(storage: Storage, settings: Settings) -> None:
    noise = Picture.effect_noise((600, 600), 90)
    image = store_image(encoded(noise, "PNG"))
    use_storage(settings, Counting)
    Counting.largest = 0

    output_of("--check-images")

    assert 0 < Counting.largest < image.byte_size


class Counted(File):  # type: ignore[type-arg]
    """A file that records the most bytes read at once."""

    def read(self, size: int = -1) -> bytes:  # type: ignore[override]
        data: bytes = self.file.read(size)
        Counting.largest = max(Counting.largest, len(data))
        return data


class Counting(FileSystemStorage):
    """A storage of files that record how much is read at once."""

    largest = 0

    def _open(self, name: str, mode: str = "rb") -> Counted:
        return Counted(super()._open(name, mode).file)  # type: ignore[misc]


@pytest.mark.django_db
def test_two_modes_at_once_are_refused() -> None:
    for args in (["--check-images", "--json"], ["--check-images", "--clean-storage"]):
        with pytest.raises(CommandError, match="exclude each other"):
            output_of(*args)
