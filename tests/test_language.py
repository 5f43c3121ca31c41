"""Texts and names use plain words, name no document outside the repository, and cite rules that exist."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.requirements import RULES

ROOT = Path(__file__).resolve().parents[1]

SHIPPED = [
    *("blog_engine", "docs", "scripts", "example_site"),
    *("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md", "CHANGELOG.md", "noxfile.py", "pyproject.toml"),
]
"""Where words are checked."""
EVERYWHERE = [*SHIPPED, "tests", "benchmarks", ".ci"]
"""Where citations are checked."""

SUFFIXES = frozenset(
    {"", ".css", ".html", ".js", ".json", ".md", ".py", ".sh", ".svg", ".toml", ".txt", ".xml", ".yml"}
)
EXCEPTIONS = frozenset(
    {"blog_engine/images/fonts", "blog_engine/management/samples", "blog_engine/static/blog_engine/desk/vendor"}
)
"""The licence of a font, articles that are samples of a blog, and what npm packages bring."""

WORDS = {
    r"(?:un)?mend(?:s|ed|ing)?": "fix",
    r"heal(?:s|ed|ing)?": "fix",
    r"st(?:ands?|anding|ood) (?:in(?! front)|at)|st(?:ands?|ood)(?=[:.;,])": "is in, is at, replaces, occurs",
    r"(?:unless|if not) told": "default: …",
    r"whoever": "the caller, clients",
    r"of ours": "our",
    r"nobody": "no …, only",
    r"shall": "must",
    r"may not": "must not, cannot",
    r"anew": "again",
    r"hither|thither|whence|thence": "here, there, from where",
    r"tells of": "reports, shows",
    r"rooms|the house(?! style)": "packages, modules, the architecture",
    r"faces": "interfaces, entry points",
    r"address(?:es|ed)?": "URL, path, IP address, email address",
}
"""Banned words, as patterns, and what to write instead."""
NAMES = {
    "told": "event_text, lines, payloads: the thing that it is",
    "tellers": "the things that they return",
    "tried": "dry_run_result, or the result that it is",
    "trying": "dry_run",
    "conclude": "finish_write",
}
"""Banned words in names of classes, functions and variables, and what to write instead."""
MODULES = {"conduct": "pipeline", "deciding": "proposal_actions", "supporting": "records"}
"""Banned names of modules, and what to write instead."""
ALLOWED = re.compile(
    r"""(?:IP|IPv4|IPv6|e-?mail|postal)\s+address(?:es)?   # of a machine, a mailbox, a house
    | </?address\b | "address"                          # the element of HTML
    """,
    re.IGNORECASE | re.VERBOSE,
)
_BANNED = re.compile(
    rf"\b(?:{'|'.join(f'(?:{word})' for word in WORDS)})\b|, too(?=[.,;:)])".replace(" ", r"\s+"), re.IGNORECASE
)

_QUESTION = re.compile(r"(?:What|Which|Whether|How|Where|When|Who|Whom|Whose|Why)\b")
"""The first word of a docstring that is a clause: name the thing, or say what a function returns."""

_OUTSIDE = re.compile(
    r"(?<![\w/-])(?:records|reader|decisions|design|service|layout|speed|style|dependencies|mcp)[.]md\b"
    r"|\b(?:the )?spec(?:ification)? section \d"
)

_TEXTS = {tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
"""Tokens of Python with texts; f-strings have their own since 3.12."""

_AREAS = "|".join(sorted({rule.id.partition(".")[0] for rule in RULES}))
_RULE_ID = re.compile(rf"(?<![\w./-])(?:{_AREAS})(?:\.[a-z0-9]+(?:-[a-z0-9]+)*){{1,3}}(?![\w(/=-])")
_FILE = re.compile(r"\.(?:md|csv|json|xml|html|py|css|js)$")


@cache
def files_in(*places: str) -> tuple[Path, ...]:
    """Return the files with texts in folders and single files of the repository."""
    return tuple(
        path
        for place in places
        for path in ([ROOT / place] if (ROOT / place).is_file() else sorted((ROOT / place).rglob("*")))
        if path.suffix in SUFFIXES and path.is_file() and not _is_left_out(path.relative_to(ROOT))
    )


def _is_left_out(path: Path) -> bool:
    name = path.as_posix()
    return "__pycache__" in name or name.startswith("example_site/var/") or path.parent.as_posix() in EXCEPTIONS


def texts_of(path: Path, content: str) -> Iterator[tuple[int, str]]:
    """Yield the texts of a file with their first lines: of Python its strings and comments."""
    if path.suffix == ".py" or content.startswith("#!/usr/bin/env python"):
        for token in tokenize.generate_tokens(io.StringIO(content).readline):
            if token.type in _TEXTS:
                yield token.start[0], token.string
    elif path.name == "CHANGELOG.md":
        yield 1, content.partition("\n## [0")[0]
    else:
        yield 1, content


def found_in(places: list[str], pattern: re.Pattern[str], *, allowed: re.Pattern[str] | None = None) -> list[str]:
    """Return where texts match a pattern, as ``path:line: line``."""
    found = []
    for path in files_in(*places):
        content = path.read_text("utf-8")
        # Tokenizing every file takes seconds.
        if not pattern.search(content):
            continue
        for first, text in texts_of(path, content):
            shown = allowed.sub(lambda match: " " * len(match[0]), text) if allowed else text
            for match in pattern.finditer(shown):
                number = text.count("\n", 0, match.start())
                line = text.splitlines()[number].strip()
                found.append(f"{path.relative_to(ROOT)}:{first + number}: {match[0]!r} in {line[:120]}")
    return found


def test_texts_use_plain_words() -> None:
    found = found_in(SHIPPED, _BANNED, allowed=ALLOWED)

    assert found == [], "See WORDS for what to write instead."


def nodes_of(pattern: str) -> Iterator[tuple[str, ast.AST]]:
    """Yield the syntax of the modules of the package that match a pattern, with their paths."""
    for path in sorted((ROOT / "blog_engine").rglob("*.py")):
        content = path.read_text("utf-8")
        # Parsing every file takes seconds.
        if re.search(pattern, content, re.IGNORECASE):
            yield from ((str(path.relative_to(ROOT)), node) for node in ast.walk(ast.parse(content)))


def begins_with_a_question(node: ast.AST) -> bool:
    """Return whether the docstring of a module, class or function does; that of a property may begin with "Whether"."""
    if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
        return False
    question = _QUESTION.match(ast.get_docstring(node) or "")
    is_property = isinstance(node, ast.FunctionDef) and any(
        ast.unparse(decorator).endswith("property") for decorator in node.decorator_list
    )
    return question is not None and not (is_property and question[0] == "Whether")


def words_of(node: ast.AST) -> set[str]:
    """Return the words of the name that a node defines."""
    name = ""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        name = node.name
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        name = node.id
    elif isinstance(node, ast.arg):
        name = node.arg
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)}


def test_docstrings_name_things() -> None:
    questions = nodes_of(rf'"""\s*{_QUESTION.pattern}')

    found = [f"{path}: {getattr(node, 'name', 'module')}" for path, node in questions if begins_with_a_question(node)]

    assert found == [], "Begin with a noun, or with Return for a function."


def test_names_say_what_they_hold() -> None:
    found = {f"{path}: {word}" for path, node in nodes_of("|".join(NAMES)) for word in NAMES.keys() & words_of(node)}
    modules = {path.stem for path in (ROOT / "blog_engine").rglob("*.py")}

    assert found == set(), "See NAMES for what to write instead."
    assert modules & MODULES.keys() == set(), "See MODULES for what to write instead."


def test_no_text_names_a_document_outside_the_repository() -> None:
    assert found_in(EVERYWHERE, _OUTSIDE) == []


def test_every_cited_rule_exists() -> None:
    known = {rule.id for rule in RULES}
    cited = {
        f"{path.relative_to(ROOT)}: {rule_id}"
        for path in files_in(*SHIPPED)
        for rule_id in ids_in(path)
        if rule_id not in known
    }

    assert cited == set()


def ids_in(path: Path) -> Iterator[str]:
    """Yield what looks like the id of a rule in comments and docstrings, or in a page."""
    if path.suffix not in {".md", ".py"}:
        return
    content = path.read_text("utf-8")
    if not _RULE_ID.search(content):
        return
    for _, text in texts_of(path, content):
        if path.suffix == ".md" or text.startswith(("#", '"""')):
            yield from (found for found in _RULE_ID.findall(text) if not _FILE.search(found))


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("The address of a page", True),
        ("IP addresses and email addresses", False),
        ("This too, is fine", False),
        ("It is read, too.", True),
        ("Whoever asks", True),
        ("stands in for", True),
        ("Where it stands: in the title", True),
        ("send the change anew", True),
        ("commend the recommendation", False),
    ],
)
def test_banned_words_are_found(text: str, is_found: bool) -> None:
    assert bool(_BANNED.search(ALLOWED.sub("", text))) is is_found


def test_documents_elsewhere_and_ids_of_rules_are_found() -> None:
    assert _OUTSIDE.search("as {}.md 5.3 says".format("records"))
    assert not _OUTSIDE.search("[the log](docs/how-to/service.md)")
    assert _RULE_ID.findall("Why (posts.slug.taken)? See images.files() and blog_engine.posts.slug") == [
        "posts.slug.taken"
    ]


@pytest.mark.parametrize(
    ("source", "is_found"),
    [
        ('"""What the pages share."""', True),
        ('"""The base of the pages."""', False),
        ('class Result:\n    """Which posts were found."""', True),
        ('def is_open(self):\n    """Whether it is open."""', True),
        ('@property\ndef is_open(self):\n    """Whether it is open."""', False),
        ('@property\ndef path(self):\n    """Where it is."""', True),
    ],
)
def test_questions_are_found(source: str, is_found: bool) -> None:
    nodes = ast.walk(ast.parse(source))

    assert any(map(begins_with_a_question, nodes)) is is_found


@pytest.mark.parametrize(
    ("source", "is_found"),
    [
        ("def proposal_told(): pass", True),
        ("class Told: pass", True),
        ("_TELLERS = {}", True),
        ("def save(trying): pass", True),
        ("print(told)", False),
        ("untold = 1", False),
    ],
)
def test_banned_names_are_found(source: str, is_found: bool) -> None:
    words = {word for node in ast.walk(ast.parse(source)) for word in words_of(node)}

    assert bool(words & NAMES.keys()) is is_found
