"""``import_blog``: take over the blog of another system."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from django.core.management.base import CommandError, OutputWrapper
from django.template.loader import render_to_string
from django.utils import timezone

from blog_engine.errors import Refusal
from blog_engine.exporting.restore import RestoreProgress, RestoreRefused, restore_blog
from blog_engine.importing.report_files import FORMAT, Ending, ReportFiles, RunOutcome
from blog_engine.management.base import Key, KeyValueCommand, is_on

try:
    from blog_engine.importing.pipeline import ImportOptions, run_import
except ModuleNotFoundError as fault:
    if (fault.name or "").startswith("blog_engine"):
        raise
    # The packages of the extra; only this command needs them.
    MISSING: str | None = fault.name
else:
    MISSING = None

_OWN: Final = "blog_engine"
_NAMES: Final = ("wordpress", "ghost", "substack", "medium", "markdown", _OWN)


class Command(KeyValueCommand):
    help = (
        "Import the blog of another system. Posts are stored one by one; run it again after an interruption, or with a "
        "newer export. Writes a report of everything that did not come along as it was."
    )
    keys = (
        Key("FROM", f"the system: {', '.join(_NAMES)}"),
        Key("SOURCE", "its export: a file, folder, zip or tar.gz; several separated by commas"),
        Key("URL", "URL of the old blog, if the export does not name it"),
        Key("MEDIA", "folder with the images of the old blog, such as wp-content/uploads"),
        Key(
            "SECTION", "folders of a Markdown site whose files are posts, separated by commas; default: as its program"
        ),
        Key("VERIFY", "folder of the built site, such as public or _site, with which former URLs are compared"),
        Key("REPORT", "JSON file for the report (default: import-report-<time>.json); a page is written beside it"),
        Key("STRICT", "store nothing if a post cannot be read; default: it is listed and left out", is_switch=True),
        Key("DRY_RUN", "do everything, fetch the images, and store nothing", is_switch=True),
    )

    def run(self, given: dict[str, str], options: dict[str, Any]) -> None:
        dry_run, strict = is_on(given, "DRY_RUN"), is_on(given, "STRICT")
        system, source = _required(given, "FROM"), _required(given, "SOURCE")
        if system not in _NAMES:
            raise CommandError(f"FROM must be one of {', '.join(_NAMES)}.")
        url = given.get("URL")
        if url is not None and (urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname):
            raise CommandError("URL must be that of the old blog, such as https://old.example.")
        if system == _OWN and given.keys() & {"URL", "MEDIA"}:
            raise CommandError("An export of this engine has its URL and its images: leave URL and MEDIA out.")
        if system == _OWN and "VERIFY" in given:
            raise CommandError("An export of this engine has its URLs: leave VERIFY out.")
        if system != "markdown" and "SECTION" in given:
            raise CommandError("SECTION chooses folders of a Markdown site: leave it out, or send FROM=markdown.")
        if system != _OWN and MISSING is not None:
            raise CommandError(
                f'The package {MISSING} is missing: pip install "blog_engine[import]" installs what an import needs.'
            )
        now = timezone.now()
        files = _reserved(given.get("REPORT"), now=now)
        unreadable, verdict = 0, ""
        try:
            if system == _OWN:
                done = restore_with_report(Path(source), files, dry_run=dry_run, now=now, out=self.stdout)
                ending, message = done.ending, done.message
            else:
                wanted = ImportOptions(
                    system,
                    source,
                    url=url,
                    media=given.get("MEDIA"),
                    sections=tuple(filter(None, map(str.strip, given.get("SECTION", "").split(",")))),
                    verify=given.get("VERIFY"),
                    dry_run=dry_run,
                    strict=strict,
                )
                facts = run_import(wanted, files, now=now, out=self.stdout)
                ending, message, unreadable = facts.ending, facts.message, facts.unreadable
                verdict = facts.verdict if ending is Ending.FINISHED else ""
        except Refusal as refusal:
            # The installation is at fault, such as a storage that is away: any other refusal only skips its post.
            raise CommandError(f"{refusal} Run the same command again to go on.") from refusal
        finally:
            self.stdout.write(f"Report: {files.path}\nPage: {files.page}")
            if verdict:
                self.stdout.write(verdict)
            if unreadable:
                files_were = (
                    "file could not be read, and was" if unreadable == 1 else "files could not be read, and were"
                )
                self.stdout.write(f"{unreadable} {files_were} left out.")
        if ending is Ending.REFUSED:
            raise CommandError(f"Nothing was imported. {message}")
        if ending is Ending.INTERRUPTED:
            raise CommandError("Interrupted. Run the same command again to go on.", returncode=130)


def _required(given: dict[str, str], name: str) -> str:
    if not given.get(name):
        raise CommandError(f"{name} is missing: import_blog FROM={'|'.join(_NAMES)} SOURCE=<file, folder or archive>")
    return given[name]


def _reserved(path: str | None, *, now: datetime) -> ReportFiles:
    """Create the files of the report before anything is imported, so that it cannot fail for them at the end."""
    try:
        return ReportFiles.reserve(Path(path)) if path else ReportFiles.reserve_unused(Path.cwd(), now=now)
    except FileExistsError as fault:
        raise CommandError(f"{fault.filename} exists already: send another REPORT.") from fault
    except OSError as fault:
        raise CommandError(f"The report cannot be written: {fault.filename}: {fault.strerror}.") from fault


def restore_with_report(
    path: Path, files: ReportFiles, *, dry_run: bool, now: datetime, out: OutputWrapper
) -> RunOutcome:
    """Restore an export into an empty blog, and write the report however that ends; ``out`` shows the steps.

    A refused export and an interruption (Ctrl+C) are endings; any other exception is raised again once the report is
    written. Nothing is stored unless the ending is ``FINISHED``.
    """
    outcome = RunOutcome()
    progress: RestoreProgress | None = None
    step = ""
    try:
        with outcome.recording(refused=RestoreRefused):
            for progress in restore_blog(path, dry_run=dry_run):
                if progress.step != step:
                    step = progress.step
                    out.write(f"Restoring: {step}")
    finally:
        _write(files, _report(outcome, path, progress, dry_run=dry_run, started_at=now))
    return outcome


def _report(
    outcome: RunOutcome,
    path: Path,
    progress: RestoreProgress | None,
    *,
    dry_run: bool,
    started_at: datetime,
) -> dict[str, Any]:
    is_restored = outcome.ending is Ending.FINISHED and progress is not None
    return {
        "format": FORMAT,
        "ending": outcome.ending.value,
        "message": outcome.message,
        "dry_run": dry_run,
        "source": {
            "system": "blog_engine",
            "path": str(path),
            "engine": progress.engine if progress else None,
            "exported_at": progress.exported_at if progress else None,
        },
        "started_at": started_at.isoformat(),
        "ended_at": timezone.now().isoformat(),
        "rows": dict(progress.rows) if is_restored and progress else {},
        "images": progress.images if is_restored and progress else 0,
        "missing_images": list(progress.missing) if progress else [],
    }


def _write(files: ReportFiles, report: dict[str, Any]) -> None:
    files.path.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    parts: dict[str, dict[str, Any]] = {
        "start": {"head": report, "results": list(report["rows"].items())},
        "restored": {"head": report},
        "end": {},
    }
    pages = [render_to_string(f"blog_engine_import/{name}.html", context) for name, context in parts.items()]
    files.page.write_text("".join(pages), encoding="utf-8")
