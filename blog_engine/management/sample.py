"""The sample articles of ``blog_sample``."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.resources import files
from io import BytesIO
from math import cos, pi, sin
from typing import Any

from django.core.files.base import ContentFile
from django.db import router, transaction
from PIL import Image, ImageDraw

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.errors import IdentityConflict
from blog_engine.images.files import image_storage
from blog_engine.images.links import sign_stored_file
from blog_engine.inputs.base import parse
from blog_engine.inputs.posts import SavePost, UpdatePost
from blog_engine.models import Post

SIZE = (1200, 630)

_SCALE = 2
_SKY, _SUN, _FAR, _MIDDLE = "#f6e7d8", "#c6512c", "#b9cdbf", "#6f9c86"
_EARTH, _ROW, _LEAF, _STEM, _SNOW = "#123d34", "#1d5647", "#2f8a6c", "#dfeadf", "#fbfcf9"


def winter_garden() -> bytes:
    """Draw leeks in rows under a low sun, as a PNG of 1200 by 630 pixels."""
    width, height = (_SCALE * side for side in SIZE)
    picture = Image.new("RGB", (width, height), _SKY)
    draw = ImageDraw.Draw(picture)
    draw.circle((0.72 * width, 0.42 * height), 0.17 * height, fill=_SUN)
    _hill(draw, width, height, base=0.52, swell=0.07, waves=1.1, color=_FAR)
    _hill(draw, width, height, base=0.6, swell=0.05, waves=1.7, color=_MIDDLE)
    draw.rectangle((0, 0.66 * height, width, height), fill=_EARTH)
    for row in range(-7, 8):
        draw.line(
            (width / 2 + row * 0.035 * width, 0.66 * height, width / 2 + row * 0.16 * width, height),
            fill=_ROW,
            width=7 * _SCALE,
        )
    for depth in range(3):
        for plant in range(5 + 2 * (2 - depth)):
            _leek(draw, width, height, depth=depth, plant=plant)
    for flake in range(90):
        x, y = (flake * 0.6180339 % 1) * width, (flake * 0.7548777 % 1) * 0.62 * height
        draw.circle((x, y), (2 + flake % 3) * _SCALE, fill=_SNOW)
    file = BytesIO()
    picture.resize(SIZE, Image.Resampling.LANCZOS).save(file, "PNG", optimize=True)
    return file.getvalue()


def _hill(
    draw: ImageDraw.ImageDraw, width: int, height: int, *, base: float, swell: float, waves: float, color: str
) -> None:
    top = [(x, (base - swell * sin(waves * pi * x / width + waves)) * height) for x in range(0, width + 1, 20)]
    draw.polygon([(0, height), *top, (width, height)], fill=color)


def _leek(draw: ImageDraw.ImageDraw, width: int, height: int, *, depth: int, plant: int) -> None:
    count = 5 + 2 * (2 - depth)
    size = (0.1 + 0.06 * depth) * height
    spread = 0.62 + 0.16 * depth
    x = width * (0.5 + spread * ((plant + 0.5) / count - 0.5))
    foot = height * (0.735 + 0.115 * depth)
    head = foot - 0.62 * size
    thick = max(4, int(0.15 * size))
    for turn in (-40, -24, -8, 8, 24, 40):
        angle = turn * pi / 180
        tip = (x + size * 0.66 * sin(angle), head - size * 0.66 * cos(angle))
        side = (thick * 0.5 * cos(angle), thick * 0.5 * sin(angle))
        draw.polygon([(x - side[0], head - side[1]), (x + side[0], head + side[1]), tip], fill=_LEAF)
    draw.line((x, foot, x, head), fill=_STEM, width=thick)


EDITOR = Actor("Sample editor")
REVIEW = {"name": "Rosa Reviewer", "facts_checked": True}
NO_CONNECTIONS = {"connections": [], "third_party_paid": False, "declared_by": "Rosa Reviewer"}


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample article."""

    number: int
    text: str
    """The file with the body, in ``samples/``."""
    days_ago: int
    """Days since the first publication."""
    fields: dict[str, Any]
    """The other fields of the input."""
    cover: Callable[[], bytes] | None = None
    """Draws the cover as a PNG."""

    @property
    def external_id(self) -> str:
        return f"blog_engine_sample_{self.number}"


GARDEN = Sample(
    number=1,
    text="winter-garden.md",
    days_ago=9,
    fields={
        "title": "What a kitchen garden does in winter",
        "description": "Leeks, leaves and patience: how we bring heavy clay through the cold months.",
        "category": "Garden",
        "cover_alt": "Leeks in rows on dark earth, hills behind them, and a low red sun in falling snow",
        "tags": ["winter", "vegetables", "soil"],
        "featured": True,
        "author": "Mina Holt",
        "provenance": "human_written",
        "connections": NO_CONNECTIONS,
        "faq": [
            {
                "question": "Do I have to dig heavy clay in autumn?",
                "answer": "No. Digging wet clay closes its pores. Cover it, and let worms and frost do the work.",
            },
            {
                "question": "Which leaves are safe to use as cover?",
                "answer": "All of them rot in the end.\n\nWalnut leaves slow down young plants, so give them a heap of "
                "their own for two years.",
            },
        ],
    },
    cover=winter_garden,
)
TIDES = Sample(
    number=2,
    text="tide-table.md",
    days_ago=23,
    fields={
        "title": "When can we use the slipway? A tide table in Python",
        "description": "The rule of twelfths, twelve lines of code, and how far both were off.",
        "category": "Harbour",
        "tags": ["tides", "Python"],
        "author": {"name": "Harbour Club", "type": "organization"},
        "provenance": "ai_assisted",
        "made_by_ai": True,
        "connections": NO_CONNECTIONS,
        "approval": REVIEW,
    },
)
FERRY = Sample(
    number=3,
    text="night-ferry.md",
    days_ago=41,
    fields={
        "title": "Eight nights on the night ferry",
        "description": "What we would have liked to know before the first crossing.",
        "category": "Harbour",
        "tags": ["ferry", "winter"],
        "author": "Mina Holt",
        "provenance": "ai_assisted",
        "made_by_ai": True,
        "connections": {
            "connections": [{"party": "Northern Ferries", "relation": "paid for two of the eight crossings"}],
            "third_party_paid": False,
            "declared_by": "Mina Holt",
        },
        "approval": REVIEW,
    },
)
CORRECTION_DAYS_AGO = 30


def make_samples(*, now: datetime) -> list[Post]:
    """Create the sample articles that do not exist, and return all three.

    Existing ones are kept, edited or not. Raises ``IdentityConflict`` when another post has the slug of one.
    """
    makers = ((GARDEN, _publish_article), (TIDES, _publish_article), (FERRY, _publish_and_correct))
    return [_find(sample) or make(sample, now=now) for sample, make in makers]


def _find(sample: Sample) -> Post | None:
    return Post.objects.filter(external_id=sample.external_id).first()


def _publish_article(sample: Sample, *, now: datetime) -> Post:
    return _publish(sample, _text(sample), now=now)


def _publish_and_correct(sample: Sample, *, now: datetime) -> Post:
    """Publish a reviewed post and correct it without review: its AI notice is back."""
    text = _text(sample)
    with transaction.atomic(using=router.db_for_write(Post)):
        post = _publish(sample, text.replace("{check_in}", "thirty minutes"), now=now)
        fields = {
            "body": text.replace("{check_in}", "forty-five minutes"),
            "change": "correction",
            "note": "Cars must check in forty-five minutes before departure. We had written thirty.",
        }
        correction = parse(UpdatePost, fields, fixed={"id": str(post.pk)})
        then = now - timedelta(days=CORRECTION_DAYS_AGO)
        return services.update_post(correction, actor=EDITOR, now=then).post


def _publish(sample: Sample, body: str, *, now: datetime) -> Post:
    identity = {"external_id": sample.external_id, "slug": sample.text.removesuffix(".md")}
    # Saving by slug would overwrite another draft with that slug.
    if Post.objects.filter(slug=identity["slug"]).exists():
        raise IdentityConflict(["slug"])
    then = now - timedelta(days=sample.days_ago)
    with _cover_of(sample) as cover:
        data = parse(SavePost, {**sample.fields, **identity, **cover, "body": body, "publish": True})
        return services.publish_new_post(data, actor=EDITOR, now=then).post


@contextmanager
def _cover_of(sample: Sample) -> Iterator[dict[str, Any]]:
    """Yield the field of the cover; its file is in the storage only inside the block."""
    if sample.cover is None:
        yield {}
        return
    storage = image_storage()
    name = storage.save(f"{sample.text.removesuffix('.md')}.png", ContentFile(sample.cover()))
    try:
        yield {"cover_image": {"signed_id": sign_stored_file(name)}}
    finally:
        storage.delete(name)


def _text(sample: Sample) -> str:
    return files("blog_engine.management").joinpath("samples", sample.text).read_text(encoding="utf-8")
