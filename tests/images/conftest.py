"""A storage of its own for each test."""

from pathlib import Path

import pytest
from django.core.files.storage import Storage
from pytest_django import Settings

from blog_engine.images.files import image_storage


@pytest.fixture
def storage(settings: Settings, tmp_path: Path) -> Storage:
    """An empty folder as the storage of images."""
    settings.MEDIA_ROOT = tmp_path
    return image_storage()
