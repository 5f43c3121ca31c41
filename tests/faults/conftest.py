"""What tests of faults share."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection


@pytest.fixture
def gone(transactional_db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The database is where nothing answers; what it holds is kept for later."""
    elsewhere = {"NAME": str(tmp_path / "no folder" / "db")} if connection.vendor == "sqlite" else {"PORT": "1"}
    with monkeypatch.context() as patched:
        for name, value in elsewhere.items():
            patched.setitem(connection.settings_dict, name, value)
        connection.close()
        yield
    connection.close()
