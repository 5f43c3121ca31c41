"""The two families of protocol revisions, and which of them a request speaks (mcp.md 1)."""

import re
from collections.abc import Mapping
from enum import Enum, auto
from typing import Any

from blog_engine.mcp.jsonrpc import INVALID_PARAMS, Message, ProtocolFault
from blog_engine.mcp.strict_base64 import decoded

HANDSHAKE_VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26")
STATELESS_VERSIONS = ("2026-07-28",)
SUPPORTED_VERSIONS = (*STATELESS_VERSIONS, *HANDSHAKE_VERSIONS)
"""Newest first."""

HEADER_MISMATCH = -32020
UNSUPPORTED_VERSION = -32022

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo"

_VERSION, _METHOD, _NAME = "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"
_NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""The methods about one named thing, and the parameter that ``Mcp-Name`` repeats."""

_ENCODED = re.compile(r"=\?base64\?(.*)\?=")


class Era(Enum):
    """How a client and the server agree on a revision."""

    HANDSHAKE = auto()
    """``initialize`` comes first; up to 2025-11-25."""
    STATELESS = auto()
    """Every request describes itself; since 2026-07-28."""


def era_of(value: object, headers: Mapping[str, str]) -> Era:
    """The era of a request, told by its body and by its header; ``value`` is ``None`` for an unreadable body.

    A revision in the body settles it; otherwise the header does, but for ``initialize``, which only the handshake has.
    """
    body: Mapping[str, Any] = value if isinstance(value, dict) else {}
    if VERSION_KEY in _meta_of(body.get("params")):
        return Era.STATELESS
    named = _header(headers, _VERSION)
    if named is None or named in HANDSHAKE_VERSIONS or body.get("method") == "initialize":
        return Era.HANDSHAKE
    return Era.STATELESS


def check_self_description(message: Message, headers: Mapping[str, str]) -> None:
    """Hold that a stateless request describes itself, in its body and in equal headers.

    Raises ``ProtocolFault``: ``INVALID_PARAMS`` without the required ``_meta``, ``HEADER_MISMATCH``, and
    ``UNSUPPORTED_VERSION``, also for a header of an unknown revision without ``_meta`` (decisions.md 9.19).
    """
    meta = _meta_of(message.params)
    named = _header(headers, _VERSION)
    if VERSION_KEY not in meta and named is not None and named not in SUPPORTED_VERSIONS:
        raise _unsupported(named)
    if missing := [key for key in (VERSION_KEY, CAPABILITIES_KEY) if key not in meta]:
        raise ProtocolFault(INVALID_PARAMS, f"params._meta needs {' and '.join(missing)}.")
    if not isinstance(meta[CAPABILITIES_KEY], dict):
        raise ProtocolFault(INVALID_PARAMS, f"{CAPABILITIES_KEY} is an object.")
    version = meta[VERSION_KEY]
    _match(_VERSION, named, version)
    _match(_METHOD, _header(headers, _METHOD), message.method)
    key = _NAMED_BY.get(message.method)
    name = None if key is None else message.params.get(key)
    if name is not None:
        _match(_NAME, _decoded(_header(headers, _NAME)), name)
    if version not in STATELESS_VERSIONS:
        raise _unsupported(version)


def _meta_of(params: object) -> Mapping[str, Any]:
    meta = params.get("_meta") if isinstance(params, Mapping) else None
    return meta if isinstance(meta, dict) else {}


def _header(headers: Mapping[str, str], name: str) -> str | None:
    value = headers.get(name)
    return None if value is None else value.strip()


def _decoded(value: str | None) -> str | None:
    """What a header value stands for: other than plain ASCII travels in Base64. ``None`` for faulty Base64."""
    found = _ENCODED.fullmatch(value or "")
    if found is None:
        return value
    try:
        return decoded(found[1]).decode()
    except ValueError:
        return None


def _match(header: str, sent: str | None, meant: object) -> None:
    if sent is None or sent != meant:
        raise ProtocolFault(HEADER_MISMATCH, f"The header {header} must repeat what the body says.")


def _unsupported(version: str) -> ProtocolFault:
    return ProtocolFault(
        UNSUPPORTED_VERSION,
        f"This revision of the protocol is not served. Use one of {', '.join(SUPPORTED_VERSIONS)}.",
        data={"supported": list(SUPPORTED_VERSIONS), "requested": version},
    )
