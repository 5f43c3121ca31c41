"""A process with the settings of the measured site: ``python -m benchmarks.speed.worker COMMAND [ARGUMENT]``."""

import hashlib
import json
import sys
from typing import Any

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.db.migrations.loader import MigrationLoader  # noqa: E402
from django.utils import timezone  # noqa: E402

from benchmarks.speed.in_process import measure, paths_of  # noqa: E402
from benchmarks.speed.seed import SEED_VERSION, recount, seed  # noqa: E402
from blog_engine import services  # noqa: E402
from blog_engine.content.search_text import SEARCH_VERSION  # noqa: E402
from blog_engine.rendering.options import rendering_key  # noqa: E402


def version() -> dict[str, Any]:
    """Return what the seeded rows depend on: a digest of everything but the migrations, and these."""
    parts = (SEED_VERSION, rendering_key(), SEARCH_VERSION)
    migrations = sorted(f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations)
    return {"seed": hashlib.sha256(repr(parts).encode()).hexdigest()[:8], "migrations": migrations}


def prepare(size: int = 0) -> None:
    """Migrate the database, fill it with so many posts, and analyse it as after years of use."""
    call_command("migrate", verbosity=0)
    if size:
        seed(size)
    else:
        recount()
        services.check_posts(now=timezone.now())
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE" if connection.vendor == "postgresql" else "ANALYZE")


def main(arguments: list[str]) -> None:
    """Run one command."""
    match arguments:
        case ["version"]:
            print(json.dumps(version()))
        case ["seed", size]:
            prepare(int(size))
        case ["upgrade"]:
            prepare()
        case ["static"]:
            call_command("collectstatic", verbosity=0, interactive=False)
        case ["measure", options]:
            print(json.dumps(measure(**json.loads(options))))
        case ["paths", options]:
            print(json.dumps(paths_of(**json.loads(options))))
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
