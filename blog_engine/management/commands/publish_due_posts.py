"""``publish_due_posts``: release scheduled posts, once or continuously."""

from collections.abc import Iterator

from django.core.management.base import CommandError
from django.utils import timezone

from blog_engine.management.base import Key, RepeatingCommand
from blog_engine.services.publish_due import DueRelease, due_releases


class Command(RepeatingCommand):
    help = "Release the scheduled posts that are due. Those that are refused are reported, and the exit status is 1."
    keys = (Key("EVERY", "keep running, and release due posts at intervals of this many seconds"),)

    def run_once(self, given: dict[str, str]) -> None:
        is_left = [not self._report(release) for release in due_releases(now=timezone.now())]
        if any(is_left):
            raise CommandError("Some due posts were not released.")

    def steps(self) -> Iterator[None]:
        for release in due_releases(now=timezone.now()):
            self._report(release)
            yield

    def _report(self, release: DueRelease) -> bool:
        """Write the outcome for a post; return whether it is public."""
        if release.refusal is not None:
            reason = ", ".join([release.refusal.code, *release.refusal.details])
            self.stderr.write(f"Refused {release.name}: {reason}")
        elif release.failure is not None:
            self.stderr.write(f"Failed {release.name}: {type(release.failure).__name__}: {release.failure}")
        else:
            self.stdout.write(f"{release.verb} {release.name}")
            return True
        return False
