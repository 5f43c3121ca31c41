"""The agent endpoint: the operations of the engine as tools of the Model Context Protocol (service.md section 4.2)."""

from blog_engine.mcp.registry import definitions
from blog_engine.mcp.tools import Tool

__all__ = ["Tool", "definitions"]
