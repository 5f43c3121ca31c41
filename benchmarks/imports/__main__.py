"""Measure what an import costs: ``python -m benchmarks.imports [SOURCE] [FROM=markdown] [POSTS=5000] [PROFILE=file]``.

Without a source, an export of WordPress is generated. Prints the processor time for each post, the peak of memory and
the sizes of the report of a dry run into a new SQLite database, after the summary of the import.
"""

import cProfile
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.imports.wordpress import write_export


def main(arguments: list[str]) -> None:
    """Run one dry import, and print its cost."""
    given = dict(argument.split("=", 1) for argument in arguments if "=" in argument)
    sources = [argument for argument in arguments if "=" not in argument]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        os.environ |= {
            "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3",
            "DJANGO_SETTINGS_MODULE": "example_site.settings",
        }
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        source = sources[0] if sources else str(folder / "export.xml")
        if not sources:
            write_export(Path(source), posts=int(given.get("POSTS", "5000")))
        report = folder / "report.json"
        # No host has this name, so no image is fetched.
        pairs = [
            f"FROM={given.get('FROM', 'wordpress')}",
            f"SOURCE={source}",
            f"URL={given.get('URL', 'https://old.invalid')}",
        ]
        profile = cProfile.Profile(time.process_time) if "PROFILE" in given else None
        start = time.process_time()
        if profile:
            profile.runcall(call_command, "import_blog", *pairs, f"REPORT={report}", "DRY_RUN=1")
            profile.dump_stats(given["PROFILE"])
        else:
            call_command("import_blog", *pairs, f"REPORT={report}", "DRY_RUN=1")
        seconds = time.process_time() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        sizes = ", ".join(
            f"{path.suffix} {path.stat().st_size // 1000} kB" for path in (report, report.with_suffix(".html"))
        )
        print(f"{seconds:.1f} s of processor time, {peak} MB at most; report {sizes}")


if __name__ == "__main__":
    main(sys.argv[1:])
