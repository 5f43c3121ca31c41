"""The probe of the pictures of shared links."""

from pathlib import Path

import pytest
from PIL import features
from pytest_django import Settings

from blog_engine.doctor import appearance
from blog_engine.doctor.appearance import probe_social_pictures
from blog_engine.images.fonts import OWN_FOLDER
from tests.doctor.conftest import assert_verdict
from tests.requirements import requirement
from tests.support.factories import save, store_image
from tests.support.hosts import blog_settings
from tests.support.tables import verdict_of

pytestmark = pytest.mark.django_db
UNKNOWN = "\U00016f00"


@requirement("doctor.social-pictures")
def test_posts_that_can_be_drawn_are_ok() -> None:
    save(title="Straße, Ωμέγα", publish=True)

    assert verdict_of(probe_social_pictures)[0] == "ok"


@requirement("doctor.social-pictures")
def test_posts_with_letters_without_a_font_are_named(no_system_fonts: None, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings()
    khmer = save(title="របៀប", slug="khmer", publish=True).post
    author = save(title="Soil", author={"name": "山田"}, publish=True).post
    save(title="ខ draft", slug="draft")
    image = store_image()
    save(title="ខ cover", slug="cover", cover_image={"image_id": image.pk}, cover_alt="Quay", publish=True)

    assert_verdict(probe_social_pictures, "warning", f"(Cjk, Khmer): {author.pk}, {khmer.pk}.", "fonts-noto-core")


@requirement("doctor.social-pictures")
def test_only_the_newest_posts_are_looked_at(
    no_system_fonts: None, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.BLOG_ENGINE = blog_settings()
    save(title=UNKNOWN, slug="old", publish=True)
    seen = verdict_of(probe_social_pictures)[0]
    monkeypatch.setattr(appearance, "NEWEST_PICTURES", 1)
    save(title="New", publish=True)

    assert (seen, verdict_of(probe_social_pictures)[0]) == ("warning", "ok")


def test_missing_shaping_is_named(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    there = features.check
    monkeypatch.setattr(features, "check", lambda name: name != "raqm" and there(name))
    settings.BLOG_ENGINE = blog_settings()
    save(title="אב", slug="hebrew", publish=True)

    assert_verdict(probe_social_pictures, "warning", "libfribidi")


@requirement("doctor.social-pictures.fonts")
def test_paths_without_fonts_are_named(settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    paths = [str(OWN_FOLDER), str(OWN_FOLDER / "NotoSans-Bold.ttf"), str(tmp_path / "empty"), "/nowhere.ttf"]
    settings.BLOG_ENGINE = blog_settings(social_pictures={"fonts": paths})

    assert_verdict(probe_social_pictures, "warning", f"there is no font at {tmp_path / 'empty'}, /nowhere.ttf.")


def test_nothing_is_checked_when_no_pictures_are_wanted(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(social_pictures={"enabled": False})
    save(title=UNKNOWN, slug="unknown", publish=True)

    assert verdict_of(probe_social_pictures)[0] == "ok"
