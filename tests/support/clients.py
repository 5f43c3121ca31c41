"""Clients of the API and of the agent endpoint, their operations, and the document that answers keep to."""

import json
from abc import ABC, abstractmethod
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import cache
from http.client import HTTPConnection
from typing import Any, NamedTuple, NoReturn

from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.utils import timezone
from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from blog_engine.actor import Call, Scope
from blog_engine.api.openapi.document import openapi_document
from blog_engine.api.openapi.endpoints import Endpoint, endpoints_of
from blog_engine.api.urls import router
from blog_engine.operations import images, posts, proposals, records, reports
from blog_engine.operations.base import Operation, execute
from blog_engine.services.tokens import create_token
from tests.support.factories import EDITOR, NOW


def make_secret(*, name: str = "Ada", scopes: Iterable[str] = tuple(Scope), expires_at: datetime | None = None) -> str:
    """The secret of a new token."""
    return create_token(name, scopes=scopes, expires_at=expires_at, now=timezone.now()).secret


def client_with(*scopes: str) -> Client:
    """A client whose token has these scopes."""
    return Client(headers={"Authorization": f"Bearer {make_secret(scopes=scopes)}"})


def refusal_in(response: HttpResponse) -> tuple[int, str, list[str]]:
    """Return status, code and details of a refusal, whose envelope must have exactly its keys."""
    assert_json(response)
    body: dict[str, Any] = response.json()  # type: ignore[attr-defined]  # added by the test client
    assert body.keys() == {"error"}
    assert body["error"].keys() == {"code", "message", "details"}
    assert body["error"]["message"]
    return response.status_code, body["error"]["code"], body["error"]["details"]


def assert_json(response: HttpResponse) -> None:
    """Check that a response is JSON, not cached, and sets no cookie."""
    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Cache-Control"] == "no-store"
    assert not response.cookies


def counters(response: HttpResponse) -> dict[str, str]:
    """Return the headers of the rate limit."""
    return {name: value for name, value in response.headers.items() if name.lower().startswith("ratelimit")}


def send_head(server: HTTPConnection, path: str, headers: dict[str, str]) -> None:
    """Send the head of a POST request; the length of its body stands there only if ``headers`` name it."""
    server.putrequest("POST", path)
    for name, value in headers.items():
        server.putheader(name, value)
    server.endheaders()


def answer_on(server: HTTPConnection) -> tuple[int, Any]:
    """The status and the JSON of the answer."""
    response = server.getresponse()
    return response.status, json.loads(response.read())


def refusal_on(server: HTTPConnection) -> tuple[int, str, list[str]]:
    """Status, code and details of a refusal."""
    status, body = answer_on(server)
    return status, body["error"]["code"], body["error"]["details"]


CALL = Call(actor=EDITOR, now=NOW, base_url="https://example.com")


def call_operation(
    op: Operation[Any, Any], raw: dict[str, Any] | None = None, *, call: Call = CALL, **fixed: Any
) -> Any:
    """Return the answer to an editor, or ``None``; ``fixed`` are the values from the path."""
    answer = execute(op, raw or {}, call, fixed=fixed)
    return answer.model_dump(mode="json") if answer else None


MCP = "/blog/mcp"

STATELESS = "2026-07-28"
VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
META: Mapping[str, Any] = {VERSION_KEY: STATELESS, CAPABILITIES_KEY: {}}

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
HEADER_MISMATCH, UNSUPPORTED_VERSION, RESOURCE_NOT_FOUND = -32020, -32022, -32002

_NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


def request(method: str, params: object = None, *, id: object = 1) -> dict[str, Any]:
    """Return a request of a handshake version; without ``params`` it has no such key."""
    return {"jsonrpc": "2.0", "id": id, "method": method} | ({} if params is None else {"params": params})


def notification(method: str, params: object = None) -> dict[str, Any]:
    """Return a notification: a request without ``id``."""
    message = request(method, params)
    del message["id"]
    return message


def call_of(name: str, arguments: object = None) -> dict[str, Any]:
    """Return the request that calls a tool; without ``arguments`` it has no such key."""
    return request("tools/call", {"name": name} | ({} if arguments is None else {"arguments": arguments}))


def stateless(message: Mapping[str, Any], meta: Mapping[str, Any] = META) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the message as a stateless request, and its headers."""
    params = dict(message.get("params") or {})
    headers = {"MCP-Protocol-Version": STATELESS, "Mcp-Method": message["method"]}
    name = params.get(_NAMED_BY.get(message["method"], "no parameter"))
    if isinstance(name, str):
        headers["Mcp-Name"] = header_value(name)
    return {**message, "params": params | {"_meta": dict(meta)}}, headers


def header_value(text: str) -> str:
    """Return a header value, which is in Base64 unless it is plain ASCII."""
    is_plain = text.isascii() and text.isprintable() and text == text.strip() and not text.startswith("=?")
    return text if is_plain else f"=?base64?{b64encode(text.encode('utf-8', 'surrogatepass')).decode()}?="


def post(client: Client, message: object, headers: Mapping[str, str] | None = None, *, path: str = MCP) -> HttpResponse:
    """Send a message, bytes and text unchanged; ``post(client, *stateless(message))`` sends a stateless one."""
    body = message if isinstance(message, bytes | str) else json.dumps(message)
    return client.post(path, body, content_type="application/json", headers=dict(headers or {}))


def result_of(response: HttpResponse, *, id: object = 1) -> dict[str, Any]:
    """Return the result of a response; fail for an error."""
    body = _body(response)
    assert response.status_code == 200, body
    assert body == {"jsonrpc": "2.0", "id": id, "result": body.get("result")}
    assert type(body["id"]) is type(id)
    result: dict[str, Any] = body["result"]
    return result


def error_of(response: HttpResponse, *, id: object = 1) -> tuple[int, int, Any]:
    """Return the HTTP status, the code and the data, or ``None``, of a JSON-RPC error."""
    body = _body(response)
    assert body.keys() == {"jsonrpc", "id", "error"}, body
    assert (body["jsonrpc"], body["id"], type(body["id"])) == ("2.0", id, type(id))
    assert body["error"].keys() - {"data"} == {"code", "message"}
    assert body["error"]["message"]
    return response.status_code, body["error"]["code"], body["error"].get("data")


def ask(client: Client, method: str, params: object = None) -> dict[str, Any]:
    """Return the result of a request of a handshake version."""
    return result_of(post(client, request(method, params)))


def call_tool(client: Client, name: str, arguments: object = None) -> dict[str, Any]:
    """Return the result of a tool: ``content``, ``structuredContent``, ``isError``."""
    return result_of(post(client, call_of(name, arguments)))


def tool_answer(client: Client, name: str, arguments: object = None) -> dict[str, Any]:
    """Return the answer of a tool; fail for a refusal."""
    result = call_tool(client, name, arguments)
    assert result["isError"] is False, result["structuredContent"]
    found: dict[str, Any] = result["structuredContent"]
    return found


def tool_refusal(client: Client, name: str, arguments: object = None) -> tuple[str, list[str]]:
    """Return code and details of the refusal of a tool."""
    result = call_tool(client, name, arguments)
    assert result["isError"] is True, result["structuredContent"]
    error = result["structuredContent"]["error"]
    return error["code"], error["details"]


def _body(response: HttpResponse) -> dict[str, Any]:
    assert_json(response)
    body: dict[str, Any] = json.loads(response.content)
    return body


class Unread:
    """A body that must not be read."""

    def read(self, *args: object) -> NoReturn:
        raise AssertionError("the body was read")

    readline = read


class Message(NamedTuple):
    """What a POST request sends."""

    path: str
    body: bytes


class Interface(ABC):
    """The API or the agent endpoint, for the tests of what both promise."""

    largest_body: int
    """In bytes."""

    reading: Message
    """Needs the scope ``read`` and stores nothing."""

    saving: Message
    """Needs the scope ``write`` and saves a draft with the title Frost."""

    def read(self, client: Client, **extra: Any) -> HttpResponse:
        """Send the message that stores nothing; ``extra`` can replace its body."""
        return self._send(client, self.reading, **extra)

    def save(self, client: Client, **extra: Any) -> HttpResponse:
        """Send the message that saves a draft; ``extra`` can replace its body."""
        return self._send(client, self.saving, **extra)

    @abstractmethod
    def assert_done(self, response: HttpResponse) -> None:
        """Check that the operation was carried out."""

    @abstractmethod
    def assert_refused(self, response: HttpResponse, refusal: tuple[int, str, list[str]]) -> None:
        """Check the status, code and details with which the operation was refused."""

    @abstractmethod
    def assert_unparsable(self, response: HttpResponse) -> None:
        """Check that the body was refused because it is not strict JSON."""

    @staticmethod
    def _send(client: Client, message: Message, **extra: Any) -> HttpResponse:
        request = {"path": message.path, "data": message.body, "content_type": "application/json"} | extra
        response: HttpResponse = client.generic("POST", **request)
        return response


class Api(Interface):
    """The JSON API."""

    largest_body = 3 * 1024 * 1024
    reading = Message("/blog/api/v1/faq_extractions", b'{"body": "Cold."}')
    saving = Message("/blog/api/v1/posts", b'{"title": "Frost"}')

    def assert_done(self, response: HttpResponse) -> None:
        assert_json(response)
        assert response.status_code in {200, 201}, response.content

    def assert_refused(self, response: HttpResponse, refusal: tuple[int, str, list[str]]) -> None:
        assert refusal_in(response) == refusal

    def assert_unparsable(self, response: HttpResponse) -> None:
        assert refusal_in(response) == (422, "validation_failed", ["body"])


class AgentEndpoint(Interface):
    """The MCP endpoint, where tools report their own refusals with status 200."""

    largest_body = 21 * 1024 * 1024
    reading = Message(MCP, json.dumps(call_of("blog_extract_faq", {"body": "Cold."})).encode())
    saving = Message(MCP, json.dumps(call_of("blog_save_draft", {"title": "Frost"})).encode())

    def assert_done(self, response: HttpResponse) -> None:
        result = result_of(response)
        assert result["isError"] is False, result["structuredContent"]

    def assert_refused(self, response: HttpResponse, refusal: tuple[int, str, list[str]]) -> None:
        result = result_of(response)
        error = result["structuredContent"]["error"]
        assert (result["isError"], error["code"], error["details"]) == (True, *refusal[1:])

    def assert_unparsable(self, response: HttpResponse) -> None:
        assert error_of(response, id=None) == (200, PARSE_ERROR, None)


_MODULES = (images, posts, proposals, records, reports)

OPERATIONS: Mapping[str, Operation[Any, Any]] = {
    op.name: op for module in _MODULES for op in vars(module).values() if isinstance(op, Operation)
}


_NOT_OF_AN_OPERATION = {400, 405}
"""A forged Host, another method."""

_JSON = "application/json"
_FORMATS = FormatChecker(["date", "date-time"])


def answers_are_documented(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    """Middleware that raises ``AssertionError`` for an answer that the document does not know."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        endpoint = endpoint_of(request)
        if endpoint is not None and response.status_code not in _NOT_OF_AN_OPERATION:
            check_answer(endpoint, response)
        return response

    return middleware


def check_answer(endpoint: Endpoint, response: HttpResponse) -> None:
    """Raise ``AssertionError`` unless the endpoint documents this answer."""
    where = f"{endpoint.method} {endpoint.path}"
    documented = document()["paths"][endpoint.path][endpoint.method]["responses"]
    status = str(response.status_code)
    assert status in documented, f"{where} answered {status}: {response.content!r}"
    form = response.headers.get("Content-Type", _JSON).partition(";")[0]
    for fault in _validator(endpoint, status, form).iter_errors(_content_of(response, form)):
        raise AssertionError(f"{where} answered {status} in another shape: {fault.message} at {list(fault.path)}")
    if response.status_code >= 400:
        code = json.loads(response.content)["error"]["code"]
        documented_codes = response_documented(endpoint, status)["content"][_JSON]["examples"]
        assert code in documented_codes, f"{where} answered {status} with the code {code}"


def response_documented(endpoint: Endpoint, status: str) -> dict[str, Any]:
    """The response of a status in the document, without a reference."""
    response: dict[str, Any] = document()["paths"][endpoint.path][endpoint.method]["responses"][status]
    if "$ref" in response:
        response = document()["components"]["responses"][response["$ref"].rpartition("/")[2]]
    return response


@cache
def document() -> dict[str, Any]:
    """The document as it is served."""
    return openapi_document(endpoints_of(router))


@cache
def _validator(endpoint: Endpoint, status: str, form: str) -> Draft202012Validator:
    response = response_documented(endpoint, status)
    if "content" in response:
        assert form in response["content"], f"{endpoint.method} {endpoint.path} answered {form}"
    schema = response["content"][form]["schema"] if "content" in response else {"type": "null"}
    whole = Resource.from_contents(document(), default_specification=DRAFT202012)
    registry: Registry[Any] = Registry().with_resource("urn:openapi", whole)
    return Draft202012Validator(_absolute(schema), registry=registry, format_checker=_FORMATS)


def _absolute(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: f"urn:openapi{value}" if key == "$ref" else _absolute(value) for key, value in node.items()}
    return [_absolute(value) for value in node] if isinstance(node, list) else node


def _content_of(response: HttpResponse, form: str) -> Any:
    if form != _JSON:
        return response.content.decode()
    return json.loads(response.content) if response.content else None


def endpoint_of(request: HttpRequest) -> Endpoint | None:
    """The endpoint that a request was routed to; ``None`` outside the API."""
    match = request.resolver_match
    actions = getattr(match.func, "actions", None) if match else None
    if not actions or getattr(match.func, "cls", None) not in {viewset for _, viewset in router.served}:
        return None
    action = actions.get((request.method or "").lower())
    return _endpoints().get((match.func.cls, action))


@cache
def _endpoints() -> dict[tuple[type, str], Endpoint]:
    return {(endpoint.viewset, endpoint.action): endpoint for endpoint in endpoints_of(router)}
