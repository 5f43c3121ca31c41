"""Signatures of webhooks, as Standard Webhooks has them."""

import hmac
from base64 import b64encode
from collections.abc import Iterable


def webhook_headers(body: bytes, *, event_id: str, timestamp: int, keys: Iterable[bytes]) -> dict[str, str]:
    """Return the headers by which a receiver checks who sent a body, and when.

    ``timestamp`` is that of the attempt, in seconds since 1970. There is one signature for each key, in their order
    (webhooks.signature).
    """
    signed = b".".join([event_id.encode(), str(timestamp).encode(), body])
    signatures = (b64encode(hmac.digest(key, signed, "sha256")).decode() for key in keys)
    return {
        "webhook-id": event_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(f"v1,{signature}" for signature in signatures),
    }
