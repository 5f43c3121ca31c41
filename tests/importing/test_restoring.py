"""``import_blog FROM=blog_engine``: what ``export_blog`` wrote, into an empty blog."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from blog_engine.models import Post
from tests.requirements import requirement
from tests.support.factories import save

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@requirement("import.restore")
def test_an_export_is_restored_and_reported() -> None:
    with transaction.atomic():
        post = save(slug="leeks", body="Long.").post
        call_command("export_blog", "TARGET=out")
        transaction.set_rollback(True)

    call_command("import_blog", "FROM=blog_engine", "SOURCE=out", "REPORT=a.json")

    report = json.loads(Path("a.json").read_text())
    assert Post.objects.values_list("pk", "slug", "body").get() == (post.pk, "leeks", "Long.")
    assert (report["ending"], report["source"]["system"]) == ("finished", "blog_engine")
    assert sum(report["rows"].values()) > 0
    assert "came to its end" in Path("a.html").read_text()


@requirement("import.restore")
def test_a_blog_that_has_posts_is_left_alone() -> None:
    save(slug="leeks")
    call_command("export_blog", "TARGET=out")

    with pytest.raises(CommandError, match="not empty"):
        call_command("import_blog", "FROM=blog_engine", "SOURCE=out", "REPORT=a.json")

    assert json.loads(Path("a.json").read_text())["ending"] == "refused"


def test_url_and_media_are_not_for_an_export_of_the_engine() -> None:
    with pytest.raises(CommandError, match="leave URL and MEDIA out"):
        call_command("import_blog", "FROM=blog_engine", "SOURCE=out", "URL=https://x.example")
