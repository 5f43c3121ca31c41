"""The release as a task of Django 6; older ones have no tasks, and say so (docs/running.md, Scheduled posts)."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import autodiscover_modules

from blog_engine import tasks
from blog_engine.models import Post
from tests.management.test_publish_due_posts import schedule
from tests.requirements import requirement

ROOT = Path(__file__).resolve().parents[1]


def test_a_queue_that_looks_for_tasks_of_every_app_may_look_here() -> None:
    autodiscover_modules("tasks")


def test_nothing_of_the_engine_imports_it() -> None:
    look = "import django, sys; django.setup(); import blog_engine.urls; print('blog_engine.tasks' in sys.modules)"
    command = [sys.executable, "-m", "django", "shell", "-v", "0", "--no-imports", "-c", look]

    done = subprocess.run(
        [*command, "--settings", "example_site.settings", "--pythonpath", str(ROOT)],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout == "False\n"


def test_other_names_are_missing_as_everywhere() -> None:
    assert not hasattr(tasks, "publish_everything")


if find_spec("django.tasks") is None:

    @requirement("state:task")
    def test_without_tasks_the_import_says_what_to_use_instead() -> None:
        with pytest.raises(ImproperlyConfigured, match=r"the command publish_due_posts"):
            from blog_engine.tasks import publish_due_posts as publish_due_posts

else:

    @pytest.mark.django_db(transaction=True)
    @requirement("state:task")
    def test_the_task_releases_what_is_due() -> None:
        schedule("p")

        result = tasks.publish_due_posts.enqueue()

        assert (str(result.status), result.return_value) == ("SUCCESSFUL", ["p"])
        assert Post.objects.get().status == "published"

    @pytest.mark.django_db(transaction=True)
    @requirement("state:task")
    def test_a_task_that_left_a_post_has_failed_after_trying_all(settings: Any) -> None:
        schedule("one")
        schedule("two")
        settings.BLOG_ENGINE = settings.BLOG_ENGINE | {
            "before_publish": lambda post, context: ["Not this one."] if post.slug == "one" else None
        }

        result = tasks.publish_due_posts.enqueue()

        assert str(result.status) == "FAILED"
        assert result.errors[0].exception_class is tasks.DuePostsLeft
        assert "one (refused_by_host)" in result.errors[0].traceback
        assert Post.objects.get(slug="two").status == "published"
