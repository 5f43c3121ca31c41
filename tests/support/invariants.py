"""What is true of the stored rows and files at any time."""

import hashlib
import json
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from django.conf import settings
from django.test import Client

from blog_engine.models import Baseline, Image, PolicyPage, Post, Publication, Redirect, Revision
from blog_engine.models.protection import missing_protection
from blog_engine.queries.audit import audit_public_posts, faults_in_chains, faulty_checkpoints, posts_without_links
from blog_engine.queries.database import engine_connection
from tests.support.tables import everything_stored

_HISTORY = [
    *("Revision", "Publication", "Approval", "Baseline", "ConnectionDeclaration", "StatusChange", "Image"),
    *("ChainLink", "Checkpoint"),
]
_OF_THE_BLOG_ITSELF = ("/blog/api/", "/blog/preview/")
"""Paths where redirects are not served: clients get JSON, an old preview link gets a page that says so."""
_SUFFIXES = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp", "image/gif": "gif", "image/avif": "avif"}


def assert_all_is_well() -> None:
    """Check all invariants of this module."""
    assert_history_is_whole()
    assert_history_is_chained()
    assert_images_are_their_files()
    assert_posts_and_images_answer()
    assert_redirects_are_flat()
    assert_redirects_answer()
    assert_pages_answer()


def assert_history_is_whole() -> None:
    """Check identifiers, that public content is the public revision, and that each post was first published once."""
    for revision in Revision.objects.all():
        payload = json.dumps(json.loads(revision.payload), ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        assert payload == revision.payload
        assert hashlib.sha256(payload.encode()).hexdigest() == revision.identifier
    for post in Post.objects.select_related("public_revision"):
        kinds = list(Publication.objects.filter(post=post).order_by("id").values_list("entry_type", flat=True))
        baselines = list(Baseline.objects.filter(post=post))
        assert (kinds[:1] in (["first"], ["adopted"])) is (post.public_revision is not None), (post, kinds)
        assert [kind for kind in kinds[1:] if kind in {"first", "adopted"}] == [], (post, kinds)
        assert len(baselines) == kinds.count("adopted")
        for baseline in baselines:
            adopted = Publication.objects.get(post=post, entry_type="adopted")
            assert adopted.revision_id == baseline.adopted_revision_id
        if post.status == "published":
            assert post.public_revision is not None
            assert post.public_revision.identifier == post.current_revision_identifier


def assert_history_is_chained() -> None:
    """Check that each record has its link, and that every link is whole."""
    assert posts_without_links() == []
    assert faults_in_chains(newest_links=None) == {}
    assert faulty_checkpoints(recompute=True) == []


def assert_images_are_their_files(*, and_nothing_else: bool = True) -> None:
    """Check that each image has a file with its bytes, and with ``and_nothing_else`` that there is no other file."""
    media = Path(settings.MEDIA_ROOT)
    expected = {_name_of(image): image for image in Image.objects.all()}
    for name, image in expected.items():
        data = (media / name).read_bytes()
        assert (hashlib.sha256(data).hexdigest(), len(data)) == (image.sha256, image.byte_size)
    if and_nothing_else:
        assert {str(file.relative_to(media)) for file in media.rglob("*") if file.is_file()} == set(expected)


def assert_posts_and_images_answer() -> None:
    """Check that readers get the index, every published post in both formats, and every image."""
    published = list(Post.objects.filter(status="published").values_list("slug", flat=True))
    for path in ["/blog/", *(f"/blog/{slug}{format}" for slug in published for format in ("", ".md"))]:
        assert Client().get(path).status_code == 200, path
    for image in Image.objects.all():
        path = f"/blog/media/{image.sha256}/{quote(image.filename, safe='')}"
        assert Client().get(path).status_code in {200, 302}, path


def assert_redirects_are_flat() -> None:
    """Check that no redirect leads to another one, and that no two have the same path, however it is encoded."""
    rows = list(Redirect.objects.all())
    paths = {_plain(row.old_path) for row in rows}
    assert len(paths) == len(rows)
    chained = [row for row in rows if row.new_path is not None and _plain(_path_of(row.new_path)) in paths]
    assert chained == [], [(row.old_path, row.new_path) for row in rows]


def assert_redirects_answer() -> None:
    """Check that an old path in the blog redirects or is gone, unless a page is there."""
    published = {f"/blog/{slug}" for slug in Post.objects.filter(status="published").values_list("slug", flat=True)}
    for row in Redirect.objects.filter(old_path__startswith="/blog/"):
        if row.old_path.startswith(_OF_THE_BLOG_ITSELF):
            continue
        response = Client().get(row.old_path)
        plain = _plain(row.old_path)
        if plain in published or plain.removesuffix(".md").removesuffix(".html") in published:
            assert response.status_code in {200, 301}, (row.old_path, response.status_code)
        else:
            assert response.status_code in {200, 301, 302, 410}, (row.old_path, row.new_path, response.status_code)
        if response.status_code == 410:
            assert row.new_path is None


def assert_pages_answer() -> None:
    """Check that readers get published policy pages and no drafts, and that published ones have a text."""
    for page in PolicyPage.objects.all():
        is_hidden = bool(settings.BLOG_ENGINE.get("policy_urls", {}).get(page.kind))
        is_there = page.status == "published" and not is_hidden
        status = Client().get(f"/blog/policies/{page.slug}").status_code
        assert (status == 200) is is_there, (page.kind, page.status, status)
        assert page.status == "draft" or page.body.strip()


def assert_history_only_grew(before: dict[str, Any], after: dict[str, Any], *, except_of: int | None = None) -> None:
    """Check that no history row changed between two ``everything_stored``, except those of a post adopted again."""
    for model in _HISTORY:
        rows = {row["id"]: row for row in after[model]}
        lost = [row for row in before[model] if rows.get(row["id"]) != row]
        assert [row for row in lost if row.get("post_id") != except_of or except_of is None] == [], model


def _name_of(image: Image) -> str:
    return f"blog_engine/images/{image.sha256[:2]}/{image.sha256}.{_SUFFIXES[image.content_type]}"


def _plain(path: str) -> str:
    return unquote(path).rstrip("/") or "/"


def _path_of(target: str) -> str:
    return (
        target.split("#")[0].split("?")[0] if target.startswith("/") else urlsplit(target)._replace(query="").geturl()
    )


def assert_nothing_is_half(*, and_no_other_files: bool = True) -> None:
    """Check that no write is partial.

    Identifiers, dates and posts agree with the history, each image has its file, readers get all of it, and the
    database still refuses to change the history.
    """
    assert_history_is_whole()
    assert_images_are_their_files(and_nothing_else=and_no_other_files)
    assert_redirects_are_flat()
    assert_posts_and_images_answer()
    assert_redirects_answer()
    assert audit_public_posts(newest=None).differing == {}
    assert missing_protection(engine_connection()) == []


def rows() -> dict[str, Any]:
    """Return every row that a write creates, without tokens, which record when they were used, and page views."""
    stored = everything_stored()
    del stored["ApiToken"], stored["PageView"], stored["files"]
    return stored
