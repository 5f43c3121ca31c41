"""Signed references to files of the host's storage."""

from datetime import timedelta

import pytest
import time_machine
from django.core import signing
from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from pytest_django import Settings

from blog_engine.errors import ImageNotPermitted, Unavailable
from blog_engine.helpers import sign_stored_file
from blog_engine.images.inspect import inspect_image
from blog_engine.images.links import read_signed_file
from tests.requirements import requirement
from tests.support.backends import WriteOnly, use_storage
from tests.support.factories import NOW
from tests.support.hosts import blog_settings
from tests.support.images import plain

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
def test_a_reference_that_nobody_signed_is_refused(storage: Storage, signed_id: str) -> None:
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


def test_the_size_of_a_file_is_asked_before_its_bytes(storage: Storage, settings: Settings) -> None:
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
