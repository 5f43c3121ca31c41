"""Folders and zip files of a source."""

import os
import stat
import struct
import tempfile
from collections.abc import Callable
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pytest

from blog_engine.importing import archives
from blog_engine.importing.archives import file_within, files_under, unpacked
from blog_engine.importing.source import SourceRefused
from tests.requirements import requirement


@pytest.fixture(autouse=True)
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which temporary folders are made."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def zipped(path: Path, *members: tuple[str | ZipInfo, bytes]) -> Path:
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return path


def names_in(folder: Path) -> list[str]:
    return [file.relative_to(folder.resolve()).as_posix() for file in files_under(folder)]


def link(name: str, target: str) -> tuple[ZipInfo, bytes]:
    info = ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info, target.encode()


def test_a_folder_is_used_as_it_is(tmp_path: Path) -> None:
    with unpacked(tmp_path) as folder:
        assert folder == tmp_path


@requirement("import.source.archives")
def test_a_zip_is_unpacked_for_the_time_of_the_block(tmp_path: Path, scratch: Path) -> None:
    path = zipped(
        tmp_path / "blog.zip", ("posts/ä.md", b"one"), ("two.md", b"two"), ("__MACOSX/two.md", b""), ("a\\b.md", b"3")
    )

    with unpacked(path) as folder:
        assert names_in(folder) == ["two.md", "a/b.md", "posts/ä.md"]
        assert (folder / "posts/ä.md").read_bytes() == b"one"

    assert list(scratch.iterdir()) == []


@requirement("import.source.archives")
@pytest.mark.parametrize(
    "member",
    [
        ("../up.md", b""),
        ("a/../../up.md", b""),
        ("..\\up.md", b""),
        ("/etc/up.md", b""),
        ("C:\\up.md", b""),
        ("posts/con.md", b""),
        link("up", "/etc/passwd"),
    ],
    ids=["up", "inner up", "backslash", "absolute", "drive", "device", "link"],
)
def test_a_name_that_leads_out_is_refused(tmp_path: Path, scratch: Path, member: tuple[str | ZipInfo, bytes]) -> None:
    path = zipped(tmp_path / "blog.zip", ("one.md", b"one"), member)

    with pytest.raises(SourceRefused, match=r"blog\.zip"), unpacked(path):
        pass

    assert list(scratch.iterdir()) == []


def _bomb(path: Path) -> None:
    zipped(path, *((f"{n}.md", bytes(16 * 1024**2)) for n in range(4)))


def _truncated(path: Path) -> None:
    zipped(path, ("one.md", os.urandom(100_000)))
    path.write_bytes(path.read_bytes()[:50_000])


def _changed(path: Path) -> None:
    zipped(path, ("one.md", os.urandom(100_000)))
    content = bytearray(path.read_bytes())
    content[50_000] ^= 1
    path.write_bytes(content)


def _encrypted(path: Path) -> None:
    zipped(path, ("one.md", b"one"))
    content = bytearray(path.read_bytes())
    start = content.rfind(b"PK\x01\x02")
    content[start + 8] |= 1
    path.write_bytes(content)


def _lying(path: Path) -> None:
    """The table of contents declares fewer bytes than the file has."""
    zipped(path, ("one.md", bytes(1000)))
    content = bytearray(path.read_bytes())
    struct.pack_into("<L", content, content.rfind(b"PK\x01\x02") + 24, 10)
    path.write_bytes(content)


def _file_as_folder(path: Path) -> None:
    zipped(path, ("posts", b""), ("posts/one.md", b""))


def _long_name(path: Path) -> None:
    zipped(path, ("n" * 300 + ".md", b""))


def _long_directory(path: Path) -> None:
    zipped(path, ("one.md", b""))
    content = bytearray(path.read_bytes())
    struct.pack_into("<L", content, content.rfind(b"PK\x05\x06") + 12, 2**31)
    path.write_bytes(content)


def _twice(path: Path) -> None:
    zipped(path, ("a/one.md", b"1"), ("a\\one.md", b"2"))


def _text(path: Path) -> None:
    path.write_text("neither")


def _missing(path: Path) -> None:
    assert not path.exists()


@requirement("import.source.archives")
@pytest.mark.parametrize(
    "make",
    [
        _bomb,
        _truncated,
        _changed,
        _encrypted,
        _lying,
        _file_as_folder,
        _long_name,
        _long_directory,
        _twice,
        _text,
        _missing,
    ],
)
def test_a_hostile_or_damaged_archive_is_refused(tmp_path: Path, scratch: Path, make: Callable[[Path], None]) -> None:
    path = tmp_path / "blog.zip"
    make(path)

    with pytest.raises(SourceRefused, match=r"blog\.zip"), unpacked(path):
        pass

    assert list(scratch.iterdir()) == []


@requirement("import.source.archives")
@pytest.mark.parametrize(("limit", "value"), [("MOST_FILES", 1), ("LARGEST_FILE", 2), ("LARGEST_ARCHIVE", 4)])
def test_an_archive_over_a_limit_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, value: int
) -> None:
    path = zipped(tmp_path / "blog.zip", ("one.md", b"one"), ("two.md", b"two"))
    monkeypatch.setattr(archives, limit, value)

    with pytest.raises(SourceRefused), unpacked(path):
        pass


@requirement("import.source.links")
def test_links_that_lead_out_of_a_folder_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret")
    blog = tmp_path / "blog"
    (blog / "posts").mkdir(parents=True)
    (blog / "posts/one.md").write_text("one")
    (blog / "out.md").symlink_to(tmp_path / "secret.md")
    (blog / "circle.md").symlink_to("circle.md")
    (blog / "folder").symlink_to(tmp_path)
    os.mkfifo(blog / "pipe.md")

    assert names_in(blog) == ["posts/one.md"]
    assert file_within(blog, "posts/one.md") == blog / "posts/one.md"
    for name in ("out.md", "folder/secret.md", "../secret.md", "/etc/passwd", "circle.md", "pipe.md", "no.md", "a\0b"):
        assert file_within(blog, name) is None
