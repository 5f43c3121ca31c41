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
from django.utils import translation

from blog_engine import __version__
from blog_engine.actor import Call, Scope
from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.content.text import compact_json
from blog_engine.errors import InternalError, Refusal, ScopeRequired, Unavailable
from blog_engine.mcp.instructions import INSTRUCTIONS
from blog_engine.mcp.protocol import (
    HANDSHAKE_VERSIONS,
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    SERVER_INFO_KEY,
    SUPPORTED_VERSIONS,
    Era,
    Message,
    ProtocolFault,
)
from blog_engine.mcp.registry import TOOLS
from blog_engine.mcp.tools import PREFIX, Tool
from blog_engine.queries.articles import article_markdown, stored_article_at

_NAMES = ("install", "publish", "update", "adopt", "policy-pages", "report")
_FENCE = "---\n"


@dataclass(frozen=True, slots=True)
class Prompt:
    """One workflow: what it is for, and its text in Markdown."""

    name: str
    title: str
    description: str
    text: str


@cache
def prompts() -> Mapping[str, Prompt]:
    """The workflows by name, in the order in which a publisher comes to need them."""
    return MappingProxyType({name: _prompt(name) for name in _NAMES})


def _prompt(name: str) -> Prompt:
    path = files("blog_engine").joinpath("skills", name, "SKILL.md")
    _, front_matter, text = path.read_text(encoding="utf-8").split(_FENCE, 2)
    description = yaml.safe_load(front_matter)["description"]
    return Prompt(name, name.replace("-", " ").capitalize(), description, text.strip())


# Without what no database takes in a text.
_ADDRESS = re.compile(r"blog://posts/([^/\x00\ud800-\udfff]+)\.md")
_MARKDOWN = "text/markdown"

TEMPLATES: tuple[Mapping[str, Any], ...] = (
    {
        "uriTemplate": "blog://posts/{slug}.md",
        "name": "post",
        "title": "Post as Markdown",
        "description": "The text of a post of any state with title, byline, notices and FAQ, as readers get it.",
        "mimeType": _MARKDOWN,
    },
)


def read_resource(uri: str, call: Call) -> dict[str, Any] | None:
    """The Markdown text of a post, in the blog's language; ``None`` when no such post is stored.

    Raises ``ScopeRequired`` without the scope ``read``.
    """
    call.actor.require(Scope.READ)
    found = _ADDRESS.fullmatch(uri)
    post = stored_article_at(found[1]) if found else None
    if post is None:
        return None
    with translation.override(get_settings().catalogue):
        text = article_markdown(post, urls=BlogURLs.on(call.base_url), now=call.now)
    return {"uri": uri, "mimeType": _MARKDOWN, "text": text}


RESOURCE_NOT_FOUND = -32002
"""Of the handshake era; the stateless one has no code of its own for it."""

_AN_HOUR = 3_600_000

Params: TypeAlias = Mapping[str, Any]
Result: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Exchange:
    """What a method knows besides its parameters."""

    era: Era
    call: Call
    outage: Unavailable | None
    """Why the request could not be counted."""
    on_bug: Callable[[Exception], None]
    """Told of the exception that stopped a tool."""


def answer_method(message: Message, exchange: Exchange) -> Result:
    """The result of a message; a refused tool call is a result, too.

    Raises ``ProtocolFault``, and what a database out of reach raises where no tool is called.
    """
    methods = _METHODS[exchange.era]
    if message.method not in methods:
        raise ProtocolFault(METHOD_NOT_FOUND, f"There is no such method here. There are {', '.join(methods)}.")
    return _in_era(exchange.era, message.method, methods[message.method](message.params, exchange))


def decline_call(message: Message, era: Era, refusal: Refusal) -> Result | None:
    """The refusal as the result of a called tool, which is not run; ``None`` for a message that calls none.

    Raises ``ProtocolFault`` for a faulty call.
    """
    if message.is_notification or message.method != _CALL:
        return None
    _called(message.params)
    return _in_era(era, _CALL, _result_of_tool(dict(refusal.envelope())))


def _in_era(era: Era, method: str, result: Result) -> Result:
    if era is Era.HANDSHAKE:
        return result
    lifetime = _LIFETIMES.get(method)
    caching = {} if lifetime is None else {"ttlMs": lifetime, "cacheScope": "private"}
    return {"resultType": "complete", **result, **caching}


def _initialize(params: Params, exchange: Exchange) -> Result:
    asked = params.get("protocolVersion", HANDSHAKE_VERSIONS[0])
    if not isinstance(asked, str):
        raise ProtocolFault(INVALID_PARAMS, "protocolVersion is a text such as 2025-11-25.")
    version = asked if asked in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[0]
    return {"protocolVersion": version, "serverInfo": _server_info(), **_introduction()}


def _discover(params: Params, exchange: Exchange) -> Result:
    return {
        "supportedVersions": list(SUPPORTED_VERSIONS),
        **_introduction(),
        "_meta": {SERVER_INFO_KEY: _server_info()},
    }


def _introduction() -> Result:
    return {"capabilities": {"tools": {}, "prompts": {}, "resources": {}}, "instructions": INSTRUCTIONS}


def _server_info() -> Result:
    return {"name": "blog_engine", "title": get_settings().site_name, "version": __version__}


def _ping(params: Params, exchange: Exchange) -> Result:
    return {}


def _list_tools(params: Params, exchange: Exchange) -> Result:
    _refuse_cursor(params)
    return {"tools": _described_tools()}


def _described_tools() -> list[Result]:
    return [
        {
            "name": tool.name,
            "title": tool.title,
            "description": tool.description,
            "inputSchema": tool.input_schema,
            "outputSchema": tool.output_schema,
            "annotations": tool.annotations,
        }
        for tool in TOOLS.values()
    ]


def _call_tool(params: Params, exchange: Exchange) -> Result:
    tool, arguments = _called(params)
    try:
        found = tool.answer(arguments, exchange.call, outage=exchange.outage)
    except Exception as bug:
        exchange.on_bug(bug)
        found = dict(InternalError().envelope())
    return _result_of_tool(found)


def _called(params: Params) -> tuple[Tool, dict[str, Any]]:
    name, arguments = params.get("name"), params.get("arguments", {})
    if not isinstance(name, str):
        raise ProtocolFault(INVALID_PARAMS, "name is the name of a tool.")
    if name not in TOOLS:
        raise _unknown("tool", name, known=TOOLS)
    if not isinstance(arguments, dict):
        raise ProtocolFault(INVALID_PARAMS, "arguments is an object.", data={"name": name})
    return TOOLS[name], arguments


def _result_of_tool(found: Result) -> Result:
    return {
        "content": [{"type": "text", "text": compact_json(found)}],
        "structuredContent": found,
        "isError": "error" in found,
    }


def _list_prompts(params: Params, exchange: Exchange) -> Result:
    _refuse_cursor(params)
    listed = prompts().values()
    return {"prompts": [{"name": each.name, "title": each.title, "description": each.description} for each in listed]}


def _get_prompt(params: Params, exchange: Exchange) -> Result:
    name = params.get("name")
    if not isinstance(name, str):
        raise ProtocolFault(INVALID_PARAMS, "name is the name of a prompt.")
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
    return {"resourceTemplates": list(TEMPLATES)}


def _read_resource(params: Params, exchange: Exchange) -> Result:
    uri = params.get("uri")
    if not isinstance(uri, str):
        raise ProtocolFault(INVALID_PARAMS, "uri is a text such as blog://posts/a-slug.md.")
    code = RESOURCE_NOT_FOUND if exchange.era is Era.HANDSHAKE else INVALID_PARAMS
    try:
        found = read_resource(uri, exchange.call)
    except ScopeRequired as refusal:
        raise ProtocolFault(code, refusal.envelope()["error"]["message"], data={"uri": uri}) from refusal
    if found is None:
        raise ProtocolFault(code, "No post has this address. blog_list_posts names the slugs.", data={"uri": uri})
    return {"contents": [found]}


def _refuse_cursor(params: Params) -> None:
    if params.get("cursor") is not None:
        raise ProtocolFault(INVALID_PARAMS, "There is one page only; send no cursor.")


def _unknown(kind: str, name: str, *, known: Iterable[str]) -> ProtocolFault:
    # All tools begin alike, so that what follows decides.
    ends = {each.removeprefix(PREFIX): each for each in known}
    near = get_close_matches(name.removeprefix(PREFIX)[:_LONGEST_NAME], ends, n=1)
    hint = f"Did you mean {ends[near[0]]}?" if near else f"The {kind}s are {', '.join(known)}."
    return ProtocolFault(INVALID_PARAMS, f"There is no such {kind}. {hint}", data={"name": name})


_LONGEST_NAME = 40
_CALL = "tools/call"

_Method: TypeAlias = Callable[[Params, Exchange], Result]

_OF_BOTH: Mapping[str, _Method] = {
    "tools/list": _list_tools,
    _CALL: _call_tool,
    "prompts/list": _list_prompts,
    "prompts/get": _get_prompt,
    "resources/list": _list_resources,
    "resources/templates/list": _list_templates,
    "resources/read": _read_resource,
}
_METHODS: Mapping[Era, Mapping[str, _Method]] = {
    Era.HANDSHAKE: {"initialize": _initialize, "ping": _ping, **_OF_BOTH},
    Era.STATELESS: {"server/discover": _discover, **_OF_BOTH},
}

_LIFETIMES = {
    **dict.fromkeys(
        ("server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list"), _AN_HOUR
    ),
    # A post may change at any time.
    "resources/read": 0,
}
"""How long a stateless client may keep an answer, in milliseconds (decisions.md 9.19)."""
