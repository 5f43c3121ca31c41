import pytest

from blog_engine.inputs.base import Input, parse
from blog_engine.inputs.types import (
    LONGEST_TEXT,
    Name,
    NonBlankText,
    Omittable,
    PageNumber,
    PageSize,
    PostKey,
    PostSlug,
    SequenceNumber,
    Several,
    ShortTextOrEmpty,
    ShortTextOrNull,
    Text,
    TextOrEmpty,
    TextOrNull,
)
from tests.inputs.values import LONE_SURROGATE, NUL, parameter_id, refusal_of_input
from tests.requirements import requirement


class Every(Input):
    text: Omittable[Text] = None
    text_or_empty: Omittable[TextOrEmpty] = None
    short_or_empty: Omittable[ShortTextOrEmpty] = None
    text_or_null: TextOrNull = None
    short_or_null: ShortTextOrNull = None
    slug: PostSlug = None
    key: Omittable[PostKey] = None
    page: PageNumber = 1
    size: PageSize = 25
    sequence: Omittable[SequenceNumber] = None
    several: Omittable[Several[Name]] = None
    name: Omittable[Name] = None
    not_blank: Omittable[NonBlankText] = None


@pytest.mark.parametrize(
    ("field", "sent", "stored"),
    [
        ("text", "", ""),
        ("text", " a\r\nb ", " a\r\nb "),
        ("text", "é😀", "é😀"),
        ("text_or_empty", None, ""),
        ("short_or_empty", None, ""),
        ("short_or_empty", "x" * 255, "x" * 255),
        ("text_or_null", None, None),
        ("text_or_null", "", None),
        ("text_or_null", " \n", None),
        ("text_or_null", " a ", " a "),
        ("short_or_null", " " * 300, None),
        ("slug", None, None),
        ("slug", "", None),
        ("slug", "  ", None),
        ("slug", "a-1_b", "a-1_b"),
        ("slug", "2026", "2026"),
        ("slug", "a" * 200, "a" * 200),
        ("key", 1, "1"),
        ("key", 2**62, str(2**62)),
        ("key", "12", "12"),
        ("key", "A b", "A b"),
        ("page", 1, 1),
        ("page", "1", 1),
        ("page", 999_999_999, 999_999_999),
        ("page", "999999999", 999_999_999),
        ("size", 100, 100),
        ("size", 101, 100),
        ("size", "5000", 100),
        ("size", "7", 7),
        ("sequence", 2**31 - 1, 2**31 - 1),
        ("several", [], ()),
        ("several", ["a", "a"], ("a", "a")),
        ("several", ["a"] * 500, ("a",) * 500),
    ],
    ids=parameter_id,
)
def test_values_that_are_accepted(field: str, sent: object, stored: object) -> None:
    assert getattr(parse(Every, {field: sent}), field) == stored


@pytest.mark.parametrize(
    "field", ["text", "text_or_empty", "short_or_empty", "text_or_null", "short_or_null", "slug"], ids=parameter_id
)
@pytest.mark.parametrize("value", [5, 1.5, True, [], {}, b"a", NUL, LONE_SURROGATE], ids=parameter_id)
def test_texts_refuse_other_types_and_what_cannot_be_stored(field: str, value: object) -> None:
    assert refusal_of_input(Every, {field: value}) == ("validation_failed", [field])


@pytest.mark.parametrize("slug", ["A", "a\n", "a--b", "-a", "a_", "a.b", "é", "a b", "٣"], ids=parameter_id)
def test_a_slug_of_another_shape_is_not_supported(slug: str) -> None:
    assert refusal_of_input(Every, {"slug": slug}) == ("slug_not_supported", ["slug"])


BLANK = "".join(character for character in map(chr, range(0x110000)) if character.isspace())


@pytest.mark.parametrize("field", ["name", "not_blank"])
@pytest.mark.parametrize("text", ["", *BLANK, BLANK], ids=ascii)
def test_what_nothing_is_left_of_without_its_margins_is_blank(field: str, text: str) -> None:
    assert refusal_of_input(Every, {field: text}) == ("validation_failed", [field])
    assert getattr(parse(Every, {field: f"{text}a{text}"}), field) == f"{text}a{text}"


def test_a_key_with_nul_is_not_found() -> None:
    assert refusal_of_input(Every, {"key": NUL}) == ("not_found", [])


@requirement("limits.lengths")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("text", None),
        ("text", "x" * (LONGEST_TEXT + 1)),
        ("text_or_empty", "x" * (LONGEST_TEXT + 1)),
        ("not_blank", "x" * (LONGEST_TEXT + 1)),
        ("short_or_empty", "x" * 256),
        ("short_or_null", "x" * 256),
        ("slug", "a" * 201),
        ("slug", "A" * 201),
        ("several", None),
        ("several", "ab"),
        ("several", {"a": 1}),
        ("several", [""]),
        ("several", ["a", " "]),
        ("several", ["a", None]),
        ("several", ["a"] * 501),
        ("key", LONE_SURROGATE),
        ("key", True),
        ("key", 1.5),
        ("key", []),
        ("key", ""),
        ("key", 0),
        ("key", -1),
        ("key", None),
        ("page", 0),
        ("page", -1),
        ("page", 1_000_000_000),
        ("page", True),
        ("page", 1.0),
        ("page", None),
        ("page", ""),
        ("page", "0"),
        ("page", "01"),
        ("page", "+1"),
        ("page", " 1"),
        ("page", "1\n"),
        ("page", "1_0"),
        ("page", "1.0"),
        ("page", "٣"),
        ("page", "1000000000"),
        ("size", 0),
        ("size", "01"),
        ("sequence", 0),
        ("sequence", 2**31),
        ("sequence", True),
        ("sequence", "1"),
    ],
    ids=parameter_id,
)
def test_values_that_are_refused(field: str, value: object) -> None:
    assert refusal_of_input(Every, {field: value}) == ("validation_failed", [field])
