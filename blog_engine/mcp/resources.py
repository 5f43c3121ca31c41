"""Resources: the texts of posts and the packaged skills, and the completion of their URIs."""

import re
from collections.abc import Sequence
from typing import Any

from django.utils import translation

from blog_engine.actor import Call, Scope
from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.errors import NotFound, ScopeRequired
from blog_engine.mcp.house_style import STYLE_URI, style_resources
from blog_engine.mcp.protocol import (
    INVALID_PARAMS,
    MARKDOWN,
    Exchange,
    Params,
    ProtocolError,
    Result,
    refuse_cursor,
    string_param,
)
from blog_engine.mcp.workflows import skill_at, workflow_named, workflows
from blog_engine.queries.articles import article_markdown, stored_article_at
from blog_engine.queries.house_style import house_style_page
from blog_engine.queries.post_lists import slugs_beginning_with

# Without the characters that no database stores in a text.
_POST_URI = re.compile(r"blog://posts/([^/\x00\ud800-\udfff]+)\.md")
_POST_TEMPLATE = {
    "uriTemplate": "blog://posts/{slug}.md",
    "name": "post",
    "title": "Post as Markdown",
    "description": "The text of a post of any status, with title, byline, notices and FAQ, as readers get it.",
    "mimeType": MARKDOWN,
}
_SKILL_TEMPLATE = {
    "uriTemplate": "skill://{name}/SKILL.md",
    "name": "skill",
    "title": "Skill",
    "description": "A longer workflow with the tools of this server, step by step.",
    "mimeType": MARKDOWN,
}
_VARIABLES = {_POST_TEMPLATE["uriTemplate"]: "slug", _SKILL_TEMPLATE["uriTemplate"]: "name"}
MOST_VALUES = 100
"""The limit of the protocol."""


def list_resources(params: Params, exchange: Exchange) -> Result:
    """Answer ``resources/list`` with the house style and the skills; posts have a template, as they can be many."""
    refuse_cursor(params)
    return {"resources": [*style_resources(), *(each.as_resource() for each in workflows().values())]}


def list_resource_templates(params: Params, exchange: Exchange) -> Result:
    """Answer ``resources/templates/list``."""
    refuse_cursor(params)
    return {"resourceTemplates": [_POST_TEMPLATE, _SKILL_TEMPLATE]}


def read_resource(params: Params, exchange: Exchange) -> Result:
    """Answer ``resources/read``; only skills need no scope."""
    uri = string_param(params, "uri", must_be="a string such as blog://posts/a-slug.md")
    skill = skill_at(uri)
    text = skill.file.decode() if skill else _text_of_blog(uri, exchange)
    return {"contents": [{"uri": uri, "mimeType": MARKDOWN, "text": text}]}


def _text_of_blog(uri: str, exchange: Exchange) -> str:
    return _style_text(exchange) if uri == STYLE_URI else _post_text(uri, exchange)


def _style_text(exchange: Exchange) -> str:
    """Return the house style; raises ``ProtocolError`` if there is none, and without the scope ``read``."""
    _require_read(exchange.call, exchange.not_found, data={"uri": STYLE_URI})
    try:
        return house_style_page().body
    except NotFound as refusal:
        raise ProtocolError(exchange.not_found, refusal.hint, data={"uri": STYLE_URI}) from refusal


def _post_text(uri: str, exchange: Exchange) -> str:
    """Return a post as Markdown in the blog's language.

    Raises ``ProtocolError`` for an unknown URI, and without the scope ``read``.
    """
    _require_read(exchange.call, exchange.not_found, data={"uri": uri})
    found = _POST_URI.fullmatch(uri)
    post = stored_article_at(found[1]) if found else None
    if post is None:
        raise ProtocolError(
            exchange.not_found,
            "No post or skill has this URI. blog_list_posts lists the slugs, resources/list the skills.",
            data={"uri": uri},
        )
    with translation.override(get_settings().catalogue):
        return article_markdown(post, urls=BlogURLs.on(exchange.call.base_url), now=exchange.call.now)


def _require_read(call: Call, code: int, *, data: dict[str, object]) -> None:
    try:
        call.actor.require(Scope.READ)
    except ScopeRequired as refusal:
        raise ProtocolError(code, refusal.envelope()["error"]["message"], data=data) from refusal


def complete(params: Params, exchange: Exchange) -> Result:
    """Answer ``completion/complete``: slugs of posts and names of skills that begin with the value.

    Prompts have no arguments, so theirs have no values. At most one query.
    """
    reference, argument = params.get("ref"), params.get("argument")
    if not isinstance(reference, dict) or not isinstance(argument, dict):
        raise ProtocolError(INVALID_PARAMS, "ref and argument must be objects.")
    name = string_param(argument, "name", must_be="the name of the argument, a string")
    value = string_param(argument, "value", must_be="the beginning of the value, a string")
    match reference.get("type"):
        case "ref/prompt":
            workflow_named(string_param(reference, "name", must_be="the name of a prompt"))
            return _completion([])
        case "ref/resource":
            uri = string_param(reference, "uri", must_be="the URI template of a resource")
            return _completion(_values(uri, name, value.lower(), exchange))
        case _:
            raise ProtocolError(INVALID_PARAMS, "ref must have the type ref/prompt or ref/resource.")


def _values(uri: str, name: str, beginning: str, exchange: Exchange) -> Sequence[str]:
    """Return the values of a variable of a template, one more than the limit if there are more.

    Raises ``ProtocolError`` for an unknown template, and for posts without the scope ``read``.
    """
    if uri not in _VARIABLES:
        templates = " and ".join(_VARIABLES)
        raise ProtocolError(INVALID_PARAMS, f"Unknown template. The templates are {templates}.", data={"uri": uri})
    if name != _VARIABLES[uri]:
        return []
    if uri == _SKILL_TEMPLATE["uriTemplate"]:
        return [each for each in workflows() if each.startswith(beginning)]
    _require_read(exchange.call, INVALID_PARAMS, data={"uri": uri})
    return slugs_beginning_with(beginning, limit=MOST_VALUES + 1)


def _completion(found: Sequence[str]) -> dict[str, Any]:
    return {"completion": {"values": list(found[:MOST_VALUES]), "hasMore": len(found) > MOST_VALUES}}
