"""The three sample articles, made through the services as an editor and an agent would make them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.resources import files
from typing import Any

from django.core.files.base import ContentFile
from django.db import router, transaction

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.errors import IdentityConflict
from blog_engine.images.files import image_storage
from blog_engine.images.links import sign_stored_file
from blog_engine.inputs.base import parse
from blog_engine.inputs.posts import SavePost, UpdatePost
from blog_engine.management.sample_pictures import winter_garden
from blog_engine.models import Post

EDITOR = Actor("Sample editor")
REVIEW = {"name": "Rosa Reviewer", "facts_checked": True}
NO_CONNECTIONS = {"connections": [], "third_party_paid": False, "declared_by": "Rosa Reviewer"}


@dataclass(frozen=True, slots=True)
class Sample:
    """One article: its text in ``samples/``, its other fields, and how many days ago it was published.

    ``cover`` draws its cover as a PNG.
    """

    number: int
    text: str
    days_ago: int
    fields: dict[str, Any]
    cover: Callable[[], bytes] | None = None

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
    """The three posts; those that exist already are kept as they are, edited or not.

    Raises a ``Refusal`` when another post has one of their slugs; then the post in question is not made.
    """
    makers = ((GARDEN, _published), (TIDES, _published), (FERRY, _corrected))
    return [_stored(sample) or make(sample, now=now) for sample, make in makers]


def _stored(sample: Sample) -> Post | None:
    return Post.objects.filter(external_id=sample.external_id).first()


def _published(sample: Sample, *, now: datetime) -> Post:
    return _publish(sample, _text(sample), now=now)


def _corrected(sample: Sample, *, now: datetime) -> Post:
    """Reviewed, then corrected without a new review, so that the AI notice is back: see it on the page."""
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
    # Saving by slug would write over a draft of somebody else's at that address.
    if Post.objects.filter(slug=identity["slug"]).exists():
        raise IdentityConflict(["slug"])
    then = now - timedelta(days=sample.days_ago)
    with _cover_of(sample) as cover:
        data = parse(SavePost, {**sample.fields, **identity, **cover, "body": body, "publish": True})
        return services.publish_new_post(data, actor=EDITOR, now=then).post


@contextmanager
def _cover_of(sample: Sample) -> Iterator[dict[str, Any]]:
    """The field with the drawn cover, as a file of the host's that stays in the storage only inside the block."""
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
