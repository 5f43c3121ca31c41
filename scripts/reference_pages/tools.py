"""``reference/tools.md``: every tool of the agent endpoint, from its definition."""

from typing import Any

from blog_engine.mcp import definitions
from reference_pages import body, table
from reference_pages.schemas import type_of


def write() -> str:
    """Return a section for each tool."""
    overview = table(
        ["Tool", "Scope", "Effect"],
        ([f"[`{tool.name}`](#{tool.name})", _scope(tool), _effect(tool.annotations)] for tool in definitions()),
    )
    sections = (part for tool in definitions() for part in _section(tool))
    return body(overview, *sections)


def _scope(tool: Any) -> str:
    return f"`{tool.scope}`" if tool.scope else "`write`, or `publish` for scheduled and public posts"


def _effect(annotations: dict[str, Any]) -> str:
    if annotations["readOnlyHint"]:
        return "reads"
    return "takes pages away" if annotations["destructiveHint"] else "writes"


def _section(tool: Any) -> list[str]:
    schema = tool.input_schema
    required = schema.get("required", [])
    rows = [
        [f"`{name}`" + (" (required)" if name in required else ""), type_of(part), part.get("description", "")]
        for name, part in schema.get("properties", {}).items()
    ]
    return [
        f"## {tool.name}",
        tool.description,
        table(["Argument", "Type", "Meaning"], rows) if rows else "It takes no arguments.",
    ]
