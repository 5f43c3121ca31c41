"""Earlier approvals and declarations in an adoption, and the names of their faults."""

from datetime import UTC, date, datetime

import pytest

from blog_engine.inputs.adoption import Declaration
from tests.inputs.values import (
    ADOPTED_AT,
    ADOPTED_CONNECTIONS,
    DECLARATION,
    IMPORTED,
    NUL,
    adoption_refusal,
    parameter_id,
    parse_adoption,
)
from tests.requirements import requirement


@requirement("adoption.approval.reviewer")
@pytest.mark.parametrize("key", ["declaration", "imported_approval"])
@pytest.mark.parametrize(
    "wrong",
    [
        *[{"reviewer_name": name} for name in (..., None, "", " ", 5, NUL)],
        *[{"facts_checked": answer} for answer in (..., None, "true", 0, 1)],
    ],
    ids=parameter_id,
)
def test_an_earlier_approval_without_name_or_answer_is_incomplete(key: str, wrong: dict[str, object]) -> None:
    whole = {"declaration": DECLARATION, "imported_approval": IMPORTED}[key] | wrong

    assert adoption_refusal(**{key: {name: value for name, value in whole.items() if value is not ...}}) == (
        "approval_incomplete",
        [],
    )


@requirement("adoption.approval.reviewer")
@pytest.mark.parametrize("value", [None, "Rosa", 5, [], True], ids=parameter_id)
@pytest.mark.parametrize("key", ["declaration", "imported_approval"])
def test_an_earlier_approval_is_an_object(key: str, value: object) -> None:
    assert adoption_refusal(**{key: value}) == ("approval_incomplete", [])


TIMES = [..., None, "", "2020-03-04", "2020-03-04T12:00:00", 5]
NAMES = [..., None, "", " ", 5]
DAYS = [..., None, "", "2020-3-4", "2020-02-30", ADOPTED_AT, False]


@requirement("adoption.approval.parts")
@pytest.mark.parametrize(
    ("key", "whole", "name", "values"),
    [
        ("declaration", DECLARATION, "approved_at", TIMES),
        ("declaration", DECLARATION, "declared_by", NAMES),
        ("declaration", DECLARATION, "declared_on", DAYS),
        ("declaration", DECLARATION, "declared_first_published_at", ["", "2020-03-04", 5]),
        ("imported_approval", IMPORTED, "approved_at", TIMES),
        ("imported_approval", IMPORTED, "evidence", NAMES),
        ("imported_approval", IMPORTED, "confirmed_by", NAMES),
        ("connections", ADOPTED_CONNECTIONS, "connections", [..., None, "none", {}, [5]]),
        ("connections", ADOPTED_CONNECTIONS, "third_party_paid", [..., None, "false", 0]),
        ("connections", ADOPTED_CONNECTIONS, "declared_by", NAMES),
        ("connections", ADOPTED_CONNECTIONS, "declared_on", DAYS[1:]),
        ("old_slugs", {"slug": "a"}, "moved_on", ["", "2020-3-4", "2020-02-30", False, 5]),
    ],
    ids=parameter_id,
)
def test_a_fault_inside_is_named_by_its_dotted_name(
    key: str, whole: dict[str, object], name: str, values: list[object]
) -> None:
    for value in values:
        one = {inner: kept for inner, kept in (whole | {name: value}).items() if kept is not ...}

        assert adoption_refusal(**{key: [one] if key == "old_slugs" else one}) == (
            "validation_failed",
            [f"{key}.{name}"],
        )


@requirement("adoption.approval.parts")
@pytest.mark.parametrize("name", ["party", "relation"])
@pytest.mark.parametrize("value", NAMES, ids=parameter_id)
def test_a_fault_in_a_connection_is_named_by_its_dotted_name(name: str, value: object) -> None:
    one = {"party": "Quay Ltd", "relation": "customer", name: value}
    sent = ADOPTED_CONNECTIONS | {"connections": [{key: kept for key, kept in one.items() if kept is not ...}]}

    assert adoption_refusal(connections=sent) == ("validation_failed", [f"connections.connections.{name}"])


@requirement("adoption.approval.one")
def test_an_approval_is_either_declared_or_imported() -> None:
    assert adoption_refusal(declaration=DECLARATION, imported_approval=IMPORTED) == (
        "validation_failed",
        ["declaration", "imported_approval"],
    )


@requirement("adoption.approval.first-date")
def test_a_declared_first_time_stands_alone() -> None:
    declared = DECLARATION | {"declared_first_published_at": ADOPTED_AT}

    assert adoption_refusal(declaration=declared, first_published_at=ADOPTED_AT) == (
        "validation_failed",
        ["declaration.declared_first_published_at"],
    )
    assert parse_adoption(declaration=declared, first_published_at=None).declaration is not None
    undated = parse_adoption(
        declaration=DECLARATION | {"declared_first_published_at": None}, first_published_at=ADOPTED_AT
    )
    assert undated.declaration is not None
    assert undated.declaration.declared_first_published_at is None


@requirement("adoption.provenance")
@pytest.mark.parametrize("evidence", [..., None, "", " "], ids=parameter_id)
@pytest.mark.parametrize("provenance", ["ai_assisted", "human_written"])
def test_a_claim_about_the_writer_needs_evidence_or_a_declaration(provenance: str, evidence: object) -> None:
    expected = ("validation_failed", ["provenance_evidence"])

    assert adoption_refusal(provenance=provenance, provenance_evidence=evidence) == expected
    assert adoption_refusal(provenance=provenance, provenance_evidence=evidence, imported_approval=IMPORTED) == expected
    assert parse_adoption(provenance=provenance, declaration=DECLARATION).provenance == provenance
    assert parse_adoption(provenance=provenance, provenance_evidence="The editor said so.").provenance == provenance


def test_python_callers_are_held_to_the_same_rules() -> None:
    declared = Declaration(
        reviewer_name="Rosa",
        facts_checked=True,
        approved_at=datetime(2020, 3, 4, tzinfo=UTC),
        declared_by="Mina",
        declared_on=date(2026, 2, 3),
        declared_first_published_at=datetime(2020, 3, 4, tzinfo=UTC),
    )

    assert adoption_refusal(declaration=declared, first_published_at=ADOPTED_AT) == (
        "validation_failed",
        ["declaration.declared_first_published_at"],
    )
