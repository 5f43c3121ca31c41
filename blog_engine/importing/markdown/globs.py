"""Patterns for paths, matched in a time that grows with pattern and path only, whatever the pattern."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final, Literal

_MOST_SIGNS: Final = 300
_MOST_CHOICES: Final = 100
_MOST_REPEATS: Final = 3
"""Parts of an expression that repeat without end: the time grows with the length of the path to that power."""
_EXPRESSION: Final = re.compile(
    r"(?P<group>\((?:\?P<\w+>|\?:)?)|(?P<end>\))"
    r"|(?P<atom>\\[dwsDWS./_\\-]|\[\^?\]?[^][]*\]|[^][(){}*+?|\\])(?P<count>\{[0-9]{1,2}(?:,[0-9]{0,2})?\}|[*+?])?(?P<lazy>\??)"
)

_Step = Literal["*", "**"] | Callable[[str], bool]


class PatternRefused(ValueError):
    """A pattern is not understood."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern for paths."""

    choices: tuple[tuple[_Step, ...], ...]

    def matches(self, path: str) -> bool:
        """Return whether the pattern matches the whole path."""
        return any(_matches(steps, path) for steps in self.choices)


@dataclass(frozen=True, slots=True)
class OrderedPatterns:
    """Patterns that include or exclude files; the first that matches decides, and what matches none is excluded."""

    choices: tuple[tuple[bool, Pattern], ...]

    def includes(self, path: PurePosixPath) -> bool:
        """Return whether a file is included; a pattern that excludes a folder excludes what is in it."""
        above = [str(one) for one in path.parents]
        for is_included, pattern in self.choices:
            if pattern.matches(str(path)) or (not is_included and any(map(pattern.matches, above))):
                return is_included
        return False


def glob_pattern(text: str, *, stars_cross: bool = False) -> Pattern:
    """Return the pattern of a glob, with ``*``, ``**``, ``?``, ``[a-z]``, ``[!a]``, ``{a,b}`` and ``\\`` before signs.

    ``stars_cross`` lets ``*`` and ``?`` match slashes as well. Raises ``PatternRefused``.
    """
    if len(text) > _MOST_SIGNS:
        raise PatternRefused(text[:40])
    return Pattern(tuple(tuple(_glob_steps(one, stars_cross=stars_cross)) for one in _expanded(text)))


def expression_pattern(text: str) -> Pattern:
    """Return the pattern that a simple regular expression is, which may match a part of a path.

    It may have ``.``, ``.*``, ``.+``, ``[…]``, ``\\`` before signs, ``^`` and ``$`` at its ends, and ``|`` between
    whole ones. Raises ``PatternRefused`` for others.
    """
    if len(text) > _MOST_SIGNS or text.count("|") > _MOST_CHOICES:
        raise PatternRefused(text[:40])
    return Pattern(tuple(_expression_steps(one) for one in text.split("|")))


def named_groups(text: str) -> re.Pattern[str]:
    """Return a regular expression with groups, if it is so simple that its time is bounded.

    Groups do not repeat and have no choices, and at most three parts repeat without end. Raises ``PatternRefused``.
    """
    at, depth, repeats, before = 0, 0, 0, ""
    while at < len(text):
        found = _EXPRESSION.match(text, at)
        if found is None or len(text) > _MOST_SIGNS:
            raise PatternRefused(text[:40])
        count = found["count"] or ""
        if before == "end" and text[at] in "*+?{":
            raise PatternRefused(text[:40])
        repeats += count in {"*", "+"} or count.endswith(",}")
        depth += 1 if found["group"] else -1 if found["end"] else 0
        before = found.lastgroup or ""
        at = found.end()
    try:
        if depth or repeats > _MOST_REPEATS:
            raise PatternRefused(text[:40])
        return re.compile(text)
    except re.error as fault:
        raise PatternRefused(text[:40]) from fault


def _matches(steps: Sequence[_Step], path: str) -> bool:
    at = _with_stars_left_out({0}, steps)
    for sign in path:
        after = set[int]()
        for place in at:
            step = steps[place] if place < len(steps) else None
            if step == "**" or (step == "*" and sign != "/"):
                after.add(place)
            elif callable(step) and step(sign):
                after.add(place + 1)
        at = _with_stars_left_out(after, steps)
        if not at:
            return False
    return len(steps) in at


def _with_stars_left_out(places: set[int], steps: Sequence[_Step]) -> set[int]:
    found = set(places)
    for place in places:
        while place < len(steps) and not callable(steps[place]):
            place += 1
            found.add(place)
    return found


def _expanded(text: str) -> list[str]:
    """Return the globs that the alternatives in braces make."""
    opening = _find(text, "{")
    if opening is None:
        return [text]
    depth, begin, parts = 0, opening + 1, list[str]()
    for place in range(opening, len(text)):
        if text[place - 1 : place] == "\\":
            continue
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if (text[place] == "," and depth == 1) or depth == 0:
            parts.append(text[begin:place])
            begin = place + 1
        if depth == 0:
            found = [f"{text[:opening]}{part}{text[begin:]}" for part in parts]
            expanded = [one for part in found[: _MOST_CHOICES + 1] for one in _expanded(part)]
            if len(expanded) > _MOST_CHOICES:
                raise PatternRefused(text[:40])
            return expanded
    raise PatternRefused(text[:40])


def _find(text: str, sign: str) -> int | None:
    found = re.search(rf"(?<!\\){re.escape(sign)}", text)
    return found.start() if found else None


def _glob_steps(text: str, *, stars_cross: bool) -> Iterator[_Step]:
    at = 0
    while at < len(text):
        sign = text[at]
        at += 1
        if sign == "*":
            stars = 1
            while text[at : at + 1] == "*":
                stars, at = stars + 1, at + 1
            yield "**" if stars > 1 or stars_cross else "*"
        elif sign == "?":
            yield (lambda one: True) if stars_cross else (lambda one: one != "/")
        elif sign == "[":
            step, at = _set(text, at)
            yield step
        elif sign == "\\" and at < len(text):
            yield _literal(text[at])
            at += 1
        else:
            yield _literal(sign)


def _expression_steps(text: str) -> tuple[_Step, ...]:
    steps: list[_Step] = []
    starts, ends = text.startswith("^"), text.endswith("$") and not text.endswith("\\$")
    text = text.removeprefix("^")[: -1 if ends else None]
    at = 0
    while at < len(text):
        sign = text[at]
        at += 1
        if sign in "(){}^$*+?":
            raise PatternRefused(text[:40])
        step: _Step
        if sign == "[":
            step, at = _set(text, at)
        elif sign == "\\":
            if not text[at : at + 1] or text[at].isalnum():
                raise PatternRefused(text[:40])
            step, at = _literal(text[at]), at + 1
        elif sign == ".":
            step = _any
            if text[at : at + 1] in {"*", "+"}:
                steps += [_any] if text[at] == "+" else []
                step, at = "**", at + 1
        else:
            step = _literal(sign)
        steps.append(step)
    if not starts:
        steps.insert(0, "**")
    if not ends:
        steps.append("**")
    return tuple(steps)


def _any(sign: str) -> bool:
    return True


def _literal(sign: str) -> Callable[[str], bool]:
    return sign.__eq__


def _set(text: str, at: int) -> tuple[Callable[[str], bool], int]:
    """Return the step for the signs in brackets, and the place behind them."""
    end = text.find("]", at + 2 if text[at : at + 1] in {"!", "^"} else at + 1)
    if end < 0:
        raise PatternRefused(text[:40])
    is_negated = text[at] in "!^"
    inner = text[at + is_negated : end]
    try:
        known = re.compile("[" + re.sub(r"([\[&~|])", r"\\\1", inner) + "]")
    except re.error as fault:
        raise PatternRefused(text[:40]) from fault
    return (lambda one: one != "/" and (known.match(one) is None) is is_negated), end + 1
