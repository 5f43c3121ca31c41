"""Messages and tool calls from a seed for the agent endpoint."""

import json
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from hypothesis import strategies as st

from blog_engine.errors import ValidationFailed
from blog_engine.http.requests import read_json
from blog_engine.mcp import definitions
from blog_engine.mcp.registry import TOOLS
from blog_engine.models import Author, Category, Image, Post, Redirect, Series
from tests.contract.random_requests import API, GENERATORS, Chance, Known, Request
from tests.mcp.parity import Arguments
from tests.support.clients import CAPABILITIES_KEY, STATELESS, VERSION_KEY

VERSIONS = [STATELESS, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", ""]
METHODS = [
    "initialize",
    "ping",
    "server/discover",
    "tools/list",
    "tools/call",
    "tools/call",
    "prompts/list",
    "prompts/get",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "completion/complete",
    "skills/list",
    "skills/get",
    "notifications/initialized",
    "rpc.x",
]
# These check the whole site and are slow.
SLOW = {"blog_doctor", "blog_get_surface_report"}
ADDRESSES = ["blog://posts/frost.md", "blog://posts/", "skill://publish/SKILL.md", "file:///etc/passwd"]
TEMPLATES = ["blog://posts/{slug}.md", "skill://{name}/SKILL.md"]

# Of any kind, lone surrogates included.
texts = st.text(st.characters(), max_size=20)
scalars = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | texts
anything = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3), max_leaves=6
)
fields = st.sampled_from(sorted({name for tool in TOOLS.values() for name in tool.input_schema["properties"]}))
arguments = st.dictionaries(fields | texts, anything, max_size=5)
meta = st.fixed_dictionaries(
    {}, optional={VERSION_KEY: st.sampled_from(VERSIONS) | anything, CAPABILITIES_KEY: st.just({}) | anything}
)
references = st.fixed_dictionaries(
    {"type": st.sampled_from(["ref/prompt", "ref/resource"]) | anything},
    optional={"name": st.just("publish") | anything, "uri": st.sampled_from(TEMPLATES) | anything},
)
completed = st.fixed_dictionaries({"name": st.sampled_from(["slug", "name"]) | anything, "value": anything})
params = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(sorted(TOOLS.keys() - SLOW)) | st.just("publish") | anything,
        "arguments": arguments | anything,
        "uri": st.sampled_from(ADDRESSES) | anything,
        "ref": references | anything,
        "argument": completed | anything,
        "cursor": st.none() | anything,
        "protocolVersion": st.sampled_from(VERSIONS) | anything,
        "_meta": meta | anything,
    },
)
messages = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0")},
    optional={
        "id": st.integers(-9, 9) | texts | anything,
        "method": st.sampled_from(METHODS) | anything,
        "params": params | anything,
        "result": anything,
    },
)
written = st.builds(json.dumps, messages | anything).map(str.encode)


@st.composite
def spoilt(draw: st.DrawFn) -> bytes:
    """Return a message with a few bytes removed or replaced."""
    body = draw(written)
    start = draw(st.integers(0, len(body)))
    return body[:start] + draw(st.binary(max_size=4)) + body[start + draw(st.integers(0, 4)) :]


# Characters of a header: Latin-1 without line ends.
values = st.text(st.characters(max_codepoint=255, exclude_characters="\r\n\x00"), max_size=30)
headers = st.fixed_dictionaries(
    {},
    optional={
        "MCP-Protocol-Version": st.sampled_from(VERSIONS) | values,
        "Mcp-Method": st.sampled_from(METHODS) | values,
        "Mcp-Name": st.sampled_from(sorted(TOOLS)) | values | values.map(lambda text: f"=?base64?{text}?="),
        "Mcp-Session-Id": values,
        "Accept": values,
    },
)
of_the_transport = st.fixed_dictionaries(
    {},
    optional={
        "Origin": st.just("http://testserver") | values | values.map(lambda text: f"http://{text}"),
        "Authorization": values | values.map(lambda text: f"Bearer {text}"),
        "Content-Encoding": st.just("identity") | values,
        "Content-Type": st.just("application/json") | values,
        "Content-Length": st.integers(0, 99).map(str) | values,
        "Transfer-Encoding": st.just("chunked") | values,
        "X-Forwarded-For": values,
    },
)


_KEYS = {"posts": "id", "categories": "id", "authors": "id", "series": "id", "pages": "kind"}
_DECIDED = {"save_draft": "publish", "publish_post": "publish", "correct_post": "change"}
"""Values that tools set themselves."""
_LARGE = 2 * 1024 * 1024
"""The API refuses larger bodies."""

_TOOLS: dict[str, list[str]] = {}
for _tool in definitions():
    for _preset in filter(None, [_tool.preset, _tool.instead.get("id")]):
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
