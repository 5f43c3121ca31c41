import re
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from example_site.environment import read_cache, read_list, read_secret_key, read_switch
from tests.requirements import requirement


@pytest.mark.parametrize(
    ("text", "expected"), [("true", True), ("1", True), ("On", True), ("false", False), ("0", False), ("NO", False)]
)
def test_a_switch_is_read_from_common_words(monkeypatch: pytest.MonkeyPatch, text: str, expected: bool) -> None:
    monkeypatch.setenv("DEBUG", text)

    assert read_switch("DEBUG", default=not expected) is expected


def test_an_empty_switch_is_its_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEBUG", "")

    assert read_switch("DEBUG", default=True) is True


def test_an_unclear_switch_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEBUG", "maybe")

    with pytest.raises(ImproperlyConfigured):
        read_switch("DEBUG", default=True)


def test_a_list_is_split_at_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALLOWED_HOSTS", "one.example, two.example,")

    assert read_list("ALLOWED_HOSTS", default=["localhost"]) == ["one.example", "two.example"]


@requirement("host.example-site")
def test_without_an_address_the_cache_is_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CACHE_URL", raising=False)

    assert read_cache("CACHE_URL") == {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}


@requirement("host.example-site")
def test_a_redis_address_makes_a_redis_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CACHE_URL", "redis://127.0.0.1:6379/3")

    assert read_cache("CACHE_URL") == {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": "redis://127.0.0.1:6379/3",
        "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},
    }


def test_another_kind_of_cache_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CACHE_URL", "memcached://127.0.0.1")

    with pytest.raises(ImproperlyConfigured):
        read_cache("CACHE_URL")


def test_a_given_secret_key_is_used_and_not_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SECRET_KEY", "given")

    assert read_secret_key("SECRET_KEY", kept_in=tmp_path / "key") == "given"
    assert list(tmp_path.iterdir()) == []


def test_a_secret_key_is_made_once_and_kept_private(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SECRET_KEY", raising=False)
    kept_in = tmp_path / "key"

    first = read_secret_key("SECRET_KEY", kept_in=kept_in)
    second = read_secret_key("SECRET_KEY", kept_in=kept_in)

    assert re.fullmatch(r"\S{50}", first)
    assert second == first
    assert kept_in.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [kept_in]
