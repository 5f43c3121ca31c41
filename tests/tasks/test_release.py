"""The release of scheduled posts as a task of Django 6, in its immediate backend (docs/how-to/operate.md)."""

from typing import Any

import pytest

from blog_engine import tasks
from blog_engine.models import Post
from tests.management.test_publish_due_posts import schedule
from tests.requirements import requirement
from tests.support.factories import save
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db(transaction=True)


@requirement("posts.release.task")
def test_the_task_releases_what_is_due() -> None:
    schedule("p")

    result = tasks.publish_due_posts.enqueue()

    assert (str(result.status), result.return_value) == ("SUCCESSFUL", ["p"])
    assert Post.objects.get().status == "published"


@requirement("posts.release.task")
def test_a_task_that_left_a_post_has_failed_after_trying_all(settings: Any) -> None:
    schedule("one")
    schedule("two")
    settings.BLOG_ENGINE = blog_settings(
        before_publish=lambda post, context: ["Not this one."] if post.slug == "one" else None
    )

    result = tasks.publish_due_posts.enqueue()

    assert str(result.status) == "FAILED"
    assert result.errors[0].exception_class is tasks.DuePostsLeft
    assert "one (refused_by_host)" in result.errors[0].traceback
    assert Post.objects.get(slug="two").status == "published"


@requirement("proof.task")
def test_the_other_task_makes_a_checkpoint() -> None:
    before = tasks.make_checkpoint.enqueue()
    save(publish=True)

    result = tasks.make_checkpoint.enqueue()

    assert (before.return_value, result.return_value) == (None, 1)
