"""A source made of its entries, and runs over it."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.db import connection

from blog_engine.importing.pipeline import ImportRun
from blog_engine.importing.source import Item, Loss, LossKind, SourcePost, SourceRefused, SourceStatus
from blog_engine.importing.spool import Spool
from blog_engine.importing.writer import WrittenPost
from tests.support.factories import NOW

OLD = "https://old.example"
LONG_AGO = datetime(2019, 5, 6, 7, 8, 9, tzinfo=UTC)


def entry(number: int = 1, **fields: Any) -> SourcePost:
    """A public post at ``/2019/post-<number>/``."""
    values: dict[str, Any] = {
        "source_id": str(number),
        "title": f"Post {number}",
        "body": f"The text of post {number}.",
        "body_format": "markdown",
        "status": SourceStatus.PUBLISHED,
        "where": f"blog.xml:{number}",
        "slug": f"post-{number}",
        "url": f"{OLD}/2019/post-{number}/",
        "published_at": LONG_AGO.replace(hour=number % 24),
        "published_evidence": "blog.xml: post_date_gmt",
        "base": f"{OLD}/2019/post-{number}/",
    }
    return SourcePost(**(values | fields))


def draft(number: int = 1, **fields: Any) -> SourcePost:
    """A post that was never public."""
    values: dict[str, Any] = {"status": SourceStatus.DRAFT, "url": None, "published_at": None}
    return entry(number, **(values | fields))


def scheduled(number: int, at: datetime, **fields: Any) -> SourcePost:
    """A post that is going to be public."""
    values: dict[str, Any] = {"status": SourceStatus.SCHEDULED, "url": None, "published_at": at}
    return entry(number, **(values | fields))


@dataclass
class OldBlogSource:
    """A source with these entries; it breaks off after them if ``fault`` is set."""

    entries: Sequence[Item]
    url: str | None = OLD
    media: Path | None = None
    """A folder with the images by the last parts of their URLs."""
    fault: str = ""
    before_images: Callable[[], object] = int
    """What happens before an image is looked for."""
    system: str = "wordpress"
    blog: str = "old.example"

    def items(self) -> Iterator[Item]:
        yield from self.entries
        if self.fault:
            raise SourceRefused(self.fault)

    def image_file(self, url: str) -> Path | None:
        self.before_images()
        file = self.media / url.partition("?")[0].rpartition("/")[2] if self.media else None
        return file if file and file.is_file() else None


@dataclass
class Outcome:
    """What a run did, by the ids of the source."""

    results: dict[str, str | None] = field(default_factory=dict)
    losses: dict[str, list[Loss]] = field(default_factory=dict)
    old_paths: dict[str, tuple[str, ...]] = field(default_factory=dict)
    omitted: list[str] = field(default_factory=list)
    """What is not imported at all."""

    def kinds(self, source_id: str = "1") -> list[LossKind]:
        """The kinds of losses of a post."""
        return [loss.kind for loss in self.losses[source_id]]

    def messages(self, source_id: str = "1") -> list[str]:
        """What was lost of a post, in words."""
        return [loss.message for loss in self.losses[source_id]]


def run_import(*entries: Item, now: datetime = NOW, dry_run: bool = False, **source: Any) -> Outcome:
    """Import entries to the end."""
    with Spool() as spool:
        run = ImportRun(OldBlogSource(entries, **source), spool, now=now)
        for _ in run.read():
            pass
        for _ in run.rehearse() if dry_run else run.write():
            pass
        outcome = Outcome(omitted=[one.source_id for one in spool.omitted()])
        for found in spool.results():
            outcome.results[found.post.source_id] = found.status
            outcome.losses[found.post.source_id] = list(found.losses)
            written: WrittenPost = found.result
            outcome.old_paths[found.post.source_id] = written.old_paths
        return outcome


@contextmanager
def interrupted(*, at: int) -> Iterator[None]:
    """Raise ``KeyboardInterrupt`` when the block is about to record this publication, in the transaction of a post."""
    left = at

    def stop(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        nonlocal left
        if sql.startswith('INSERT INTO "blog_engine_publication"'):
            left -= 1
            if not left:
                raise KeyboardInterrupt
        return execute(sql, *rest)

    with connection.execute_wrapper(stop):
        yield


def imported(system: str, source: Path, report: Path, *pairs: str) -> dict[str, Any]:
    """Import a source with the command, and return its report."""
    call_command("import_blog", f"FROM={system}", f"SOURCE={source}", f"REPORT={report}", *pairs, stdout=StringIO())
    found: dict[str, Any] = json.loads(report.read_text("utf-8"))
    return found
