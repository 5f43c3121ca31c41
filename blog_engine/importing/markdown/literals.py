"""Plain values of configurations in Python, which are read and never run."""

import ast
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, Final

from blog_engine.importing.markdown.configuration import Configuration

NOT_PLAIN: Final = object()
"""The value of a name that is not known without running the program."""
_LARGEST: Final = 64 * 1024
"""Bytes of code; its tree takes about 900 times their size."""
_LONGEST: Final = 10_000
"""Characters of a sum of texts."""
_LARGEST_FILE: Final = 256 * 1024
"""Bytes with comments; Nikola's own configuration has 60,000 of them."""


def python_values(file: Path, notes: Configuration, *, watched: Collection[str]) -> dict[str, Any]:
    """Return the values that a Python file assigns to names, or to parts of a plain map of such a name.

    Names of ``watched`` that it changes in any other way have the value ``NOT_PLAIN``. What cannot be read is noted.
    """
    text = "\n".join(
        "" if line.lstrip().startswith("#") else line for line in notes.script(file, most=_LARGEST_FILE).split("\n")
    )
    try:
        if len(text.encode()) > _LARGEST:
            raise ValueError(f"it has more than {_LARGEST} bytes of code")
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as fault:
        notes.refuse(file, fault)
        return {}
    found: dict[str, Any] = {}
    for statement in tree.body:
        for name, value in _assigned(statement, found, watched):
            found[name] = value  # noqa: PERF403  later values may need earlier ones
    return found


def _assigned(statement: ast.stmt, known: dict[str, Any], watched: Collection[str]) -> Iterator[tuple[str, Any]]:
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and statement.value:
        yield statement.target.id, _plain(statement.value, known)
    elif isinstance(statement, ast.Assign) and all(isinstance(one, ast.Name) for one in statement.targets):
        value = _plain(statement.value, known)
        yield from ((one.id, value) for one in statement.targets if isinstance(one, ast.Name))
    elif not isinstance(statement, ast.Import | ast.ImportFrom):
        # A name that is changed in a branch, or by a call, has no known value.
        names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
        yield from ((name, NOT_PLAIN) for name in names.intersection(watched))


def _plain(value: ast.expr, known: dict[str, Any]) -> Any:
    """Return what an expression of literals, of names of such and of sums of texts is worth."""
    if isinstance(value, ast.Name):
        return known.get(value.id, NOT_PLAIN)
    try:
        return _worked_out(value, known)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return NOT_PLAIN


def _worked_out(value: ast.expr, known: dict[str, Any]) -> Any:
    if isinstance(value, ast.Name) and isinstance(known.get(value.id), str | int):
        # Names of lists in lists could grow without end.
        return known[value.id]
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        left, right = (_worked_out(one, known) for one in (value.left, value.right))
        if isinstance(left, str) and isinstance(right, str) and len(left) + len(right) <= _LONGEST:
            return left + right
        raise ValueError(value)
    if isinstance(value, ast.JoinedStr):
        return "".join(str(_worked_out(one, known)) for one in value.values)
    if isinstance(value, ast.FormattedValue) and value.format_spec is None and value.conversion < 0:
        return _worked_out(value.value, known)
    if isinstance(value, ast.Tuple | ast.List | ast.Set):
        return [_worked_out(one, known) for one in value.elts]
    if isinstance(value, ast.Dict):
        return {
            _worked_out(name, known): _worked_out(one, known)
            for name, one in zip(value.keys, value.values, strict=True)
            if name is not None
        }
    found = ast.literal_eval(value)
    if isinstance(found, int) and found.bit_length() > 64:
        raise ValueError(value)
    return found
