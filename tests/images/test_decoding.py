"""Formats, one image at a time, and libmagic as a second opinion on machines with and without it."""

import os
import sys
from collections.abc import Iterator

import pytest
from PIL import Image as Picture

from blog_engine.conf import BlogSettings
from blog_engine.content.figures import VARIANT_TYPES
from blog_engine.errors import ImageNotPermitted
from blog_engine.images import _decoding
from blog_engine.images._decoding import FORMATS
from blog_engine.images.files import SUFFIXES
from blog_engine.images.inspect import has_libmagic, inspect_image
from tests.requirements import requirement
from tests.support.images import animation, gif_and_tar, plain
from tests.support.programs import environment, run


def test_every_list_of_formats_has_the_same_ones() -> None:
    by_default = BlogSettings.model_fields["image_content_types"].default

    assert tuple(FORMATS.values()) == tuple(SUFFIXES) == by_default
    assert {SUFFIXES[media_type]: media_type for media_type in VARIANT_TYPES.values()} == VARIANT_TYPES


_WITHOUT_THE_SYSTEM_LIBRARY = """
import ctypes, os, sys
from importlib import import_module
import blog_engine.images._decoding as opinion

before, loader = dict(os.environ), ctypes.CDLL.__init__
asked = []

def absent_at_first(name):
    asked.append(name)
    if len(asked) == 1:
        raise ImportError("failed to find libmagic.")
    return import_module(name)

opinion.import_module = absent_at_first
assert opinion.has_libmagic()
assert opinion.foreign_type(b"<!doctype html><title>x</title>", content_type="image/png") == "text/html"
assert asked == ["magic", "magic"]
assert "pylibmagic" not in sys.modules
assert (dict(os.environ), ctypes.CDLL.__init__) == (before, loader)
"""


class MagicFailed(Exception):
    """In place of the exception of python-magic, which cannot be imported before libmagic was found."""


class Failing:
    """A libmagic whose database has another version."""

    def from_buffer(self, buffer: bytes) -> str:
        raise MagicFailed("could not find any valid magic files")


@pytest.fixture
def no_libmagic(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def nowhere(name: str) -> None:
        raise ImportError("failed to find libmagic.")

    monkeypatch.setattr(_decoding, "import_module", nowhere)
    monkeypatch.setattr(_decoding, "find_spec", lambda name: None)
    _decoding._libmagic.cache_clear()
    yield
    _decoding._libmagic.cache_clear()


@pytest.mark.parametrize(
    ("data", "content_type"),
    [
        *((plain(format), f"image/{format.lower()}") for format in ["PNG", "JPEG", "WEBP", "GIF", "AVIF"]),
        *((animation(format), f"image/{format.lower()}") for format in ["PNG", "WEBP", "GIF", "AVIF"]),
        (b"nothing that has a name", "image/png"),
        (b"\0\1\2\3", "image/png"),
    ],
)
def test_libmagic_agrees_or_does_not_know(data: bytes, content_type: str) -> None:
    assert _decoding.foreign_type(data, content_type=content_type) is None


@requirement("images.bytes.foreign")
@pytest.mark.parametrize(
    ("data", "named"),
    [
        (plain("GIF"), "image/gif"),
        (b"<!doctype html><title>x</title>", "text/html"),
        (b"%PDF-1.7\n", "application/pdf"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"></svg>', "image/svg+xml"),
        (b"#!/bin/sh\necho\n", "text/x-shellscript"),
        (gif_and_tar(), "application/x-tar"),
    ],
)
def test_libmagic_names_another_type(data: bytes, named: str) -> None:
    assert _decoding.foreign_type(data, content_type="image/png") == named


@pytest.mark.usefixtures("no_libmagic")
def test_without_libmagic_pillow_decides_alone() -> None:
    assert not has_libmagic()
    assert inspect_image(gif_and_tar(), filename="both.gif").content_type == "image/gif"
    with pytest.raises(ImageNotPermitted):
        inspect_image(b"<!doctype html><title>x</title>", filename="page.png")


def test_a_libmagic_that_fails_leaves_the_word_to_pillow(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(_decoding, "_libmagic", Failing)

    assert inspect_image(plain(), filename="quay.png").content_type == "image/png"
    assert [record.exc_info[0] for record in caplog.records if record.exc_info] == [MagicFailed]


def test_the_library_of_the_wheel_replaces_that_of_the_system() -> None:
    own = environment({"PYTHONPATH": os.pathsep.join(sys.path)})

    outcome = run([sys.executable, "-c", _WITHOUT_THE_SYSTEM_LIBRARY], env=own, timeout=60)

    assert (outcome.returncode, outcome.stderr) == (0, "")


@requirement("images.bytes.one-at-a-time")
@pytest.mark.parametrize("format", ["PNG", "JPEG", "WEBP"])
def test_the_decoder_is_held_while_an_image_is_opened(format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    held, pillow = [], Picture.open

    def watch(*args: object, **options: object) -> Picture.Image:
        held.append(_decoding.DECODER.locked())
        return pillow(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Picture, "open", watch)

    inspect_image(plain(format), filename="quay")

    assert held == [True]
    assert not _decoding.DECODER.locked()
