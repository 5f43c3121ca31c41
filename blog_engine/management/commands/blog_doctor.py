"""``blog_doctor`` (decisions.md 2; records.md 15 and 20)."""

from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import CommandError
from django.utils import timezone

from blog_engine.images.files import compare_files
from blog_engine.management.key_value import Key, KeyValueCommand, is_on
from blog_engine.management.storage_cleaning import StorageCleaning
from blog_engine.outputs.doctor import Doctor
from blog_engine.report.base import Visit
from blog_engine.report.doctor import examine
from blog_engine.report.fault import describe_fault
from blog_engine.vocabulary import CheckStatus


class Command(KeyValueCommand):
    help = (
        "Check the installation in thirteen points, and change nothing. Exit 1 when a check reports an error. With "
        "CLEAN_STORAGE instead remove the image files that no image refers to; with CHECK_IMAGES instead compare the "
        "file of every image with its row, and exit 1 when one is missing or damaged."
    )
    keys = (
        Key("JSON", "print the same JSON object as the API", is_switch=True),
        Key("CLEAN_STORAGE", "check nothing, but remove image files that no image refers to", is_switch=True),
        Key("CHECK_IMAGES", "check nothing else, but read the file of every image", is_switch=True),
        Key("DRY_RUN", "with CLEAN_STORAGE: name these files and remove none", is_switch=True),
    )
    # What the system checks would stop it for is what it reports.
    requires_system_checks = ()

    def run(self, given: dict[str, str], options: dict[str, Any]) -> None:
        as_json, cleaning, comparing, dry_run = (
            is_on(given, name) for name in ("JSON", "CLEAN_STORAGE", "CHECK_IMAGES", "DRY_RUN")
        )
        if dry_run and not cleaning:
            raise CommandError("DRY_RUN is for CLEAN_STORAGE: the checks change nothing.")
        if as_json + cleaning + comparing > 1:
            raise CommandError("JSON, CLEAN_STORAGE and CHECK_IMAGES exclude each other: send one of them.")
        if cleaning:
            StorageCleaning(self).run(dry_run=dry_run)
        elif comparing:
            self._compare_images()
        else:
            self._check(as_json=as_json)

    def _compare_images(self) -> None:
        images = wrong = 0
        try:
            for found in compare_files():
                images += 1
                if found is not None:
                    wrong += 1
                    fault = f" ({describe_fault(found.fault)})" if found.fault else ""
                    self.stdout.write(f"The file {found.name} of {found.filename!r} {found.problem}{fault}.")
        except ImproperlyConfigured as fault:
            raise CommandError(str(fault)) from fault
        self.stdout.write(f"Images: {images}. Missing or damaged files: {wrong}.")
        if wrong:
            raise CommandError("Restore these files from a backup, or upload the same bytes again.")

    def _check(self, *, as_json: bool) -> None:
        results = examine(Visit(now=timezone.now(), newest_posts=None))
        if as_json:
            self.stdout.write(Doctor.of(results).model_dump_json(indent=2))
        else:
            for result in results:
                self.stdout.write(f"{result.status}: {result.name} — {result.message}")
        errors = [result.name for result in results if result.status is CheckStatus.ERROR]
        if errors:
            raise CommandError(f"Errors: {', '.join(errors)}.")
