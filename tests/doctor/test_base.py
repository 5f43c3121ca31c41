"""How exceptions are described in the doctor's answer."""

import pytest
from pytest_django import Settings

from blog_engine.doctor.base import MAX_TEXT, describe_fault
from tests.requirements import requirement


def test_class_and_text_are_on_one_line() -> None:
    assert describe_fault(ValueError("one\n  two")) == "ValueError: one two"
    assert describe_fault(ValueError()) == "ValueError"


def test_a_long_text_is_cut() -> None:
    assert describe_fault(ValueError("x" * 1000)) == f"ValueError: {'x' * (MAX_TEXT - 1)}…"


@requirement("doctor.secrets", "access.tokens.no-secrets")
def test_secrets_of_all_settings_are_left_out(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.SECRET_KEY = "key-of-the-site"
    monkeypatch.setitem(settings.DATABASES["default"], "PASSWORD", "of-the-database")
    settings.STORAGES = {**settings.STORAGES, "s3": {"OPTIONS": {"access_key": "AKIA", "secret_key": ["in a list"]}}}
    settings.SECRET_KEY_FALLBACKS = ["key-of-the-site-before"]

    text = describe_fault(OSError("key-of-the-site-before|key-of-the-site|of-the-database|AKIA|in a list|seen"))

    assert text == "OSError: …|…|…|…|…|seen"


@requirement("doctor.secrets")
def test_the_user_part_of_a_url_is_left_out() -> None:
    fault = ValueError("redis://:pass@word@cache.internal:6379/0 and https://images.example/a@b")

    assert describe_fault(fault) == "ValueError: redis://…@cache.internal:6379/0 and https://images.example/a@b"


def test_a_very_short_secret_is_not_replaced(settings: Settings) -> None:
    settings.STORAGES = {**settings.STORAGES, "s3": {"OPTIONS": {"secret_key": "a", "access_key": ""}}}

    assert describe_fault(OSError("a name")) == "OSError: a name"
