"""The inputs of categories and series."""

import pytest

from blog_engine.inputs.base import Input, parse
from blog_engine.inputs.records import CreateCategory, CreateSeries, UpdateCategory, UpdateSeries
from tests.inputs.values import LONE_SURROGATE, NUL, parameter_id, refusal_of_input
from tests.requirements import requirement

CREATING: list[type[Input]] = [CreateCategory, CreateSeries]
UPDATING: list[type[Input]] = [UpdateCategory, UpdateSeries]

NAMES = [None, "", " \n", "\x1c", 5, True, [], {}, NUL, LONE_SURROGATE, "x" * 256]
SLUGS = [
    *("Garden", "a b", "a--b", "-a", "a-", "a.b", "a-_b", "été", "a\n", "x" * 201),
    *(5, False, [], {}, NUL, LONE_SURROGATE),
]
DESCRIPTIONS = [5, True, [], {}, NUL, LONE_SURROGATE]
POSITIONS = [None, "1", "", 1.5, True, [], {}, 2**31, -(2**31) - 1]


@requirement("taxonomy.names")
@pytest.mark.parametrize("model", CREATING)
def test_a_new_record_needs_a_name(model: type[Input]) -> None:
    assert refusal_of_input(model, {}) == ("validation_failed", ["name"])


@pytest.mark.parametrize("model", UPDATING)
def test_an_edit_needs_nothing_but_the_id_of_the_address(model: type[Input]) -> None:
    assert parse(model, {}, fixed={"id": "7"}).model_dump(exclude_unset=True) == {"id": 7}


@requirement("taxonomy.nulls")
@pytest.mark.parametrize("model", CREATING)
@pytest.mark.parametrize(
    ("field", "sent", "read"),
    [
        ("name", "Garden", "Garden"),
        ("name", " Garden\u00a0\n", "Garden"),
        ("name", "x" * 255, "x" * 255),
        ("slug", "low-tide_2", "low-tide_2"),
        ("slug", "x" * 200, "x" * 200),
        *[("slug", blank, None) for blank in (None, "", " ")],
        ("description", " As *sent*.\r\n", " As *sent*.\r\n"),
        *[("description", blank, "") for blank in (None, "")],
    ],
    ids=parameter_id,
)
def test_names_slugs_and_descriptions_are_read(model: type[Input], field: str, sent: object, read: object) -> None:
    assert getattr(parse(model, {"name": "Sea", field: sent}), field) == read


@requirement("taxonomy.categories.position")
@pytest.mark.parametrize("position", [0, -1, 2**31 - 1, -(2**31)], ids=parameter_id)
def test_a_position_is_any_number_of_32_bits(position: int) -> None:
    assert parse(CreateCategory, {"name": "Sea", "position": position}).position == position


@requirement("taxonomy.names", "taxonomy.nulls", "limits.lengths")
@pytest.mark.parametrize(
    ("model", "fixed"),
    [(CreateCategory, {}), (CreateSeries, {}), (UpdateCategory, {"id": "1"}), (UpdateSeries, {"id": "1"})],
    ids=parameter_id,
)
@pytest.mark.parametrize(
    ("field", "value"),
    [
        *[("name", value) for value in NAMES],
        *[("slug", value) for value in SLUGS],
        *[("description", value) for value in DESCRIPTIONS],
    ],
    ids=parameter_id,
)
def test_a_faulty_value_is_refused_by_the_name_of_its_field(
    model: type[Input], fixed: dict[str, object], field: str, value: object
) -> None:
    assert refusal_of_input(model, {"name": "Sea", field: value}, fixed=fixed) == ("validation_failed", [field])


@requirement("taxonomy.categories.position")
@pytest.mark.parametrize(("model", "fixed"), [(CreateCategory, {}), (UpdateCategory, {"id": "1"})], ids=parameter_id)
@pytest.mark.parametrize("position", POSITIONS, ids=parameter_id)
def test_what_is_no_number_of_32_bits_is_no_position(
    model: type[Input], fixed: dict[str, object], position: object
) -> None:
    assert refusal_of_input(model, {"name": "Sea", "position": position}, fixed=fixed) == (
        "validation_failed",
        ["position"],
    )


@requirement("refusals.all-fields")
def test_all_faulty_fields_are_named_in_their_order() -> None:
    raw: dict[str, object] = {"position": None, "description": 1, "slug": "A", "name": ""}

    assert refusal_of_input(CreateCategory, raw) == ("validation_failed", ["name", "slug", "description", "position"])


@requirement("taxonomy.categories.fields", "taxonomy.series.fields")
@pytest.mark.parametrize(
    ("model", "field"),
    [
        (CreateCategory, "id"),
        (CreateCategory, "posts_count"),
        (CreateSeries, "position"),
        (CreateSeries, "posts"),
        (UpdateCategory, "id"),
        (UpdateSeries, "id"),
    ],
)
def test_other_fields_are_unknown(model: type[Input], field: str) -> None:
    fixed = {"id": "1"} if model in UPDATING else {}

    assert refusal_of_input(model, {"name": "", field: 1}, fixed=fixed) == ("unknown_field", [field])


@requirement("taxonomy.ids")
@pytest.mark.parametrize("model", UPDATING)
@pytest.mark.parametrize("key", ["0", "01", "garden", "1.0", "-1", "٣", "9" * 19, "1\n", ""], ids=parameter_id)
def test_an_address_without_a_number_names_nothing(model: type[Input], key: str) -> None:
    assert refusal_of_input(model, {"name": "Sea"}, fixed={"id": key}) == ("not_found", [])
    assert refusal_of_input(model, {"name": ""}, fixed={"id": key}) == ("validation_failed", ["name"])
