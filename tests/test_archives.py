"""Folders, zip and tar.gz files, unpacked by one set of rules."""

import gzip
import io
import os
import random
import stat
import struct
import tarfile
import tempfile
import zipfile
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZipFile, ZipInfo

import pytest

from blog_engine import archives
from blog_engine.archives import ArchiveRefused, unpacked
from tests.requirements import requirement

Pack = Callable[..., Path]


@pytest.fixture(autouse=True)
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which temporary folders are made."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def zipped(path: Path, *members: tuple[str, bytes], kind: int = 0, method: int = ZIP_DEFLATED) -> Path:
    with ZipFile(path.with_suffix(".zip"), "w", method) as archive:
        for name, content in members:
            info = ZipInfo(name)
            info.external_attr, info.compress_type = (kind | 0o644) << 16, method
            archive.writestr(info, content)
    return path.with_suffix(".zip")


def tarred(path: Path, *members: tuple[str, bytes], kind: bytes = tarfile.REGTYPE) -> Path:
    with tarfile.open(path.with_suffix(".tar.gz"), "w:gz") as archive:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "/etc/passwd"
            info.size = len(content) if info.isreg() else 0
            archive.addfile(info, io.BytesIO(content))
    return path.with_suffix(".tar.gz")


@pytest.fixture(params=[zipped, tarred], ids=["zip", "tar.gz"])
def pack(request: pytest.FixtureRequest) -> Pack:
    pack: Pack = request.param
    return pack


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def refusal_of(path: Path, scratch: Path) -> str:
    """Return why an archive is refused; nothing of it must stay."""
    with pytest.raises(ArchiveRefused) as refused, unpacked(path):
        pass
    assert str(refused.value).startswith(f"{path}: ")
    assert list(scratch.iterdir()) == []
    return str(refused.value)


def test_a_folder_is_used_as_it_is(tmp_path: Path) -> None:
    with unpacked(tmp_path) as folder:
        assert folder == tmp_path


@requirement("import.source.archives")
def test_an_archive_is_unpacked_for_the_time_of_the_block(tmp_path: Path, scratch: Path, pack: Pack) -> None:
    left_out = [(name, b"") for name in ("__MACOSX/two.md", "posts/._ä.md", "posts/.DS_Store")]
    path = pack(tmp_path / "my.blog", ("posts/ä.md", b"one"), ("./two.md", b"two"), ("aux.md", b""), *left_out)

    with unpacked(path) as folder:
        assert folder.name == "my"
        assert files_in(folder) == {"posts/ä.md": b"one", "two.md": b"two", "aux.md": b""}
        assert folder.is_relative_to(scratch)

    assert list(scratch.iterdir()) == []


def test_an_archive_of_folders_has_their_files(tmp_path: Path, scratch: Path) -> None:
    (tmp_path / "blog/posts").mkdir(parents=True)
    (tmp_path / "blog/posts/one.md").write_text("one")
    with tarfile.open(tmp_path / "blog.tgz", "w:gz") as tar:
        tar.add(tmp_path / "blog", ".")
    with ZipFile(tmp_path / "blog.zip", "w") as archive:
        archive.mkdir("posts")
        archive.write(tmp_path / "blog/posts/one.md", "posts/one.md")

    for path in (tmp_path / "blog.tgz", tmp_path / "blog.zip"):
        with unpacked(path) as folder:
            assert (folder.name, files_in(folder)) == ("blog", {"posts/one.md": b"one"})


@pytest.mark.parametrize("name", ["...zip", "..tar.gz"])
def test_an_archive_without_a_name_stays_in_its_folder(tmp_path: Path, scratch: Path, name: str) -> None:
    path = zipped(tmp_path / "blog", ("one.md", b"one")).rename(tmp_path / name)

    with unpacked(path) as folder:
        assert folder.parent.parent == scratch


@requirement("import.source.archives", "restore.hostile")
@pytest.mark.parametrize(
    "name",
    [
        *("../up.md", "a/../../up.md", "..\\up.md", "/etc/up.md", "C:\\up.md", "C:/x", "a\\b"),
        *("a//b", "a/./b", "././x", "posts/con.md", "x" * 5000, "a/" * 100 + "x"),
    ],
)
def test_an_unsafe_name_is_refused(
    tmp_path: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch, pack: Pack, name: str
) -> None:
    # As on Windows.
    monkeypatch.setattr(archives, "_HAS_DEVICE_NAMES", True)

    assert "not safe" in refusal_of(pack(tmp_path / "blog", ("one.md", b"one"), (name, b"")), scratch)


@requirement("restore.hostile")
def test_a_name_with_nul_is_refused(tmp_path: Path, scratch: Path) -> None:
    with tarfile.open(tmp_path / "blog.tar.gz", "w:gz") as archive:
        info = tarfile.TarInfo("one.md")
        info.pax_headers = {"path": "a\0b"}
        archive.addfile(info)

    assert "not safe" in refusal_of(tmp_path / "blog.tar.gz", scratch)


@requirement("import.source.archives", "restore.hostile")
@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_in_a_tar_are_refused(tmp_path: Path, scratch: Path, kind: bytes) -> None:
    assert "'up' is a link" in refusal_of(tarred(tmp_path / "blog", ("up", b""), kind=kind), scratch)


@requirement("import.source.archives", "restore.hostile")
@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO])
def test_links_and_devices_in_a_zip_are_refused(tmp_path: Path, scratch: Path, kind: int) -> None:
    assert "'up' is a link" in refusal_of(zipped(tmp_path / "blog", ("up", b"/etc/passwd"), kind=kind), scratch)


@requirement("import.source.archives", "restore.hostile")
@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("names", [("x", "x"), ("x", "./x"), ("x", "x/one.md"), ("x", "x/y/one.md"), ("x/one.md", "x")])
def test_a_name_twice_is_refused(tmp_path: Path, scratch: Path, pack: Pack, names: tuple[str, ...]) -> None:
    assert "two files" in refusal_of(pack(tmp_path / "blog", *((name, b"1") for name in names)), scratch)


@requirement("import.source.archives", "restore.hostile")
@pytest.mark.parametrize(("files", "size"), [(1, 40), (10, 4)])
def test_a_bomb_is_refused(tmp_path: Path, scratch: Path, pack: Pack, files: int, size: int) -> None:
    members = [(f"{number}.md", bytes(size * 1024**2)) for number in range(files)]

    assert "too large" in refusal_of(pack(tmp_path / "blog", *members), scratch)


@requirement("import.source.archives")
@pytest.mark.parametrize(
    ("limit", "value"), [("_MOST_FILES", 1), ("_LARGEST_FILE", 2), ("_LARGEST_TOTAL", 4), ("_ALWAYS_ALLOWED", 4)]
)
def test_an_archive_over_a_limit_is_refused(
    tmp_path: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch, pack: Pack, limit: str, value: int
) -> None:
    path = pack(tmp_path / "blog", ("one.md", b"one"), ("two.md", b"two"))
    monkeypatch.setattr(archives, limit, value)
    monkeypatch.setattr(archives, "_HIGHEST_RATIO", 0 if limit == "_ALWAYS_ALLOWED" else 200)

    refusal_of(path, scratch)


@requirement("import.source.archives")
def test_an_archive_larger_than_the_free_space_is_refused(
    tmp_path: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch, pack: Pack
) -> None:
    path = pack(tmp_path / "blog", ("one.md", bytes(20_000)))
    monkeypatch.setattr(archives, "disk_usage", lambda folder: namedtuple("Usage", "free")(15_000))

    assert "free" in refusal_of(path, scratch)


@requirement("import.source.archives")
@pytest.mark.parametrize("is_zip64", [False, True])
def test_a_long_table_of_contents_is_not_read(
    tmp_path: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch, is_zip64: bool
) -> None:
    if is_zip64:
        monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 1)
    path = zipped(tmp_path / "blog", ("one.md", b"one"), ("two.md", b"two"))
    assert (b"PK\x06\x06" in path.read_bytes()) == is_zip64
    with unpacked(path) as folder:
        assert files_in(folder) == {"one.md": b"one", "two.md": b"two"}

    monkeypatch.setattr(archives, "_LARGEST_DIRECTORY", 100)

    assert "too many files" in refusal_of(path, scratch)


@pytest.mark.parametrize("kind", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_long_metadata_is_not_read(tmp_path: Path, scratch: Path, kind: int) -> None:
    with tarfile.open(tmp_path / "blog.tar.gz", "w:gz", format=kind) as archive:
        archive.addfile(tarfile.TarInfo("ä" * 1_000_000))

    assert "metadata of" in refusal_of(tmp_path / "blog.tar.gz", scratch)


def test_endless_metadata_is_refused(tmp_path: Path, scratch: Path) -> None:
    header = tarfile.TarInfo("././@LongLink")
    header.type, header.size = tarfile.GNUTYPE_LONGNAME, 1
    with gzip.open(tmp_path / "blog.tar.gz", "wb") as file:
        file.write((header.tobuf() + bytes(512)) * 10_000)

    assert "damaged" in refusal_of(tmp_path / "blog.tar.gz", scratch)


def test_a_tar_with_holes_is_refused(tmp_path: Path, scratch: Path) -> None:
    with tarfile.open(tmp_path / "blog.tar.gz", "w:gz") as archive:
        info = tarfile.TarInfo("one.md")
        info.pax_headers = {"GNU.sparse.map": "0,0", "GNU.sparse.size": str(2**40)}
        archive.addfile(info)

    assert "not a file" in refusal_of(tmp_path / "blog.tar.gz", scratch)


@requirement("import.source.archives", "restore.verified")
@pytest.mark.parametrize("kept", [0, 1, 100, 50_000, 90_000, -100, -8, -1])
def test_a_truncated_archive_is_refused(tmp_path: Path, scratch: Path, pack: Pack, kept: int) -> None:
    path = pack(tmp_path / "blog", ("one.md", os.urandom(100_000)))
    path.write_bytes(path.read_bytes()[:kept])

    refusal_of(path, scratch)


@requirement("import.source.archives")
@pytest.mark.parametrize("kept", [512, 1024, 1536, 2048])
def test_a_tar_that_was_truncated_before_it_was_packed_is_refused(tmp_path: Path, scratch: Path, kept: int) -> None:
    path = tarred(tmp_path / "blog", ("one.md", b"one"), ("two.md", b"two"))
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes())[:kept]))

    assert "damaged" in refusal_of(path, scratch)


@requirement("import.source.archives")
@pytest.mark.parametrize("place", [50_000, -6])
def test_a_changed_archive_is_refused(tmp_path: Path, scratch: Path, pack: Pack, place: int) -> None:
    path = pack(tmp_path / "blog", ("one.md", os.urandom(100_000)), ("two.md", b"two"))
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)

    refusal_of(path, scratch)


@requirement("import.source.archives")
def test_a_damaged_header_is_not_the_end(tmp_path: Path, scratch: Path) -> None:
    path = tarred(tmp_path / "blog", ("one.md", b"one"), ("two.md", b"two"))
    content = bytearray(gzip.decompress(path.read_bytes()))
    content[1024] ^= 1
    path.write_bytes(gzip.compress(content))

    assert "a header is damaged" in refusal_of(path, scratch)


def _in_directory(path: Path, place: int, form: str, value: int) -> None:
    """Change a value in the table of contents of a zip with one file."""
    content = bytearray(path.read_bytes())
    struct.pack_into(form, content, content.rfind(b"PK\x01\x02") + place, value)
    path.write_bytes(content)


@requirement("import.source.archives")
def test_an_encrypted_zip_is_refused(tmp_path: Path, scratch: Path) -> None:
    path = zipped(tmp_path / "blog", ("one.md", b"one"))
    _in_directory(path, 8, "<H", 1)

    assert "'one.md' is encrypted" in refusal_of(path, scratch)


def test_another_method_than_deflate_is_refused(tmp_path: Path, scratch: Path) -> None:
    assert "Deflate" in refusal_of(zipped(tmp_path / "blog", ("one.md", b"one"), method=ZIP_BZIP2), scratch)


@requirement("import.source.archives")
@pytest.mark.parametrize("size", [10, 2000])
def test_a_zip_that_declares_another_size_is_refused(tmp_path: Path, scratch: Path, size: int) -> None:
    path = zipped(tmp_path / "blog", ("one.md", bytes(1000)))
    _in_directory(path, 24, "<L", size)

    assert "damaged" in refusal_of(path, scratch)


@requirement("import.source.archives")
def test_a_zip_whose_table_of_contents_is_not_there_is_refused(tmp_path: Path, scratch: Path) -> None:
    path = zipped(tmp_path / "blog", ("one.md", b""))
    content = bytearray(path.read_bytes())
    struct.pack_into("<L", content, content.rfind(b"PK\x05\x06") + 12, 2**31)
    path.write_bytes(content)

    refusal_of(path, scratch)


@requirement("import.source.archives")
def test_a_name_that_no_file_can_have_is_refused(tmp_path: Path, scratch: Path, pack: Pack) -> None:
    assert "could not be unpacked" in refusal_of(pack(tmp_path / "blog", ("n" * 300 + ".md", b"")), scratch)


@requirement("import.source.archives")
@pytest.mark.parametrize(
    "content",
    [b"neither", b"", b"\x1f\x8b", gzip.compress(b"<rss/>", mtime=0), gzip.compress(b"", mtime=0)],
)
def test_what_is_no_archive_is_refused(tmp_path: Path, scratch: Path, content: bytes) -> None:
    path = tmp_path / "blog.zip"
    path.write_bytes(content)

    refusal_of(path, scratch)


def test_what_is_not_there_is_refused(tmp_path: Path, scratch: Path) -> None:
    assert "No such file" in refusal_of(tmp_path / "blog.zip", scratch)


def test_damage_anywhere_is_refused_or_harmless(tmp_path: Path, scratch: Path, pack: Pack) -> None:
    content = pack(tmp_path / "blog", ("one.md", bytes(range(50))), ("a/two.md", b"two")).read_bytes()
    path = tmp_path / "damaged"
    chance = random.Random(7)  # noqa: S311  # the same damage each time
    for _ in range(300):
        damaged = bytearray(content)
        for _ in range(chance.randint(1, 4)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        path.write_bytes(damaged)
        try:
            with unpacked(path) as folder:
                assert folder.is_dir()
        except ArchiveRefused:
            pass
        assert list(scratch.iterdir()) == []
