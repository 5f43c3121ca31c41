"""Every rule has a test, and every test that names a rule names one that exists."""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.requirements import CONTRACT, RULES, UnreadableRule, rules_in
from tests.requirements import requirement as marked  # under its own name it would be a mark on nothing

TESTS = Path(__file__).resolve().parent
IDS = [rule.id for rule in RULES]
_NAME = "requirement"


@dataclass(frozen=True, slots=True)
class Proof:
    """A mark on a test: ``rule`` is the id it names, ``test`` is ``file::name``."""

    rule: str
    test: str


class UnreadableMark(Exception):
    """A mark that proves nothing as it stands."""


def proofs_in(folder: Path) -> list[Proof]:
    """The marks of all test files below a folder; raises ``UnreadableMark``."""
    sources = {path: path.read_text("utf-8") for path in sorted(folder.rglob("test_*.py"))}
    return [
        proof
        for path, source in sources.items()
        if _NAME in source
        for proof in proofs_of(source, file=path.relative_to(folder).as_posix())
    ]


def proofs_of(source: str, *, file: str) -> Iterator[Proof]:
    """The marks in one file; raises ``UnreadableMark`` for one that is not plain text on a test function."""
    tree = ast.parse(source)
    marks = {id(node) for node in ast.walk(tree) if _is_mark(node)}
    for test in _tests_of(tree):
        for mark in filter(_is_mark, test.decorator_list):
            marks.discard(id(mark))
            for rule in _named_by(mark, file=file):
                yield Proof(rule, f"{file}::{test.name}")
    if marks:
        raise UnreadableMark(f"{file}: @{_NAME} belongs on a test function")


def _tests_of(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """What pytest collects: functions of the file, and of its test classes."""
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name.startswith("Test")]
    for owner in (tree, *classes):
        for node in owner.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield node


def _is_mark(node: ast.AST) -> bool:
    """``requirement(…)`` and ``pytest.mark.requirement(…)``."""
    if not isinstance(node, ast.Call):
        return False
    called = node.func
    return (called.id if isinstance(called, ast.Name) else getattr(called, "attr", None)) == _NAME


def _named_by(mark: ast.AST, *, file: str) -> Iterator[str]:
    assert isinstance(mark, ast.Call)
    if mark.keywords or not mark.args:
        raise UnreadableMark(f"{file}:{mark.lineno}: name the rules, and nothing else")
    for argument in mark.args:
        if not isinstance(argument, ast.Constant) or not isinstance(argument.value, str):
            raise UnreadableMark(f"{file}:{mark.lineno}: write the id of the rule as it is")
        yield argument.value


def test_every_rule_has_a_test_and_every_test_names_rules_once_that_exist() -> None:
    proofs = Counter(proofs_in(TESTS))
    proven = {proof.rule for proof in proofs}

    assert [rule for rule in RULES if rule.id not in proven] == []
    assert [proof for proof in proofs if proof.rule not in IDS] == []
    assert [proof for proof, count in proofs.items() if count > 1] == []


def test_no_two_rules_share_an_id_or_a_sentence() -> None:
    sentences = [rule.sentence for rule in RULES]

    assert [one for one, count in Counter(IDS + sentences).items() if count > 1] == []


def test_the_contract_has_the_rules_of_every_area() -> None:
    assert {page.name for page in CONTRACT.glob("*.md")} - {"index.md", "README.md"} == {
        page.name for page in CONTRACT.glob("*.md") if any(rules_in(page.read_text("utf-8"), name=page.name))
    }
    assert len(RULES) > 800


@pytest.mark.parametrize(
    "line",
    [
        '- <a id="posts.one"></a>**posts.two** — A rule.',
        '- <a id="posts.one"></a>**posts.one** — A rule without its end',
        '- <a id="posts"></a>**posts** — A rule without a topic.',
        '<a id="posts.one"></a>**posts.one** — A rule outside of a list.',
        "- **posts.one** — A rule without an anchor.",
    ],
)
def test_a_line_that_only_looks_like_a_rule_is_an_error(line: str) -> None:
    with pytest.raises(UnreadableRule, match=r"page\.md:2"):
        list(rules_in(f"# Posts\n{line}", name="page.md"))


def test_a_mark_is_found_on_functions_and_in_classes() -> None:
    source = """
@requirement("a:one", "a:two")
@pytest.mark.django_db
def test_first() -> None: ...

class TestMore:
    @pytest.mark.requirement("a:one")
    def test_second(self) -> None: ...

def test_third() -> None: ...
"""

    assert list(proofs_of(source, file="t.py")) == [
        Proof("a:one", "t.py::test_first"),
        Proof("a:two", "t.py::test_first"),
        Proof("a:one", "t.py::test_second"),
    ]


@pytest.mark.parametrize(
    "source",
    [
        "@requirement('a:one')\ndef helper(): ...",
        "class Helper:\n    @requirement('a:one')\n    def test_it(self): ...",
        "def test_it():\n    @requirement('a:one')\n    def test_inner(): ...",
        "pytestmark = requirement('a:one')",
        "@requirement('a:one')\nclass TestIt: ...",
        "@requirement(RULE)\ndef test_it(): ...",
        "@requirement(*RULES)\ndef test_it(): ...",
        "@requirement(f'a:{one}')\ndef test_it(): ...",
        "@requirement(rule='a:one')\ndef test_it(): ...",
        "@requirement()\ndef test_it(): ...",
    ],
)
def test_a_mark_that_proves_nothing_is_an_error(source: str) -> None:
    with pytest.raises(UnreadableMark):
        list(proofs_of(source, file="t.py"))


@pytest.mark.parametrize("ids", [(), ("no.such-rule",), ("posts.slug.taken", "no.such-rule")])
def test_an_unknown_rule_stops_its_file(ids: tuple[str, ...]) -> None:
    with pytest.raises(LookupError):
        marked(*ids)
