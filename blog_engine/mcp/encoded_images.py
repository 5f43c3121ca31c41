"""Images in tool arguments, as strict Base64 (RFC 4648)."""

import base64

from blog_engine.actor import Call, Scope
from blog_engine.conf import get_settings
from blog_engine.errors import ImageNotPermitted
from blog_engine.inputs.base import parse
from blog_engine.inputs.images import ImageBytes, UploadImage, UploadImageAsText, UploadTicketFor
from blog_engine.operations import images
from blog_engine.operations.base import operation
from blog_engine.outputs.images import UploadTicketObject
from blog_engine.outputs.posts import ImageObject


@operation(scope=Scope.WRITE, refuses=[ImageNotPermitted])
def upload_image(data: UploadImageAsText, call: Call) -> ImageObject | UploadTicketObject:
    """Store an image from Base64 or a URL, or return a ticket for the file; known bytes return the stored image."""
    if data.byte_size is not None:
        return images.open_upload_ticket.handler(parse(UploadTicketFor, data.model_dump(exclude_unset=True)), call)
    return images.upload_image.handler(_with_bytes(data), call)


def _with_bytes(data: UploadImageAsText) -> UploadImage:
    if data.base64 is None:
        return UploadImage(url=data.url)
    content = _image_bytes(data.base64)
    return UploadImage(file=ImageBytes(data=content, filename=data.filename or "", content_type=data.content_type))


def _image_bytes(text: str) -> bytes:
    limit = get_settings().max_image_bytes
    # Checked before decoding: four characters encode three bytes.
    if len(text) > 4 * -(-limit // 3):
        raise ImageNotPermitted(hint=f"An image can have at most {limit} bytes.")
    try:
        return decode_base64(text)
    except ValueError as fault:
        raise ImageNotPermitted(
            hint="base64 is not valid: it was cut or changed, or it has a prefix such as data:. Send byte_size instead "
            "of base64 for an upload_url that takes the file itself, or send the public URL of the image as url."
        ) from fault


def decode_base64(text: str) -> bytes:
    """Return the bytes of a Base64 text.

    Raises ``ValueError`` for another alphabet, white space, and missing or superfluous padding (RFC 4648 section 3.5).
    """
    content = base64.b64decode(text, validate=True)
    # Python accepts superfluous padding and stray bits in the last character.
    if base64.b64encode(content).decode() != text:
        raise ValueError("not canonical Base64")
    return content
