"""Exports that are broken or hostile are refused with their file and line, and cost little."""

import re
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from blog_engine.importing.source import LossKind, SourcePost, SourceRefused
from blog_engine.importing.systems import opened_source
from blog_engine.importing.wordpress import files
from blog_engine.importing.wordpress.posts import NotSerialized, php_value
from blog_engine.importing.wordpress.source import open_wordpress
from tests.importing.wordpress.exports import EXPORT, HEAD, TAIL, export, item, items_of, post_of
from tests.requirements import requirement

PROLOGUE, ROOT = HEAD.split("\n", 1)
BOMB = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))


@requirement("import.wordpress.refused", "import.wordpress.entities")
@pytest.mark.parametrize(
    ("head", "line"),
    [
        (f'{PROLOGUE}\n<!DOCTYPE rss [<!ENTITY e0 "ha">{BOMB}]>\n{ROOT}', 1),
        (f'{PROLOGUE}\n<!DOCTYPE rss SYSTEM "file:///etc/passwd">\n{ROOT}', 1),
        (f'{PROLOGUE}\n<!-- -->\n<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n{ROOT}', 1),
        (f"{PROLOGUE}\n<html>\n{ROOT}", 1),
        ('<?xml version="1.0" encoding="UTF-7"?>\n' + ROOT, 1),
        ("no XML at all\n" + ROOT.replace("<rss", "<rs"), 1),
        ("", 1),
        (f"{PROLOGUE}\n<rss><channel>\n", 5),
        (HEAD + "<item></wrong>\n", 8),
        (HEAD + "<item>&undefined;</item>\n", 9),
        (HEAD + "<item>\n<title>\xff\ufffe</title></item>\n<a b=c>\n", 10),
        (f"{PROLOGUE}\n<!--{'x' * 70_000}-->\n<!DOCTYPE rss [{BOMB}]>\n{ROOT}", "[0-9]+"),
    ],
    ids=[
        *("bomb", "external", "later", "html", "utf-7", "text", "empty", "feed", "crossed", "entity", "attribute"),
        "behind a comment",
    ],
)
def test_what_is_no_export_is_refused_with_its_line(tmp_path: Path, head: str, line: int | str) -> None:
    path = export(tmp_path, head=head, tail=TAIL if head else "")

    with pytest.raises(SourceRefused, match=rf"blog\.xml, line {line}: ") as refused:
        items_of(path)

    assert "root:" not in str(refused.value)


@requirement("import.wordpress.refused")
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (HEAD + "<item>a & b</item>\n" + TAIL, "line 8: it is not well-formed: "),
        (HEAD + "<item>a", "line 8: it ends too early: "),
        (HEAD.replace("<rss", '<rss xmlns:x="http://müller.example/"') + "<item>a", "or ends too early."),
    ],
)
def test_the_sentence_is_that_of_the_fault(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "blog.xml"
    path.write_text(content, "utf-8")

    with pytest.raises(SourceRefused) as refused:
        items_of(path)

    assert message in str(refused.value)


@requirement("import.wordpress.namespaces")
@pytest.mark.parametrize("name", ['xmlns:x="http://müller.example/ü"', 'xmlns:x="plugin"', ""])
def test_the_namespaces_of_plugins_stop_nothing(tmp_path: Path, name: str) -> None:
    head = HEAD.replace("<rss", f"<rss {name}")
    path = export(tmp_path, item(content="a"), head=head, tail=f"<x:note>b</x:note>{TAIL}")

    assert len(items_of(path)) == 1


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32"])
def test_other_encodings_are_refused(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "blog.xml"
    path.write_bytes((HEAD + TAIL).encode(encoding))

    with pytest.raises(SourceRefused, match="UTF-"):
        items_of(path)


@requirement("import.wordpress.refused")
def test_a_truncated_export_is_refused_wherever_it_ends(tmp_path: Path) -> None:
    whole = (EXPORT / "harbour.xml").read_bytes()
    path = tmp_path / "part.xml"
    for length in range(0, len(whole.rstrip()), 1_000):
        path.write_bytes(whole[:length])

        with pytest.raises(SourceRefused, match=r"part\.xml, line [0-9]+: "):
            items_of(path)


@requirement("import.wordpress.characters")
def test_control_characters_are_removed_and_named(tmp_path: Path) -> None:
    post = post_of(tmp_path, item(content="a\x0bb\x00c\ufffe"))

    assert "abc" in post.body
    assert [(loss.kind, loss.message.split()[0]) for loss in post.losses] == [(LossKind.CHARACTER, "3")]


@requirement("import.wordpress.files")
@pytest.mark.parametrize("name", ["missing.xml", "folder"])
def test_a_source_without_an_export_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "feed.xml").write_text("<rss/>")

    with pytest.raises(SourceRefused, match=name):
        open_wordpress(tmp_path / name, url=None, media=None)


def test_an_archive_that_leads_out_of_itself_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "blog.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../blog.xml", HEAD + TAIL)

    with (
        pytest.raises(SourceRefused, match=re.escape("../blog.xml")),
        opened_source("wordpress", str(path), url=None, media=None),
    ):
        pass

    assert not (tmp_path.parent / "blog.xml").exists()


def test_a_large_item_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_LARGEST_ITEM", 10_000)
    small = [item(number, content="a\n" * 3_000) for number in range(5)]

    assert len(items_of(export(tmp_path, *small))) == 5
    with pytest.raises(SourceRefused, match="more than 10000 bytes"):
        items_of(export(tmp_path, item(content="a\n" * 5_000)))


UNKNOWN = {"deep": "<x>" * 200 + "</x>" * 200, "many": "<x/>" * 20_000, "empty": "<wp:postmeta/>" * 1_000}


@pytest.mark.parametrize("inside", UNKNOWN.values(), ids=UNKNOWN)
def test_unknown_elements_are_left_alone(tmp_path: Path, inside: str) -> None:
    assert post_of(tmp_path, item(inside=inside)).title == "Post 1"


def test_deep_elements_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceRefused, match="not well-formed"):
        items_of(export(tmp_path, item(inside="<x>" * 3_000 + "</x>" * 3_000)))


@requirement("import.wordpress.memory")
@pytest.mark.heavy
@pytest.mark.measured
def test_memory_does_not_grow_with_the_number_of_posts(tmp_path: Path) -> None:
    def peak(count: int) -> int:
        path = export(tmp_path, *(item(number, content="word " * 500) for number in range(count)))
        source = open_wordpress(path, url=None, media=None)
        tracemalloc.start()
        posts = sum(isinstance(one, SourcePost) for one in source.items())
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert posts == count
        return most

    # The first one also pays for imports, and fills caches and Python's list of 2,000 tuples that it uses again.
    peak(2_500)
    assert peak(1_000) < 1.2 * peak(100) + 50_000


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('a:2:{s:1:"a";i:-1;i:5;a:1:{i:0;b:1;}}', {"a": -1, 5: {0: True}}),
        ('s:4:"é";";', 'é";'),
        ("d:0.5;", "0.5"),
        ("N;", None),
    ],
)
def test_serialized_values_are_read_by_bytes(text: str, value: object) -> None:
    assert php_value(text) == value


REFUSED = {
    "deep": "a:1:{i:0;" * 100,
    "long": "a:9999999:{" + "i:0;i:0;" * 50_000,
    "object": 'O:1:"a":0:{}',
    "open": "i:1",
    "short": 's:9999:"a";',
    "characters for bytes": 's:3:"é";";',
}


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_hostile_serialized_values_are_refused(text: str) -> None:
    with pytest.raises(NotSerialized):
        php_value(text)
