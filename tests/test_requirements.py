"""Every rule has a test, and every test that names a rule names one that exists (design.md 4)."""

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.requirements import RULES
from tests.requirements import requirement as marked  # under its own name it would be a mark on nothing
from tests.requirements.scan import Proof, UnreadableMark, proofs_in, proofs_of

TESTS = Path(__file__).resolve().parent
IDS = [rule.id for rule in RULES]


def test_every_rule_has_a_test() -> None:
    proven = {proof.rule for proof in proofs_in(TESTS)}

    assert [rule for rule in RULES if rule.id not in proven] == []


def test_no_test_names_a_rule_that_does_not_exist() -> None:
    assert [proof for proof in proofs_in(TESTS) if proof.rule not in IDS] == []


def test_no_test_names_a_rule_twice() -> None:
    assert [proof for proof, count in Counter(proofs_in(TESTS)).items() if count > 1] == []


def test_no_two_rules_share_an_id_or_a_sentence() -> None:
    sentences = [rule.sentence for rule in RULES]

    assert [one for one, count in Counter(IDS + sentences).items() if count > 1] == []


def test_every_rule_tells_its_area_where_it_stands_and_what_it_says() -> None:
    ill_formed = [
        rule
        for rule in RULES
        if not re.fullmatch("[a-z]+:[a-z][a-z0-9]*(-[a-z]+)*", rule.id)
        or not re.fullmatch(r"(service|decisions|records|reader|design|mcp)\.md [0-9]+(\.[0-9]+)?", rule.source)
        or not re.fullmatch(r"[^\s].*\.", rule.sentence)
    ]

    assert ill_formed == []


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


@pytest.mark.parametrize("ids", [(), ("no:such-rule",), ("api:no-store", "no:such-rule")])
def test_an_unknown_rule_stops_its_file(ids: tuple[str, ...]) -> None:
    with pytest.raises(LookupError):
        marked(*ids)
