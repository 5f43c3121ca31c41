"""Signatures of webhooks, as Standard Webhooks has them."""

import hmac
from base64 import b64encode


def webhook_headers(body: bytes, *, event_id: str, timestamp: int, key: bytes) -> dict[str, str]:
    """Return the headers by which a receiver checks who sent a body, and when.

    ``timestamp`` is that of the attempt, in seconds since 1970 (webhooks.signature).
    """
    signed = b".".join([event_id.encode(), str(timestamp).encode(), body])
    signature = b64encode(hmac.digest(key, signed, "sha256")).decode()
    return {
        "webhook-id": event_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{signature}",
    }
