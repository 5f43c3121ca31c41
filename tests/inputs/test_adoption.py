"""The snapshot of an adoption; the precedence of faults, and their dotted names."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from blog_engine.errors import ValidationFailed
from blog_engine.inputs.adoption import AdoptPost, OldSlug
from blog_engine.inputs.posts import ContentFields
from blog_engine.operations.schema import PlainSchema
from tests.inputs.values import (
    ADOPTED_CONNECTIONS,
    ARTICLE,
    DECLARATION,
    LONE_SURROGATE,
    NUL,
    adoption_refusal,
    parameter_id,
    parse_adoption,
)
from tests.requirements import requirement


def hint(**fields: object) -> str:
    with pytest.raises(ValidationFailed) as caught:
        parse_adoption(**fields)
    return caught.value.hint


def test_who_sends_no_digest_is_not_told_that_it_is_blank() -> None:
    told = hint(source_body_sha256="A" * 64)

    assert "source_body_sha256" in told
    assert told != hint(source_id=" ").replace("source_id", "source_body_sha256")


@requirement("adoption.fields")
def test_the_fields_are_the_content_and_what_is_known_of_it() -> None:
    assert list(AdoptPost.model_fields) == [
        *ContentFields.model_fields,
        *("provenance", "provenance_evidence", "source_system", "source_id", "source_body_sha256", "old_slugs"),
        "feed_id",
        *("category_description", "first_published_at", "first_published_evidence", "last_modified_at"),
        *("last_modified_evidence", "declaration", "imported_approval", "connections", "dry_run"),
    ]


@requirement("adoption.required")
@pytest.mark.parametrize("field", list(ARTICLE))
def test_six_fields_are_needed(field: str) -> None:
    assert adoption_refusal(**{field: ...}) == ("validation_failed", [field])


@requirement("adoption.required", "adoption.slug")
@pytest.mark.parametrize("value", [None, "", " \n", 5, [], {}, NUL, LONE_SURROGATE, "x" * 256], ids=parameter_id)
@pytest.mark.parametrize("field", ["source_system", "source_id", "slug", "title"])
def test_what_must_be_text_is_text_that_is_not_blank(field: str, value: object) -> None:
    assert adoption_refusal(**{field: value}) == ("validation_failed", [field])


@requirement("adoption.required")
@pytest.mark.parametrize("value", [None, "", " ", 5, []], ids=parameter_id)
def test_a_body_format_is_a_word(value: object) -> None:
    assert adoption_refusal(body_format=value) == ("validation_failed", ["body_format"])


@requirement("adoption.required")
def test_a_body_may_be_empty_but_must_be_text() -> None:
    assert parse_adoption(body="").body == ""
    assert adoption_refusal(body=None) == ("validation_failed", ["body"])


@requirement("adoption.slug", "posts.slug.shape")
@pytest.mark.parametrize("slug", ["Night", "a b", "-a", "a--b", "a.b", "été", "a/b"])
def test_a_slug_of_another_shape_is_not_supported(slug: str) -> None:
    assert adoption_refusal(slug=slug) == ("slug_not_supported", ["slug"])


@requirement("adoption.types", "adoption.times")
@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("dry_run", [None, 0, "true"]),
        ("category_description", [False, 5]),
        ("provenance_evidence", [False, 5, NUL]),
        ("first_published_evidence", [False, 5]),
        ("last_modified_evidence", [False, 5]),
        (
            "feed_id",
            [None, 5, "", " ", "17", "/?p=17", "urn:", "a b:c", "tag:é", "https://x.example/\n", "x:" + "y" * 2047],
        ),
        ("source_body_sha256", [False, "", "a" * 63, "A" * 64, "g" * 64, "a" * 64 + "\n"]),
        ("provenance", [None, "robot", {}, 5]),
        ("first_published_at", [False, "2020-03-04", "2020-03-04T12:00:00", "noon", 5]),
        ("last_modified_at", [False, "2020-03-04", "2020-03-04T12:00:00", "noon", 5]),
        ("old_slugs", [None, "a", 5, {}, [5], [None], [{}], [{"slug": None}], [{"slug": 5}], [["a"]]]),
        ("old_slugs", [["a", {"slug": "a", "moved_on": "2020-01-01"}], ["a"] * 501]),
        ("connections", [None, "none", 5, []]),
    ],
    ids=parameter_id,
)
def test_a_value_of_another_type_is_named(field: str, values: list[object]) -> None:
    assert [adoption_refusal(**{field: value}) for value in values] == [("validation_failed", [field])] * len(values)


@requirement("adoption.types")
@pytest.mark.parametrize(
    "field",
    [
        *("category_description", "provenance_evidence", "first_published_evidence", "last_modified_evidence"),
        *("source_body_sha256", "first_published_at", "last_modified_at"),
    ],
)
def test_null_is_not_known(field: str) -> None:
    assert getattr(parse_adoption(**{field: None}), field) is None


@pytest.mark.parametrize(
    "field",
    ["category_description", "provenance_evidence", "first_published_evidence", "last_modified_evidence"],
)
def test_a_blank_text_is_not_known_either(field: str) -> None:
    assert getattr(parse_adoption(**{field: " "}), field) is None


@requirement("adoption.feed-id")
@pytest.mark.parametrize(
    "uri",
    ["https://old.example/?p=17&x=[1]", "urn:uuid:6a0f", "tag:old.example,2019:17", "x:" + "y" * 2046],
    ids=parameter_id,
)
def test_a_feed_id_is_any_uri_as_sent(uri: str) -> None:
    assert parse_adoption(feed_id=uri).feed_id == uri


@requirement("adoption.times")
def test_times_come_as_utc_and_keep_microseconds_only() -> None:
    data = parse_adoption(first_published_at="2020-03-04T14:00:00.123456789+02:00")

    assert data.first_published_at == datetime(2020, 3, 4, 12, 0, 0, 123456, tzinfo=UTC)


@requirement("adoption.unknown")
@pytest.mark.parametrize(
    "name", ["approval", "publish_at", "change", "note", "made_by_ai", "publish", "change_description", "status", "id"]
)
def test_what_the_engine_decides_is_not_known(name: str) -> None:
    assert adoption_refusal(**{name: None}) == ("unknown_field", [name])


@requirement("adoption.unknown")
def test_unknown_names_come_first_top_level_then_dotted() -> None:
    assert adoption_refusal(
        title=5,
        author={"name": "x", "a": 1},
        faq=[{"b": 1}],
        cover_image={"c": 1},
        social_image={"d": 1},
        declaration={"e": 1},
        imported_approval={"f": 1},
        connections={"g": 1, "connections": [{"h": 1}]},
        old_slugs=[{"i": 1}, {"slug": "a", "j": 1}],
        zz=1,
    ) == (
        "unknown_field",
        [
            *("zz", "author.a", "cover_image.c", "social_image.d", "faq.b", "old_slugs.i", "old_slugs.j"),
            *("declaration.e", "imported_approval.f", "connections.connections.h", "connections.g"),
        ],
    )


@requirement("adoption.types")
@pytest.mark.parametrize(
    ("field", "value"),
    [("author", {"name": " "}), ("faq", [{"question": "q", "answer": ""}]), ("tags", [""])],
    ids=parameter_id,
)
def test_a_fault_inside_of_content_is_named_by_its_field(field: str, value: object) -> None:
    assert adoption_refusal(**{field: value}) == ("validation_failed", [field])


@requirement("adoption.old-slugs")
@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (["a", "b"], [("a", None), ("b", None)]),
        ([{"slug": "a", "moved_on": "2020-01-31"}], [("a", date(2020, 1, 31))]),
        (["a", "a", {"slug": "a"}, {"slug": "a", "moved_on": None}], [("a", None)]),
        ([], []),
    ],
    ids=parameter_id,
)
def test_old_slugs_are_read_in_both_forms_and_once(sent: object, expected: list[tuple[str, Any]]) -> None:
    data = parse_adoption(old_slugs=sent)

    assert [(one.slug, one.moved_on) for one in data.old_slugs or ()] == expected


@requirement("adoption.old-slugs.shape")
@pytest.mark.parametrize("slug", ["", " ", "Old", "a b", "a.html", "2020/03/a"])
def test_an_old_slug_of_another_shape_is_not_supported(slug: str) -> None:
    assert adoption_refusal(old_slugs=["fine", slug]) == ("slug_not_supported", ["old_slugs.slug"])
    assert adoption_refusal(old_slugs=[{"slug": slug}]) == ("slug_not_supported", ["old_slugs.slug"])


@requirement("adoption.old-slugs.shape")
@pytest.mark.parametrize(
    "form", ["night-ferry", {"slug": "night-ferry"}, OldSlug(slug="night-ferry")], ids=parameter_id
)
def test_an_old_slug_is_not_the_present_one(form: object) -> None:
    assert adoption_refusal(old_slugs=["fine", form]) == ("validation_failed", ["old_slugs.slug"])


INVALID: dict[str, object] = {
    "dry_run": 1,
    "old_slugs": ["night-ferry"],
    "declaration": DECLARATION | {"approved_at": "then", "declared_by": 5},
    "imported_approval": {},
    "title": 5,
    "provenance": "human_written",
    "connections": {"connections": [{"party": 1}], "declared_by": ""},
}


@requirement("adoption.precedence", "refusals.all-fields")
def test_all_faulty_fields_are_named_in_the_order_of_the_input() -> None:
    assert adoption_refusal(**INVALID) == (
        "validation_failed",
        [
            *("title", "old_slugs.slug", "declaration", "declaration.approved_at", "declaration.declared_by"),
            *("imported_approval", "imported_approval.approved_at", "imported_approval.evidence"),
            *("imported_approval.confirmed_by", "connections.connections.party", "connections.connections.relation"),
            *("connections.third_party_paid", "connections.declared_by", "dry_run"),
        ],
    )


BAD_SLUGS: dict[str, object] = {"slug": "No Slug", "old_slugs": ["Nor This"]}
BAD_APPROVAL: dict[str, object] = {"declaration": DECLARATION | {"facts_checked": 1}}
BAD_IMAGE: dict[str, object] = {"cover_image": 7}
BAD_FORMAT: dict[str, object] = {"body_format": "troff"}


@requirement("adoption.precedence", "refusals.precedence")
@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (BAD_FORMAT | BAD_IMAGE | BAD_APPROVAL | BAD_SLUGS | {"title": 5}, ("validation_failed", ["title"])),
        (BAD_FORMAT | BAD_IMAGE | BAD_APPROVAL | BAD_SLUGS, ("slug_not_supported", ["slug", "old_slugs.slug"])),
        (BAD_FORMAT | BAD_IMAGE | BAD_APPROVAL, ("approval_incomplete", [])),
        (BAD_FORMAT | BAD_IMAGE, ("image_not_permitted", [])),
        (BAD_FORMAT, ("body_format_not_permitted", [])),
    ],
    ids=parameter_id,
)
def test_mixed_faults_have_the_precedence_of_all_inputs(
    sent: dict[str, object], expected: tuple[str, list[str]]
) -> None:
    assert adoption_refusal(**sent) == expected


def test_names_that_no_text_can_have_count_against_what_holds_them() -> None:
    assert adoption_refusal(connections=ADOPTED_CONNECTIONS | {LONE_SURROGATE: 1}) == (
        "validation_failed",
        ["connections"],
    )


def test_the_schema_shows_what_is_needed_and_both_forms_of_an_old_slug() -> None:
    schema = Draft202012Validator(AdoptPost.model_json_schema(schema_generator=PlainSchema))

    assert schema.is_valid(
        ARTICLE | {"old_slugs": ["a", {"slug": "b", "moved_on": "2020-01-31"}], "declaration": DECLARATION}
    )
    assert [name for name in ARTICLE if schema.is_valid({key: ARTICLE[key] for key in ARTICLE if key != name})] == []
    assert not schema.is_valid(ARTICLE | {"approval": {}})
