"""The input of authors."""

import pytest

from blog_engine.enums import AuthorType
from blog_engine.inputs.base import parse
from blog_engine.inputs.posts import ImageReference
from blog_engine.inputs.records import CreateAuthor, UpdateAuthor
from tests.inputs.values import LONE_SURROGATE, NUL, parameter_id, refusal_of_input
from tests.requirements import requirement

NO_TEXTS: list[object] = [5, True, [], {}, NUL, LONE_SURROGATE]


@requirement("taxonomy.names")
def test_an_author_needs_a_name_and_nothing_else() -> None:
    assert refusal_of_input(CreateAuthor, {}) == ("validation_failed", ["name"])
    assert parse(CreateAuthor, {"name": " Mina Holt "}).model_dump(exclude_unset=True) == {"name": "Mina Holt"}


def test_an_edit_needs_nothing() -> None:
    assert parse(UpdateAuthor, {}, fixed={"id": "7"}).model_dump(exclude_unset=True) == {"id": 7}


@requirement("taxonomy.nulls", "taxonomy.authors.fields")
@pytest.mark.parametrize(
    ("field", "sent", "read"),
    [
        ("slug", "mina", "mina"),
        ("slug", "", None),
        ("type", "person", AuthorType.PERSON),
        ("type", "organization", AuthorType.ORGANIZATION),
        ("bio", "Line\r\nline", "Line\r\nline"),
        ("bio", None, ""),
        ("url", "https://mina.example/a", "https://mina.example/a"),
        *[("url", blank, None) for blank in (None, "", " ")],
        ("profile_urls", [], ()),
        ("profile_urls", ["https://a.example", "http://b.example/m"], ("https://a.example", "http://b.example/m")),
        ("host_reference", "user:7", "user:7"),
        *[("host_reference", blank, None) for blank in (None, "", " ")],
        ("avatar", None, None),
        ("avatar", {"image_id": 4}, ImageReference(image_id=4)),
        ("avatar", {"signed_id": "abc"}, ImageReference(signed_id="abc")),
        ("avatar", {"url": "https://img.example/m.png"}, ImageReference(url="https://img.example/m.png")),
    ],
    ids=parameter_id,
)
def test_every_field_is_read(field: str, sent: object, read: object) -> None:
    assert getattr(parse(CreateAuthor, {"name": "Mina", field: sent}), field) == read


@requirement("taxonomy.nulls", "taxonomy.authors.fields", "taxonomy.authors.avatar")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        *[("name", value) for value in (None, "", " ", *NO_TEXTS, "x" * 256)],
        *[("slug", value) for value in ("Mina", "a b", *NO_TEXTS, "x" * 201)],
        *[("type", value) for value in (None, "", "Person", "robot", 1)],
        *[("bio", value) for value in NO_TEXTS],
        *[("url", value) for value in ("mina.example", "javascript:alert(1)", "/m", *NO_TEXTS)],
        ("url", "https://mina.example/" + "a" * 2048),
        *[("profile_urls", value) for value in (None, "https://a.example", {}, [None], [5], [""], [[]])],
        *[("profile_urls", [value]) for value in ("a.example", "javascript:alert(1)", "ftp://a.example", NUL)],
        ("profile_urls", ["https://a.example/" + "a" * 2048]),
        ("profile_urls", ["https://a.example"] * 501),
        *[("host_reference", value) for value in (*NO_TEXTS, "x" * 256)],
        *[("avatar", value) for value in (5, "5", True, [], {})],
        *[("avatar", {"image_id": value}) for value in (0, -1, "4", 4.0, True, None)],
        *[("avatar", {"signed_id": value}) for value in ("", " ", 4, None, NUL)],
        *[("avatar", {"url": value}) for value in (4, None, NUL, "a" * 2049)],
        ("avatar", {"image_id": 4, "url": "https://img.example/m.png"}),
    ],
    ids=parameter_id,
)
def test_a_faulty_value_is_refused_by_the_name_of_its_field(field: str, value: object) -> None:
    assert refusal_of_input(CreateAuthor, {"name": "Mina", field: value}) == ("validation_failed", [field])
    assert refusal_of_input(UpdateAuthor, {field: value}, fixed={"id": "1"}) == ("validation_failed", [field])


@requirement("taxonomy.authors.fields")
@pytest.mark.parametrize(
    ("raw", "details"),
    [
        ({"posts_count": 1}, ["posts_count"]),
        ({"author_type": "person"}, ["author_type"]),
        ({"avatar": {"image_id": "4", "alt": "x"}}, ["avatar.alt"]),
        ({"avatar": {}, "avatar_file": "x", "id": 1}, ["avatar_file", "id"]),
    ],
    ids=parameter_id,
)
def test_other_names_are_unknown_at_every_depth(raw: dict[str, object], details: list[str]) -> None:
    assert refusal_of_input(CreateAuthor, {"name": ""} | raw) == ("unknown_field", details)


@requirement("taxonomy.ids")
@pytest.mark.parametrize("key", ["0", "mina", "1.0"])
def test_an_address_without_a_number_names_nobody(key: str) -> None:
    assert refusal_of_input(UpdateAuthor, {"name": "Mina"}, fixed={"id": key}) == ("not_found", [])
