"""The input of policy pages."""

from datetime import date

import pytest

from blog_engine.enums import PolicyKind, PolicyStatus
from blog_engine.inputs.base import parse
from blog_engine.inputs.records import PageRef, SavePage
from tests.inputs.values import LONE_SURROGATE, NUL, parameter_id, refusal_of_input
from tests.requirements import requirement

KIND = {"kind": "ai_use"}


@requirement("policies.kinds")
@pytest.mark.parametrize("kind", list(PolicyKind))
def test_the_four_kinds_are_known(kind: PolicyKind) -> None:
    assert parse(PageRef, {}, fixed={"kind": kind.value}).kind == kind.value
    assert parse(SavePage, {}, fixed={"kind": kind.value}).kind == kind


@requirement("policies.unknown-kind")
@pytest.mark.parametrize("kind", ["privacy", "AI_USE", "ai-use", "", "ai_use ", NUL], ids=parameter_id)
def test_another_kind_is_not_there_to_read_and_wrong_to_write(kind: str) -> None:
    assert refusal_of_input(PageRef, {}, fixed={"kind": kind}) == ("not_found", [])
    assert refusal_of_input(SavePage, {}, fixed={"kind": kind}) == ("validation_failed", ["kind"])


@pytest.mark.parametrize("kind", [5, None, [], {}], ids=parameter_id)
def test_a_kind_is_a_word(kind: object) -> None:
    assert refusal_of_input(PageRef, {"kind": kind}) == ("validation_failed", ["kind"])
    assert refusal_of_input(SavePage, {"kind": kind}) == ("validation_failed", ["kind"])


@requirement("policies.fields")
@pytest.mark.parametrize(
    ("field", "sent", "stored"),
    [
        *(
            ("title", "How", "How"),
            ("body", "", ""),
            ("body", " \r\n", " \r\n"),
            ("body", "x" * 300_000, "x" * 300_000),
        ),
        *(("status", "draft", PolicyStatus.DRAFT), ("status", "published", PolicyStatus.PUBLISHED)),
        *(("slug", "how-we-use_ai", "how-we-use_ai"), ("slug", "", ""), ("slug", "  ", ""), ("slug", "feed", "feed")),
        *(("approved_by", "Rosa", "Rosa"), ("approved_by", None, None), ("approved_by", " ", None)),
        *(("approved_on", "2026-02-03", date(2026, 2, 3)), ("approved_on", None, None)),
    ],
    ids=parameter_id,
)
def test_what_is_accepted(field: str, sent: object, stored: object) -> None:
    data = parse(SavePage, KIND | {field: sent})

    assert (getattr(data, field), data.model_fields_set) == (stored, {"kind", field})


@requirement("policies.fields")
@pytest.mark.parametrize(
    ("field", "sent"),
    [
        *(("title", None), ("title", " "), ("title", 5), ("title", "x" * 256), ("title", NUL)),
        *(("body", None), ("body", []), ("body", NUL), ("body", LONE_SURROGATE)),
        *(("status", None), ("status", "archived"), ("status", "Draft"), ("status", True), ("status", [])),
        *(("slug", None), ("slug", "A"), ("slug", "a--b"), ("slug", "a.b"), ("slug", "x" * 201), ("slug", 5)),
        *(("approved_by", 5), ("approved_by", "x" * 256), ("approved_by", NUL)),
        *(("approved_on", ""), ("approved_on", "2026-02-30"), ("approved_on", "3.2.2026"), ("approved_on", 5)),
    ],
    ids=parameter_id,
)
def test_what_is_refused(field: str, sent: object) -> None:
    assert refusal_of_input(SavePage, KIND | {field: sent}) == ("validation_failed", [field])


@requirement("policies.fields")
@pytest.mark.parametrize("name", ["publish", "id", "url", "updated_at", "created"])
def test_other_fields_are_unknown(name: str) -> None:
    assert refusal_of_input(SavePage, KIND | {name: True}) == ("unknown_field", [name])


@requirement("policies.fields")
def test_a_kind_in_the_body_is_unknown_beside_that_of_the_address() -> None:
    assert refusal_of_input(SavePage, {"kind": "ai_use"}, fixed=KIND) == ("unknown_field", ["kind"])
