"""The methods of the Model Context Protocol: tools, prompts and resources."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, TypeAlias

import yaml
from django.http import HttpRequest
from django.utils import translation

from blog_engine import __version__
from blog_engine.actor import Call, Scope
from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.content.text import compact_json
from blog_engine.errors import InternalError, Refusal, ScopeRequired
from blog_engine.http.faults import report_bug
from blog_engine.mcp.instructions import INSTRUCTIONS
from blog_engine.mcp.protocol import (
    HANDSHAKE_VERSIONS,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    RESOURCE_NOT_FOUND,
    SERVER_INFO_KEY,
    SUPPORTED_VERSIONS,
    Message,
    ProtocolError,
    VersionFamily,
)
from blog_engine.mcp.registry import TOOLS
from blog_engine.mcp.tools import PREFIX, Tool
from blog_engine.queries.articles import article_markdown, stored_article_at

Params: TypeAlias = Mapping[str, Any]
Result: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Exchange:
    """What a method needs besides its parameters."""

    family: VersionFamily
    call: Call
    request: HttpRequest | None
    """The request with which a bug in a tool is reported."""


def run_method(message: Message, exchange: Exchange) -> Result:
    """Return the result of a request; a refused tool call has one as well.

    Raises ``ProtocolError``, and the database's own error when a method other than ``tools/call`` cannot reach it.
    """
    methods = _METHODS[exchange.family]
    if message.method not in methods:
        raise ProtocolError(METHOD_NOT_FOUND, f"Unknown method. The methods are {', '.join(methods)}.")
    return _complete(exchange.family, message.method, methods[message.method](message.params, exchange))


def tool_call_refusal(message: Message, family: VersionFamily, refusal: Refusal) -> Result | None:
    """Return the refusal as the result of a tool call; ``None`` for other messages.

    Raises ``ProtocolError`` for a faulty call.
    """
    if message.is_notification or message.method != _CALL_TOOL:
        return None
    _tool_and_arguments(message.params)
    return _complete(family, _CALL_TOOL, _tool_result(dict(refusal.envelope())))


def _complete(family: VersionFamily, method: str, result: Result) -> Result:
    """Add what only stateless results have (``agents.stateless.results``)."""
    if family is VersionFamily.HANDSHAKE:
        return result
    lifetime = _LIFETIMES.get(method)
    caching = {} if lifetime is None else {"ttlMs": lifetime, "cacheScope": "private"}
    return {"resultType": "complete", **result, **caching}


def _initialize(params: Params, exchange: Exchange) -> Result:
    requested = params.get("protocolVersion", HANDSHAKE_VERSIONS[0])
    if not isinstance(requested, str):
        raise ProtocolError(INVALID_PARAMS, "protocolVersion must be a string such as 2025-11-25.")
    version = requested if requested in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[0]
    return {"protocolVersion": version, "serverInfo": _server_info(), **_capabilities_and_instructions()}


def _discover(params: Params, exchange: Exchange) -> Result:
    return {
        "supportedVersions": list(SUPPORTED_VERSIONS),
        **_capabilities_and_instructions(),
        "_meta": {SERVER_INFO_KEY: _server_info()},
    }


def _capabilities_and_instructions() -> Result:
    return {"capabilities": {"tools": {}, "prompts": {}, "resources": {}}, "instructions": INSTRUCTIONS}


def _server_info() -> Result:
    return {"name": "blog_engine", "title": get_settings().site_name, "version": __version__}


def _ping(params: Params, exchange: Exchange) -> Result:
    return {}


def _list_tools(params: Params, exchange: Exchange) -> Result:
    _refuse_cursor(params)
    return {"tools": [_definition(tool) for tool in TOOLS.values()]}


def _definition(tool: Tool) -> Result:
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema,
        "outputSchema": tool.output_schema,
        "annotations": tool.annotations,
    }


def _call_tool(params: Params, exchange: Exchange) -> Result:
    tool, arguments = _tool_and_arguments(params)
    try:
        answer = tool.answer(arguments, exchange.call)
    except Exception as bug:
        report_bug(bug, exchange.request)
        answer = dict(InternalError().envelope())
    return _tool_result(answer)


def _tool_and_arguments(params: Params) -> tuple[Tool, dict[str, Any]]:
    name, arguments = params.get("name"), params.get("arguments", {})
    if not isinstance(name, str):
        raise ProtocolError(INVALID_PARAMS, "name must be the name of a tool.")
    if name not in TOOLS:
        raise _unknown("tool", name, known=TOOLS)
    if not isinstance(arguments, dict):
        raise ProtocolError(INVALID_PARAMS, "arguments must be an object.", data={"name": name})
    return TOOLS[name], arguments


def _tool_result(answer: Result) -> Result:
    return {
        "content": [{"type": "text", "text": compact_json(answer)}],
        "structuredContent": answer,
        "isError": "error" in answer,
    }


def _list_prompts(params: Params, exchange: Exchange) -> Result:
    _refuse_cursor(params)
    return {
        "prompts": [
            {"name": prompt.name, "title": prompt.title, "description": prompt.description}
            for prompt in prompts().values()
        ]
    }


def _get_prompt(params: Params, exchange: Exchange) -> Result:
    name = params.get("name")
    if not isinstance(name, str):
        raise ProtocolError(INVALID_PARAMS, "name must be the name of a prompt.")
    if name not in prompts():
        raise _unknown("prompt", name, known=prompts())
    prompt = prompts()[name]
    text = {"type": "text", "text": prompt.text}
    return {"description": prompt.description, "messages": [{"role": "user", "content": text}]}


def _list_resources(params: Params, exchange: Exchange) -> Result:
    _refuse_cursor(params)
    return {"resources": []}


def _list_templates(params: Params, exchange: Exchange) -> Result:
    _refuse_cursor(params)
    return {"resourceTemplates": [_POST_TEMPLATE]}


def _read_resource(params: Params, exchange: Exchange) -> Result:
    uri = params.get("uri")
    if not isinstance(uri, str):
        raise ProtocolError(INVALID_PARAMS, "uri must be a string such as blog://posts/a-slug.md.")
    code = RESOURCE_NOT_FOUND if exchange.family is VersionFamily.HANDSHAKE else INVALID_PARAMS
    try:
        text = _post_text(uri, exchange.call)
    except ScopeRequired as refusal:
        raise ProtocolError(code, refusal.envelope()["error"]["message"], data={"uri": uri}) from refusal
    if text is None:
        raise ProtocolError(code, "No post has this URI. blog_list_posts lists the slugs.", data={"uri": uri})
    return {"contents": [{"uri": uri, "mimeType": _MARKDOWN, "text": text}]}


def _post_text(uri: str, call: Call) -> str | None:
    """Return a post as Markdown in the blog's language; ``None`` for an unknown URI.

    Raises ``ScopeRequired`` without the scope ``read``.
    """
    call.actor.require(Scope.READ)
    found = _POST_URI.fullmatch(uri)
    post = stored_article_at(found[1]) if found else None
    if post is None:
        return None
    with translation.override(get_settings().catalogue):
        return article_markdown(post, urls=BlogURLs.on(call.base_url), now=call.now)


def _refuse_cursor(params: Params) -> None:
    if params.get("cursor") is not None:
        raise ProtocolError(INVALID_PARAMS, "The list has one page. Send no cursor.")


def _unknown(kind: str, name: str, *, known: Iterable[str]) -> ProtocolError:
    # The prefix that all tools share would make every name look alike.
    names = {each.removeprefix(PREFIX): each for each in known}
    near = get_close_matches(name.removeprefix(PREFIX)[:_LONGEST_NAME], names, n=1)
    hint = f"Did you mean {names[near[0]]}?" if near else f"The {kind}s are {', '.join(known)}."
    return ProtocolError(INVALID_PARAMS, f"Unknown {kind}. {hint}", data={"name": name})


@dataclass(frozen=True, slots=True)
class Prompt:
    """A workflow: what it is for, and its text in Markdown."""

    name: str
    title: str
    description: str
    text: str


@cache
def prompts() -> Mapping[str, Prompt]:
    """Return the workflows by name, in the order in which a publisher needs them."""
    return MappingProxyType({name: _prompt(name) for name in _WORKFLOWS})


def _prompt(name: str) -> Prompt:
    path = files("blog_engine").joinpath("skills", name, "SKILL.md")
    _, front_matter, text = path.read_text(encoding="utf-8").split(_FENCE, 2)
    description = yaml.safe_load(front_matter)["description"]
    return Prompt(name, name.replace("-", " ").capitalize(), description, text.strip())


_WORKFLOWS = ("install", "publish", "update", "adopt", "policy-pages", "report")
_FENCE = "---\n"

_MARKDOWN = "text/markdown"
# Without the characters that no database stores in a text.
_POST_URI = re.compile(r"blog://posts/([^/\x00\ud800-\udfff]+)\.md")
_POST_TEMPLATE = {
    "uriTemplate": "blog://posts/{slug}.md",
    "name": "post",
    "title": "Post as Markdown",
    "description": "The text of a post of any status, with title, byline, notices and FAQ, as readers get it.",
    "mimeType": _MARKDOWN,
}

_LONGEST_NAME = 40
_CALL_TOOL = "tools/call"

_Method: TypeAlias = Callable[[Params, Exchange], Result]

_COMMON_METHODS: Mapping[str, _Method] = {
    "tools/list": _list_tools,
    _CALL_TOOL: _call_tool,
    "prompts/list": _list_prompts,
    "prompts/get": _get_prompt,
    "resources/list": _list_resources,
    "resources/templates/list": _list_templates,
    "resources/read": _read_resource,
}
_METHODS: Mapping[VersionFamily, Mapping[str, _Method]] = {
    VersionFamily.HANDSHAKE: {"initialize": _initialize, "ping": _ping, **_COMMON_METHODS},
    VersionFamily.STATELESS: {"server/discover": _discover, **_COMMON_METHODS},
}

_AN_HOUR = 3_600_000
_LIFETIMES = {
    **dict.fromkeys(
        ("server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list"), _AN_HOUR
    ),
    # A post can change at any time.
    "resources/read": 0,
}
"""How long a stateless client can keep a result, in milliseconds."""
