"""URLs of stored files, and signed references to files of the host."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.core import signing
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, Storage
from django.urls import set_script_prefix
from pytest_django import Settings

from blog_engine.errors import ImageNotPermitted, Unavailable
from blog_engine.images.inspect import inspect_image
from blog_engine.images.links import StorageLink, read_signed_file, storage_link
from blog_engine.public import sign_stored_file
from tests.requirements import requirement
from tests.support.factories import NOW
from tests.support.hosts import WriteOnly, blog_settings, use_storage
from tests.support.images import plain

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
def test_the_lifetime_of_a_url_without_one_is_that_of_the_storage(settings: Settings) -> None:
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


ALMOST_A_DAY = timedelta(hours=23, minutes=59)
TWO_MINUTES = timedelta(minutes=2)


@requirement("images.signed", "host.sign-stored-file")
def test_a_reference_gives_the_file_as_an_upload_would(storage: Storage) -> None:
    name = storage.save("uploads/2026/quay.png", ContentFile(plain()))

    assert read_signed_file(sign_stored_file(name)) == inspect_image(plain(), filename="quay.png")


@requirement("images.signed")
def test_a_reference_holds_for_a_day(storage: Storage) -> None:
    name = storage.save("quay.png", ContentFile(plain()))

    with time_machine.travel(NOW, tick=False) as clock:
        signed_id = sign_stored_file(name)
        clock.shift(ALMOST_A_DAY)
        assert read_signed_file(signed_id).filename == "quay.png"
        clock.shift(TWO_MINUTES)
        with pytest.raises(ImageNotPermitted):
            read_signed_file(signed_id)


@requirement("images.signed")
@pytest.mark.parametrize("signed_id", ["", "x", "a:b:c", "é:é:é", "\ud800", "uploads/quay.png"])
def test_an_unsigned_reference_is_refused(storage: Storage, signed_id: str) -> None:
    with pytest.raises(ImageNotPermitted) as refused:
        read_signed_file(signed_id)

    assert refused.value.details == []


@requirement("images.signed")
def test_a_changed_reference_and_one_for_another_purpose_are_refused(storage: Storage) -> None:
    name = storage.save("quay.png", ContentFile(plain()))
    signed_id = sign_stored_file(name)
    first = "A" if signed_id[0] != "A" else "B"

    salt = "blog_engine.images.signed"
    by_hand = (signing.dumps(5, salt=salt), signing.TimestampSigner(salt=salt).sign("x"))

    for wrong in (first + signed_id[1:], signing.dumps(name), signing.dumps(name, salt="preview"), *by_hand):
        with pytest.raises(ImageNotPermitted):
            read_signed_file(wrong)


@requirement("images.signed")
@pytest.mark.parametrize("name", ["gone.png", "folder", "quay.png/x", "../../etc/passwd", "/etc/passwd", "", "a\0b"])
def test_a_file_that_is_not_in_the_storage_is_refused(storage: Storage, name: str) -> None:
    storage.save("folder/quay.png", ContentFile(plain()))
    storage.save("quay.png", ContentFile(plain()))

    with pytest.raises(ImageNotPermitted):
        read_signed_file(sign_stored_file(name))


@requirement("images.bytes.size")
def test_a_file_that_is_no_image_or_too_large_is_refused(storage: Storage, settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(max_image_bytes=len(plain()))
    page = storage.save("page.png", ContentFile(b"<!doctype html>"))
    large = storage.save("large.png", ContentFile(plain() + b"\0"))

    for name in (page, large):
        with pytest.raises(ImageNotPermitted):
            read_signed_file(sign_stored_file(name))


def test_the_size_of_a_file_is_checked_before_its_bytes(storage: Storage, settings: Settings) -> None:
    name = storage.save("film.mp4", ContentFile(b"x" * 100))
    settings.BLOG_ENGINE = blog_settings(max_image_bytes=99)
    use_storage(settings, WriteOnly)

    with pytest.raises(ImageNotPermitted):
        read_signed_file(sign_stored_file(name))


def test_a_storage_out_of_reach_is_no_fault_of_the_caller(storage: Storage, settings: Settings) -> None:
    name = storage.save("quay.png", ContentFile(plain()))
    use_storage(settings, WriteOnly)

    with pytest.raises(Unavailable):
        read_signed_file(sign_stored_file(name))
