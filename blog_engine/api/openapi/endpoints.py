"""The endpoints of the OpenAPI document: paths, request bodies and examples."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from blog_engine.api.conditions import EXPECTED
from blog_engine.api.repeats import HEADER
from blog_engine.api.serving import EngineViewSet, OperationAction, Success
from blog_engine.api.viewsets import EngineRouter
from blog_engine.errors import PreconditionFailed
from blog_engine.operations.base import Operation
from blog_engine.operations.schema import Schema
from blog_engine.outputs.posts import Adoption, FullPost, WriteEnvelope

_PATH_PARAMETERS = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A method on a path template such as ``/posts/{id}``, below ``<mount>/api/v1``."""

    path: str
    method: str
    viewset: type[EngineViewSet]
    action: str
    operation: Operation[Any, Any]
    success: Success
    has_text: bool = False
    takes_a_file: bool = False
    """Whether the body is a file, and the URL is the right to send it, instead of a token."""
    takes_a_key: bool = False
    """Whether the header ``Idempotency-Key`` makes the call repeatable (api.idempotency)."""

    @property
    def path_parameters(self) -> tuple[str, ...]:
        """The fields of the input that are in the path."""
        return tuple(_PATH_PARAMETERS.findall(self.path))

    @property
    def takes_if_match(self) -> bool:
        """Whether it writes to a post whose version the header ``If-Match`` can name (api.if-match)."""
        return EXPECTED in self.operation.input.model_fields

    @property
    def takes_if_none_match(self) -> bool:
        """Whether the header ``If-None-Match`` can refuse or shorten the answer (api.if-none-match)."""
        creates = self.method == "post" and self.takes_if_match and not self.path_parameters
        return creates or self.answers_not_modified or PreconditionFailed in self.operation.refuses

    @property
    def answers_not_modified(self) -> bool:
        """Whether it reads a post, which can be unchanged."""
        return self.method == "get" and FullPost in self.operation.outputs

    @property
    def has_entity_tag(self) -> bool:
        """Whether its answers name the version of a post (api.etag)."""
        return not {FullPost, WriteEnvelope, Adoption}.isdisjoint(self.operation.outputs)

    @property
    def tag(self) -> str:
        """The collection that the endpoint belongs to."""
        return self.path.split("/")[1]


def endpoints_of(router: EngineRouter) -> Iterator[Endpoint]:
    """Yield the endpoints of the router, in the order of its registrations and routes."""
    for prefix, viewset in router.served:
        for route in router.get_routes(viewset):
            bare = route.url.removeprefix("^").removesuffix("$").replace("{trailing_slash}", "")
            path = "/" + bare.replace("{prefix}", prefix).replace("{lookup}", f"{{{viewset.lookup_field}}}")
            for method, action in router.get_method_map(viewset, route.mapping).items():
                served: OperationAction = getattr(viewset, action)
                yield Endpoint(
                    path,
                    method,
                    viewset,
                    action,
                    served.operation,
                    served.success,
                    has_text=served.as_text is not None,
                    takes_a_file=served.takes_a_file,
                    takes_a_key=method == "post" and served.takes_a_key,
                )


_IN_THE_QUERY = frozenset({"get", "delete"})
_IF_MATCH: Schema = {
    "type": "string",
    "description": 'The ETag of the post that was read, such as "7": another version is refused with 412.',
}
_IF_NONE_MATCH: Schema = {
    "type": "string",
    "description": "On a read, ETags that are known already: 304 if the post has one of them. On a write only *, which "
    "creates and edits nothing: 412 if there is a record.",
}
_KEY: Schema = {
    "type": "string",
    "maxLength": 255,
    "description": "A random text, new for each call: for 24 hours the same call with it gets the same answer, and "
    "nothing is written twice.",
}
_BINARY = "binary"
_FILE = "application/octet-stream"
"""The media type of a file in the document: generators skip an endpoint that takes ``image/*``."""
_FORM = "multipart/form-data"


def parameters_of(endpoint: Endpoint, sent: Schema) -> list[Schema]:
    """Return the parameters of an endpoint; ``sent`` is the schema of its input."""
    fields, required = sent.get("properties", {}), sent.get("required", ())
    parts = [_parameter(name, fields[name], place="path", required=True) for name in endpoint.path_parameters]
    if endpoint.takes_if_match:
        parts.append(_parameter("If-Match", _IF_MATCH, place="header", required=False))
    if endpoint.takes_if_none_match:
        parts.append(_parameter("If-None-Match", _IF_NONE_MATCH, place="header", required=False))
    if endpoint.takes_a_key:
        parts.append(_parameter(HEADER, _KEY, place="header", required=False))
    if endpoint.method not in _IN_THE_QUERY and not endpoint.takes_a_file:
        return parts
    others = [name for name, field in fields.items() if name not in endpoint.path_parameters and not _is_file(field)]
    return parts + [_parameter(name, fields[name], place="query", required=name in required) for name in others]


def body_of(endpoint: Endpoint, sent: Schema, *, example: Any = None) -> Schema | None:
    """Return the request body of an endpoint, or ``None``; one with a file is a form, or the file alone."""
    if endpoint.method in _IN_THE_QUERY:
        return None
    if endpoint.takes_a_file:
        return {"required": True, "content": {_FILE: {"schema": {"type": "string", "format": _BINARY}}}}
    fields = {name: field for name, field in sent.get("properties", {}).items() if name not in endpoint.path_parameters}
    required = [name for name in sent.get("required", ()) if name in fields]
    if any(map(_is_file, fields.values())):
        # The only way that is described, though JSON can have the others: generators handle one media type of a body.
        form = _object({name: _without_null(field) for name, field in fields.items()}, required=required)
        return {"required": True, "content": {_FORM: {"schema": form}}}
    if not fields:
        return None
    content: Schema = {"schema": _object(fields, required=required)}
    return {
        "required": bool(required),
        "content": {"application/json": content | ({} if example is None else {"example": example})},
    }


def _is_file(field: Schema) -> bool:
    return field.get("format") == _BINARY


def _parameter(name: str, field: Schema, *, place: str, required: bool) -> Schema:
    schema = {key: value for key, value in _without_null(field).items() if key != "description"}
    described: Schema = {
        "name": name,
        "in": place,
        "required": required,
        "description": field.get("description", ""),
        "schema": schema,
    }
    # Both forms of a list are accepted; this is the one that every generated client sends.
    return described | ({"style": "form", "explode": True} if schema.get("type") == "array" else {})


def _without_null(field: Schema) -> Schema:
    """Return the schema of a field outside JSON, where it is left out instead of null."""
    forms = [form for form in field.get("anyOf", ()) if form != {"type": "null"}]
    if not forms:
        return field
    rest = {key: value for key, value in field.items() if key != "anyOf"}
    return rest | (forms[0] if len(forms) == 1 else {"anyOf": forms})


def _object(fields: dict[str, Schema], *, required: list[str]) -> Schema:
    schema: Schema = {"type": "object", "properties": fields, "additionalProperties": False}
    return schema | ({"required": required} if required else {})


def example_of(operation: str) -> Mapping[str, Any]:
    """Return the recorded ``request`` and ``response`` of an operation; either can be missing."""
    return _examples().get(operation, {})


@cache
def _examples() -> Mapping[str, Mapping[str, Any]]:
    recorded: Mapping[str, Mapping[str, Any]] = json.loads((files(__package__) / "examples.json").read_text("utf-8"))
    return recorded
