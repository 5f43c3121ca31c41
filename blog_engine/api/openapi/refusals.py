"""The refusals of an endpoint as responses."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter

from blog_engine.actor import Scope
from blog_engine.api.openapi.endpoints import Endpoint
from blog_engine.errors import (
    Busy,
    IdempotencyConflict,
    IdempotencyKeyReused,
    InternalError,
    LengthRequired,
    MethodNotAllowed,
    NotFound,
    PayloadTooLarge,
    PreconditionFailed,
    RateLimited,
    Refusal,
    ScopeRequired,
    Unauthenticated,
    Unavailable,
    UnknownField,
    UnsupportedMediaType,
    ValidationFailed,
)
from blog_engine.operations.schema import Schema

REFUSALS_OF_INPUT: tuple[type[Refusal], ...] = (
    LengthRequired,
    PayloadTooLarge,
    UnsupportedMediaType,
    UnknownField,
    ValidationFailed,
)
"""The refusals of a query or body that cannot be read."""
_OF_EVERY_CALL: tuple[type[Refusal], ...] = (
    Unauthenticated,
    *REFUSALS_OF_INPUT,
    RateLimited,
    InternalError,
    Busy,
    Unavailable,
)
_OF_THE_CALLER = (Unauthenticated, ScopeRequired)
_SHARED: tuple[tuple[type[Refusal], ...], ...] = (
    (Unauthenticated,),
    (ScopeRequired,),
    (NotFound,),
    (LengthRequired,),
    (PreconditionFailed,),
    (PayloadTooLarge,),
    (UnsupportedMediaType,),
    (UnknownField, ValidationFailed),
    (UnknownField, ValidationFailed, IdempotencyKeyReused),
    (IdempotencyConflict,),
    (RateLimited,),
    (InternalError,),
    (Busy, Unavailable),
)
_HEADERS: dict[int, tuple[str, ...]] = {401: ("WWW-Authenticate",), 429: ("Retry-After",), 503: ("Retry-After",)}
_DESCRIPTIONS: dict[int, str] = {
    401: "The caller is not authenticated.",
    403: "The actor lacks a scope.",
    404: "The record does not exist.",
    409: "The call conflicts with another record or revision.",
    410: "The upload URL is used up or expired.",
    411: "The body has no Content-Length.",
    412: "A condition of If-Match or If-None-Match does not hold; nothing was written.",
    413: "The body is too large.",
    415: "The body has an unsupported type.",
    422: "The input is refused; nothing was written.",
    429: "Too many requests.",
    500: "An internal error, which the log of the blog describes.",
    503: "The database or another service is busy or unavailable; nothing was written.",
}


def refusals_of(endpoint: Endpoint) -> list[type[Refusal]]:
    """Return every refusal of an endpoint, by status."""
    scoped = (ScopeRequired,) if endpoint.operation.scope is not None else ()
    conditional = (PreconditionFailed,) if endpoint.takes_if_match or endpoint.takes_if_none_match else ()
    repeatable = (IdempotencyConflict, IdempotencyKeyReused) if endpoint.takes_a_key else ()
    every: dict[type[Refusal], None] = dict.fromkeys(
        (*_OF_EVERY_CALL, *scoped, *conditional, *repeatable, *endpoint.operation.refuses)
    )
    if endpoint.takes_a_file:
        every = {refusal: None for refusal in every if refusal not in _OF_THE_CALLER}
    return sorted(every, key=attrgetter("status"))


def refusal_responses(refusals: Iterable[type[Refusal]]) -> dict[str, Schema]:
    """Return the response for each status; those that many endpoints have are references to components."""
    by_status = {str(status): list(several) for status, several in groupby(refusals, key=attrgetter("status"))}
    return {status: _reference(several) or response_of(several) for status, several in by_status.items()}


def shared_responses() -> dict[str, Schema]:
    """Return the responses that ``refusal_responses`` refers to, by name."""
    return {_name(several): response_of(several) for several in _SHARED}


def refusal_examples() -> dict[str, Schema]:
    """Return an example of each refusal of an operation, by its code."""
    return {refusal.code: {"value": _example(refusal)} for refusal in sorted(_answered(), key=attrgetter("code"))}


def response_of(refusals: Sequence[type[Refusal]]) -> Schema:
    """Return the response of refusals with the same status: an example of each code, and headers."""
    status = refusals[0].status
    content = {
        "schema": {"$ref": f"#/components/schemas/{_schema_name(status)}"},
        "examples": {refusal.code: {"$ref": f"#/components/examples/{refusal.code}"} for refusal in refusals},
    }
    headers = {name: {"$ref": f"#/components/headers/{name}"} for name in _HEADERS.get(status, ())}
    described: Schema = {"description": _DESCRIPTIONS[status], "content": {"application/json": content}}
    return described | ({"headers": headers} if headers else {})


def refusal_schemas() -> dict[str, Schema]:
    """Return the schema of the envelope of the refusals of each status, by name.

    Not one schema with the codes of a response beside it: generated clients make a class of each schema in a response.
    """
    every: list[type[Refusal]] = sorted({*_answered(), PreconditionFailed}, key=attrgetter("status", "code"))
    by_status = groupby(every, key=attrgetter("status"))
    return {_schema_name(status): _envelope([refusal.code for refusal in several]) for status, several in by_status}


def _answered() -> set[type[Refusal]]:
    return set(Refusal.__subclasses__()) - {MethodNotAllowed}


def _envelope(codes: Iterable[str]) -> Schema:
    text: Schema = {"type": "string"}
    code: Schema = {"type": "string", "enum": list(dict.fromkeys(codes))}
    return _object({"error": _object({"code": code, "message": text, "details": {"type": "array", "items": text}})})


def _object(fields: Schema) -> Schema:
    return {"type": "object", "properties": fields, "required": [*fields]}


def _schema_name(status: int) -> str:
    return f"Refusal{status}"


def _reference(refusals: Sequence[type[Refusal]]) -> Schema | None:
    return {"$ref": f"#/components/responses/{_name(refusals)}"} if tuple(refusals) in _SHARED else None


def _name(refusals: Sequence[type[Refusal]]) -> str:
    return "_or_".join(refusal.code for refusal in refusals)


def _example(refusal: type[Refusal]) -> Schema:
    details = [Scope.PUBLISH.value] if refusal is ScopeRequired else []
    return {"error": {"code": refusal.code, "message": refusal.message, "details": details}}
