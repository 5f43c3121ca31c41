"""The module of the task, which every Django can import."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.utils.module_loading import autodiscover_modules

from blog_engine import tasks
from tests.requirements import requirement

ROOT = Path(__file__).resolve().parents[2]


@requirement("posts.release.task")
def test_a_queue_that_looks_for_tasks_of_every_app_may_look_here() -> None:
    autodiscover_modules("tasks")


@pytest.mark.heavy
@requirement("posts.release.task")
def test_nothing_of_the_engine_imports_it() -> None:
    look = "import sys; import example_site.urls; print('blog_engine.tasks' in sys.modules)"
    command = [sys.executable, "-m", "django", "shell", "--verbosity", "0", "--command", look]
    site = ["--settings", "example_site.settings", "--pythonpath", str(ROOT)]

    done = subprocess.run([*command, *site], capture_output=True, text=True, check=True)

    assert done.stdout == "False\n"


def test_other_names_are_missing_as_everywhere() -> None:
    assert not hasattr(tasks, "publish_everything")
