"""Real exports of Ghost in a blog here: what readers and the owner get."""

import re
from pathlib import Path

import pytest
from django.test import Client

from blog_engine.models import Post
from tests.importing.ghost.exports import VERSIONS, folder_of, url_of
from tests.importing.old_blogs import imported
from tests.requirements import requirement
from tests.support.integrity import rows, rows_beside_findings

pytestmark = pytest.mark.django_db


@requirement("import.ghost.status", "import.ghost.images", "import.ghost.terms", "import.ghost.feed-id")
@pytest.mark.parametrize("version", VERSIONS)
def test_a_real_export_is_imported_and_then_unchanged(version: str, tmp_path: Path, client: Client) -> None:
    first = imported("ghost", folder_of(version), tmp_path / "first.json", f"URL={url_of(version)}")
    before = rows_beside_findings()
    second = imported("ghost", folder_of(version), tmp_path / "second.json", f"URL={url_of(version)}")

    counts = ("posts", "published", "scheduled", "draft", "skipped", "omitted", "images")
    assert [first["summary"][name] for name in counts] == [15, 10, 1, 4, 0, 1, 4]
    assert second["summary"]["unchanged"] == 15
    assert rows_beside_findings() == before
    assert {post.slug for post in Post.objects.filter(status="draft")} == {
        *("for-members", "for-payers", "by-mail", "unfinished"),
    }
    text = Post.objects.get(slug="every-text")
    assert "[the pictures](/blog/pictures), [a place in them](/blog/pictures#boats)" in text.body
    everything = Post.objects.get(slug="everything-else")
    assert everything.category is not None and everything.author is not None
    assert (everything.category.name, everything.author.name) == ("Boats & Oars", "Rita Rower")
    assert everything.featured
    assert everything.feed_id is not None and re.fullmatch("[0-9a-f]{24}", everything.feed_id)
    assert f"<id>{everything.feed_id}</id>" in client.get("/blog/feed.xml").text
    pictures = Post.objects.get(slug="pictures")
    assert pictures.cover_image is not None and pictures.cover_alt == "A red square"
    assert pictures.body.count("/blog/media/") == 4
    assert client.get("/blog/uberfahrt-bei-jing").status_code == 200


@requirement("import.ghost.secrets")
def test_no_secret_of_the_export_is_stored_or_reported(tmp_path: Path) -> None:
    imported("ghost", folder_of("6"), tmp_path / "report.json", f"URL={url_of('6')}")

    stored = (
        repr(rows()) + (tmp_path / "report.json").read_text("utf-8") + (tmp_path / "report.html").read_text("utf-8")
    )

    assert "Olga Owner" in stored
    for secret in ("$2a$", "$2b$", "@example.test", "public_hash"):
        assert secret not in stored
