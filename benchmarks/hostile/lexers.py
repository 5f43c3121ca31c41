"""Measure the highlighter with hostile code in every language that it highlights.

Run ``python benchmarks/hostile/lexers.py [language …]``. It prints the slowest block of each language, and exits with 1
when a block takes more than 0.4 s of processor time or a lexer fails. The blocks are as large as the highlighter
accepts: repeated fragments from the patterns of a lexer and from a common list, after a part of another fragment.
"""

import random
import re
import re._constants as constants  # type: ignore[import-not-found]  # the parser of the standard library's patterns
import sys
from collections.abc import Iterator
from re import _parser  # type: ignore[attr-defined]
from time import thread_time
from typing import Any

from pygments.lexer import words
from pygments.lexers import get_lexer_by_name

from blog_engine.content import _blocks

MOST_SECONDS = 0.4
BLOCKS = 400
"""Random blocks per language, besides those of the common fragments."""
LINE = 380

FRAGMENTS = [
    *"\"'`<>()[]{}\\a0#$@;,=-+*_~|&!?%^/.:\n\t éA",
    *("a ", " a", "a\n", "\na", "\n ", "0x", "1e", "1.", "a.", "a::", "a<", "a:", "a(", "a[", "a{", "(a", "[a", "{a"),
    *("<!--", "/*", "*/", "//", "/a", "a/", "/**", "'''", '"""', "```", '\\"', "\\'", "\\\n", "\\a", "${", "#{", "$("),
    *(
        "<?",
        "<a ",
        "<a b='",
        "</",
        "--",
        "- ",
        "**",
        "_a",
        "&&",
        "=>",
        "->",
        "<-",
        "<<",
        "<<a",
        "<<a\n",
        "<<-A\n",
        ">>",
    ),
    *("{{", "}}", "{%", "%{", "%}", "if ", "class ", "def ", "function ", "f(x)", "::", ": ", "a: ", "\n- ", "a b"),
    *("a,b", "0.0", "0_0", "a-", "-a", "a\t", "(a,", "a=", "a = ", '"a', "'a", '"a"', "'a'", 'a"', "#a\n"),
]


def main(names: list[str]) -> int:
    """Measure the named languages (default: all); return the exit status."""
    worst = 0.0
    for name in names or sorted(_blocks.LANGUAGES):
        seconds, block = max((seconds_of(name, block), block) for block in blocks_of(name))
        print(f"{name:12} {seconds:6.3f} s  {block[:40]!r}", flush=True)
        worst = max(worst, seconds)
    print(f"slowest block: {worst:.3f} s, at most {MOST_SECONDS} s")
    return int(worst > MOST_SECONDS)


def seconds_of(language: str, code: str) -> float:
    """Return the processor time of a block; exceptions of the lexer are raised."""
    lexer = get_lexer_by_name(language, **_blocks.LEXER_OPTIONS)
    highlighter = _blocks.Highlighter()
    if not highlighter.has_room(code):
        return 0.0
    started = thread_time()
    highlighter.tokens(lexer, code)
    return thread_time() - started


def blocks_of(language: str) -> Iterator[str]:
    """Yield hostile blocks as large as the highlighter accepts, the same in each run."""
    chosen = random.Random(7)
    patterns = [_parser.parse(pattern) for pattern in patterns_of(language)]

    def fragment(likely: float) -> str:
        if not patterns or chosen.random() > likely:
            return chosen.choice(FRAGMENTS)
        text = sample(chosen.choice(patterns), chosen)
        return text[: chosen.randint(1, max(1, len(text)))] or "a"

    yield from map(filled, FRAGMENTS)
    for _ in range(BLOCKS):
        yield filled(fragment(0.8), before=chosen.choice(["", fragment(0.8)]), after=chosen.choice(["", fragment(0.2)]))


def filled(fragment: str, *, before: str = "", after: str = "") -> str:
    """Repeat a fragment up to the limits of a block: its characters, lines and the length of a line."""
    room = _blocks.MAX_BLOCK - len(before) - len(after) - 1
    lines: list[str] = []
    for line in (before + fragment * (room // len(fragment)) + "\n" + after).split("\n"):
        lines += [line[start : start + LINE] for start in range(0, len(line), LINE)] or [""]
    return "\n".join(lines[: _blocks.MAX_LINES + 1])[: _blocks.MAX_BLOCK]


def patterns_of(language: str) -> list[str]:
    """Return the patterns of the lexer of a language."""
    found: dict[str, None] = {}
    for base in type(get_lexer_by_name(language)).__mro__:
        tables = base.__dict__.get("tokens", {})
        for rule in (rule for rules in tables.values() for rule in rules if isinstance(rule, tuple) and rule):
            pattern = rule[0].get() if isinstance(rule[0], words) else rule[0]
            if isinstance(pattern, str) and compiles(pattern):
                found[pattern] = None
    return list(found)


def compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True


def sample(pattern: Any, chosen: random.Random) -> str:
    """Return a text that a parsed pattern matches, or nearly matches."""
    return "".join(part_of(kind, value, chosen) for kind, value in pattern)


def part_of(kind: Any, value: Any, chosen: random.Random) -> str:
    """Return a text for one node of a parsed pattern."""
    if kind is constants.LITERAL:
        return chr(value)
    if kind is constants.NOT_LITERAL:
        return "a" if value != ord("a") else "b"
    if kind is constants.IN:
        return member(value, chosen)
    if kind in {constants.MAX_REPEAT, constants.MIN_REPEAT, constants.POSSESSIVE_REPEAT}:
        least, most, inner = value
        count = min(max(least, chosen.randrange(3)), most, 4)
        return "".join(sample(inner, chosen) for _ in range(count))
    if kind is constants.BRANCH:
        return sample(chosen.choice(value[1]), chosen)
    if kind is constants.SUBPATTERN:
        return sample(value[3], chosen)
    if kind is constants.ATOMIC_GROUP:
        return sample(value, chosen)
    if kind is constants.ASSERT and value[0] > 0:
        return sample(value[1], chosen)
    return "a" if kind is constants.ANY else ""


def member(choices: list[tuple[Any, Any]], chosen: random.Random) -> str:
    """Return a character of a set, for an inverted one probably a match."""
    if choices[0][0] is constants.NEGATE:
        return chosen.choice("a \n.")
    kind, value = chosen.choice(choices)
    if kind is constants.LITERAL:
        return chr(value)
    if kind is constants.RANGE:
        return chr(value[0])
    return {constants.CATEGORY_DIGIT: "1", constants.CATEGORY_SPACE: " ", constants.CATEGORY_NOT_WORD: "."}.get(
        value, "a"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
