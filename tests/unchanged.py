"""Proof that a refusal wrote nothing: every row of every table, before and after."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings

from blog_engine.errors import Refusal


def everything_stored() -> dict[str, Any]:
    """All rows of all tables of the engine, and all files of its storage."""
    rows = {
        model.__name__: list(model._base_manager.order_by("pk").values())
        for model in apps.get_app_config("blog_engine").get_models(include_auto_created=True)
    }
    media = Path(settings.MEDIA_ROOT)
    return rows | {"files": sorted(str(path) for path in media.rglob("*") if path.is_file())}


@contextmanager
def refused(refusal: type[Refusal], details: list[str] | None = None) -> Iterator[None]:
    """The block must raise this refusal, with these details when they are given, and leave nothing behind."""
    before = everything_stored()
    with pytest.raises(refusal) as raised:
        yield
    if details is not None:
        assert raised.value.details == details
    assert everything_stored() == before
