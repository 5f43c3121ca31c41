"""Hooks of schemathesis."""

import schemathesis
from schemathesis import HookContext


@schemathesis.hook
def filter_path_parameters(context: HookContext, path_parameters: dict[str, object] | None) -> bool:
    """Leave out values with ``#``: some are sent unescaped and would end the URL."""
    return "#" not in str(path_parameters)
