import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import override_settings
from pytest_django import Settings

from blog_engine.conf import get_settings, route_segments
from blog_engine.conf.groups import RouteSegments
from tests.requirements import requirement
from tests.support.hosts import REQUIRED


def test_settings_are_read_once(settings: Settings) -> None:
    settings.BLOG_ENGINE = REQUIRED

    assert get_settings() is get_settings()


@requirement("host.settings.override")
def test_overridden_settings_are_read_and_put_back(settings: Settings) -> None:
    settings.BLOG_ENGINE = REQUIRED

    with override_settings(BLOG_ENGINE={**REQUIRED, "feed_size": 3}):
        overridden = get_settings().feed_size

    assert (overridden, get_settings().feed_size) == (3, 20)


@requirement("pages.language")
def test_the_language_of_the_host_is_followed(settings: Settings) -> None:
    settings.BLOG_ENGINE = REQUIRED
    settings.LANGUAGE_CODE = "de"
    before = get_settings().locale

    settings.LANGUAGE_CODE = "fr"

    assert (before, get_settings().locale) == ("de", "fr")


def test_a_language_of_the_blog_beats_that_of_the_host(settings: Settings) -> None:
    settings.LANGUAGE_CODE = "de"
    settings.BLOG_ENGINE = {**REQUIRED, "locale": "pt_BR"}

    assert get_settings().locale == "pt_BR"


@requirement("host.settings")
def test_faulty_settings_are_refused_on_every_use(settings: Settings) -> None:
    settings.BLOG_ENGINE = {**REQUIRED, "mcp": {"max_page_size": "50"}}

    for _ in range(2):
        with pytest.raises(ImproperlyConfigured, match=r"mcp\.max_page_size"):
            get_settings()


def test_a_host_without_settings_is_told_what_is_missing(settings: Settings) -> None:
    # Only a change is announced, so that what was read before is forgotten.
    settings.BLOG_ENGINE = {}
    del settings.BLOG_ENGINE

    with pytest.raises(ImproperlyConfigured, match=r"(?s)site_name.*default_author.*publisher"):
        get_settings()


def test_a_setting_of_another_app_changes_nothing(settings: Settings) -> None:
    settings.BLOG_ENGINE = REQUIRED
    before = get_settings()

    settings.APPEND_SLASH = False

    assert get_settings() is before


@pytest.mark.parametrize(
    "others",
    [
        {"site_name": ""},
        {"authenticate": "no.such.hook", "parent_controller": "no.such.View"},
        {"unknown": True},
    ],
)
def test_route_segments_do_not_wait_for_other_settings(settings: Settings, others: dict[str, object]) -> None:
    settings.BLOG_ENGINE = {"route_segments": {"tag": "topics"}, **others}

    assert route_segments() == RouteSegments(tag="topics")


@pytest.mark.parametrize(
    "written",
    [[], {}, {"route_segments": {"tag": "feed"}}, {"route_segments": None}, {"route_segments": {"tags": "x"}}],
)
def test_faulty_route_segments_leave_the_defaults_so_that_checks_can_run(settings: Settings, written: object) -> None:
    settings.BLOG_ENGINE = written

    assert route_segments() == RouteSegments()
