"""Django 6 has tasks and 5.2 has none: each is asked something else."""

from importlib.util import find_spec

collect_ignore = ["test_without_tasks.py" if find_spec("django.tasks") else "test_release.py"]
