"""Django 6 has tasks and 5.2 has none: each runs other tests."""

from importlib.util import find_spec

import pytest

_OTHER = "test_without_tasks.py" if find_spec("django.tasks") else "test_release.py"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests of the other Django."""
    deselected = [item for item in items if item.path.name == _OTHER]
    config.hook.pytest_deselected(items=deselected)
    items[:] = [item for item in items if item.path.name != _OTHER]
