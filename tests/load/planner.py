"""A writer that schedules posts for the next seconds, and moves or cancels some."""

import random
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from tests.load.faces import Face

_WAITING = 3
"""The longest delay of a scheduled post in seconds; two schedulers run every second."""


class Planner:
    """``released`` has the slugs of posts that must be published, ``called_off`` those that must not."""

    def __init__(self, face: Face, *, chance: random.Random) -> None:
        self._face = face
        self._chance = chance
        self._number = 0
        self.released: set[str] = set()
        self.called_off: set[str] = set()

    def step(self) -> None:
        """Schedule a post; cancel or move one in four around its time."""
        self._number += 1
        slug = f"planned-{self._number}"
        due = timezone.now() + timedelta(seconds=self._chance.uniform(1, _WAITING))
        draft = self._face.call("save_draft", title=f"Planned {self._number}", slug=slug, body="Soon.")
        if "error" in draft:
            return
        told = self._face.call("publish_post", id=str(draft["post"]["id"]), publish_at=_written(due))
        if "error" in told or told["post"]["status"] == "published":
            # The request came too late, and published the post itself.
            return
        self.released.add(slug)
        if self._chance.random() < 0.25:
            self._reconsider(told["post"])

    def _reconsider(self, post: dict[str, Any]) -> None:
        """Wait until about the moment at which the schedulers publish the post."""
        moment = datetime.fromisoformat(post["publish_at"])
        while timezone.now() < moment + timedelta(seconds=self._chance.uniform(-0.2, 0.8)):
            # A request, so that waiting also causes load.
            self._face.call("get_post", id=str(post["id"]))
        told = self._face.call("update_post", id=str(post["id"]), publish_at=None)
        if "error" not in told and told["post"]["status"] == "draft":
            self.released.discard(post["slug"])
            self.called_off.add(post["slug"])


def _written(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")
