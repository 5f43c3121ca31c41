"""The hints of refused inputs: names, allowed values, the number of further faults."""

import re
from enum import StrEnum

import pytest
from pytest_django import Settings

from blog_engine.enums import AuthorType, BodyFormat, Change, PolicyKind, PolicyStatus, PostStatus, Provenance
from blog_engine.errors import Refusal
from blog_engine.inputs.adoption import AdoptPost
from blog_engine.inputs.base import Input, NoInput, parse
from blog_engine.inputs.hints import fields_as_sent, model_in, steps_along
from blog_engine.inputs.posts import (
    ApproveRevision,
    ConnectionsInput,
    ListPosts,
    PostRef,
    PublishPost,
    SavePost,
    UpdatePost,
)
from blog_engine.inputs.records import (
    CreateAuthor,
    PageRef,
    RedirectRef,
    SavePage,
    SaveRedirect,
    UpdateAuthor,
    UpdateCategory,
    UpdateSeries,
)
from tests.inputs.values import parameter_id
from tests.support.hosts import blog_settings


def told(model: type[Input], raw: dict[str, object], fixed: dict[str, object] | None = None) -> str:
    """The hint of the refusal that the input must cause."""
    with pytest.raises(Refusal) as caught:
        parse(model, raw, fixed=fixed)
    return caught.value.hint


def words(hint: str) -> list[str]:
    return re.findall(r"\w+", hint)


WORDS_OF_A_LIST: list[tuple[type[Input], str, str, type[StrEnum], str]] = [
    (SavePost, "change", "corection", Change, "correction"),
    (SavePost, "change", "Maintenance", Change, "maintenance"),
    (SavePost, "change", "SUBSTANTIVE", Change, "substantive"),
    (SavePost, "provenance", "human-written", Provenance, "human_written"),
    (ListPosts, "status", "publishd", PostStatus, "published"),
    (CreateAuthor, "type", "organisation", AuthorType, "organization"),
    (PageRef, "kind", "ai-use", PolicyKind, "ai_use"),
    (SavePage, "kind", "responsible", PolicyKind, "responsible_party"),
    (SavePage, "status", "drafts", PolicyStatus, "draft"),
]


@pytest.mark.parametrize(("model", "field", "sent", "allowed", "meant"), WORDS_OF_A_LIST, ids=parameter_id)
def test_a_wrong_word_is_answered_with_the_allowed_ones_and_the_nearest(
    model: type[Input], field: str, sent: str, allowed: type[StrEnum], meant: str
) -> None:
    hint = next(part for part in told(model, {field: sent}).split(";") if field in part)

    assert [word for word in allowed if word not in words(hint)] == []
    assert words(hint).count(meant) == 2


@pytest.mark.parametrize("sent", ["poem", "x" * 41, "correction" * 1000, 5, None, ["correction"]], ids=parameter_id)
def test_what_resembles_no_word_is_answered_with_the_allowed_ones_alone(sent: object) -> None:
    hint = told(SavePost, {"change": sent})

    assert [word for word in Change if words(hint).count(word) != 1] == []


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ("content", "body"),
        ("Markdown", "body"),
        ("excerpt", "description"),
        ("image", "cover_image"),
        ("keywords", "tags"),
        ("meta_description", "search_description"),
        ("status", "publish"),
        ("published_at", "publish_at"),
        ("searchTitle", "search_title"),
        ("categories", "category"),
    ],
)
def test_a_name_of_another_blog_is_answered_with_ours(sent: str, meant: str) -> None:
    hint = told(SavePost, {sent: "x"})

    assert set(words(hint)) & set(fields_as_sent(SavePost)) == {meant}


def test_a_slug_finds_a_post_as_its_id() -> None:
    assert "id" in words(told(PostRef, {"slug": "tides"}))


@pytest.mark.parametrize("sent", ["zzz", "hue"])
def test_a_name_like_none_is_answered_with_all_that_can_be_sent(sent: str) -> None:
    hint = told(UpdatePost, {sent: 1}, fixed={"id": "tides"})

    assert [name for name in fields_as_sent(UpdatePost) if name not in words(hint)] == ["id"]


def test_a_call_without_fields_says_so() -> None:
    assert told(NoInput, {"format": "json"}) != told(PostRef, {"zzz": 1}) != ""


NONE_OF_A_POST: dict[str, object] = {
    "titel": 1,
    "bodyy": 1,
    "sluge": 1,
    "featuredd": 1,
    "descriptio": 1,
}


@pytest.mark.parametrize(("count", "others"), [(1, None), (3, None), (4, "One"), (5, "2")])
def test_three_unknown_names_are_explained_and_the_others_counted(count: int, others: str | None) -> None:
    sent = dict(list(NONE_OF_A_POST.items())[:count])

    hint = words(told(SavePost, sent))

    assert [name for name in sent if name in hint] == list(sent)[:3]
    assert [word for word in hint if word in {"One", "2"}] == ([others] if others else [])


FAULTS: dict[str, object] = {
    "title": 5,
    "description": 5,
    "body": 5,
    "slug": 5,
    "featured": 5,
}


@pytest.mark.parametrize(("count", "others"), [(1, None), (3, None), (4, "One"), (5, "2")])
def test_three_faulty_fields_are_explained_and_the_others_counted(count: int, others: str | None) -> None:
    sent = dict(list(FAULTS.items())[:count])

    hint = words(told(SavePost, sent))

    assert [name for name in sent if name in hint] == list(sent)[:3]
    assert [word for word in hint if word in {"One", "2"}] == ([others] if others else [])


@pytest.mark.parametrize(
    ("model", "raw", "missing"),
    [
        (SaveRedirect, {}, "old_path"),
        (PostRef, {}, "id"),
        (SavePost, {"author": {"type": "person"}}, "author.name"),
        (SavePost, {"faq": [{"question": "Why?"}]}, "faq.answer"),
    ],
    ids=parameter_id,
)
def test_a_missing_field_is_named(model: type[Input], raw: dict[str, object], missing: str) -> None:
    assert missing in told(model, raw)


@pytest.mark.parametrize(
    ("raw", "entry"),
    [
        ({"tags": ["tide", 5, 6]}, "2"),
        ({"faq": [{"question": "Why?", "answer": "So."}, {"question": "When?"}]}, "2"),
        ({"connections": {"connections": [{}], "third_party_paid": False, "declared_by": "Ines"}}, "1"),
    ],
    ids=parameter_id,
)
def test_the_faulty_entry_of_a_list_is_counted_from_one(raw: dict[str, object], entry: str) -> None:
    assert re.findall("[0-9]+", told(SavePost, raw))[0] == entry


@pytest.mark.parametrize(
    ("field", "value", "kind"),
    [
        ("publish", "true", "text"),
        ("featured", 1, "number"),
        ("featured", None, "null"),
        ("tags", "tide", "text"),
        ("tags", {"name": "tide"}, "object"),
        ("title", ["Tides"], "list"),
        ("title", True, "true"),
        ("approval", "Rosa", "text"),
    ],
    ids=parameter_id,
)
def test_a_value_of_another_type_is_answered_with_what_came(field: str, value: object, kind: str) -> None:
    _, _, came = told(SavePost, {field: value}).partition(", not ")

    assert kind in words(came)


@pytest.mark.parametrize("sent", ["html", "markdwon", "Markdown", ""])
@pytest.mark.parametrize("accepted", [["markdown"], ["rich_text"], ["markdown", "rich_text"]], ids=" ".join)
def test_an_unknown_body_format_is_answered_with_those_of_the_blog(
    settings: Settings, accepted: list[str], sent: str
) -> None:
    settings.BLOG_ENGINE = blog_settings(body_formats=accepted, default_body_format=accepted[0])

    hint = told(SavePost, {"body_format": sent})

    assert {word for word in words(hint) if word in set(BodyFormat)} == set(accepted)


@pytest.mark.parametrize("sent", [0, -1, 1.5, True, None, [], {}], ids=parameter_id)
@pytest.mark.parametrize("model", [PostRef, UpdatePost, PublishPost, ApproveRevision])
def test_an_odd_id_of_a_post_is_answered_with_number_and_slug(model: type[Input], sent: object) -> None:
    hint = next(part for part in told(model, {"id": sent}).split(";") if part.strip().startswith("id must"))

    assert {"number", "slug"} <= set(words(hint))
    assert "text" not in words(hint)


@pytest.mark.parametrize(
    ("model", "named"),
    [
        (UpdateCategory, ["category", "blog_list_categories", "categories"]),
        (UpdateAuthor, ["author", "blog_list_authors", "authors"]),
        (UpdateSeries, ["series", "blog_list_series", "series"]),
        (RedirectRef, ["redirect", "blog_list_redirects", "redirects"]),
    ],
)
@pytest.mark.parametrize("sent", ["garden", "0", "1.5", "-3", ""])
def test_a_slug_where_only_a_number_is_known_is_answered_with_where_the_numbers_are(
    model: type[Input], named: list[str], sent: str
) -> None:
    hint = words(told(model, {"id": sent}))

    assert {"id", "number", "GET", *named} <= set(hint)


def test_the_way_into_an_input_ends_where_the_fields_do() -> None:
    steps = steps_along(["connections", "connections", "party", "letters"], model=AdoptPost)

    assert [step.name for step in steps] == ["connections", "connections", "party"]
    assert [step.position for step in steps[1:]] == [0, 0]
    assert steps_along(["nowhere", "title"], model=AdoptPost) == []


def test_the_object_that_a_type_admits_is_found() -> None:
    assert model_in(tuple[ConnectionsInput | None, ...]) is ConnectionsInput
    assert model_in(str | None) is None
