"""The release of scheduled posts as a task of Django 6 (posts.release.task).

The engine itself does not import this module. Task queues that import the ``tasks`` module of every app can do so
with any version of Django.
"""

from importlib.util import find_spec
from typing import NoReturn

from django import get_version
from django.core.exceptions import ImproperlyConfigured
from django.utils import timezone

from blog_engine.services import publish_due

__all__ = ["publish_due_posts"]


class DuePostsLeft(Exception):
    """Due posts could not be released; the message names them with the reasons."""


if find_spec("django.tasks") is not None:
    from django.tasks import task

    @task
    def publish_due_posts() -> list[str]:
        """Release the scheduled posts that are due, and return their slugs.

        Raises ``DuePostsLeft`` after all are tried, so that the queue shows a failure where the command exits with 1.
        """
        done = publish_due(now=timezone.now())
        left = {slug: refusal.code for slug, refusal in done.refused.items()}
        left |= {slug: type(failure).__name__ for slug, failure in done.failed.items()}
        if left:
            raise DuePostsLeft(", ".join(f"{slug} ({reason})" for slug, reason in left.items()))
        return done.released

else:

    def __getattr__(name: str) -> NoReturn:
        if name == "publish_due_posts":
            raise ImproperlyConfigured(
                f"blog_engine.tasks.publish_due_posts needs django.tasks, which comes with Django 6.0; this is Django "
                f"{get_version()}. Run the command publish_due_posts every minute instead, or call "
                "blog_engine.services.publish_due(now=…) from a task of your own queue."
            )
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
