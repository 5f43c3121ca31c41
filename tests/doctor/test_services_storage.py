from pathlib import Path

import pytest
from django.core.files.storage import FileSystemStorage, Storage
from pytest_django import Settings

from blog_engine.content import figures
from blog_engine.doctor.services import probe_storage
from blog_engine.images import _decoding, _limited
from tests.doctor.conftest import assert_verdict
from tests.requirements import requirement
from tests.support.hosts import (
    Append,
    HalfWriting,
    HalfWritingForever,
    Mangling,
    Renaming,
    WriteOnly,
    blog_settings,
    use_storage,
)
from tests.support.tables import verdict_of


def use(settings: Settings, backend: type[Storage], location: Path) -> None:
    use_storage(settings, backend, alias="pictures", location=str(location))
    settings.BLOG_ENGINE = blog_settings(storage="pictures")


def lack(monkeypatch: pytest.MonkeyPatch, feature: str) -> None:
    """Simulate a Pillow without a format."""
    there = figures.has_codec
    monkeypatch.setattr(figures, "has_codec", lambda name: name != feature and there(name))


@requirement("doctor.read-only", "doctor.storage")
def test_a_storage_that_keeps_files_is_ok(settings: Settings, tmp_path: Path) -> None:
    use(settings, FileSystemStorage, tmp_path)

    assert verdict_of(probe_storage)[0] == "ok"
    assert list(tmp_path.iterdir()) == []


def test_a_storage_that_does_not_exist_is_an_error(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(storage="pictures")

    assert_verdict(probe_storage, "error", "'pictures'")


@requirement("doctor.storage")
def test_a_storage_that_cannot_be_written_to_is_an_error(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    use(settings, FileSystemStorage, tmp_path / "file")

    assert_verdict(probe_storage, "error", "'pictures'", "FileExistsError")


@requirement("doctor.storage")
@pytest.mark.parametrize(
    ("backend", "word"),
    [
        (WriteOnly, "reading is not allowed"),
        (Mangling, "'pictures'"),
        (Renaming, "'pictures'"),
        (HalfWriting, "No space left"),
    ],
)
def test_a_faulty_storage_is_an_error_and_keeps_no_file(
    settings: Settings, tmp_path: Path, backend: type[Storage], word: str
) -> None:
    use(settings, backend, tmp_path)

    assert_verdict(probe_storage, "error", word)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("backend", [Append, HalfWritingForever])
def test_a_file_that_is_not_deleted_is_an_error_that_names_it(
    settings: Settings, tmp_path: Path, backend: type[Storage]
) -> None:
    use(settings, backend, tmp_path)

    status, message = verdict_of(probe_storage)

    (left,) = tmp_path.iterdir()
    assert status == "error"
    assert left.name in message


def test_a_storage_that_cannot_be_created_is_an_error(settings: Settings) -> None:
    settings.STORAGES = {**settings.STORAGES, "pictures": {"BACKEND": "no.such.Storage"}}
    settings.BLOG_ENGINE = blog_settings(storage="pictures")

    assert_verdict(probe_storage, "error", "'no.such.Storage'")


@requirement("doctor.storage.formats")
@pytest.mark.parametrize(
    ("feature", "verdict", "word"),
    [("webp", "error", "WebP"), ("avif", "warning", "AVIF"), ("littlecms2", "warning", "LittleCMS")],
)
def test_missing_formats_of_pillow_are_reported(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, feature: str, verdict: str, word: str
) -> None:
    lack(monkeypatch, feature)

    status, message = verdict_of(probe_storage)

    assert status == verdict
    assert word in message


@requirement("doctor.storage.formats")
def test_a_machine_that_starts_no_python_is_a_warning(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_limited, "_interpreter", lambda: None)

    message = assert_verdict(probe_storage, "warning")

    assert "large and animated images are refused" in message


@requirement("doctor.storage.formats")
def test_a_machine_without_libmagic_is_a_warning(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_decoding, "_libmagic", lambda: None)

    assert_verdict(probe_storage, "warning", "blog-engine[magic]")


@requirement("doctor.storage.open-imports")
def test_imports_from_internal_urls_are_a_warning(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(image_fetch_policy="open")

    assert_verdict(probe_storage, "warning", "image_fetch_policy")
