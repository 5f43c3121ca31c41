"""The release of scheduled posts, the daily checkpoint and webhooks as tasks of Django 6.

Their rules are posts.release.task, proof.task and webhooks.task.

The engine itself does not import this module. Task queues that import the ``tasks`` module of every app can do so
with any version of Django.
"""

from importlib.util import find_spec
from typing import NoReturn

from django import get_version
from django.core.exceptions import ImproperlyConfigured
from django.utils import timezone

from blog_engine import services
from blog_engine.services import publish_due

__all__ = ["deliver_webhooks", "make_checkpoint", "publish_due_posts"]


class EventsGivenUp(Exception):
    """Events were given up, because their last attempt failed or the receiver is gone."""


class DuePostsLeft(Exception):
    """Due posts could not be released; the message names them with the reasons."""


if find_spec("django.tasks") is not None:
    from django.tasks import task

    @task
    def publish_due_posts() -> list[str]:
        """Release the scheduled posts and proposals that are due, and return their slugs.

        Raises ``DuePostsLeft`` after all are tried, so that the queue shows a failure where the command exits with 1.
        """
        done = publish_due(now=timezone.now())
        left = {slug: refusal.code for slug, refusal in done.refused.items()}
        left |= {slug: type(failure).__name__ for slug, failure in done.failed.items()}
        if left:
            raise DuePostsLeft(", ".join(f"{slug} ({reason})" for slug, reason in left.items()))
        return done.released + done.applied

    @task
    def make_checkpoint() -> int | None:
        """Make a checkpoint of the history, and return the number of the newest one; ``None`` without any history."""
        made = services.make_checkpoint(now=timezone.now())
        return None if made.checkpoint is None else made.checkpoint.number

    @task
    def deliver_webhooks() -> int:
        """Send the events that are due, and return how many requests were accepted; others are repeated later.

        Raises ``EventsGivenUp`` after all were tried, where the command exits with 1.
        """
        run = services.deliver_webhooks()
        if run.given_up:
            raise EventsGivenUp(f"{run.given_up} requests. The command deliver_webhooks RETRY=dead repeats them.")
        return run.delivered

else:
    _INSTEAD = {
        "publish_due_posts": ("every minute", "publish_due(now=…)"),
        "make_checkpoint": ("once a day", "make_checkpoint(now=…)"),
        "deliver_webhooks": ("every minute", "deliver_webhooks()"),
    }

    def __getattr__(name: str) -> NoReturn:
        if name in _INSTEAD:
            when, service = _INSTEAD[name]
            raise ImproperlyConfigured(
                f"blog_engine.tasks.{name} needs django.tasks, which comes with Django 6.0; this is Django "
                f"{get_version()}. Run the command {name} {when} instead, or call "
                f"blog_engine.services.{service} from a task of your own queue."
            )
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
