"""Every operation by its name."""

from collections.abc import Mapping
from typing import Any

from blog_engine.operations import posts, records, reports
from blog_engine.operations.base import Operation

_MODULES = (posts, records, reports)

OPERATIONS: Mapping[str, Operation[Any, Any]] = {
    op.name: op for module in _MODULES for op in vars(module).values() if isinstance(op, Operation)
}
