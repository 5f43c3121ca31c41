"""A publishing engine for Django that people and AI agents write with."""

__version__ = "0.2.0.dev0"

PROJECT = "https://github.com/blog-engine/blog-engine"
DOCUMENTATION = f"{PROJECT}/blob/main/docs"
