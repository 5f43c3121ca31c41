"""The command ``publish_due_posts``."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.factories import publish, save
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db


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
