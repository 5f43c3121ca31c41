"""Random messages and headers for the agent endpoint, valid and invalid."""

import json

from hypothesis import strategies as st

from blog_engine.mcp.registry import TOOLS
from tests.support.agents import CAPABILITIES_KEY, STATELESS, VERSION_KEY

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
    "notifications/initialized",
    "rpc.x",
]
# These check the whole site and are slow.
SLOW = {"blog_doctor", "blog_get_surface_report"}
ADDRESSES = ["blog://posts/frost.md", "blog://posts/", "file:///etc/passwd"]

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
params = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(sorted(TOOLS.keys() - SLOW)) | st.just("publish") | anything,
        "arguments": arguments | anything,
        "uri": st.sampled_from(ADDRESSES) | anything,
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
