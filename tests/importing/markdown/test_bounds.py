"""Small texts that would take much memory or time to read: they are refused before a parser is called."""

import ast
import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from blog_engine.importing import data
from blog_engine.importing.data import FileRefused, end_of_json, read_json_text, read_toml_text, read_yaml_text
from blog_engine.importing.markdown.front_matter import read_document
from blog_engine.importing.markdown.globs import Pattern, PatternRefused, expression_pattern, glob_pattern
from blog_engine.importing.source import Omitted, SourcePost
from tests.importing.markdown.sites import read, write_file
from tests.requirements import requirement

DEEP = 20_000


class ParserCalled(Exception):
    """The text was handed on."""


@pytest.fixture
def no_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    def parse(*args: Any, **kwargs: Any) -> Any:
        raise ParserCalled

    monkeypatch.setattr(tomllib, "loads", parse)
    monkeypatch.setattr(json, "loads", parse)
    monkeypatch.setattr(yaml, "load", parse)


@requirement("import.markdown.bounds")
@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("{}", 2),
        ('{"a": "}"} {', 10),
        ('{"a": "\\"}"}{}', 12),
        ('{"a": [{"b": 1}]}\n---', 17),
    ],
)
def test_the_end_of_an_object_is_found_without_parsing(text: str, end: int) -> None:
    assert end_of_json(text) == end


@requirement("import.markdown.bounds")
@pytest.mark.parametrize(
    "text",
    ['{"a": 1', "{" + "[" * DEEP, '{"a": "' + "x" * 4_000_000, "{" + '"a": 1, ' * 50_000, '{"a'],
    ids=lambda text: text[:12],
)
def test_an_object_that_does_not_end_soon_is_refused(text: str) -> None:
    with pytest.raises(FileRefused):
        end_of_json(text)


BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


TOML = [
    "a." * DEEP + "b = 1",
    "a . " * DEEP + "b = 1",
    "a\t.\t" * DEEP + "b = 1",
    '"a".' * DEEP + "b = 1",
    "'a'." * DEEP + "b = 1",
    "[" + "a." * DEEP + "b]",
    "[[" + "a." * DEEP + "b]]",
    "x = {" + "a." * DEEP + "b = 1}",
    "x = [{" + "a." * 21 + "b = 1}]",
    "x = '''text''' # comment\n" + "a." * DEEP + "b = 1",
    'x = """\n"""\n' + "a." * DEEP + "b = 1",
    'x = """a""""\n' + "a." * DEEP + "b = 1",
    'x = "\\""\n' + "a." * DEEP + "b = 1",
    "x = [\n1, # ]\n2]\n" + "a." * 21 + "b = 1",
    "a = " + "[" * DEEP,
    "a = " + "{a = " * DEEP,
    "a = [" + "1," * 50_000 + "]",
    "[a]\n[[b]]\n" * 14_000,
    "a.a = 1\n" * 21_000,
    "a = '" + "x" * 300_000 + "'",
]
JSON = [
    "[" * DEEP + "]" * DEEP,
    '{"a":' * DEEP,
    '["\\\\", ' + "[" * 30,
    "[" + "[]," * 50_000 + "[]]",
    "[" + "0," * 50_000 + "0]",
    '{"a": "' + "x" * 300_000 + '"}',
]
YAML = [
    BOMB,
    "a: &a [*a]",
    "a: &a {b: *a}",
    "a: *b",
    "&a [&b [*a]]",
    "a: &a {" + ", ".join(f"b{number}: 1" for number in range(50)) + "}\n<<: [" + "*a, " * 5_000 + "*a]",
    "a: " + "[" * 30 + "]" * 30,
    "a: " + "{a: " * 30 + "}" * 30,
    "a: [" + "x," * 50_000 + "]",
    "a: &a '" + "x" * 9_000 + "'\nb: [" + "*a, " * 100 + "]",
    "a: " + "1:" * 60_000 + "1",
    "b: " + "1:" * 60_000 + "1.5",
    "a: 0x" + "f" * 20_000,
    "a: !!int '" + "1:" * 60_000 + "1'",
    "a: !!float '" + "1:" * 60_000 + "1'",
    "a: " + "9" * 4_000,
    "a: '" + "x" * 300_000 + "'",
]


@requirement("import.markdown.bounds")
@pytest.mark.usefixtures("no_parser")
@pytest.mark.parametrize(
    ("read_text", "text"),
    [
        (read, text)
        for read, texts in ((read_toml_text, TOML), (read_json_text, JSON), (read_yaml_text, YAML))
        for text in texts
    ],
    ids=lambda value: str(value)[:20] if isinstance(value, str) else value.__name__,
)
def test_a_text_is_refused_before_its_values_are_made(read_text: Callable[[str], Any], text: str) -> None:
    with pytest.raises(FileRefused):
        read_text(text)


WITHIN = [
    ("a" + ".a" * 15 + " = 1", None),
    ('"' + "a." * 50 + '" = 1', {"a." * 50: 1}),
    ("x = '" + "a." * 50 + "'", {"x": "a." * 50}),
    ('x = """' + "a." * 50 + '"""', {"x": "a." * 50}),
    ("x = 1 # " + "a." * 50, {"x": 1}),
    ("x = [1.5, 2.5, 3.5]\n" * 1, {"x": [1.5, 2.5, 3.5]}),
    ("x = '" + "[{" * 50 + "'", {"x": "[{" * 50}),
    ('[a."b.c".d]\nx = 1', {"a": {"b.c": {"d": {"x": 1}}}}),
]
EXPANDED = [
    ("x: &a {b: 1}\ny: *a\n", {"x": {"b": 1}, "y": {"b": 1}}),
    ("x: &a [1, 2]\ny: [*a, *a]\n", {"x": [1, 2], "y": [[1, 2], [1, 2]]}),
    ("x: &a {draft: true}\n<<: *a\n", {"x": {"draft": True}, "draft": True}),
    ("x: &a 1\ny: *a\nz: &b [*a]\n", {"x": 1, "y": 1, "z": [1]}),
    ("x: " + "ab" * 100, {"x": "ab" * 100}),
    ("x: '" + "1" * 200 + "'", {"x": "1" * 200}),
    ("x: 1:30", {"x": 90}),
]


@requirement("import.markdown.bounds", "import.markdown.formats")
@pytest.mark.parametrize(
    ("read_text", "text", "expected"),
    [*((read_toml_text, *row) for row in WITHIN), *((read_yaml_text, *row) for row in EXPANDED)],
)
def test_a_text_within_the_bounds_is_read(read_text: Callable[[str], Any], text: str, expected: Any) -> None:
    found = read_text(text)

    assert expected is None or found == expected


@requirement("import.markdown.bounds", "import.markdown.refused")
@pytest.mark.parametrize(
    "text",
    [
        "a: !!timestamp soon",
        "a: !!int ''",
        "a: !!bool maybe",
        "a: !!float ''",
        "a: 2024-99-99",
        "? [a]\n: b",
        "a: !!python/object:os.system x",
        "a: !!binary \u00e4",
    ],
)
def test_values_that_their_tag_does_not_fit_are_refused(text: str) -> None:
    with pytest.raises(FileRefused):
        read_yaml_text(text)


@requirement("import.markdown.bounds")
def test_a_number_that_cannot_be_written_is_refused() -> None:
    with pytest.raises(FileRefused, match="digits"):
        read_toml_text("a = 0x" + "f" * 10_000)


@requirement("import.markdown.bounds", "import.markdown.not-posts")
def test_a_long_configuration_in_python_is_not_parsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def parse(text: str) -> Any:
        assert text == ""
        return ast.Module([], [])

    write_file(tmp_path / "pelicanconf.py", "f()\n" * 20_000)
    write_file(tmp_path / "content" / "a.md", "---\ntitle: Good\ndate: 2024-01-02\n---\n")
    monkeypatch.setattr(ast, "parse", parse)

    listed, post = read(tmp_path)

    assert isinstance(listed, Omitted) and "more than 65536 bytes" in listed.what
    assert isinstance(post, SourcePost)


@requirement("import.markdown.bounds")
def test_the_lines_of_nikola_are_read_within_bounds(tmp_path: Path) -> None:
    file = write_file(tmp_path / "a.md", ".. title: a\n" + ".. b: c\n" * 400_000)

    with pytest.raises(FileRefused, match="more than 262144 characters"):
        read_document(file)


@requirement("import.markdown.bounds")
def test_the_lines_of_a_header_are_joined_once(tmp_path: Path) -> None:
    lines = 20_000
    file = write_file(tmp_path / "a.md", "Title: a\n" + "    b\n" * lines + "\nText.\n")

    document = read_document(file)

    assert (document.metadata["title"].count("b"), document.body) == (lines, "Text.\n")


GLOBS = ("{a,b}" * 30, "{" * 200, "[", "a" * 2_000, "[z-a]")
EXPRESSIONS = ("(a+)+b", "a{1,9}", "\\d", "a**", "(", "a|(b)", "a\\")


@requirement("import.markdown.bounds")
@pytest.mark.parametrize(
    ("pattern", "text"),
    [*((glob_pattern, text) for text in GLOBS), *((expression_pattern, text) for text in EXPRESSIONS)],
)
def test_a_pattern_that_means_too_much_is_refused(pattern: Callable[[str], Pattern], text: str) -> None:
    with pytest.raises(PatternRefused):
        pattern(text)


@requirement("import.markdown.bounds")
def test_a_glob_of_many_stars_is_matched_in_few_steps() -> None:
    looked_at: list[str] = []

    def counted(step: Any) -> Any:
        def look(sign: str) -> bool:
            looked_at.append(sign)
            return bool(step(sign))

        return step if isinstance(step, str) else look

    (steps,) = glob_pattern("*a" * 100 + "b").choices

    assert not Pattern((tuple(map(counted, steps)),)).matches("a" * 300)
    assert len(looked_at) < 300 * 200


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        ("/posts/**", "/posts/a/b", True),
        ("/posts/*", "/posts/a/b", False),
        ("{/x/**,/y/**}", "/y/q", True),
        ("/{a,b{c,d}}", "/bd", True),
        ("/posts/[!c-d]1", "/posts/e1", True),
        ("/posts/[!c-d]1", "/posts/c1", False),
        ("/a?c", "/a/c", False),
        ("a\\*", "a*", True),
        ("a\\*", "ab", False),
        ("a\\{b,c}", "a{b,c}", True),
        ("", "", True),
    ],
)
def test_globs_match_as_those_of_the_programs(glob: str, path: str, expected: bool) -> None:
    assert glob_pattern(glob).matches(path) is expected


def test_the_bounds_are_those_of_the_contract() -> None:
    assert (data.LARGEST_DATA, data._MOST_DOTS, data._MOST_VALUES, data._DEEPEST) == (262_144, 20, 20_000, 20)
