"""The command ``prune_page_views``."""

from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from blog_engine.models import PageView
from tests.requirements import requirement
from tests.support.factories import save
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db


def pruned() -> str:
    told = StringIO()
    call_command("prune_page_views", stdout=told)
    return told.getvalue()


@requirement("page-views.pruning")
def test_it_reports_how_many_totals_it_removed(settings: Settings) -> None:
    today = datetime.now(tz=UTC).date()
    post = save().post
    for ago in (0, 8, 9, 100):
        PageView.objects.create(post=post, day=today - timedelta(days=ago), views=3)
    settings.BLOG_ENGINE = blog_settings(page_view_retention_days=7)

    assert [pruned(), pruned()] == ["Pruned 3 daily view totals\n", "Pruned 0 daily view totals\n"]
    assert PageView.objects.get().day == today


@requirement("page-views.pruning")
def test_without_the_setting_it_removes_nothing() -> None:
    PageView.objects.create(post=save().post, day="2001-01-01", views=3)

    assert pruned() == "Pruned 0 daily view totals\n"
    assert PageView.objects.count() == 1


def test_it_has_no_keys() -> None:
    with pytest.raises(CommandError):
        call_command("prune_page_views", "DAYS=7")
