"""Every operation by its name: what tests, the agent endpoint and the OpenAPI document count on (design.md 1.2)."""

from collections.abc import Mapping
from typing import Any

from blog_engine.operations import posts, records, reports
from blog_engine.operations.base import Operation

_MODULES = (posts, records, reports)

OPERATIONS: Mapping[str, Operation[Any, Any]] = {
    op.name: op for module in _MODULES for op in vars(module).values() if isinstance(op, Operation)
}
