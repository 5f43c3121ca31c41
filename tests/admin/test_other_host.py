"""The desk in a host with its own user model, admin site and login."""

import json
import os
import sys
from pathlib import Path

import pytest

from tests.requirements import requirement
from tests.support.programs import environment, output_of


@pytest.mark.heavy
@requirement("desk.hosts")
def test_members_write_in_the_office(tmp_path: Path) -> None:
    own = environment(
        {
            "DJANGO_SETTINGS_MODULE": "tests.admin.other_host.settings",
            "DATABASE_URL": f"sqlite:///{tmp_path / 'office.sqlite3'}",
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
    )

    found = json.loads(output_of([sys.executable, "-m", "tests.admin.other_host.walk"], env=own))

    assert found["login"].startswith("/office/login/")
    assert found["signed_in"] == 302
    assert found["saved"].startswith("/office/blog_engine/post/")
    assert found["author"] == "mina@example.org"
    assert len(found["pages"]) > 30
    assert {name: status for name, status in found["pages"].items() if status not in {200, 302, 405}} == {}
    assert found["links_to_another_site"] == 0
