"""The input of redirects."""

from datetime import date

import pytest

from blog_engine.inputs.base import parse
from blog_engine.inputs.records import RedirectRef, SaveRedirect
from tests.inputs.values import LONE_SURROGATE, NUL, parameter_id, refusal_of_input
from tests.requirements import requirement

MOVE = {"old_path": "/old"}


@requirement("redirects.fields")
def test_only_the_old_path_is_needed() -> None:
    data = parse(SaveRedirect, MOVE)

    assert (data.old_path, data.new_path, data.post_id, data.occurred_on) == ("/old", None, None, None)


@requirement("redirects.old-path")
@pytest.mark.parametrize(
    "path",
    ["/", "/a", "/a/", "/A/b.php", "/blog/%C3%A9", "/été", "/a//b", "/a...b/.c", "/" + "a" * 2047],
    ids=parameter_id,
)
def test_a_rooted_path_is_kept_as_sent(path: str) -> None:
    assert parse(SaveRedirect, {"old_path": path}).old_path == path


@requirement("redirects.old-path", "limits.lengths")
@pytest.mark.parametrize(
    "path",
    [
        *(None, 5, True, [], {}, "", " ", "old", "//host/old", "https://example.com/old", "javascript:alert(1)"),
        *("/a b", "/a\n", "/a\tb", "/a\u00a0b", " /a", "/a#b", f"/{NUL}", f"/{LONE_SURROGATE}"),
        *("/a/../b", "/./a", "/..", "/a/%2E%2e/b", "/a%2f..", "/" + "a" * 2048),
    ],
    ids=parameter_id,
)
def test_anything_but_a_rooted_path_is_refused(path: object) -> None:
    assert refusal_of_input(SaveRedirect, {"old_path": path}) == ("validation_failed", ["old_path"])


@requirement("redirects.fields")
def test_the_old_path_cannot_be_left_out() -> None:
    assert refusal_of_input(SaveRedirect, {"new_path": "/new"}) == ("validation_failed", ["old_path"])


@requirement("redirects.new-path.own-site")
@pytest.mark.parametrize("target", [None, "winter-garden", "/new?x=1#y", "https://other.example/"], ids=parameter_id)
def test_a_target_is_kept_as_sent(target: str | None) -> None:
    assert parse(SaveRedirect, MOVE | {"new_path": target}).new_path == target


@requirement("redirects.new-path")
@pytest.mark.parametrize(
    "target", ["", "relative/path", "//host", "javascript:alert(1)", 5, "/a/../b"], ids=parameter_id
)
def test_anything_that_is_no_target_is_refused(target: object) -> None:
    assert refusal_of_input(SaveRedirect, MOVE | {"new_path": target}) == ("validation_failed", ["new_path"])


@requirement("redirects.post")
def test_a_null_post_is_none() -> None:
    assert parse(SaveRedirect, MOVE | {"post_id": None}).post_id is None


@requirement("redirects.post")
@pytest.mark.parametrize("post_id", ["1", 0, -1, 1.0, True, [1]], ids=parameter_id)
def test_a_post_is_a_number(post_id: object) -> None:
    assert refusal_of_input(SaveRedirect, MOVE | {"post_id": post_id}) == ("validation_failed", ["post_id"])


def test_a_post_and_a_day_are_taken() -> None:
    data = parse(SaveRedirect, MOVE | {"post_id": 7, "occurred_on": "2026-02-03"})

    assert (data.post_id, data.occurred_on) == (7, date(2026, 2, 3))


@requirement("redirects.day")
@pytest.mark.parametrize(
    "day", [None, "", "2026-2-3", "2026-02-30", "2026-02-03T00:00:00Z", 20260203], ids=parameter_id
)
def test_a_day_is_a_real_date(day: object) -> None:
    assert refusal_of_input(SaveRedirect, MOVE | {"occurred_on": day}) == ("validation_failed", ["occurred_on"])


@requirement("redirects.fields")
@pytest.mark.parametrize("name", ["source", "id", "kind"])
def test_other_fields_are_unknown(name: str) -> None:
    assert refusal_of_input(SaveRedirect, MOVE | {name: "manual"}) == ("unknown_field", [name])


@pytest.mark.parametrize("key", ["0", "-1", "x", "1.0", "01", "9" * 19, "%00"], ids=parameter_id)
def test_an_address_without_an_id_is_not_found(key: str) -> None:
    assert refusal_of_input(RedirectRef, {}, fixed={"id": key}) == ("not_found", [])
