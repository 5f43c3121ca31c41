"""The command ``publish_due_posts``."""

import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.databases import migrate_site
from tests.support.factories import publish, save
from tests.support.hosts import blog_settings
from tests.support.programs import environment, output_of, start

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).parents[2]


def schedule(slug: str) -> None:
    now = timezone.now()
    post = save(slug=slug, now=now - timedelta(hours=2)).post
    publish(post, publish_at=(now - timedelta(hours=1)).isoformat(), now=now - timedelta(hours=2))


@requirement("posts.schedule.release")
def test_it_releases_and_reports_due_posts(capsys: pytest.CaptureFixture[str]) -> None:
    schedule("p")

    call_command("publish_due_posts")

    assert (capsys.readouterr().out, Post.objects.get().status) == ("Published p\n", "published")


@requirement("posts.release.due")
def test_a_refusal_is_reported_and_the_others_are_released(settings: Any, capsys: pytest.CaptureFixture[str]) -> None:
    schedule("one")
    schedule("two")
    settings.BLOG_ENGINE = blog_settings(
        before_publish=lambda post, context: ["Not this one."] if post.slug == "one" else None
    )

    with pytest.raises(CommandError):
        call_command("publish_due_posts")

    assert capsys.readouterr() == ("Published two\n", "Refused one: refused_by_host, Not this one.\n")


@pytest.mark.parametrize("every", ["0", "-1", "1.5", "soon", "", "1" * 7])
def test_a_pause_that_is_no_number_of_seconds_is_refused(every: str) -> None:
    with pytest.raises(CommandError):
        call_command("publish_due_posts", f"EVERY={every}")


@pytest.mark.heavy
@requirement("host.commands")
def test_it_keeps_running_with_every(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'db.sqlite3'}"
    own = environment({"DATABASE_URL": database, "DJANGO_SETTINGS_MODULE": "example_site.settings"})
    manage = [sys.executable, str(ROOT / "example_site" / "manage.py")]
    scheduling = own | {"PYTHONPATH": str(ROOT)}
    running = own | {"PYTHONUNBUFFERED": "1"}
    migrate_site(own, tmp_path / "db.sqlite3")
    output_of([*manage, "shell", "-c", _SCHEDULE.format(slug="first")], env=scheduling)

    with start([*manage, "publish_due_posts", "EVERY=1"], env=running, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            lines = [process.stdout.readline()]
            output_of([*manage, "shell", "-c", _SCHEDULE.format(slug="later")], env=scheduling)
            lines += [process.stdout.readline()]
        finally:
            process.kill()

    assert lines == [b"Published first\n", b"Published later\n"]


_SCHEDULE = """
from tests.management.test_publish_due_posts import schedule

schedule("{slug}")
"""
