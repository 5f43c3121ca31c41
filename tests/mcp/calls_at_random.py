"""The random requests of the API as calls of the corresponding tools."""

from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from blog_engine.errors import ValidationFailed
from blog_engine.http.bodies import read_json
from blog_engine.mcp import definitions
from blog_engine.models import Author, Category, Image, Post, Redirect, Series
from tests.contract.requests_at_random import API, GENERATORS, Request
from tests.contract.values import Chance, Known
from tests.mcp.parity_case import Arguments

_KEYS = {"posts": "id", "categories": "id", "authors": "id", "series": "id", "pages": "kind"}
_DECIDED = {"save_draft": "publish", "publish_post": "publish", "correct_post": "change"}
"""Values that tools set themselves."""
_LARGE = 2 * 1024 * 1024
"""The API refuses larger bodies."""

_TOOLS: dict[str, list[str]] = {}
for _tool in definitions():
    for _preset in filter(None, [_tool.preset, _tool.preset_with_id]):
        _TOOLS.setdefault(_preset.operation.name, []).append(_tool.name.removeprefix("blog_"))

_OPERATIONS = sorted(_TOOLS.keys() & GENERATORS.keys() - {"doctor", "get_surface_report", "upload_image"})
_OFTEN = {"save_post": 5, "update_post": 5, "publish_post": 4, "adopt_post": 3}


def random_call(chance: Chance, known: Known) -> tuple[str, Arguments]:
    """Return a tool and arguments that can also be sent to the API."""
    while True:
        (operation,) = chance.choices(_OPERATIONS, [_OFTEN.get(name, 1) for name in _OPERATIONS])
        tool = chance.choice(_TOOLS[operation])
        arguments = _arguments(GENERATORS[operation](chance, known), tool)
        if arguments is not None:
            return f"blog_{tool}", arguments


def look(known: Known) -> None:
    """Make the stored ids known to the random requests."""
    posts = list(Post.objects.order_by("pk"))
    known.posts = [key for post in posts for key in (str(post.pk), post.slug)]
    known.identifiers = [post.current_revision_identifier for post in posts][-4:]
    models: dict[str, Any] = {"categories": Category, "authors": Author, "series": Series, "redirects": Redirect}
    for collection, model in (models | {"images": Image}).items():
        known.ids[collection] = list(model.objects.order_by("pk").values_list("pk", flat=True))


def _arguments(request: Request, tool: str) -> Arguments | None:
    """Return the arguments of the tool, or ``None`` for a request that only HTTP can express."""
    address = urlsplit(request.path.removeprefix(API))
    collection, *rest = address.path.strip("/").split("/")
    sent = _query(address.query) if request.method in {"GET", "HEAD"} else _body(request, address.query)
    key = {_KEYS[collection]: unquote(rest[0])} if rest and collection in _KEYS else {}
    if sent is None or not sent.keys().isdisjoint(key) or "/" in "".join(key.values()):
        return None
    arguments = {name: value for name, value in sent.items() if name != _DECIDED.get(tool)} | key
    return None if tool == "search_posts" and "q" not in arguments else arguments


def _query(query: str) -> dict[str, Any] | None:
    pairs = parse_qsl(query, keep_blank_values=True)
    return dict(pairs) if len(dict(pairs)) == len(pairs) and "" not in dict(pairs) else None


def _body(request: Request, query: str) -> dict[str, Any] | None:
    if query or request.content_type != "application/json" or len(request.body) > _LARGE:
        return None
    try:
        body = read_json(request.body or b"{}")
    except ValidationFailed:
        return None
    return body if isinstance(body, dict) else None
