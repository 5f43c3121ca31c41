"""Writing the whole blog as files."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from django.utils import translation

from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.content.text import compact_json
from blog_engine.exporting.content import Pages
from blog_engine.exporting.hugo import write_layouts, write_settings
from blog_engine.exporting.media import media_folder, site_path, write_images
from blog_engine.exporting.redirects import write_redirects
from blog_engine.exporting.tables import LAST_IDS, exported_tables, last_ids
from blog_engine.exporting.targets import ExportTarget, open_target
from blog_engine.models import Checkpoint, Post
from blog_engine.queries.database import one_snapshot
from blog_engine.rules.chain import described_checkpoint


@dataclass(slots=True)
class ExportProgress:
    """The progress of an export."""

    posts: int = 0
    """The posts that are written."""
    of_posts: int = 0
    """All posts."""
    images: int = 0
    """The image files that are written."""
    missing: list[str] = field(default_factory=list)
    """The image files that could not be read, each with the reason."""


def export_blog(target: Path, *, now: datetime) -> Iterator[ExportProgress]:
    """Write the blog as of one moment to ``target``; yield the progress after each post and each image.

    The name of ``target`` decides: ``.zip``, ``.tar.gz`` and ``.tgz`` are files, everything else is a folder. It is
    complete, and has its name, when the iteration has ended. Raises ``TargetRefused``.
    """
    urls = BlogURLs.on(get_settings().public_base_url or "")
    progress = ExportProgress()
    with open_target(target) as written, one_snapshot() as alias, translation.override(get_settings().catalogue):
        progress.of_posts = Post.objects.using(alias).count()
        _write_site(written, alias, urls=urls)
        pages = Pages(written, alias, urls, now)
        for progress.posts, _ in enumerate(pages.write_posts(), start=1):
            yield progress
        pages.write_lists()
        pages.write_policies()
        pages.write_index()
        for loss in write_images(written, alias, urls=urls):
            if loss is None:
                progress.images += 1
            else:
                progress.missing.append(loss)
            yield progress
        _write_checkpoints(written, alias, urls=urls)
        _write_rows(written, alias)
        written.finish(moment=now, media=media_folder(urls), missing=progress.missing)


def _write_site(target: ExportTarget, alias: str, *, urls: BlogURLs) -> None:
    target.write("README.md", Path(__file__).with_name("README.md").read_bytes())
    write_settings(target, urls=urls)
    write_layouts(target)
    write_redirects(target, alias, urls=urls)


def _write_checkpoints(target: ExportTarget, alias: str, *, urls: BlogURLs) -> None:
    """Write each published checkpoint, and the newest one again, as the blog serves them."""
    newest = ""
    for checkpoint in Checkpoint.objects.using(alias).order_by("number").iterator(500):
        newest = compact_json(described_checkpoint(checkpoint))
        target.write(site_path(f"{urls.prefix}/checkpoints/{checkpoint.number}"), newest)
    if newest:
        target.write(site_path(f"{urls.prefix}/checkpoints/latest"), newest)


def _write_rows(target: ExportTarget, alias: str) -> None:
    for table in exported_tables():
        with target.open(table.path) as file:
            for row in table.rows(alias):
                file.write_json(row)
    with target.open(LAST_IDS) as file:
        file.write_json(last_ids(alias))
