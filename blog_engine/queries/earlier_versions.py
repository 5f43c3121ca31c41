"""Posts that a process of an earlier version wrote while the database was already that of this one."""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from itertools import islice
from typing import Final

from django.db.migrations.recorder import MigrationRecorder
from django.db.models import F, Q

from blog_engine.conf import get_settings
from blog_engine.enums import EntryType
from blog_engine.models import EmbeddedImage, Image, Post
from blog_engine.queries.compiled import among
from blog_engine.queries.database import engine_connection

_INDEXED: Final = "0010_fill_search_index"
"""The migration after which an earlier version leaves the search index as it is."""
_CLOCKS: Final = timedelta(hours=1)
"""How much the clocks of hosts may differ."""
_BATCH: Final = 500


def posts_without_feed_id() -> list[int]:
    """Return the ids of posts that were public and have no permanent feed id; none while no origin is known."""
    if not get_settings().public_base_url:
        return []
    posts = Post.objects.filter(feed_id__isnull=True, publications__isnull=False)
    return list(posts.order_by("pk").values_list("pk", flat=True).distinct())


def posts_changed_before_published() -> list[int]:
    """Return the ids of posts published here whose date of change is earlier: its host had a slow clock."""
    published_here = {"publications__entry_type": EntryType.FIRST.value}
    posts = Post.objects.filter(modified_at__lt=F("published_at"), **published_here)
    return list(posts.order_by("pk").values_list("pk", flat=True))


def posts_without_body_images() -> list[int]:
    """Return the ids of posts whose uses of images are not those of their bodies; three queries for each batch."""
    posts = Post.objects.filter(~Q(body_image_manifest=[]) | Q(body_images__isnull=False))
    ids = posts.order_by("pk").values_list("pk", flat=True).distinct().iterator(chunk_size=_BATCH)
    return [post for batch in _batches(ids) for post in _wrongly_noted(batch)]


def _batches(ids: Iterator[int]) -> Iterator[list[int]]:
    while batch := list(islice(ids, _BATCH)):
        yield batch


def _wrongly_noted(posts: list[int]) -> Iterator[int]:
    manifests = dict(Post.objects.filter(among("pk", posts)).values_list("pk", "body_image_manifest"))
    digests = {post: _digests(manifest) for post, manifest in manifests.items()}
    wanted = set[str]().union(*digests.values())
    known = dict(Image.objects.filter(sha256__in=wanted).values_list("sha256", "pk")) if wanted else {}
    noted: dict[int, set[int]] = {post: set() for post in posts}
    for post, image in EmbeddedImage.objects.filter(among("post", posts)).values_list("post_id", "image_id"):
        noted[post].add(image)
    for post, found in digests.items():
        if noted[post] != {known[digest] for digest in found if digest in known}:
            yield post


def _digests(manifest: Iterable[dict[str, str]]) -> set[str]:
    return {entry["sha256"] for entry in manifest if entry["sha256"]}


def posts_of_earlier_version() -> list[int]:
    """Return the ids of posts whose present content no write of this version made since the tables are its own."""
    recorder = MigrationRecorder(engine_connection())
    migrated = recorder.migration_qs.filter(app="blog_engine", name=_INDEXED).values_list("applied", flat=True).first()
    if migrated is None:
        return []
    posts = Post.objects.filter(updated_at__gte=migrated - _CLOCKS).order_by("pk")
    notes = posts.values_list("pk", "recent_writes", "current_revision_identifier").iterator(chunk_size=_BATCH)
    return [post for post, writes, present in notes if not writes or writes[-1]["revision"] != present]
