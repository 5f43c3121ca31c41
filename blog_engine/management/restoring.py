"""Restoring an exported blog for ``import_blog``, with a report like that of an import."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from django.template.loader import render_to_string
from django.utils import timezone

from blog_engine.exporting.restore import RestoreProgress, RestoreRefused, restore_blog
from blog_engine.importing.report_files import FORMAT, Ending, ReportFiles, RunOutcome


class _Writes(Protocol):
    def write(self, text: str, /) -> object: ...


def restore_with_report(path: Path, files: ReportFiles, *, dry_run: bool, now: datetime, out: _Writes) -> RunOutcome:
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
