"""The parser of forms with one file: what it returns and what it refuses."""

from io import BytesIO
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.test import RequestFactory

from blog_engine.api.bodies import read_form, read_upload
from blog_engine.errors import LengthRequired, PayloadTooLarge, Refusal, UnsupportedMediaType, ValidationFailed
from blog_engine.inputs.images import ImageBytes
from tests.requirements import requirement
from tests.support.hosts import blog_settings

LIMIT = 100
LARGEST_FORM = 2 * LIMIT + 1024 * 1024
FORM = "multipart/form-data; boundary=x"
PART = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'
URL = b'--x\r\nContent-Disposition: form-data; name="url"\r\n\r\nhttps://a.example/b.png\r\n'
END = b"--x--\r\n"


@pytest.fixture(autouse=True)
def _small_images(settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(max_image_bytes=LIMIT)
    # A hostile host's; a text in a form has its place there, a file has not.
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 50


def request(body: bytes, content_type: str = FORM, **headers: Any) -> WSGIRequest:
    stream = {"wsgi.input": BytesIO(body)}
    return RequestFactory().generic("POST", "/", body, content_type=content_type, **stream, **headers)


def file(content: bytes = b"bytes", **given: Any) -> ImageBytes:
    return ImageBytes(**{"data": content, "filename": "a.png", "content_type": "image/png"} | given)


def part(disposition: str, content: bytes = b"bytes", *headers: str) -> bytes:
    head = "\r\n".join([f"--x\r\nContent-Disposition: form-data; {disposition}", *headers, "", ""])
    return head.encode() + content + b"\r\n"


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        (END, {}),
        (PART + b"bytes\r\n" + END, {"file": file()}),
        (PART + b"bytes\r\n" + END + b"epilogue", {"file": file()}),
        (b"preamble\r\n" + PART + b"bytes\r\n" + END, {"file": file()}),
        (PART + b"a\r\n--y\r\n\0\xff\r\n" + END, {"file": file(b"a\r\n--y\r\n\0\xff")}),
        (PART + b"\r\n" + END, {"file": file(b"")}),
        (part('name="file"; filename="a"') + END, {"file": file(filename="a", content_type=None)}),
        (part('name="file"; filename="é.png"') + END, {"file": file(filename="é.png", content_type=None)}),
        (part("name=\"file\"; filename*=UTF-8''%C3%A9") + END, {"file": file(filename="é", content_type=None)}),
        (
            part('name="file"; filename="a.png"', b"Ynl0ZXM=", "Content-Transfer-Encoding: base64") + END,
            {"file": file(content_type=None)},
        ),
        (URL + END, {"url": "https://a.example/b.png"}),
        (PART + b"bytes\r\n" + URL + END, {"file": file(), "url": "https://a.example/b.png"}),
        (part('name="file"', b"text") + END, {"file": "text"}),
        (part('name="file"; filename=""', b"") + END, {"file": ""}),
        (part('name="file"; filename=".."', b"") + END, {}),
        (part('name="other"; filename="b"') + END, {"other": file(b"", filename="b", content_type=None)}),
    ],
)
def test_the_parts_of_a_form_are_read_by_name(body: bytes, fields: dict[str, object]) -> None:
    assert read_form(request(body)) == fields


@pytest.mark.parametrize("second", [PART + b"more\r\n", part('name="file"', b"text")], ids=["a file", "a text"])
def test_a_second_part_of_one_name_is_never_dropped_in_silence(second: bytes) -> None:
    (sent,) = read_form(request(PART + b"bytes\r\n" + second + END)).values()

    assert not isinstance(sent, str | ImageBytes)


@requirement("images.upload.buffer")
@pytest.mark.parametrize("size", [LIMIT, LIMIT + 1, LIMIT + 2, 500_000])
def test_no_more_of_a_file_is_kept_than_tells_that_it_is_too_large(size: int) -> None:
    fields = read_form(request(PART + b"x" * size + b"\r\n" + END))

    assert fields == {"file": file(b"x" * min(size, LIMIT + 1))}


@pytest.mark.parametrize("content_type", ["Multipart/Form-Data; boundary=x", 'multipart/form-data;boundary="x"'])
def test_a_media_type_may_be_written_in_several_ways(content_type: str) -> None:
    assert read_form(request(PART + b"bytes\r\n" + END, content_type)) == {"file": file()}


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"bytes", FORM),
        (PART, FORM),
        (PART + b"bytes", FORM),
        (PART + b"bytes\r\n", FORM),
        (PART + b"bytes\r\n--x\r\n", FORM),
        (PART + b"bytes\r\n" + END, "multipart/form-data"),
        (PART + b"bytes\r\n" + END, "multipart/form-data; boundary="),
        (PART + b"bytes\r\n" + END, "multipart/form-data; boundary=other"),
        (PART + b"bytes\r\n" + END, "multipart/form-data; boundary=\u00e9"),
        (part('name="file"; filename="a"', b"A", "Content-Transfer-Encoding: base64") + END, FORM),
        (part('name="file"; filename="a"', b"", f"X: {'x' * 2000}") + END, FORM),
        (part('name="other"; filename="a"') * 200 + END, FORM),
    ],
)
def test_what_is_no_whole_form_is_refused(body: bytes, content_type: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        read_form(request(body, content_type))

    assert refused.value.details == ["body"]


def test_a_form_of_more_texts_than_the_host_allows_is_refused(settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = None
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 2

    with pytest.raises(ValidationFailed) as refused:
        read_form(request(URL * 3 + END))

    assert refused.value.details == ["body"]


def test_a_form_that_ends_before_its_length_is_refused() -> None:
    whole = PART + b"bytes\r\n" + END

    with pytest.raises(ValidationFailed):
        read_form(request(whole, CONTENT_LENGTH=str(len(whole) + 1)))


def test_nothing_beyond_the_length_is_read() -> None:
    whole = PART + b"bytes\r\n" + END

    with pytest.raises(ValidationFailed):
        read_form(request(whole, CONTENT_LENGTH=str(len(whole) - 6)))


def test_a_request_without_a_body_is_an_empty_form() -> None:
    assert read_form(request(b"")) == {}


@requirement("api.input.headers")
def test_bare_bytes_are_refused_by_naming_both_types_that_are_taken() -> None:
    with pytest.raises(UnsupportedMediaType) as refused:
        read_upload(request(b"bytes", "image/png"))

    told = refused.value.envelope()["error"]["message"]
    assert [kind for kind in ("application/json", "multipart/form-data") if kind not in told] == []


@requirement("images.upload.form-size")
@pytest.mark.parametrize(
    ("headers", "refusal"),
    [
        ({"CONTENT_LENGTH": str(LARGEST_FORM + 1)}, PayloadTooLarge),
        ({"CONTENT_LENGTH": "9" * 5000}, PayloadTooLarge),
        ({"CONTENT_LENGTH": "x"}, ValidationFailed),
        ({"CONTENT_LENGTH": "", "HTTP_TRANSFER_ENCODING": "chunked"}, LengthRequired),
    ],
)
def test_the_length_is_judged_before_anything_is_read(headers: dict[str, str], refusal: type[Refusal]) -> None:
    sent = request(PART + b"bytes\r\n" + END, **headers)

    with pytest.raises(refusal):
        read_form(sent)
    assert sent.environ["wsgi.input"].tell() == 0


@requirement("images.upload.form-size")
def test_the_largest_form_is_read() -> None:
    frame = len(PART + b"\r\n" + END)

    fields = read_form(request(PART + b"x" * (LARGEST_FORM - frame) + b"\r\n" + END))

    assert fields == {"file": file(b"x" * (LIMIT + 1))}


@requirement("images.upload.host-limits")
@pytest.mark.parametrize("attribute", ["POST", "FILES", "body"])
def test_a_form_that_the_host_has_looked_into_is_still_ours(attribute: str, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    sent = request(PART + b"x" * 500 + b"\r\n" + END)
    getattr(sent, attribute)

    assert read_form(sent) == {"file": file(b"x" * (LIMIT + 1))}
