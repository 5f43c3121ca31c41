"""Where the test files name rules: read from their source, so that it does not matter which of them run."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

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
    return [
        proof
        for path in sorted(folder.rglob("test_*.py"))
        for proof in proofs_of(path.read_text("utf-8"), file=path.relative_to(folder).as_posix())
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
