"""A redirect to the storage is cached no longer than its URL is valid."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.files.storage import FileSystemStorage
from django.urls import set_script_prefix
from pytest_django import Settings

from blog_engine.images.links import StorageLink, storage_link
from tests.requirements import requirement
from tests.support.backends import use_storage
from tests.support.factories import NOW

MINUTE = timedelta(minutes=1)
SOON = int(NOW.timestamp()) + 900


class Signing(FileSystemStorage):
    """A storage whose URLs have a query, as those that object storages sign."""

    query = ""

    def __init__(self, query: str, **attributes: object) -> None:
        super().__init__(base_url="https://files.example/")
        self.query = query
        vars(self).update(attributes)

    def url(self, name: str | None) -> str:
        return f"{super().url(name)}{self.query}"


class Nameless(FileSystemStorage):
    """A storage without URLs."""

    def __init__(self, fault: type[Exception]) -> None:
        super().__init__(base_url="https://files.example/")
        self.fault = fault

    def url(self, name: str | None) -> str:
        raise self.fault


@requirement("media.redirect.lifetime")
@pytest.mark.parametrize("media_url", ["https://cdn.example/m/", "/media/", "media/"])
def test_a_plain_url_is_kept_for_a_day(settings: Settings, media_url: str) -> None:
    settings.MEDIA_URL = media_url

    link = storage_link("a/b.png", now=NOW)

    url = media_url if media_url != "media/" else "/media/"
    assert link == StorageLink(f"{url}a/b.png", timedelta(days=1))


@requirement("media.redirect")
@pytest.mark.parametrize(
    ("query", "lifetime"),
    [
        (
            "?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=3600&X-Amz-Signature=0",
            3600 * timedelta(seconds=1) - MINUTE,
        ),
        ("?X-Goog-Expires=86400&X-Goog-Signature=0", timedelta(days=1) - MINUTE),
        (f"?Expires={SOON}&Signature=0&Key-Pair-Id=K", timedelta(seconds=900 - 0.711) - MINUTE),
        ("?se=2026-11-22T12%3A00%3A00Z&sp=r&sig=0", datetime(2026, 11, 22, 12, tzinfo=UTC) - NOW - MINUTE),
        ("?se=2026-11-22&sig=0", timedelta(minutes=4, seconds=30)),
        ("?se=2026-13-22T12%3A00%3A00Z&sig=0", timedelta(minutes=4, seconds=30)),
        ("?X-Amz-Expires=300", timedelta(minutes=4, seconds=30)),
        ("?X-Amz-Expires=10", timedelta(seconds=9)),
        ("?X-Amz-Expires=0", timedelta()),
        ("?Expires=1", timedelta()),
        ("?X-Amz-Expires=999999999", timedelta(days=365)),
        ("?X-Amz-Expires=soon", timedelta(minutes=4, seconds=30)),
        ("?X-Amz-Expires=99999999999999999999", timedelta(minutes=4, seconds=30)),
        ("?v=2", timedelta(minutes=4, seconds=30)),
    ],
)
def test_a_signed_url_is_kept_for_less_than_it_works(settings: Settings, query: str, lifetime: timedelta) -> None:
    use_storage(settings, Signing, query=query)

    link = storage_link("b.png", now=NOW)

    assert link == StorageLink(f"https://files.example/b.png{query}", lifetime)


@requirement("media.redirect")
def test_a_storage_tells_what_its_url_does_not(settings: Settings) -> None:
    use_storage(settings, Signing, query="?sig=0", querystring_expire=1200)

    link = storage_link("b.png", now=NOW)

    assert link is not None
    assert link.lifetime == timedelta(minutes=19)


@pytest.mark.parametrize("fault", [NotImplementedError, ValueError])
def test_a_storage_without_urls_gives_none(settings: Settings, fault: type[Exception]) -> None:
    use_storage(settings, Nameless, fault=fault)

    assert storage_link("b.png", now=NOW) is None


@pytest.mark.parametrize("prefix", ["/", "/app/"])
def test_a_host_without_media_url_has_no_urls(settings: Settings, prefix: str) -> None:
    settings.MEDIA_URL = ""
    set_script_prefix(prefix)
    try:
        assert storage_link("b.png", now=NOW) is None
    finally:
        set_script_prefix("/")
