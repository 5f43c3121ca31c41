"""Images that may take too much memory are decoded in a process of their own, or refused."""

import os
import random
import signal
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image as Picture

from blog_engine.errors import ImageNotPermitted
from blog_engine.images import _decoding, _limited
from blog_engine.images.inspect import inspect_image
from tests.requirements import requirement
from tests.support.images import animation, encoded, plain


def noise(size: tuple[int, int] = (600, 400)) -> Picture.Image:
    return Picture.effect_noise(size, 80).convert("RGB")


def moving(format: str) -> bytes:
    return encoded(noise(), format, save_all=True, append_images=[noise(), noise()])


KINDS: dict[str, tuple[Callable[[], bytes], Callable[[bytes], int]]] = {
    "png": (lambda: encoded(noise(), "PNG"), lambda data: data.index(b"IDAT") + 300),
    "jpeg": (lambda: encoded(noise(), "JPEG", progressive=True), lambda data: data.index(b"\xff\xda") + 14),
    "webp": (lambda: encoded(noise(), "WEBP"), lambda data: data.index(b"VP8 ") + 8),
    "avif": (lambda: encoded(noise(), "AVIF"), lambda data: data.index(b"mdat") + 4),
    "moving png": (lambda: moving("PNG"), lambda data: len(data) // 2),
    "moving gif": (lambda: moving("GIF"), lambda data: len(data) // 2),
    "moving webp": (lambda: moving("WEBP"), lambda data: data.index(b"VP8 ") + 8),
    "moving avif": (lambda: moving("AVIF"), lambda data: data.index(b"mdat") + 4),
}
"""Each kind of image, and where random bytes make it undecodable."""

QUICK = {"jpeg", "moving avif"}


@pytest.fixture
def no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every image be too large to decode in this process."""
    monkeypatch.setattr(_decoding, "MOST_BYTES", 0)


def is_accepted(data: bytes) -> bool:
    try:
        inspect_image(data, filename="quay")
    except ImageNotPermitted:
        return False
    return True


def damaged(data: bytes, at: int, count: int = 2_000) -> bytes:
    chance = random.Random(1)  # noqa: S311 - the same damage on each run
    return data[:at] + chance.randbytes(count) + data[at + count :]


@requirement("images.bytes.whole")
@pytest.mark.parametrize(
    "kind", [kind if kind in QUICK else pytest.param(kind, marks=pytest.mark.heavy) for kind in KINDS]
)
def test_an_image_is_checked_alike_in_either_process(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make, start = KINDS[kind]
    data = make()
    faulty = [damaged(data, start(data)), *(data[: int(len(data) * kept)] for kept in (0.3, 0.95))]
    decoded = inspect_image(data, filename="quay")
    assert not any(map(is_accepted, faulty))

    monkeypatch.setattr(_decoding, "MOST_BYTES", 0)

    assert inspect_image(data, filename="quay") == decoded
    assert not any(map(is_accepted, faulty))


LARGE: dict[str, tuple[Callable[[], bytes], Callable[[bytes], int]]] = {
    "avif": (
        lambda: encoded(noise((6_000, 4_000)), "AVIF", speed=10, quality=20),
        lambda data: data.index(b"mdat") + 4,
    ),
    "jpeg": (
        lambda: encoded(noise((6_000, 4_000)), "JPEG", quality=40, progressive=True, subsampling=0),
        lambda data: data.index(b"\xff\xda") + 14,
    ),
    "webp": (
        lambda: encoded(noise((4_000, 4_000)), "WEBP", method=0, quality=20),
        lambda data: data.index(b"VP8 ") + 8,
    ),
    "moving webp": (
        lambda: animation("WEBP", size=(4_000, 3_000), frames=4, method=0),
        lambda data: data.index(b"VP8 ") + 8,
    ),
    "moving avif": (
        lambda: encoded(
            noise((4_000, 3_000)), "AVIF", save_all=True, append_images=[noise((4_000, 3_000))], speed=10, quality=20
        ),
        lambda data: data.index(b"mdat") + 4,
    ),
}


@requirement("images.bytes.whole")
@pytest.mark.heavy
@pytest.mark.parametrize("kind", LARGE)
def test_a_large_image_is_accepted_unless_it_is_damaged(kind: str) -> None:
    make, start = LARGE[kind]
    data = make()

    assert is_accepted(data)
    assert not is_accepted(damaged(data, start(data)))


@requirement("images.bytes.whole", "images.bytes.memory")
@pytest.mark.heavy
@pytest.mark.parametrize("format", ["AVIF", "WEBP", "JPEG"])
def test_an_image_that_takes_too_much_memory_is_refused(format: str) -> None:
    options: dict[str, Any] = {"AVIF": {"speed": 10}, "WEBP": {"method": 0}, "JPEG": {"progressive": True}}[format]
    picture = Picture.new("CMYK" if format == "JPEG" else "RGB", (7_000, 7_000))
    data = encoded(picture, format, **options)

    with pytest.raises(ImageNotPermitted, match="smaller version") as refused:
        inspect_image(data, filename="quay")

    assert "300 MB" in refused.value.hint
    assert not is_accepted(damaged(data, len(data) // 2, count=min(2_000, len(data) // 4)))


@requirement("images.bytes.memory")
@pytest.mark.usefixtures("no_memory")
def test_the_memory_of_the_process_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    data = plain("PNG", size=(3_000, 3_000))
    assert is_accepted(data)

    monkeypatch.setattr(_limited, "MOST_BYTES", 30_000_000)

    assert not is_accepted(data)


def test_an_avif_that_lies_about_its_size_is_decoded_within_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    data = plain("AVIF", size=(300, 200))
    lying = data.replace(b"ispe" + struct.pack(">III", 0, 300, 200), b"ispe" + struct.pack(">III", 0, 9, 9))
    limited: list[bytes] = []
    monkeypatch.setattr(_decoding, "decode_limited", lambda data, **_: limited.append(data))

    for most, expected in [(20 * 60_000, []), (20 * 60_000 - 1, [lying])]:
        monkeypatch.setattr(_decoding, "MOST_BYTES", most)
        inspect_image(lying, filename="quay")
        assert limited == expected


class Watched(subprocess.Popen[bytes]):
    """A process with its environment."""

    env: dict[str, str]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Watched]:
    """The processes that are started."""
    found: list[Watched] = []

    class Recorded(Watched):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            self.env = options["env"]
            found.append(self)

    monkeypatch.setattr(subprocess, "Popen", Recorded)
    return found


@pytest.mark.usefixtures("no_memory")
def test_a_process_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch, started: list[Watched]) -> None:
    monkeypatch.setattr(_limited, "_PATIENCE", 0)

    with pytest.raises(ImageNotPermitted, match="smaller version"):
        inspect_image(plain(), filename="quay")

    assert [process.returncode for process in started] == [-signal.SIGKILL]
    assert not _decoding.DECODER.locked()


@pytest.mark.usefixtures("no_memory")
def test_the_process_gets_neither_secrets_nor_the_code_of_the_host(
    monkeypatch: pytest.MonkeyPatch, started: list[Watched], tmp_path: Path
) -> None:
    monkeypatch.setenv("SECRET_KEY", "sesame")
    (tmp_path / "sitecustomize.py").write_text("raise SystemExit(1)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "PIL.py").write_text("raise SystemExit(1)")

    assert is_accepted(plain())
    assert [set(process.env) - {"LD_LIBRARY_PATH"} for process in started] == [set()]


@pytest.mark.usefixtures("no_memory")
@pytest.mark.parametrize("program", [None, "/nowhere/python3", "/bin/false"])
def test_a_server_that_cannot_start_the_process_refuses_the_image(
    program: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_limited, "_interpreter", lambda: program)

    with pytest.raises(ImageNotPermitted, match="smaller version"):
        inspect_image(plain(), filename="quay")


@pytest.mark.usefixtures("no_memory")
def test_a_process_that_works_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    data = animation("PNG", size=(1_000, 700), frames=60)
    assert is_accepted(data)

    monkeypatch.setattr(_limited, "_SECONDS", 0)

    with pytest.raises(ImageNotPermitted, match="seconds of processor time"):
        inspect_image(data, filename="quay")


@pytest.fixture
def fresh_interpreter() -> Iterator[None]:
    _limited._interpreter.cache_clear()
    yield
    _limited._interpreter.cache_clear()


@pytest.mark.usefixtures("fresh_interpreter")
@pytest.mark.parametrize("executable", ["/usr/sbin/httpd", "/usr/local/bin/uwsgi", "", None])
def test_a_server_that_embeds_python_is_not_taken_for_it(
    executable: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", executable)

    found = _limited._interpreter()

    assert found is not None
    assert Path(found).parent in {Path(sys.prefix, "bin"), Path(sys.base_prefix, "bin")}
    assert os.access(found, os.X_OK)


@pytest.mark.usefixtures("fresh_interpreter")
def test_no_interpreter_is_found_where_there_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("prefix", "base_prefix"):
        monkeypatch.setattr(sys, name, str(tmp_path))
    monkeypatch.setattr(sys, "executable", "/usr/sbin/httpd")

    assert _limited._interpreter() is None


@pytest.mark.usefixtures("fresh_interpreter", "no_memory")
def test_a_system_without_limits_refuses_the_image(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_limited, "find_spec", lambda name: None)

    with pytest.raises(ImageNotPermitted, match="smaller version"):
        inspect_image(plain(), filename="quay")


@pytest.mark.usefixtures("no_memory")
def test_a_server_that_does_not_wait_for_processes_is_not_misled() -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert is_accepted(plain())
        assert not is_accepted(damaged(encoded(noise(), "PNG"), 400))
    finally:
        signal.signal(signal.SIGCHLD, before)
