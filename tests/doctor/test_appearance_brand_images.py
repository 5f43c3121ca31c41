"""Logos and icons that pages cannot show."""

from pathlib import Path

import pytest
from pytest_django import Settings

from blog_engine.doctor.appearance import probe_theme
from tests.doctor.conftest import assert_verdict
from tests.requirements import requirement
from tests.support.hosts import blog_settings
from tests.support.tables import verdict_of

FOUND = "/static/blog_engine/theme.css"


@requirement("doctor.theme.images")
@pytest.mark.parametrize(
    ("written", "key"),
    [
        ({"brand": {"logo_url": "https://cdn.example/l.svg"}}, "brand.logo_url"),
        ({"brand": {"logo_url": FOUND, "logo_dark_url": "http://cdn.example/l.svg"}}, "brand.logo_dark_url"),
        ({"brand": {"icon_url": "https://cdn.example/i.svg"}}, "brand.icon_url"),
        ({"favicon_url": "https://cdn.example/i.svg"}, "favicon_url"),
        ({"touch_icon_url": "https://cdn.example/i.png"}, "touch_icon_url"),
    ],
)
def test_an_image_on_another_host_is_a_warning(settings: Settings, written: dict[str, object], key: str) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url="https://example.com", **written)

    assert_verdict(probe_theme, "warning", f"{key} is on another host, cdn.example")


@requirement("doctor.theme.images")
@pytest.mark.parametrize("origin", ["", "https://example.com"])
def test_a_logo_that_is_missing_from_the_static_files_is_a_warning(settings: Settings, origin: str) -> None:
    settings.BLOG_ENGINE = blog_settings(
        public_base_url="https://example.com", brand={"logo_url": f"{origin}/static/brand/none.svg?v=2"}
    )

    assert_verdict(probe_theme, "warning", "brand.logo_url names brand/none.svg below STATIC_URL, which is not found")


@requirement("doctor.theme.images")
@pytest.mark.parametrize(
    "url",
    [FOUND, f"https://example.com{FOUND}", "/media/logo.svg", "https://example.com/logo.svg", "/static/a.123.svg"],
)
def test_images_of_the_site_are_ok(settings: Settings, tmp_path: Path, url: str) -> None:
    (tmp_path / "a.123.svg").touch()
    settings.STATIC_ROOT = tmp_path
    settings.BLOG_ENGINE = blog_settings(public_base_url="https://example.com", brand={"logo_url": url})

    assert verdict_of(probe_theme)[0] == "ok"


@requirement("doctor.theme.images")
def test_images_below_a_static_url_on_a_cdn_are_looked_for(settings: Settings) -> None:
    settings.STATIC_URL = "https://cdn.example/static/"
    settings.BLOG_ENGINE = blog_settings(
        brand={
            "logo_url": "https://cdn.example/static/blog_engine/theme.css",
            "icon_url": "https://cdn.example/static/none.svg",
        }
    )

    message = assert_verdict(probe_theme, "warning", "brand.icon_url names none.svg below STATIC_URL")

    assert "logo_url" not in message


@pytest.mark.parametrize("url", ["javascript:alert(1)", "", "data:image/svg+xml,x", "//cdn.example/l.svg", "https://["])
def test_what_pages_leave_out_is_left_to_the_system_check(settings: Settings, url: str) -> None:
    settings.BLOG_ENGINE = blog_settings(brand={"logo_url": url})

    assert verdict_of(probe_theme)[0] == "ok"
