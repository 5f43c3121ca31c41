"""Conducting an import from its source to its report."""

from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from blog_engine.importing.progress import ProgressOutput, run_shown
from blog_engine.importing.report import RunFacts, write_report
from blog_engine.importing.report_files import Ending, HowItEnded, ReportFiles, noting
from blog_engine.importing.run import ImportRun
from blog_engine.importing.source import Source, SourceRefused
from blog_engine.importing.spool import Spool
from blog_engine.importing.systems import opened_source


@dataclass(frozen=True, slots=True)
class Order:
    """The source and options of an import."""

    system: str
    path: str
    """One or several files, folders or archives; see ``opened_source``."""
    url: str | None = None
    """URL of the old blog, if its export does not name it."""
    media: str | None = None
    """A folder with its images."""
    dry_run: bool = False


def conduct(order: Order, files: ReportFiles, *, now: datetime, out: ProgressOutput) -> RunFacts:
    """Import a blog, and write the report however that ends; ``out`` shows the progress.

    A refused source and an interruption (Ctrl+C) are endings; any other exception is raised again once the report is
    written.
    """
    how = HowItEnded()
    source: Source | None = None
    with Spool() as spool:
        try:
            opened = opened_source(order.system, order.path, url=order.url, media=order.media)
            with noting(how, refused=SourceRefused), opened as source:
                _run(ImportRun(source, spool, now=now), order, out)
        finally:
            facts = RunFacts(
                ending=how.ending,
                message=how.message,
                system=order.system,
                path=order.path,
                source=source,
                dry_run=order.dry_run,
                started_at=now,
                ended_at=timezone.now(),
            )
            summary = write_report(files, facts, spool)
            if how.ending is not Ending.REFUSED:
                out.write(summary)
    return facts


def _run(run: ImportRun, order: Order, out: ProgressOutput) -> None:
    run_shown(run.read(), label="Entries read", total=None, out=out)
    if order.dry_run:
        run_shown(run.rehearse(), label="Posts checked and tried", total=2 * run.posts, out=out)
    else:
        run_shown(run.write(), label="Posts imported", total=run.posts, out=out)
