"""Base64 as RFC 4648 writes it, for images and for headers."""

import pytest

from blog_engine.mcp.encoded_images import decode_base64
from tests.requirements import requirement


@pytest.mark.parametrize(("text", "content"), [("", b""), ("aQ==", b"i"), ("aXM=", b"is"), ("+/+/", b"\xfb\xff\xbf")])
def test_every_byte_is_read(text: str, content: bytes) -> None:
    assert decode_base64(text) == content


@requirement("agents.tools.upload")
@pytest.mark.parametrize(
    "text", ["aQ", "aQ=", "aQ===", "aQ==aQ==", "aXM==", "aX=M", "=", "aQ==\n", "a Q==", "-_-_", "é===", "aR==", "aXN="]
)
def test_what_another_text_would_say_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        decode_base64(text)
