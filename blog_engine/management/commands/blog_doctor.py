"""``blog_doctor``: check the installation, clean the storage, compare image files."""

from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import CommandError
from django.utils import timezone

from blog_engine.doctor import run_probes
from blog_engine.doctor.base import ProbeContext, describe_fault
from blog_engine.enums import CheckStatus
from blog_engine.errors import Unavailable
from blog_engine.images.files import compare_files
from blog_engine.management.base import Key, KeyValueCommand, is_on
from blog_engine.outputs.reports import Doctor
from blog_engine.services.images import find_leftovers, remove_leftover


class Command(KeyValueCommand):
    help = (
        "Run the fourteen checks of the installation without changing anything, and exit with 1 when one reports an "
        "error. With CLEAN_STORAGE, remove the image files that nothing refers to instead. With CHECK_IMAGES, compare "
        "the file of every image with its row instead, and exit with 1 when one is missing or damaged."
    )
    keys = (
        Key("JSON", "print the same JSON object as the API", is_switch=True),
        Key("CLEAN_STORAGE", "check nothing, but remove image files that nothing refers to", is_switch=True),
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
            self._clean_storage(dry_run=dry_run)
        elif comparing:
            self._compare_images()
        else:
            self._check(as_json=as_json)

    def _clean_storage(self, *, dry_run: bool) -> None:
        """List the files that nothing refers to and, unless ``dry_run``, remove them."""
        orphans = removed = failed = 0
        try:
            for leftover in find_leftovers():
                if not leftover.is_ours:
                    name = leftover.names[0]
                    self.stdout.write(f"Not created by the blog, kept: {name if name.isprintable() else ascii(name)}")
                elif dry_run:
                    orphans += len(leftover.names)
                    reason = "No post shows" if leftover.sha256 is None else "No image refers to"
                    for name in leftover.names:
                        self.stdout.write(f"{reason} {name}")
                else:
                    removal = remove_leftover(leftover)
                    removed += len(removal.removed)
                    failed += len(removal.failed)
                    for name in removal.removed:
                        self.stdout.write(f"Removed {name}")
                    for name, error in removal.failed.items():
                        self.stderr.write(f"Not removed: {name} ({describe_fault(error)})")
        except ImproperlyConfigured as fault:
            raise CommandError(str(fault)) from fault
        except Unavailable as fault:
            raise CommandError(f"The storage cannot be listed: {describe_fault(fault.__cause__ or fault)}") from fault
        done = f"Found: {orphans}. Removed: none (dry run)." if dry_run else f"Removed: {removed}."
        self.stdout.write(f"Files that nothing refers to. {done}")
        if failed:
            raise CommandError(f"Files that could not be removed: {failed}.")

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
        now = timezone.now()
        results = run_probes(ProbeContext(now=now, newest_posts=None))
        if as_json:
            self.stdout.write(Doctor.of(results, now=now).model_dump_json(indent=2))
        else:
            for result in results:
                self.stdout.write(f"{result.status}: {result.name} — {result.message}")
        errors = [result.name for result in results if result.status is CheckStatus.ERROR]
        if errors:
            raise CommandError(f"Errors: {', '.join(errors)}.")
