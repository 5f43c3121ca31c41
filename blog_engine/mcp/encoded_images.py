"""Images in tool arguments, as strict Base64 (RFC 4648)."""

import base64

from blog_engine.actor import Call, Scope
from blog_engine.conf import get_settings
from blog_engine.errors import ImageNotPermitted
from blog_engine.inputs.images import ImageBytes, UploadImage, UploadImageAsText
from blog_engine.operations import posts
from blog_engine.operations.base import operation
from blog_engine.outputs.posts import ImageObject


def decode_base64(text: str) -> bytes:
    """The bytes of a text.

    Raises ``ValueError`` for other alphabets, white space, and missing or superfluous padding (RFC 4648 section 3.5).
    """
    content = base64.b64decode(text, validate=True)
    # Python also takes too much padding, and bits that belong to no byte.
    if base64.b64encode(content).decode() != text:
        raise ValueError("not the Base64 of its own bytes")
    return content


@operation(scope=Scope.WRITE, refuses=[ImageNotPermitted])
def upload_encoded_image(data: UploadImageAsText, call: Call) -> ImageObject:
    """Store an image, from Base64 or from an address; bytes that are known already give their stored image."""
    return posts.upload_image.handler(_with_bytes(data), call)


def _with_bytes(data: UploadImageAsText) -> UploadImage:
    if data.base64 is None:
        return UploadImage(url=data.url)
    content = _decoded(data.base64)
    return UploadImage(file=ImageBytes(data=content, filename=data.filename or "", content_type=data.content_type))


def _decoded(text: str) -> bytes:
    most = get_settings().max_image_bytes
    # Judged before anything is decoded: four characters stand for three bytes.
    if len(text) > 4 * -(-most // 3):
        raise ImageNotPermitted(hint=f"An image has at most {most} bytes here.")
    try:
        return decode_base64(text)
    except ValueError as fault:
        raise ImageNotPermitted(
            hint="base64 is truncated or altered: its alphabet or padding is wrong, or something such as data: stands "
            "before it. Send the whole file, or put it at a public address and send url instead."
        ) from fault
