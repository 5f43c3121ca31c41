"""A process with the settings of the measured site: ``python -m benchmarks.speed.worker COMMAND [ARGUMENT]``."""

import hashlib
import json
import sys

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.db.migrations.loader import MigrationLoader  # noqa: E402

from benchmarks.speed.in_process import measure, paths_of  # noqa: E402
from benchmarks.speed.seed import SEED_VERSION, seed  # noqa: E402
from blog_engine.content.search_text import SEARCH_VERSION  # noqa: E402
from blog_engine.queries.rendering import rendering_key  # noqa: E402


def seed_key() -> str:
    """Return a digest of all that the seeded rows depend on."""
    migrations = sorted(map(str, MigrationLoader(None).disk_migrations))
    return hashlib.sha256(repr((SEED_VERSION, migrations, rendering_key(), SEARCH_VERSION)).encode()).hexdigest()[:8]


def fill(size: int) -> None:
    """Fill the database with published posts, as after years of use."""
    call_command("migrate", verbosity=0)
    seed(size)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")


def main(arguments: list[str]) -> None:
    """Run one command."""
    match arguments:
        case ["key"]:
            print(seed_key())
        case ["seed", size]:
            fill(int(size))
        case ["static"]:
            call_command("collectstatic", verbosity=0, interactive=False, ignore_patterns=["admin"])
        case ["measure", options]:
            print(json.dumps(measure(**json.loads(options))))
        case ["paths", options]:
            print(json.dumps(paths_of(**json.loads(options))))
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
