"""The rules of ``docs/contract/``, and the mark that ties a test to the rules it proves.

A new rule is a line on the page of its area; ``tests/test_requirements.py`` then fails until a test carries its id.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

__all__ = ["CONTRACT", "RULES", "Rule", "UnreadableRule", "fields_below", "requirement", "rules_in"]

CONTRACT = Path(__file__).resolve().parents[2] / "docs" / "contract"

_ID = r"[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*){1,3}"
_RULE = re.compile(rf'- <a id="(?P<anchor>{_ID})"></a>\*\*(?P<id>{_ID})\*\* — (?P<sentence>\S.*[.:])')
_LOOKS_LIKE_A_RULE = re.compile(r"<a id=|^- \*\*[a-z]")


class UnreadableRule(Exception):
    """A line of a contract page that looks like a rule and is not written as one."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the product: its id, which is its anchor, and what it promises, as Markdown."""

    id: str
    sentence: str


def rules_in(page: str, *, name: str) -> Iterator[Rule]:
    """Yield the rules of a contract page, in order; raises ``UnreadableRule``."""
    for number, line in enumerate(page.splitlines(), start=1):
        found = _RULE.fullmatch(line)
        if found and found["anchor"] == found["id"]:
            yield Rule(found["id"], found["sentence"])
        elif _LOOKS_LIKE_A_RULE.search(line):
            raise UnreadableRule(f"{name}:{number}: write - <a id=ID></a>**ID** — Sentence.")


RULES = tuple(
    rule for path in sorted(CONTRACT.glob("*.md")) for rule in rules_in(path.read_text("utf-8"), name=path.name)
)
_IDS = frozenset(rule.id for rule in RULES)


def requirement(*ids: str) -> pytest.MarkDecorator:
    """Mark a test as a proof of these rules; raises ``LookupError`` for an id that no contract page has."""
    unknown = [one for one in ids if one not in _IDS]
    if unknown or not ids:
        raise LookupError(f"No such rule in docs/contract: {', '.join(unknown) or 'none was named'}")
    return pytest.mark.requirement(*ids)


def fields_below(anchor: str, *, page: str) -> list[str]:
    """Return the names in the first column of the table that follows a rule."""
    _, _, rest = (CONTRACT / page).read_text("utf-8").partition(f'<a id="{anchor}">')
    table = re.search(r"^\|.+?^(?!\|)", rest, re.DOTALL | re.MULTILINE)
    if table is None:
        raise LookupError(f"No table follows {anchor}.")
    return [name for row in table[0].splitlines() for name in re.findall(r"`([a-z0-9_]+)`", row.split(" | ")[0])]
