"""Base64 as RFC 4648 writes it, and nothing that merely looks like it."""

import base64


def decoded(text: str) -> bytes:
    """The bytes of a text.

    Raises ``ValueError`` for other alphabets, white space, and missing or superfluous padding (RFC 4648 section 3.5).
    """
    content = base64.b64decode(text, validate=True)
    # Python also takes too much padding, and bits that belong to no byte.
    if base64.b64encode(content).decode() != text:
        raise ValueError("not the Base64 of its own bytes")
    return content
