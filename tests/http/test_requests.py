import json

import pytest
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.test import RequestFactory
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from blog_engine.errors import Refusal, UnknownField, ValidationFailed
from blog_engine.http.requests import body_length, json_object, origin_of, read_exactly, read_json
from tests.requirements import requirement
from tests.support.hosts import blog_settings

LARGEST = 2**63 - 1


def shown(value: object) -> str:
    text = ascii(value)
    return text if len(text) <= 60 else f"{text[:40]} and {len(text) - 40} more"


def details_of(raw: bytes) -> list[str]:
    with pytest.raises(ValidationFailed) as caught:
        json_object(raw)
    return caught.value.details


class Trickle(HttpRequest):
    """A request that returns one byte at a time, as a socket may, and records the sizes read."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.content = content
        self.asked: list[int] = []

    def read(self, size: int = -1, /) -> bytes:
        self.asked.append(size)
        first, self.content = self.content[:1], self.content[1:]
        return first


@pytest.mark.parametrize(
    ("raw", "fields"),
    [
        (b"", {}),
        (b"{}", {}),
        (b' {"a": null, "b": false} \n', {"a": None, "b": False}),
        ('{"é": "😀"}'.encode(), {"é": "😀"}),
        (rb'{"a": "\ud83d\ude00"}', {"a": "😀"}),
        (rb'{"a": "\ud800"}', {"a": "\ud800"}),
        (rb'{"a": "\u0000"}', {"a": "\x00"}),
        (b'{"a": 9223372036854775807, "b": -9223372036854775808}', {"a": LARGEST, "b": -(2**63)}),
        (b'{"a": 1e308, "b": 1e-999, "c": -0.5}', {"a": 1e308, "b": 0.0, "c": -0.5}),
        (b'{"a": {"x": 1}, "b": {"x": 1}}', {"a": {"x": 1}, "b": {"x": 1}}),
        (b'{"a": "[[[[{{{{\\"["}', {"a": '[[[[{{{{"['}),
    ],
    ids=shown,
)
def test_an_object_is_read(raw: bytes, fields: dict[str, object]) -> None:
    assert json_object(raw) == fields


@requirement("api.input.strict-json", "api.input.unstorable")
@pytest.mark.parametrize(
    "raw",
    [
        b" ",
        b"{",
        b"{'a': 1}",
        b'{"a": 1,}',
        b'{"a": 1} x',
        b'{"a": 1}{"b": 2}',
        b'{"a": "line\nbreak"}',
        b'{"a": "\xff"}',
        b'{"a": "\xed\xa0\x80"}',
        b"\xef\xbb\xbf{}",
        '{"a": 1}'.encode("utf-16"),
        '{"a": 1}'.encode("utf-32-le"),
        b"\x00{}",
        b'{"a": 1, "a": 1}',
        rb'{"a": 1, "\u0061": 2}',
        b'{"x": [{"a": 1, "a": 2}]}',
        b'{"a": NaN}',
        b'{"a": Infinity}',
        b'{"a": -Infinity}',
        b'{"a": 1e999}',
        b'{"a": -1e999}',
        b'{"a": 9223372036854775808}',
        b'{"a": -9223372036854775809}',
        b'{"a": 1' + b"0" * 5000 + b"}",
        b'{"a": 01}',
        b'{"a": +1}',
        rb'{"\ud800": 1}',
        rb'{"a": {"\udc00b": 1}}',
        b"a=1&b=2",
        b"null",
        b"true",
        b"5",
        b'"text"',
    ],
    ids=shown,
)
def test_anything_but_strict_json_is_refused(raw: bytes) -> None:
    assert details_of(raw) == ["body"]


@requirement("api.input.strict-json")
@pytest.mark.parametrize("raw", [b"[]", b'[{"title": "x"}]'])
def test_a_list_is_one_unknown_field(raw: bytes) -> None:
    with pytest.raises(UnknownField) as caught:
        json_object(raw)

    assert caught.value.details == ["body"]


def test_any_json_value_is_read() -> None:
    assert [read_json(raw) for raw in (b"null", b"[1, {}]", b'"a"')] == [None, [1, {}], "a"]


@requirement("api.input.strict-json")
@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")], ids=shown)
def test_nesting_goes_64_levels_deep(opening: bytes, closing: bytes) -> None:
    deepest = opening * 63 + b"{}" + closing * 63

    assert read_json(deepest) is not None
    with pytest.raises(ValidationFailed):
        read_json(opening + deepest + closing)


@requirement("api.input.keys")
def test_an_object_has_at_most_a_thousand_keys() -> None:
    most = {str(number): number for number in range(1000)}

    assert json_object(json.dumps(most).encode()) == most
    assert details_of(json.dumps(most | {"1000": 0}).encode()) == ["body"]
    assert details_of(json.dumps({"inner": most | {"1000": 0}}).encode()) == ["body"]


def test_siblings_are_not_nested() -> None:
    assert read_json(b"[" + b"[[]]," * 1000 + b"[]]") == [*[[[]]] * 1000, []]


@pytest.mark.parametrize(
    "raw",
    [b"[" * 3_000_000, b'{"a":' * 500_000, b'"' + b'\\"' * 1_000_000, b'["' + b"\\" * 2_000_001, b"]" * 1_000_000],
    ids=shown,
)
def test_hostile_text_is_refused_at_once(raw: bytes) -> None:
    assert details_of(raw) == ["body"]


@given(st.binary(max_size=50) | st.text(alphabet='{}[]",:\\u0d8e1-.+ truefalsn', max_size=40).map(str.encode))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    try:
        value = json_object(raw)
    except Refusal as refusal:
        assert refusal.code in {"validation_failed", "unknown_field"}
        assert refusal.details == ["body"]
    else:
        assert value == (json.loads(raw) if raw else {})


@pytest.mark.parametrize(
    ("length", "expected"), [("5", 5), ("05", 5), ("0000000000000000000000000000005", 5), (None, 0), ("", 0), ("0", 0)]
)
def test_the_length_of_a_body_is_its_content_length(length: str | None, expected: int) -> None:
    request = RequestFactory(CONTENT_LENGTH=length).get("/")

    assert body_length(request, limit=5) == expected


def test_a_body_that_comes_in_pieces_is_read_whole_and_no_further() -> None:
    request = Trickle(b"12345 and the next request")

    assert read_exactly(request, 5) == b"12345"
    assert request.asked == [5, 4, 3, 2, 1]


@requirement("api.answers.origin")
def test_urls_are_on_the_public_base_url(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url="https://blog.example.com")
    request = RequestFactory().get("/", headers={"Host": "evil.example"})

    assert origin_of(request) == "https://blog.example.com"


@requirement("api.answers.origin")
@pytest.mark.parametrize(
    ("secure", "host", "expected"),
    [(False, "localhost:8000", "http://localhost:8000"), (True, "example.com", "https://example.com")],
)
def test_without_public_base_url_they_are_on_the_origin_of_the_request(
    settings: Settings, secure: bool, host: str, expected: str
) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url=None)
    request = RequestFactory().get("/", secure=secure, headers={"Host": host})

    assert origin_of(request) == expected


def test_a_forged_host_is_never_used(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url=None)
    request = RequestFactory().get("/", headers={"Host": "evil.example"})

    with pytest.raises(DisallowedHost):
        origin_of(request)
