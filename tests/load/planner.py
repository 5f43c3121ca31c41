"""A writer who schedules posts for the next seconds, and sometimes changes its mind."""

import random
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from tests.load.faces import Face

_WAITING = 3
"""Seconds that a post waits at most; two schedulers look every second."""


class Planner:
    """``released`` are the posts that must come out, by slug; those in ``called_off`` must not."""

    def __init__(self, face: Face, *, chance: random.Random) -> None:
        self._face = face
        self._chance = chance
        self._number = 0
        self.released: set[str] = set()
        self.called_off: set[str] = set()

    def step(self) -> None:
        """Schedule a post; call one in four off, or move it, when its time comes or has come."""
        self._number += 1
        slug = f"planned-{self._number}"
        due = timezone.now() + timedelta(seconds=self._chance.uniform(1, _WAITING))
        draft = self._face.call("save_draft", title=f"Planned {self._number}", slug=slug, body="Soon.")
        if "error" in draft:
            return
        told = self._face.call("publish_post", id=str(draft["post"]["id"]), publish_at=_written(due))
        if "error" in told or told["post"]["status"] == "published":
            # The request came when the moment had passed: the post was not left to a scheduler.
            return
        self.released.add(slug)
        if self._chance.random() < 0.25:
            self._reconsider(told["post"])

    def _reconsider(self, post: dict[str, Any]) -> None:
        """Just around the moment at which the schedulers take the post."""
        moment = datetime.fromisoformat(post["publish_at"])
        while timezone.now() < moment + timedelta(seconds=self._chance.uniform(-0.2, 0.8)):
            # A request, so that waiting for the moment is work, too.
            self._face.call("get_post", id=str(post["id"]))
        told = self._face.call("update_post", id=str(post["id"]), publish_at=None)
        if "error" not in told and told["post"]["status"] == "draft":
            self.released.discard(post["slug"])
            self.called_off.add(post["slug"])


def _written(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")
