"""The agent endpoint: a server of the Model Context Protocol whose tools are the blog's operations."""

from blog_engine.mcp.registry import definitions
from blog_engine.mcp.tools import Tool

__all__ = ["Tool", "definitions"]
