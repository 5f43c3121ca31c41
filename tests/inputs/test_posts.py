from typing import cast

import pytest

from blog_engine.enums import PostStatus
from blog_engine.inputs.base import Input, parse
from blog_engine.inputs.posts import (
    AuthorFields,
    AuthorKey,
    ListPosts,
    PostFields,
    PostRef,
    PublishPost,
    RemovePost,
    SavePost,
    UpdatePost,
)
from tests.inputs.values import ACCEPTED, APPROVAL, CONNECTIONS, LONE_SURROGATE, NUL, parameter_id, refusal_of_input
from tests.requirements import fields_below, requirement

TEXTS = [
    *("title", "description", "search_title", "search_description", "body", "author", "cover_alt", "category"),
    *("series", "canonical_url", "slug", "external_id", "provenance_evidence", "change_description", "note"),
]
QUESTION = {"question": "When?", "answer": "At noon."}


@requirement("posts.fields")
def test_a_post_write_has_the_fields_of_the_contract() -> None:
    fields = {*fields_below("posts.fields", page="posts.md")}

    assert SavePost.model_fields.keys() == fields
    assert PostFields.model_fields.keys() == fields - {"publish"}
    assert PublishPost.model_fields.keys() == fields - {"publish"} | {"id"}
    assert UpdatePost.model_fields.keys() == PublishPost.model_fields.keys() | {"propose", "restore"}


@requirement("posts.fields")
@pytest.mark.parametrize(("field", "sent", "stored"), ACCEPTED, ids=parameter_id)
def test_accepted_values_reach_the_service(field: str, sent: object, stored: object) -> None:
    data = parse(SavePost, {field: sent})

    assert getattr(data, field) == stored
    assert data.model_fields_set == {field}


@pytest.mark.parametrize("author", [AuthorKey("Mina"), AuthorFields(name="Mina")], ids=parameter_id)
def test_python_callers_may_give_the_author_ready_made(author: AuthorKey | AuthorFields) -> None:
    assert SavePost(author=author).author == author


def test_python_callers_are_held_to_the_same_names() -> None:
    assert refusal_of_input(SavePost, {"author": AuthorKey(" ")}) == ("validation_failed", ["author"])


@requirement("api.input.unstorable")
@pytest.mark.parametrize("field", TEXTS)
@pytest.mark.parametrize("value", [5, 1.5, True, [], NUL, LONE_SURROGATE], ids=parameter_id)
def test_a_text_of_another_type_or_that_cannot_be_stored_is_refused(field: str, value: object) -> None:
    assert refusal_of_input(SavePost, {field: value}) == ("validation_failed", [field])


@requirement("refusals.names", "limits.lengths", "posts.schedule.time")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", None),
        ("title", ""),
        ("title", " \n"),
        *[(field, "x" * 256) for field in ("title", "search_title", "cover_alt", "author", "category", "series")],
        ("external_id", "x" * 256),
        ("slug", "x" * 201),
        ("canonical_url", "https://example.com/" + "x" * 2029),
        ("canonical_url", "/tides"),
        ("canonical_url", "ftp://example.com"),
        ("body_format", None),
        ("body_format", 5),
        ("body_format", ["markdown"]),
        ("author", None),
        ("author", ""),
        ("author", "  "),
        ("author", {}),
        ("author", {"name": None}),
        ("author", {"name": " "}),
        ("author", {"name": NUL}),
        ("author", "\x1c"),
        ("author", {"name": "\x1c"}),
        ("author", {"name": "x" * 256}),
        ("author", {"name": "Mina", "type": "robot"}),
        ("author", {"name": "Mina", "type": None}),
        ("author", {"name": "Mina", "url": 5}),
        ("author", {"name": "Mina", "url": "javascript:alert(1)"}),
        ("author", {"type": "person"}),
        ("faq", None),
        ("faq", {}),
        ("faq", "When?"),
        ("faq", [None]),
        ("faq", ["When?"]),
        ("faq", [{"question": "When?"}]),
        ("faq", [QUESTION, {"question": " ", "answer": "a"}]),
        ("faq", [QUESTION | {"answer": None}]),
        ("faq", [QUESTION | {"answer": LONE_SURROGATE}]),
        ("faq", [QUESTION] * 501),
        ("tags", None),
        ("tags", "Sea"),
        ("tags", ["Sea", ""]),
        ("tags", ["Sea", 5]),
        ("tags", ["x" * 256]),
        ("tags", [NUL]),
        ("tags", ["\x1c"]),
        ("tags", ["Sea"] * 501),
        ("series_position", 0),
        ("series_position", -1),
        ("series_position", 2**31),
        ("series_position", True),
        ("series_position", 1.0),
        ("series_position", "1"),
        *[("featured", value) for value in (None, "true", 1, 0, [])],
        *[("provenance", value) for value in (None, "", "human", "AI_ASSISTED", True, 1, ["unknown"])],
        *[("made_by_ai", value) for value in ("true", 1, 0, [])],
        *[("change", value) for value in (None, "", "typo", "first", 5)],
        ("connections", None),
        ("connections", []),
        ("connections", "none"),
        *[
            ("connections", {key: value for key, value in CONNECTIONS.items() if key != missing})
            for missing in CONNECTIONS
        ],
        *[
            ("connections", CONNECTIONS | wrong)
            for wrong in cast(
                "list[dict[str, object]]",
                [
                    {"connections": None},
                    {"connections": {}},
                    {"connections": ["Quay"]},
                    {"connections": [{"party": "Quay"}]},
                    {"connections": [{"party": " ", "relation": "customer"}]},
                    {"connections": [{"party": "Quay", "relation": 5}]},
                    {"third_party_paid": None},
                    {"third_party_paid": "false"},
                    {"declared_by": ""},
                    {"declared_by": None},
                    {"declared_on": None},
                    {"declared_on": "2026-02-30"},
                    {"declared_on": "2026-02-03T00:00:00Z"},
                ],
            )
        ],
        *[("publish_at", value) for value in ("", " ", "soon", "2030-01-31", "09:00", 1893488400, True, [], {})],
        *[("publish", value) for value in (None, "true", 1, [])],
    ],
    ids=parameter_id,
)
def test_refused_values_are_named_by_their_field(field: str, value: object) -> None:
    assert refusal_of_input(SavePost, {field: value}) == ("validation_failed", [field])


@requirement("refusals.image")
@pytest.mark.parametrize("field", ["cover_image", "social_image"])
@pytest.mark.parametrize(
    "value",
    [
        5,
        "5",
        True,
        [],
        [{"image_id": 1}],
        {},
        {"image_id": None},
        {"image_id": 0},
        {"image_id": "1"},
        {"image_id": True},
        {"image_id": 1.0},
        {"signed_id": 5},
        {"signed_id": ""},
        {"url": 5},
        {"url": NUL},
        {"url": "https://example.com/" + "x" * 2029},
        {"image_id": 1, "url": "https://img.example/x.png"},
        {"image_id": 1, "url": None},
        {"image_id": 1, "signed_id": "abc", "url": "https://img.example/x.png"},
    ],
    ids=parameter_id,
)
def test_an_image_of_another_shape_is_not_permitted(field: str, value: object) -> None:
    assert refusal_of_input(SavePost, {field: value}) == ("image_not_permitted", [])


@requirement("approvals.incomplete")
@pytest.mark.parametrize(
    "value",
    [
        None,
        "Mina",
        True,
        [],
        [APPROVAL],
        {},
        {"name": "Mina"},
        *[APPROVAL | {"name": name} for name in (None, "", " ", 5, NUL, "x" * 256)],
        *[APPROVAL | {"facts_checked": checked} for checked in (None, "true", 0, 1, [])],
        APPROVAL | {"revision_identifier": 5},
    ],
    ids=parameter_id,
)
def test_an_approval_of_another_shape_is_incomplete(value: object) -> None:
    assert refusal_of_input(SavePost, {"approval": value}) == ("approval_incomplete", [])


@requirement("posts.body.format")
@pytest.mark.parametrize("body_format", ["", "html", "Markdown", "rich-text", NUL, LONE_SURROGATE], ids=parameter_id)
def test_an_unknown_body_format_is_not_permitted(body_format: str) -> None:
    assert refusal_of_input(SavePost, {"body_format": body_format}) == ("body_format_not_permitted", [])


@requirement("posts.slug.shape")
@pytest.mark.parametrize("slug", ["Low-Tide", "low tide", "low--tide", "-low", "low.tide", "été"])
def test_a_slug_of_another_shape_is_not_supported(slug: str) -> None:
    assert refusal_of_input(SavePost, {"slug": slug}) == ("slug_not_supported", ["slug"])


@requirement("api.input.unknown")
@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ({"author": {"name": "Mina", "x": 1}}, "author.x"),
        ({"author": {"slug": "mina"}}, "author.slug"),
        ({"cover_image": {"x": 1}}, "cover_image.x"),
        ({"social_image": {"image_id": 1, "x": 1}}, "social_image.x"),
        ({"faq": [QUESTION, QUESTION | {"x": 1}, {"x": 2}]}, "faq.x"),
        ({"approval": APPROVAL | {"x": 1}}, "approval.x"),
        ({"connections": CONNECTIONS | {"x": 1}}, "connections.x"),
        ({"connections": {"connections": [{"x": 1}]}}, "connections.connections.x"),
    ],
    ids=parameter_id,
)
def test_nested_unknown_names_are_dotted_without_positions(raw: dict[str, object], name: str) -> None:
    assert refusal_of_input(SavePost, raw) == ("unknown_field", [name])


@requirement("api.input.unknown")
@pytest.mark.parametrize("name", ["status", "published_at", "categories", "id", "kind", ""])
def test_other_names_are_unknown(name: str) -> None:
    assert refusal_of_input(SavePost, {"title": "Tides", name: None}) == ("unknown_field", [name])


@requirement("posts.fields")
@pytest.mark.parametrize("model", [UpdatePost, PublishPost])
def test_publish_is_a_field_of_saving_only(model: type[Input]) -> None:
    assert parse(SavePost, {"publish": True}).publish is True
    assert parse(SavePost, {}).publish is False
    assert refusal_of_input(model, {"publish": True}, fixed={"id": "tides"}) == ("unknown_field", ["publish"])


@pytest.mark.parametrize("model", [UpdatePost, PublishPost, PostRef, RemovePost])
def test_a_post_is_named_by_id_or_slug(model: type[UpdatePost | PublishPost | PostRef | RemovePost]) -> None:
    assert parse(model, {"id": 7}).id == "7"
    assert parse(model, {"id": "tides"}).id == "tides"
    assert refusal_of_input(model, {}) == ("validation_failed", ["id"])


@pytest.mark.parametrize("target", [None, "tides", "/elsewhere", "https://example.com/tides"])
def test_a_removed_post_may_lead_elsewhere(target: str | None) -> None:
    assert parse(RemovePost, {"redirect_to": target}, fixed={"id": "1"}) == RemovePost(id="1", redirect_to=target)
    assert parse(RemovePost, {}, fixed={"id": "1"}).redirect_to is None


@requirement("posts.redirects.target")
@pytest.mark.parametrize(
    "target", ["", " ", "a/b", "//example.com", "javascript:alert(1)", 5, [], NUL], ids=parameter_id
)
def test_a_removed_post_leads_to_no_bad_target(target: object) -> None:
    assert refusal_of_input(RemovePost, {"redirect_to": target}, fixed={"id": "1"}) == (
        "validation_failed",
        ["redirect_to"],
    )


@requirement("posts.list.page-size")
def test_a_list_without_filters_is_the_first_25() -> None:
    assert parse(ListPosts, {}) == ListPosts(page=1, per_page=25)


@requirement("posts.list.filters", "posts.list.page-size")
@pytest.mark.parametrize(
    ("raw", "data"),
    [
        ({"status": "archived"}, ListPosts(status=PostStatus.ARCHIVED)),
        (
            {"category": "sea", "tag": "1", "author": "Mina", "series": "log"},
            ListPosts(category="sea", tag="1", author="Mina", series="log"),
        ),
        ({"q": "xy"}, ListPosts(q="xy")),
        ({"q": " " + "x" * 100}, ListPosts(q=" " + "x" * 100)),
        ({"page": "3", "per_page": 1000}, ListPosts(page=3, per_page=100)),
    ],
    ids=parameter_id,
)
def test_list_filters_are_read(raw: dict[str, object], data: ListPosts) -> None:
    assert parse(ListPosts, raw) == data


@requirement("api.input.unstorable", "posts.list.search")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        *[("status", value) for value in (None, "", "public", "Draft", 1)],
        *[
            (field, value)
            for field in ("category", "tag", "author", "series")
            for value in (None, "", " ", 5, ["sea"], NUL, "x" * 256)
        ],
        *[("q", value) for value in (None, 5, ["sea"], NUL, LONE_SURROGATE, "", " f ", "f" * 101)],
        *[(field, value) for field in ("page", "per_page") for value in (None, 0, "0", "01", " 1", "1_0", 1.0, True)],
    ],
    ids=parameter_id,
)
def test_list_filters_of_another_shape_are_refused(field: str, value: object) -> None:
    assert refusal_of_input(ListPosts, {field: value}) == ("validation_failed", [field])


def test_brackets_mean_nothing_in_a_filter() -> None:
    assert refusal_of_input(ListPosts, {"q[]": "sea"}) == ("unknown_field", ["q[]"])
