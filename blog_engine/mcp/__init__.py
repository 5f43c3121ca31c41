"""The agent endpoint: an MCP server whose tools are the operations of the blog."""

from blog_engine.mcp.registry import definitions
from blog_engine.mcp.tools import Tool

__all__ = ["Tool", "definitions"]
