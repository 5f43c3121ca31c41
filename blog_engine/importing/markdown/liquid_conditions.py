"""Conditions of Liquid that can be told without running it, and the branches that they choose between.

The rules are those of "Control flow", "Operators" and "Truthy and falsy" in Liquid's documentation.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

UNKNOWN: Final = object()
"""The value of an expression that is not known without running the template."""

_TAG: Final = re.compile(r"\{%-?\s*(\w+)\b((?:[^%]|%(?!\}))*?)-?%\}")
_BEGINS: Final = frozenset({"if", "unless"})
_ENDS: Final = {"endif": "if", "endunless": "unless"}
_COMPARED: Final = re.compile(r"""((?:"[^"]*"|'[^']*'|[^\s"'=!<>]+))(?:\s*(==|!=|\bcontains\b)\s*(.+))?""")
_JOINED: Final = re.compile(r"""("[^"]*"|'[^']*')|\s(and|or)\s""")


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch of a condition."""

    condition: str | None
    """``None`` for the last one, which has none."""
    start: int
    end: int


@dataclass(slots=True)
class Condition:
    """A condition with its branches."""

    name: str
    start: int
    branches: list[Branch]
    end: int = -1


def conditions_in(text: str, is_code: Callable[[int], bool]) -> dict[int, Condition]:
    """Return the conditions of a text that end, by the places where they begin."""
    found: dict[int, Condition] = {}
    opened: list[tuple[Condition, str | None, int]] = []
    for tag in _TAG.finditer(text):
        name, condition = tag[1], tag[2].strip()
        if is_code(tag.start()):
            continue
        if name in _BEGINS:
            opened.append((Condition(name, tag.start(), []), condition, tag.end()))
        elif name in {"elsif", "elif", "else"} and opened:
            block, before, start = opened.pop()
            block.branches.append(Branch(before, start, tag.start()))
            opened.append((block, None if name == "else" else condition, tag.end()))
        elif name in _ENDS and opened:
            block, before, start = opened.pop()
            if block.name == _ENDS[name]:
                block.branches.append(Branch(before, start, tag.start()))
                block.end = tag.end()
                found[block.start] = block
    return found


def chosen_branch(block: Condition, value_of: Callable[[str], Any]) -> Branch | None:
    """Return the branch that readers saw, ``None`` for none; raises ``LookupError`` if that is not known."""
    for number, branch in enumerate(block.branches):
        holds = branch.condition is None or _holds(branch.condition, value_of)
        if holds != (block.name == "unless" and number == 0):
            return branch
    return None


def _holds(condition: str, value_of: Callable[[str], Any]) -> bool:
    """Return whether a condition holds; of several the last is worked out first."""
    parts = list(_parts(condition))
    result = _holds_alone(parts[-1], value_of)
    for place in range(len(parts) - 3, -1, -2):
        first = _holds_alone(parts[place], value_of)
        result = (first and result) if parts[place + 1] == "and" else (first or result)
    return result


def _parts(condition: str) -> Iterator[str]:
    at = 0
    for found in _JOINED.finditer(condition):
        if found[2]:
            yield from (condition[at : found.start()], found[2])
            at = found.end()
    yield condition[at:]


def _holds_alone(condition: str, value_of: Callable[[str], Any]) -> bool:
    found = _COMPARED.fullmatch(condition.strip())
    if found is None:
        raise LookupError(condition)
    values = [value_of(one.strip()) for one in (found[1], found[3]) if one is not None]
    if any(one is UNKNOWN for one in values):
        raise LookupError(condition)
    if found[2] is None:
        return values[0] is not None and values[0] is not False
    one, other = values
    if found[2] == "contains":
        return str(other) in one if isinstance(one, str | list) else False
    is_alike = one in (None, "", [], {}, False) if other == [] else one == other
    return is_alike == (found[2] == "==")
