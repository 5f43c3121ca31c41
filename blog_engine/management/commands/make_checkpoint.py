"""``make_checkpoint``: store a checkpoint of the history (proof.checkpoint)."""

from typing import Any

from django.utils import timezone

from blog_engine.management.base import KeyValueCommand
from blog_engine.services import make_checkpoint


class Command(KeyValueCommand):
    help = (
        "Store a checkpoint: the root of a tree over the newest record of every post, chained to the checkpoint before "
        "it. Run it once a day; when nothing was recorded since the last one, a run within 20 hours makes none."
    )

    def run(self, given: dict[str, str], options: dict[str, Any]) -> None:
        done = make_checkpoint(now=timezone.now())
        if done.chained:
            self.stderr.write(
                f"Chained only now: {done.chained} records that had no link. During an upgrade the previous version "
                "makes such records; at any other time find out what wrote them."
            )
        if done.checkpoint is None:
            self.stdout.write("There is no history yet, so no checkpoint was made.")
        elif done.is_new:
            posts = done.checkpoint.size
            self.stdout.write(f"Made checkpoint {done.checkpoint.number} of {posts} posts: {done.checkpoint.hash}")
        else:
            self.stdout.write(f"Nothing is new since checkpoint {done.checkpoint.number}: {done.checkpoint.hash}")
