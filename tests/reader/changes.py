"""Settings that tests change."""

from pathlib import Path
from typing import Any

from django.conf import settings


def blog_settings(**changes: Any) -> dict[str, Any]:
    """The tests' ``BLOG_ENGINE`` with some keys changed; ``None`` takes a key out."""
    changed = {**settings.BLOG_ENGINE, **changes}
    return {key: value for key, value in changed.items() if value is not None}


def host_templates() -> list[dict[str, Any]]:
    """The tests' ``TEMPLATES`` with the templates of these tests in front."""
    engine = settings.TEMPLATES[0]
    return [{**engine, "DIRS": [Path(__file__).parent / "templates", *engine["DIRS"]]}]
