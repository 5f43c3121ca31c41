"""Answers that are given again to a call with the same ``Idempotency-Key``."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from typing import Final

from django.http import HttpRequest, HttpResponse

from blog_engine.actor import Call
from blog_engine.errors import ValidationFailed
from blog_engine.http.origins import REPLAYED
from blog_engine.http.responses import JSON, never_stored
from blog_engine.inputs.images import ImageBytes
from blog_engine.services import KeptAnswer, carried_out_once

HEADER: Final = "Idempotency-Key"
_KEY: Final = re.compile(r"[\x21-\x7e]{1,255}")
_OF_THE_CALL: Final = ("If-Match", "If-None-Match")
"""Headers that are part of what is asked."""


def with_key(
    request: HttpRequest, sent: Mapping[str, object], call: Call, answer: Callable[[], tuple[HttpResponse, bool]]
) -> HttpResponse:
    """Return the answer to a call, or the one that it had before under its key.

    ``answer`` also says whether its answer is to be kept. Raises ``ValidationFailed`` (``Idempotency-Key``) for a key
    of another form, and what ``carried_out_once`` raises.
    """
    if HEADER not in request.headers:
        return answer()[0]
    answered = carried_out_once(
        _key_in(request.headers[HEADER]),
        answer,
        request=_digest_of(request, sent),
        actor=call.actor,
        now=call.now,
        as_kept=lambda given: _kept(given[0]) if given[1] else None,
    )
    return _again(answered) if isinstance(answered, KeptAnswer) else answered[0]


def _key_in(header: str) -> str:
    """Return the key of a header, which can be in the quotes of a structured field."""
    key = header.strip()
    if len(key) > 1 and key[0] == key[-1] == '"':
        key = key[1:-1]
    if not _KEY.fullmatch(key):
        raise ValidationFailed(
            [HEADER], hint="Idempotency-Key is 1 to 255 ASCII characters without spaces, such as a random UUID."
        )
    return key


def _digest_of(request: HttpRequest, sent: Mapping[str, object]) -> str:
    conditions = [request.headers.get(name) for name in _OF_THE_CALL]
    asked = [request.method, request.path.rstrip("/"), conditions, dict(sent)]
    return hashlib.sha256(json.dumps(asked, sort_keys=True, default=_as_json).encode()).hexdigest()


def _as_json(value: object) -> object:
    if isinstance(value, ImageBytes):
        return [hashlib.sha256(value.data).hexdigest(), value.filename, value.content_type]
    raise TypeError(f"{type(value).__name__} cannot be part of an input")


def _kept(response: HttpResponse) -> KeptAnswer:
    return KeptAnswer(response.status_code, response.content, response.headers.get("ETag", ""))


def _again(kept: KeptAnswer) -> HttpResponse:
    response = HttpResponse(kept.body, status=kept.status, content_type=JSON, headers={REPLAYED: "true"})
    if kept.etag:
        response.headers["ETag"] = kept.etag
    return never_stored(response)
