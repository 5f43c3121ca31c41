"""Hooks of schemathesis."""

from typing import Any

import schemathesis
from schemathesis import HookContext

_NULLABLE = {
    *("publish_at", "cover_image", "social_image", "avatar", "translation_of", "series_position", "canonical_url"),
    *("new_path", "approved_on", "expires_at"),
}


@schemathesis.hook
def filter_path_parameters(context: HookContext, path_parameters: dict[str, object] | None) -> bool:
    """Leave out values with ``#``: some are sent unescaped and would end the URL."""
    return "#" not in str(path_parameters)


@schemathesis.hook
def filter_case(context: HookContext, case: Any) -> bool:
    """Leave out nulls that the document does not offer: the API accepts some of them (openapi.null)."""
    return not _has_other_null(case.body)


def _has_other_null(body: object) -> bool:
    if isinstance(body, dict):
        return any((value is None and name not in _NULLABLE) or _has_other_null(value) for name, value in body.items())
    return isinstance(body, list) and any(map(_has_other_null, body))
