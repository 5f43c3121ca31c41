"""The folder of a run, and Django with the engine of a checkout."""

import os
import sys
from pathlib import Path
from typing import Final

import django
from django.core.management.utils import get_random_secret_key

ROOT: Final = Path(__file__).resolve().parents[2]


class Folder:
    """The files of one run: the blog, and beside it what the agent works with."""

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.agent = self.path / "agent"
        """The working folder of the agent; it has no other files of the benchmark."""
        self.calls = self.agent / "calls.jsonl"
        self.answers = self.agent / "answers"
        self.before = self.path / "before.json"
        """The posts as they were seeded."""
        self.environment = self.path / "environment"
        """The variables of the served site, as lines of a shell."""


def set_up(folder: Folder, *, checkout: Path, url: str = "") -> None:
    """Load Django with the example site and the engine of a checkout, on the database of the folder."""
    # This package was imported from here; the engine is imported from there.
    sys.path.insert(0, str(checkout.resolve()))
    if folder.environment.exists():
        lines = folder.environment.read_text("utf-8").splitlines()
        variables = dict(line.removeprefix("export ").split("=", 1) for line in lines)
    else:
        variables = {
            "DATABASE_URL": f"sqlite:///{folder.path / 'blog.sqlite3'}",
            "MEDIA_ROOT": str(folder.path / "media"),
            "PUBLIC_BASE_URL": url,
            "SECRET_KEY": get_random_secret_key().translate(str.maketrans("", "", "$#&()*!'\"`;|<> ")),
            "DEBUG": "on",
            "CACHE_URL": "",
        }
        folder.environment.write_text("".join(f"export {name}={value}\n" for name, value in variables.items()))
    os.environ |= variables | {"DJANGO_SETTINGS_MODULE": "example_site.settings"}
    django.setup()
