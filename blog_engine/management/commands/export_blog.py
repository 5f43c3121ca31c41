"""``export_blog``: write the whole blog as files (export.command)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from django.core.management.base import CommandError
from django.utils import timezone

from blog_engine.conf import get_settings
from blog_engine.exporting.export import ExportProgress, export_blog
from blog_engine.exporting.targets import TargetRefused
from blog_engine.exporting.wordpress import export_for_wordpress
from blog_engine.management.base import Key, KeyValueCommand

_LINE_EVERY: Final = 100


class Command(KeyValueCommand):
    help = (
        "Write the whole blog as files: a site that Hugo builds, the images, redirects and history, and every row, "
        "from which import_blog FROM=blog_engine restores it. Nothing is overwritten."
    )
    keys = (
        Key("TARGET", "a new folder, or a new file that ends in .zip or .tar.gz; with FORMAT=wordpress in .xml"),
        Key("FORMAT", "wordpress: posts, pages and images in one file for the importer of WordPress"),
    )

    def run(self, given: dict[str, str], options: dict[str, Any]) -> None:
        if not given.get("TARGET"):
            raise CommandError("TARGET is missing: name a new folder, or a new file that ends in .zip or .tar.gz.")
        target, progress = Path(given["TARGET"]), ExportProgress()
        try:
            for progress in _steps(target, format=given.get("FORMAT")):
                if progress.posts % _LINE_EVERY == 0 and not progress.images + len(progress.missing):
                    self.stdout.write(f"{progress.posts} of {progress.of_posts} posts")
        except TargetRefused as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"Exported {progress.posts} posts and {progress.images} images to {target}")
        if progress.missing:
            for loss in progress.missing:
                self.stderr.write(f"Missing image file {loss}")
            raise CommandError(f"{len(progress.missing)} image files could not be read; {target} has everything else.")


def _steps(target: Path, *, format: str | None) -> Iterator[ExportProgress]:
    """Return the steps of the export; raise ``CommandError`` for a format that does not go with the target."""
    is_xml = target.suffix.lower() == ".xml"
    if format is None and not is_xml:
        return export_blog(target, now=timezone.now())
    if format == "wordpress" and is_xml:
        if get_settings().public_base_url is None:
            raise CommandError("WordPress fetches the images from the blog: set public_base_url first.")
        return export_for_wordpress(target, now=timezone.now())
    raise CommandError("FORMAT can be wordpress, with a TARGET that ends in .xml. Leave it out for everything else.")
