"""The task on a Django that has no tasks (docs/how-to/operate.md, Scheduled posts)."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from tests.requirements import requirement


@requirement("posts.release.task")
def test_the_import_says_what_to_use_instead() -> None:
    with pytest.raises(ImproperlyConfigured, match="the command publish_due_posts"):
        from blog_engine.tasks import publish_due_posts as publish_due_posts


@requirement("proof.task")
def test_the_import_of_the_other_task_says_what_to_use_instead() -> None:
    with pytest.raises(ImproperlyConfigured, match="the command make_checkpoint once a day"):
        from blog_engine.tasks import make_checkpoint as make_checkpoint


@requirement("webhooks.task")
def test_the_import_of_the_task_for_webhooks_says_what_to_use_instead() -> None:
    with pytest.raises(ImproperlyConfigured, match="the command deliver_webhooks every minute"):
        from blog_engine.tasks import deliver_webhooks as deliver_webhooks
