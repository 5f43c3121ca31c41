"""Seed a blog: the first posts through the services, the others as copies of them with words of their own.

A copy has every row of its pattern, history and search index included, and each derived column is what the services
would have derived (``tests/benchmarks/test_seed.py``).
"""

from datetime import UTC, datetime, timedelta
from io import BytesIO
from random import Random
from typing import Any, Final

from PIL import Image as Picture

from benchmarks.speed._copies import Copier
from benchmarks.speed.texts import PATTERNS, post_text
from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.inputs.base import parse
from blog_engine.inputs.images import ImageBytes, UploadImage
from blog_engine.inputs.posts import SavePost, UpdatePost
from blog_engine.inputs.records import CreateAuthor, CreateCategory, CreateSeries
from blog_engine.models import Category, Post, Series, Tag

SEED_VERSION: Final = 1
"""Changes whenever other rows are seeded."""

EDITOR: Final = Actor("Ines Editor")
NEWEST: Final = datetime(2026, 6, 1, 12, tzinfo=UTC)
AUTHORS: Final = ("Mina Holt", "Rosa Quay", "Tom Weir", "Ida Brandt", "Sam Okafor", "Lena Moor")
CATEGORIES: Final = 12
TAGS: Final = 60
_COVERS: Final = 16
_TAGS_OF_POST: Final = 4
_FEATURED: Final = (7, 14, 21)
_PARTS: Final = 8
"""Posts of a series."""
_IN_SERIES: Final = 20
"""One post of so many is in a series."""
_BATCH: Final = 1_000


def seed(size: int) -> None:
    """Fill an empty, migrated database with this many published posts."""
    _make_records(size)
    patterns = min(PATTERNS, size // 2)
    images = [_store_image(number) for number in range(min(_COVERS, patterns))]
    copier = Copier([_publish(number, size=size, image=images[number % len(images)]) for number in range(patterns)])
    for start in range(patterns, size, _BATCH):
        copier.copy({number: relations_of(number, size=size) for number in range(start, min(start + _BATCH, size))})
    copier.finish()
    recount()


def recount() -> None:
    """Bring the numbers that the engine keeps in line with the seeded rows."""
    # Older versions, which --checkout measures, keep no numbers.
    recount_lists = getattr(services, "recount_lists", None)
    if recount_lists is not None:
        recount_lists()


def date_of(number: int, *, size: int) -> datetime:
    """Return when a post was published: an hour to a day apart, patterns spread over all dates."""
    step = min(timedelta(days=1), timedelta(days=3650) / size)
    # Any number without a common divisor with the size visits each place once.
    place = number * _stride(size) % size
    return NEWEST - step * place


def _stride(size: int) -> int:
    stride = int(size * 0.618) | 1
    while size % stride == 0 or any(size % prime == stride % prime == 0 for prime in (3, 5, 7, 11, 13)):
        stride += 2
    return stride


def relations_of(number: int, *, size: int) -> dict[str, Any]:
    """Return the date of a post and the rows that it refers to, by their positions from 0."""
    chance = Random(f"relations {number}")
    part = number // _IN_SERIES
    in_series = number % _IN_SERIES == 0
    tags: dict[int, None] = {}
    while len(tags) < _TAGS_OF_POST:
        tags.setdefault(int(TAGS * chance.random() ** 2))
    return {
        "date": date_of(number, size=size),
        "category": int(CATEGORIES * chance.random() ** 1.5),
        "tags": list(tags),
        "series": part // _PARTS if in_series else None,
        "series_position": part % _PARTS + 1 if in_series else None,
    }


def _make_records(size: int) -> None:
    before = NEWEST - timedelta(days=4000)
    for name in AUTHORS:
        services.create_author(parse(CreateAuthor, {"name": name}), actor=EDITOR, now=before)
    for number in range(CATEGORIES):
        sent = {"name": f"Subject {number + 1}", "slug": f"subject-{number + 1}", "position": number}
        services.create_category(parse(CreateCategory, sent), actor=EDITOR, now=before)
    Tag.objects.bulk_create(
        Tag(name=f"Topic {number + 1}", key=f"topic {number + 1}", slug=f"topic-{number + 1}", created_at=before)
        for number in range(TAGS)
    )
    for number in range(size // (_IN_SERIES * _PARTS) + 1):
        sent = {"name": f"Series {number + 1}", "slug": f"series-{number + 1}"}
        services.create_series(parse(CreateSeries, sent), actor=EDITOR, now=before)


def _store_image(number: int) -> int:
    return services.store_image(
        UploadImage(file=ImageBytes(make_picture(number), f"cover-{number}.png")), actor=EDITOR, now=NEWEST
    ).pk


def make_picture(number: int) -> bytes:
    """Return a picture of 1200 by 630 pixels, another one for each number."""
    picture = Picture.linear_gradient("L").resize((1200, 630)).convert("RGB")
    picture.putpixel((number % 1200, number // 1200), (255, 0, 0))
    file = BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


def _publish(number: int, *, size: int, image: int) -> int:
    related = relations_of(number, size=size)
    fields = post_text(number).fields() | {
        "author": AUTHORS[number % len(AUTHORS)],
        "category": _slug_at(Category, related["category"]),
        "tags": [f"Topic {place + 1}" for place in related["tags"]],
        "cover_image": {"image_id": image},
        "cover_alt": "A grey slope",
        "featured": number in _FEATURED,
        "publish": True,
    }
    if related["series"] is not None:
        fields |= {"series": _slug_at(Series, related["series"]), "series_position": related["series_position"]}
    if number % 3 == 0:
        fields["approval"] = {"name": "Rosa Quay", "facts_checked": True}
    if number % 6 == 1:
        fields["connections"] = {"connections": [], "third_party_paid": False, "declared_by": "Mina Holt"}
    post = services.publish_new_post(parse(SavePost, fields), actor=EDITOR, now=related["date"]).post
    if number % 5 == 0:
        _update(post, now=related["date"] + timedelta(minutes=10))
    return post.pk


def _update(post: Post, *, now: datetime) -> None:
    fields = {"body": f"{post.body}\nOne more sentence was added later.\n", "change": "substantive"}
    services.update_post(parse(UpdatePost, fields, fixed={"id": str(post.pk)}), actor=EDITOR, now=now)


def _slug_at(model: type[Category] | type[Series], place: int) -> str:
    return f"{'subject' if model is Category else 'series'}-{place + 1}"
