import re
from typing import Annotated

import pytest
from pydantic import BaseModel, Field, TypeAdapter

from blog_engine.errors import Refusal
from blog_engine.inputs.base import Input, NoInput, parse
from blog_engine.inputs.posts import PostRef, SavePost, UpdatePost
from blog_engine.inputs.types import Omittable
from tests.inputs.values import LONE_SURROGATE, parameter_id, refusal_of_input
from tests.requirements import requirement


def hint(model: type[Input], raw: dict[str, object]) -> str:
    with pytest.raises(Refusal) as caught:
        parse(model, raw)
    return caught.value.hint


def test_only_what_was_sent_counts_as_set() -> None:
    data = parse(SavePost, {"title": "Tides", "category": None})

    assert data.model_fields_set == {"title", "category"}


def test_fixed_values_count_as_sent() -> None:
    data = parse(UpdatePost, {"title": "Tides"}, fixed={"id": "tides", "change": "correction"})

    assert data == UpdatePost(id="tides", title="Tides", change="correction")
    assert data.model_fields_set == {"id", "title", "change"}


@requirement("refusals.unknown.fixed")
def test_a_caller_cannot_send_what_is_fixed() -> None:
    assert refusal_of_input(UpdatePost, {"id": "other", "title": "Tides"}, fixed={"id": "tides"}) == (
        "unknown_field",
        ["id"],
    )


@requirement("refusals.unknown.order")
def test_fixed_and_unknown_names_are_refused_together_as_they_arrived() -> None:
    raw = {"status": 1, "id": "other", "faq": [{"x": 1}], "kind": 2}

    assert refusal_of_input(UpdatePost, raw, fixed={"id": "tides"}) == (
        "unknown_field",
        ["status", "id", "kind", "faq.x"],
    )


def test_an_input_is_frozen() -> None:
    data = parse(PostRef, {"id": "tides"})

    with pytest.raises(ValueError, match="frozen"):
        data.id = "other"


def test_an_operation_without_input_accepts_no_key() -> None:
    assert parse(NoInput, {}) == NoInput()
    assert refusal_of_input(NoInput, {"format": "json", "controller": "x"}) == (
        "unknown_field",
        ["format", "controller"],
    )


UNKNOWN_IN_ALL_PLACES = {
    "tittle": 1,
    "connections": {"x": 1, "connections": [{"party": "A", "relation": "b", "y": 1}, {"y": 2}]},
    "faq": [{"question": "q", "answer": "a"}, {"z": 1}],
    "cover_image": {"image_id": 1, "alt": "x"},
    "social_image": {"w": 1},
    "approval": {"v": 1},
    "author": {"u": 1},
    "statuss": 2,
    "title": None,
}


@requirement("refusals.precedence", "api.input.unknown", "refusals.unknown.order")
def test_unknown_names_come_before_all_other_faults_top_level_first() -> None:
    assert refusal_of_input(SavePost, UNKNOWN_IN_ALL_PLACES) == (
        "unknown_field",
        [
            "tittle",
            "statuss",
            "author.u",
            "cover_image.alt",
            "social_image.w",
            "faq.z",
            "approval.v",
            "connections.connections.y",
            "connections.x",
        ],
    )


INVALID = {"publish_at": "soon", "title": 5, "faq": [{}], "publish": "yes"}
BAD_SLUG = {"slug": "No Slug"}
BAD_APPROVAL = {"approval": {"name": "Ada"}}
BAD_IMAGE = {"cover_image": 7}
BAD_FORMAT = {"body_format": "troff"}


@requirement("refusals.precedence", "refusals.all-fields")
@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (
            BAD_FORMAT | BAD_IMAGE | BAD_APPROVAL | BAD_SLUG | INVALID,
            ("validation_failed", ["title", "faq", "publish_at", "publish"]),
        ),
        (BAD_FORMAT | BAD_IMAGE | BAD_APPROVAL | BAD_SLUG, ("slug_not_supported", ["slug"])),
        (BAD_FORMAT | BAD_IMAGE | BAD_APPROVAL, ("approval_incomplete", [])),
        (BAD_FORMAT | BAD_IMAGE, ("image_not_permitted", [])),
        (BAD_FORMAT, ("body_format_not_permitted", [])),
    ],
)
def test_mixed_faults_have_one_precedence(raw: dict[str, object], expected: tuple[str, list[str]]) -> None:
    assert refusal_of_input(SavePost, raw) == expected


@requirement("refusals.precedence.not-found")
def test_an_impossible_id_is_not_found_only_when_the_rest_is_in_order() -> None:
    assert refusal_of_input(UpdatePost, {}, fixed={"id": "a\x00"}) == ("not_found", [])
    assert refusal_of_input(UpdatePost, BAD_FORMAT, fixed={"id": "a\x00"}) == ("body_format_not_permitted", [])


def test_a_name_that_is_no_text_of_unicode_is_refused_where_it_stands() -> None:
    assert refusal_of_input(SavePost, {LONE_SURROGATE: 1}) == ("unknown_field", [LONE_SURROGATE])
    assert refusal_of_input(SavePost, {"author": {"name": "Mina", LONE_SURROGATE: 1}}) == (
        "validation_failed",
        ["author"],
    )


@requirement("refusals.hints")
@pytest.mark.parametrize(
    ("model", "raw", "words"),
    [
        (SavePost, {"desciption": "x"}, ["description"]),
        (SavePost, {"searchtitle": "x", "titel": "x"}, ["search_title", "title"]),
        (SavePost, {"author": {"nam": "x"}}, ["name"]),
        (SavePost, {"connections": {"connections": [{"partie": 1}]}}, ["party"]),
        (SavePost, {"faq": [{"zzz": 1}]}, ["question", "answer"]),
        (PostRef, {"zzz": 1}, ["id"]),
        (SavePost, {"change": "typo"}, ["substantive", "correction", "maintenance"]),
        (SavePost, {"title": "x" * 256}, ["title", "255"]),
        (SavePost, {"tags": [5] * 501}, ["tags", "500"]),
        (SavePost, {"featured": None}, ["featured", "true", "false"]),
        (SavePost, {"faq": [{"question": " ", "answer": "a"}]}, ["faq.question"]),
        (SavePost, {"publish_at": "2030-01-31"}, ["publish_at", "2030-01-31T09:00:00Z"]),
        (SavePost, {"cover_image": {}}, ["image_id", "signed_id", "url"]),
        (SavePost, {"slug": "No"}, ["slug"]),
    ],
    ids=parameter_id,
)
def test_a_refusal_tells_what_is_allowed(model: type[Input], raw: dict[str, object], words: list[str]) -> None:
    told = hint(model, raw)

    assert [word for word in words if word not in told] == []


@requirement("refusals.hints.values")
def test_a_hint_repeats_no_value_that_was_sent() -> None:
    secret = "be_secret"

    hints = [
        hint(SavePost, {"title": [secret], "change": secret, "publish_at": secret}),
        hint(SavePost, {"author": {"name": "x", "type": secret}}),
        hint(SavePost, {"body_format": secret}),
        hint(SavePost, {"slug": secret * 50}),
    ]

    assert [told for told in hints if secret in told] == []


@requirement("refusals.hints.unknown")
def test_a_hint_stays_short_however_many_names_are_unknown() -> None:
    told = hint(PostRef, {f"{'x' * 1000}{n}": 1 for n in range(1000)})

    assert len(told) < 100


def test_fixed_fields_are_not_suggested() -> None:
    with pytest.raises(Refusal) as caught:
        parse(PostRef, {"idd": 1}, fixed={"id": "tides"})

    assert "id" not in re.findall(r"\w+", caught.value.hint)


def test_an_omittable_type_must_admit_none_at_all() -> None:
    class Holder(BaseModel):
        number: Omittable[Annotated[int, Field(ge=1)]] = None

    assert Holder().number is None
    with pytest.raises(ValueError, match="number"):
        Holder.model_validate({"number": None})
    with pytest.raises(TypeError):
        TypeAdapter(Annotated[int, *Omittable.__metadata__])
