"""JSON as we answer it."""

import json


def compact_json(value: object) -> str:
    """The value without spaces, and with its letters as they are (mcp.md, decision 8)."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
