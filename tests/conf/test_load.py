"""Loading settings and hooks, and the review of valid settings."""

from collections.abc import Callable

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import override_settings
from pytest_django import Settings

from blog_engine.conf import (
    BlogSettings,
    FaultKind,
    authenticate_hook,
    before_publish_hook,
    configuration_warnings,
    get_settings,
    image_types_without_effect,
    markdown_plugins,
    parent_controller,
    route_segments,
    settings_faults,
    unsafe_urls,
)
from blog_engine.conf.groups import RouteSegments
from tests.requirements import requirement
from tests.support import hosts
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


def test_missing_settings_of_a_host_are_named(settings: Settings) -> None:
    # Only a change is announced, so that what was read before is forgotten.
    settings.BLOG_ENGINE = {}
    del settings.BLOG_ENGINE

    with pytest.raises(ImproperlyConfigured, match=r"(?s)site_name.*default_author.*publisher"):
        get_settings()


def test_a_setting_of_another_app_changes_nothing(settings: Settings) -> None:
    settings.BLOG_ENGINE = REQUIRED
    before = get_settings()

    settings.APPEND_SLASH = False

    assert get_settings() == before


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


Hook = Callable[[], object]
HERE = "tests.support.hosts"


@pytest.mark.parametrize("hook", [authenticate_hook, before_publish_hook, parent_controller])
def test_without_a_setting_there_is_no_hook(settings: Settings, hook: Hook) -> None:
    settings.BLOG_ENGINE = REQUIRED

    assert hook() is None


@requirement("host.settings.hooks")
@pytest.mark.parametrize(
    ("hook", "key", "written", "loaded"),
    [
        (authenticate_hook, "authenticate", hosts.authenticate, hosts.authenticate),
        (authenticate_hook, "authenticate", f"{HERE}.authenticate", hosts.authenticate),
        (authenticate_hook, "authenticate", f"{HERE}.authenticate_with_more", hosts.authenticate_with_more),
        (authenticate_hook, "authenticate", dict, dict),
        (before_publish_hook, "before_publish", hosts.before_publish, hosts.before_publish),
        (before_publish_hook, "before_publish", f"{HERE}.before_publish", hosts.before_publish),
        (parent_controller, "parent_controller", hosts.LoginWall, hosts.LoginWall),
        (parent_controller, "parent_controller", f"{HERE}.LoginWall", hosts.LoginWall),
    ],
)
def test_a_hook_is_the_object_or_its_path(
    settings: Settings, hook: Hook, key: str, written: object, loaded: object
) -> None:
    settings.BLOG_ENGINE = {**REQUIRED, key: written}

    assert hook() is loaded


@pytest.mark.parametrize(
    ("hook", "key", "written"),
    [
        (authenticate_hook, "authenticate", "no.such.module"),
        (authenticate_hook, "authenticate", f"{HERE}.no_such_name"),
        (authenticate_hook, "authenticate", f"{HERE}.NOT_CALLABLE"),
        (authenticate_hook, "authenticate", hosts.authenticate_nobody),
        (authenticate_hook, "authenticate", f"{HERE}.authenticate_with_keyword"),
        (authenticate_hook, "authenticate", hosts.before_publish),
        (before_publish_hook, "before_publish", hosts.authenticate),
        (before_publish_hook, "before_publish", "no.such.module"),
        (parent_controller, "parent_controller", "no.such.module"),
        (parent_controller, "parent_controller", f"{HERE}.authenticate"),
    ],
)
def test_a_hook_that_cannot_be_used_is_refused_by_its_key(
    settings: Settings, hook: Hook, key: str, written: object
) -> None:
    settings.BLOG_ENGINE = {**REQUIRED, key: written}

    with pytest.raises(ImproperlyConfigured, match=rf"(?m)^{key} "):
        hook()


@requirement("host.settings.hooks", "rendering.plugins")
def test_plugins_are_loaded_in_order(settings: Settings) -> None:
    settings.BLOG_ENGINE = {**REQUIRED, "markdown_plugins": [hosts.authenticate, f"{HERE}.authenticate_with_more"]}

    assert settings_faults() == []
    assert markdown_plugins() == (hosts.authenticate, hosts.authenticate_with_more)


@pytest.mark.parametrize("written", ["no.such.module", f"{HERE}.NOT_CALLABLE", hosts.before_publish])
def test_a_plugin_that_cannot_be_used_is_a_fault(settings: Settings, written: object) -> None:
    settings.BLOG_ENGINE = {**REQUIRED, "markdown_plugins": [hosts.authenticate, written, written]}

    assert [(fault.kind, fault.key) for fault in settings_faults()] == [(FaultKind.HOOK, "markdown_plugins")]
    with pytest.raises(ImproperlyConfigured, match=r"(?m)^markdown_plugins "):
        markdown_plugins()


@requirement("rendering.outdated")
@pytest.mark.parametrize(
    "written",
    [lambda parser: None, hosts.partial_plugin, hosts.UnhashablePlugin(), f"{HERE}.unhashable_plugin"],
    ids=["lambda", "partial", "unhashable", "path of an unhashable"],
)
def test_a_plugin_that_renderings_cannot_name_is_refused(settings: Settings, written: object) -> None:
    settings.BLOG_ENGINE = {**REQUIRED, "markdown_plugins": [written]}

    assert [(fault.kind, fault.key) for fault in settings_faults()] == [(FaultKind.HOOK, "markdown_plugins")]


def test_any_hashable_plugin_has_its_path_as_name(settings: Settings) -> None:
    settings.BLOG_ENGINE = {**REQUIRED, "markdown_plugins": [f"{HERE}.partial_plugin"]}

    assert settings_faults() == []
    assert markdown_plugins() == (hosts.partial_plugin,)


def test_a_hook_follows_overridden_settings(settings: Settings) -> None:
    settings.BLOG_ENGINE = REQUIRED
    before = authenticate_hook()

    with override_settings(BLOG_ENGINE={**REQUIRED, "authenticate": hosts.authenticate}):
        overridden = authenticate_hook()

    assert (before, overridden, authenticate_hook()) == (None, hosts.authenticate, None)


def test_sound_settings_have_no_faults(settings: Settings) -> None:
    settings.BLOG_ENGINE = REQUIRED

    assert settings_faults() == []


def test_values_and_hooks_are_reported_together(settings: Settings) -> None:
    settings.BLOG_ENGINE = {**REQUIRED, "feed_size": 0, "authenticate": "no.such.hook", "before_publish": 5}

    assert [(fault.kind, fault.key) for fault in settings_faults()] == [
        (FaultKind.WRONG_VALUE, "feed_size"),
        (FaultKind.WRONG_VALUE, "before_publish"),
        (FaultKind.HOOK, "authenticate"),
    ]


def test_settings_that_are_no_dictionary_are_one_fault(settings: Settings) -> None:
    settings.BLOG_ENGINE = ["site_name"]

    assert [fault.key for fault in settings_faults()] == ["BLOG_ENGINE"]


def test_names_of_the_example_are_warnings() -> None:
    known = BlogSettings.model_validate(
        {"site_name": "Example", "default_author": {"name": "Ada Example"}, "publisher": {"name": "Garden Press"}}
    )

    assert [text.split()[0] for text in configuration_warnings(known)] == ["site_name", "default_author.name"]


def test_names_of_the_host_are_not() -> None:
    assert configuration_warnings(BlogSettings.model_validate(REQUIRED)) == []


@pytest.mark.parametrize("url", ["https://example.com/a", "http://example.com", "/about/", "", None])
def test_a_url_or_path_is_safe(url: str | None) -> None:
    known = BlogSettings.model_validate({**REQUIRED, "policy_urls": {"ai_use": url}})

    assert unsafe_urls(known) == []


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "//example.com",
        "ftp://example.com",
        "https://a@example.com",
        "about",
        "https://[",
        "https:",
    ],
)
def test_an_unsafe_url_is_named(url: str) -> None:
    known = BlogSettings.model_validate(
        {
            **REQUIRED,
            "policy_urls": {"ai_use": url},
            "default_social_image_url": url,
            "call_to_action": {"label": "Write", "url": url},
        }
    )

    assert unsafe_urls(known) == ["call_to_action.url", "default_social_image_url", "policy_urls.ai_use"]


def test_an_image_type_that_is_never_accepted_is_named() -> None:
    known = BlogSettings.model_validate({**REQUIRED, "image_content_types": ["image/png", "image/svg+xml"]})

    assert image_types_without_effect(known) == ["image/svg+xml"]
