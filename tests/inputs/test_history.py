from datetime import date
from typing import cast

import pytest

from blog_engine.inputs.base import parse
from blog_engine.inputs.posts import ApproveRevision, Connection, DeclareConnections
from tests.inputs.values import LONE_SURROGATE, NUL, parameter_id, refusal_of_input
from tests.requirements import requirement

POST = {"id": "tides"}
APPROVAL: dict[str, object] = {"revision_identifier": "ab12", "name": "Mina Holt", "facts_checked": True}
DECLARATION: dict[str, object] = {
    "connections": [{"party": "Quay Ltd", "relation": "customer"}],
    "third_party_paid": True,
    "declared_by": "Mina Holt",
}


@requirement("approvals.fields")
def test_an_approval_is_read() -> None:
    assert parse(ApproveRevision, APPROVAL, fixed=POST) == ApproveRevision(
        id="tides", revision_identifier="ab12", name="Mina Holt", facts_checked=True
    )


@pytest.mark.parametrize("missing", [{}, {"revision_identifier": None}], ids=parameter_id)
def test_an_approval_without_identifier_is_left_to_the_service(missing: dict[str, object]) -> None:
    data = parse(ApproveRevision, {"name": "Mina", "facts_checked": False} | missing, fixed=POST)

    assert data.revision_identifier is None


@requirement("approvals.incomplete")
@pytest.mark.parametrize(
    "wrong",
    [
        *[{"name": name} for name in (None, "", " ", 5, NUL, LONE_SURROGATE, "x" * 256)],
        *[{"facts_checked": checked} for checked in (None, "true", 0, 1, [])],
    ],
    ids=parameter_id,
)
def test_an_approval_of_another_shape_is_incomplete(wrong: dict[str, object]) -> None:
    assert refusal_of_input(ApproveRevision, APPROVAL | wrong, fixed=POST) == ("approval_incomplete", [])


@requirement("approvals.fields", "approvals.incomplete")
def test_an_approval_without_an_answer_is_incomplete() -> None:
    raw = {key: value for key, value in APPROVAL.items() if key != "facts_checked"}

    assert refusal_of_input(ApproveRevision, raw, fixed=POST) == ("approval_incomplete", [])


@pytest.mark.parametrize("identifier", [5, True, [], NUL, "x" * 256], ids=parameter_id)
def test_an_identifier_that_is_no_text_is_refused_first(identifier: object) -> None:
    raw: dict[str, object] = {"revision_identifier": identifier}

    assert refusal_of_input(ApproveRevision, raw, fixed=POST) == ("validation_failed", ["revision_identifier"])


@requirement("approvals.unknown")
def test_unknown_names_of_an_approval_are_refused() -> None:
    assert refusal_of_input(ApproveRevision, APPROVAL | {"kind": "sent"}, fixed=POST) == ("unknown_field", ["kind"])


@pytest.mark.parametrize(
    ("sent", "declared_on"), [({}, None), ({"declared_on": "2026-02-03"}, date(2026, 2, 3))], ids=parameter_id
)
def test_a_declaration_is_read(sent: dict[str, object], declared_on: date | None) -> None:
    data = parse(DeclareConnections, DECLARATION | sent, fixed=POST)

    assert data.connections == (Connection(party="Quay Ltd", relation="customer"),)
    assert (data.third_party_paid, data.declared_by, data.declared_on) == (True, "Mina Holt", declared_on)


@requirement("history.connections.complete")
def test_an_empty_list_declares_that_there_are_none() -> None:
    assert parse(DeclareConnections, DECLARATION | {"connections": []}, fixed=POST).connections == ()


@pytest.mark.parametrize(
    ("field", "value"),
    cast(
        "list[tuple[str, object]]",
        [
            *[
                ("connections", value)
                for value in (
                    None,
                    {},
                    "none",
                    ["Quay"],
                    [{}],
                    [{"party": "Quay"}],
                    [{"party": "", "relation": "customer"}],
                    [{"party": "Quay", "relation": " "}],
                    [{"party": "Quay", "relation": None}],
                    [{"party": "Quay", "relation": "customer"}] * 501,
                )
            ],
            *[("third_party_paid", value) for value in (None, "true", 1)],
            *[("declared_by", value) for value in (None, "", " ", 5, NUL)],
            *[("declared_on", value) for value in (None, "", "2026-02-30", "3.2.2026", 5, False)],
        ],
    ),
    ids=parameter_id,
)
def test_faults_of_a_declaration_are_named_one_by_one(field: str, value: object) -> None:
    assert refusal_of_input(DeclareConnections, DECLARATION | {field: value}, fixed=POST) == (
        "validation_failed",
        [field],
    )


@requirement("refusals.all-fields")
def test_all_missing_fields_of_a_declaration_are_named() -> None:
    assert refusal_of_input(DeclareConnections, {}, fixed=POST) == (
        "validation_failed",
        ["connections", "third_party_paid", "declared_by"],
    )


@requirement("history.connections.names")
def test_unknown_names_in_an_entry_have_one_level_here() -> None:
    raw = DECLARATION | {"connections": [{"party": "Quay", "relation": "customer", "x": 1}]}

    assert refusal_of_input(DeclareConnections, raw, fixed=POST) == ("unknown_field", ["connections.x"])
