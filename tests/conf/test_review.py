import pytest
from pytest_django import Settings

from blog_engine.conf import (
    BlogSettings,
    FaultKind,
    configuration_warnings,
    image_types_without_effect,
    settings_faults,
    unsafe_urls,
)
from tests.support.hosts import REQUIRED


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


def test_names_of_the_example_are_told_to_the_doctor() -> None:
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
