from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import Settings

from blog_engine.doctor.installation import probe_static_files
from tests.doctor.conftest import assert_verdict
from tests.requirements import requirement
from tests.support.tables import verdict_of

MANIFEST = {"BACKEND": "django.contrib.staticfiles.storage.ManifestStaticFilesStorage"}
PLAIN = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}


@pytest.fixture(autouse=True)
def empty_root(settings: Settings, tmp_path: Path) -> Path:
    """Use an empty ``STATIC_ROOT``."""
    settings.STATIC_ROOT = tmp_path
    settings.STATICFILES_DIRS = []
    return tmp_path


def collect(settings: Settings, storage: dict[str, str]) -> None:
    settings.STORAGES = {**settings.STORAGES, "staticfiles": storage}
    call_command("collectstatic", "--no-input", verbosity=0)


@requirement("doctor.static-files")
@pytest.mark.parametrize("storage", [PLAIN, MANIFEST])
def test_collected_files_are_ok(settings: Settings, storage: dict[str, str]) -> None:
    collect(settings, storage)

    assert verdict_of(probe_static_files)[0] == "ok"


def test_a_manifest_without_the_files_is_an_error(settings: Settings) -> None:
    settings.STORAGES = {**settings.STORAGES, "staticfiles": MANIFEST}

    assert_verdict(probe_static_files, "error", "blog_engine/article.css")


@requirement("doctor.static-files")
def test_a_manifest_of_an_earlier_release_is_an_error(settings: Settings, empty_root: Path) -> None:
    collect(settings, MANIFEST)
    manifest = empty_root / "staticfiles.json"
    manifest.write_text(
        manifest.read_text("utf-8").replace('"blog_engine/article.js"', '"blog_engine/gone.js"'), "utf-8"
    )
    settings.STORAGES = {**settings.STORAGES, "staticfiles": {**MANIFEST}}

    message = assert_verdict(probe_static_files, "error", "blog_engine/article.js")

    assert "theme.css" not in message


@requirement("doctor.static-files")
def test_files_that_were_not_collected_are_a_warning_in_production(settings: Settings, empty_root: Path) -> None:
    collect(settings, PLAIN)
    (empty_root / "blog_engine" / "article.js").unlink()

    message = assert_verdict(probe_static_files, "warning", "blog_engine/article.js")

    assert "theme.css" not in message


def test_nothing_needs_to_be_collected_in_development(settings: Settings) -> None:
    settings.DEBUG = True

    assert verdict_of(probe_static_files)[0] == "ok"


def test_a_host_without_the_staticfiles_app_is_a_warning(settings: Settings) -> None:
    settings.INSTALLED_APPS = [app for app in settings.INSTALLED_APPS if "staticfiles" not in app]

    assert_verdict(probe_static_files, "warning", "django.contrib.staticfiles")


def test_a_host_without_static_url_is_an_error(settings: Settings) -> None:
    settings.STATIC_URL = None

    assert verdict_of(probe_static_files)[0] == "error"
