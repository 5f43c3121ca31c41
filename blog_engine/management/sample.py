"""The sample articles of ``blog_sample``."""

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
from blog_engine.models import Post
from blog_engine.rules.approvals import only_people_approve

EDITOR = Actor("Sample editor")
REVIEW = {"name": "Rosa Reviewer", "facts_checked": True}
NO_CONNECTIONS = {"connections": [], "third_party_paid": False, "declared_by": "Rosa Reviewer"}


def winter_garden() -> bytes:
    """Return a drawing of leeks in rows under a low sun, a PNG of 1200 by 630 pixels."""
    return _file("winter-garden.png")


def _file(name: str) -> bytes:
    return files("blog_engine.management").joinpath("samples", name).read_bytes()


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
    """Returns the cover as a PNG."""

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
    return [
        Post.objects.filter(external_id=sample.external_id).first() or make(sample, now=now) for sample, make in makers
    ]


def _publish_article(sample: Sample, *, now: datetime) -> Post:
    return _publish(sample, _file(sample.text).decode(), now=now)


def _publish_and_correct(sample: Sample, *, now: datetime) -> Post:
    """Publish a reviewed post and correct it without review: its AI notice is back."""
    text = _file(sample.text).decode()
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
    # A command approves nothing where only people do.
    fields = {name: value for name, value in sample.fields.items() if name != "approval" or not only_people_approve()}
    with _cover_of(sample) as cover:
        data = parse(SavePost, {**fields, **identity, **cover, "body": body, "publish": True})
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
