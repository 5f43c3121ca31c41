"""The command ``render_posts``."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from blog_engine.enums import PolicyKind
from blog_engine.inputs.records import SavePage
from blog_engine.models import PolicyPage
from blog_engine.services import save_page
from tests.support.factories import EDITOR, NOW, save
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db


def test_posts_and_policy_pages_are_rendered_again(settings: Any) -> None:
    save(body="One\ntwo")
    save_page(SavePage(kind=PolicyKind.AI_USE, title="How", body="One\ntwo"), actor=EDITOR, now=NOW)
    settings.BLOG_ENGINE = blog_settings(markdown_hardbreaks=False)
    told = StringIO()

    call_command("render_posts", stdout=told)

    assert told.getvalue().splitlines() == [
        "Rendered 1 posts",
        "Rendered 1 policy pages",
        "Indexed 0 posts for the search",
        "Completed 0 posts that an earlier version wrote",
        "Counted the posts of every list",
    ]
    assert "<br" not in PolicyPage.objects.get().body_html
