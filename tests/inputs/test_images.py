"""The input of an upload."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from blog_engine.errors import ImageNotPermitted, Refusal, UnknownField
from blog_engine.inputs.base import parse
from blog_engine.inputs.images import ImageBytes, UploadImage
from blog_engine.operations.schema import PlainSchema
from tests.requirements import requirement

FILE = ImageBytes(data=b"bytes", filename="quay.png", content_type="image/png")
URL = "https://img.example/quay.png"


def refusal(raw: dict[str, Any]) -> Refusal:
    with pytest.raises(Refusal) as refused:
        parse(UploadImage, raw)
    return refused.value


@requirement("images.upload.one")
@pytest.mark.parametrize("raw", [{"file": FILE}, {"url": URL}, {"url": ""}], ids=["file", "url", "empty url"])
def test_one_of_file_and_url_is_read(raw: dict[str, Any]) -> None:
    data = parse(UploadImage, raw)

    assert {name: getattr(data, name) for name in data.model_fields_set} == raw


@requirement("images.upload.one")
@pytest.mark.parametrize(
    "raw",
    [
        {},
        {"file": FILE, "url": URL},
        {"file": None},
        {"file": "bytes"},
        {"file": {"data": "bytes", "filename": "quay.png"}},
        {"file": b"bytes"},
        {"url": None},
        {"url": 7},
        {"url": "a\0b"},
        {"url": "\ud800"},
        {"url": "x" * 2049},
        {"file": FILE, "url": 7},
    ],
)
def test_anything_else_is_not_permitted(raw: dict[str, Any]) -> None:
    refused = refusal(raw)

    assert (type(refused), refused.details) == (ImageNotPermitted, [])
    assert refused.hint


def test_unknown_fields_come_first() -> None:
    refused = refusal({"file": "text", "alt": "Quay", "url": 7})

    assert (type(refused), refused.details) == (UnknownField, ["alt"])


def test_bytes_are_kept_out_of_what_logs_show() -> None:
    assert "bytes" not in repr(FILE)


def test_the_schema_tells_the_file_from_texts() -> None:
    schema = UploadImage.model_json_schema(schema_generator=PlainSchema)

    Draft202012Validator.check_schema(schema)
    assert schema == {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "file": {"type": "string", "format": "binary", "description": "The image file."},
            "url": {
                "type": "string",
                "maxLength": 2048,
                "description": "URL to fetch the image from, or of a stored image.",
            },
            "credit": schema["properties"]["credit"],
            "digital_source_type": schema["properties"]["digital_source_type"],
        },
    }
    assert schema["properties"]["credit"]["maxLength"] == 500
    assert "trainedAlgorithmicMedia" in str(schema["properties"]["digital_source_type"])
