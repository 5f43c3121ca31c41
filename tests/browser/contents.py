"""The content of the served blog: an article with every feature, a series, long lists, removed pages."""

from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from PIL import Image as Picture

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.blog_urls import BlogURLs
from blog_engine.enums import ActorKind, ListKind, PolicyKind
from blog_engine.inputs.base import parse
from blog_engine.inputs.images import ImageBytes, UploadImage
from blog_engine.inputs.records import CreateAuthor, SavePage
from blog_engine.management.sample import make_samples, winter_garden
from blog_engine.models import Image, PageView, Post
from blog_engine.models.image import set_origin
from blog_engine.queries.previews import preview_token
from tests.support.factories import EDITOR, approve, remove, save, update
from tests.support.images import encoded, plain

REVIEWER = Actor("Rosa Reviewer", kind=ActorKind.PERSON, user_id=1)
_WEEKS = 14
_NOTHING = {"connections": [], "third_party_paid": False, "declared_by": "Mina Holt"}
_FAQ = [
    {"question": "Which gauge is right?", "answer": "The one at the steps.\n\nThe other one leaks.\nWe know."},
    {"question": "Is <b>bold</b> allowed here?", "answer": "No: it is text. See https://example.org/faq (in full)."},
    {"question": "Who reads the gauges?", "answer": "Whoever is up first."},
]


def make() -> dict[str, str]:
    """Make all contents and return the path of a page of each kind."""
    now = datetime.now(tz=UTC)
    make_samples(now=now)
    cover = _store(winter_garden(), name="cover.png", now=now)
    set_origin(cover, credit="Mina Holt", digital_source_type="trainedAlgorithmicMedia")
    _make_author(now=now)
    article = _make_article(cover, now=now)
    _make_weeks(now=now)
    _make_pictures(now=now)
    _make_arabic(now=now)
    _make_policies(now=now)
    gone = save(title="Withdrawn", body="Nothing to see.", publish=True, now=now - timedelta(days=3)).post
    remove(gone, now=now)
    draft = save(title="A draft for the committee", body=_body(cover), faq=_FAQ, category="Harbour", now=now).post
    services.make_checkpoint(now=now)
    PageView.objects.bulk_create(
        PageView(post=post, day=now.date(), views=9 - place) for place, post in enumerate(_popular(article))
    )
    return _paths(article, gone=gone, draft=draft, now=now)


def _store(data: bytes, *, name: str, now: datetime) -> Image:
    upload = UploadImage(file=ImageBytes(data=data, filename=name, content_type="image/png"))
    return services.store_image(upload, actor=EDITOR, now=now)


def _make_author(*, now: datetime) -> None:
    avatar = _store(plain(size=(160, 160), color="#a53416"), name="mina.png", now=now)
    fields = {
        "name": "Rosa Quay",
        "bio": "Rosa keeps the day book of the harbour, and the keys of the clubhouse.",
        "profile_urls": ["https://example.org/@rosa", "https://example.com/people/rosa-quay-of-the-harbour-club"],
        "avatar": {"image_id": avatar.pk},
    }
    services.create_author(parse(CreateAuthor, fields), actor=EDITOR, now=now)


def _body(image: Image) -> str:
    return (Path(__file__).parent / "article.md").read_text("utf-8").replace("{image}", image.sha256)


def _make_article(cover: Image, *, now: datetime) -> Post:
    """Publish the second of three posts in a series, with every part and everything in its text."""
    in_series = partial(save, series="A year at the wall", category="Harbour", author="Rosa Quay", publish=True)
    common: dict[str, Any] = {"tags": ["tides", "winter", "measuring"], "connections": _NOTHING}
    in_series(
        title="Before the first reading", series_position=1, body="How it began.", now=now - timedelta(days=9), **common
    )
    paid = {
        "connections": [{"party": "Northern Ferries", "relation": "paid for one of the gauges"}],
        "third_party_paid": True,
        "declared_by": "Rosa Quay",
    }
    article = in_series(
        title="A year of readings at the harbour wall",
        slug="harbour-wall",
        description="Two gauges, one clock that was fast, and what 52,560 readings say about a wall.",
        body=f"{_body(cover)}\n\nThe highest level in March was 4.13 m.\n",
        cover_image={"image_id": cover.pk},
        cover_alt="Leeks in rows on dark earth, and a low red sun",
        faq=_FAQ,
        series_position=2,
        provenance="ai_assisted",
        made_by_ai=True,
        now=now - timedelta(days=6),
        **(common | {"connections": paid}),
    ).post
    approve(article, actor=REVIEWER, now=now - timedelta(days=6))
    in_series(title="After the gale", series_position=3, body="How it ended.", now=now - timedelta(days=5), **common)
    note = "The highest level in March was 4.31 m.\nWe had written 4.13 m."
    return update(article, body=_body(cover), change="correction", note=note, now=now - timedelta(days=2)).post


def _make_weeks(*, now: datetime) -> None:
    colours = ["#0b6450", "#a53416", "#1a5a8e"]
    for week in range(_WEEKS):
        cover = _store(plain(size=(900, 500), color=colours[week % 3]), name=f"week-{week % 3}.png", now=now)
        fields: dict[str, Any] = {"cover_image": {"image_id": cover.pk}, "cover_alt": ""} if week % 2 else {}
        save(
            slug=f"week-{week + 1}",
            title=f"Week {week + 1}: what the day book says, and what it leaves out",
            description="Seven days in seven lines." * (week % 3),
            body="Rain.\n\n## Monday\n\nMore rain.",
            category=["Garden", "Harbour", "Workshop"][week % 3],
            tags=["day book", f"week {week}"],
            connections=_NOTHING,
            publish=True,
            now=now - timedelta(days=10 + 7 * week),
            **fields,
        )


def _make_pictures(*, now: datetime) -> None:
    """Publish posts of one tag with covers that are hard to show, one without a category."""
    black_on_nothing = Picture.new("RGBA", (600, 400), (0, 0, 0, 0))
    black_on_nothing.paste("black", (100, 150, 500, 250))
    covers = {
        "tower": plain(size=(600, 2400), color="#7a5c1f"),
        "horizon": plain(size=(2400, 400), color="#1a5a8e"),
        "transparent": encoded(black_on_nothing, "PNG"),
    }
    for number, (name, data) in enumerate(covers.items()):
        cover = _store(data, name=f"{name}.png", now=now)
        save(
            slug=name,
            title=f"A picture of a {name}",
            body=f"Before.\n\n![A {name}](/blog/media/{cover.sha256}/{name}.png)\n\nAfter.",
            category=None if name == "horizon" else "Workshop",
            tags=["pictures"],
            cover_image={"image_id": cover.pk},
            cover_alt=f"A {name}",
            connections=_NOTHING,
            publish=True,
            now=now - timedelta(days=200 + number),
        )


def _make_arabic(*, now: datetime) -> None:
    """Publish a right-to-left post with an English paragraph and list item."""
    save(
        slug="arabic",
        title="رحلة إلى البحر",
        description="وصف قصير للمقال.",
        body="مرحبا بكم في Django!\n\n- واحد\n- Two, in English!\n\n| الاسم | العمر |\n| - | - |\n| سارة | ٣٠ |\n\n"
        "An English paragraph!",
        category="Harbour",
        tags=["letters"],
        connections=_NOTHING,
        publish=True,
        now=now - timedelta(days=300),
    )


def _make_policies(*, now: datetime) -> None:
    body = "We say what we know.\n\n## How\n\nBy reading.\n\n| A | B |\n| - | - |\n| 1 | 2 |\n\n```sh\nls -l\n```\n"
    for kind in PolicyKind:
        fields = {
            "kind": kind.value,
            "title": f"On {kind.value.replace('_', ' ')}",
            "body": body,
            "status": "published",
        }
        services.save_page(parse(SavePage, fields), actor=EDITOR, now=now)


def _popular(article: Post) -> list[Post]:
    return [article, *Post.objects.filter(slug__in=["tide-table", "night-ferry"])]


def _paths(article: Post, *, gone: Post, draft: Post, now: datetime) -> dict[str, str]:
    urls = BlogURLs.on("")
    token = preview_token(draft, now=now)
    old, new = article.publications.values_list("revision__identifier", flat=True)
    assert token and article.category and article.series and article.published_at
    listed = {kind.value: urls.list_path(kind, slug) for kind, slug in _lists(article)}
    return listed | {
        "index": urls.index_path(),
        "index_2": f"{urls.index_path()}?page=2",
        "article": urls.post_path(article.slug),
        "tower": urls.post_path("tower"),
        "transparent": urls.post_path("transparent"),
        "pictures": urls.list_path(ListKind.TAG, "pictures"),
        "arabic_article": urls.post_path("arabic"),
        "bare_article": urls.post_path("week-1"),
        "history": urls.history_path(article.slug),
        "history_version": urls.version_path(article.slug, old),
        "history_changes": urls.changes_path(article.slug, old, new),
        "not_found": urls.post_path("nowhere"),
        "gone": urls.post_path(gone.slug),
        "policy": urls.policy_path("corrections"),
        "preview": f"{urls.prefix}/preview/{token.token}",
        "preview_expired": f"{urls.prefix}/preview/nothing",
        "archive": urls.archive_path(),
        "archive_year": urls.archive_path(article.published_at.year),
        "authors": urls.directory_path(ListKind.AUTHOR),
        "feeds": urls.subscribe_path(),
        "search": f"{urls.search_path()}?q=week",
        "search_empty": f"{urls.search_path()}?q=zeppelin",
    }


def _lists(article: Post) -> list[tuple[ListKind, str]]:
    assert article.category and article.series
    return [
        (ListKind.CATEGORY, article.category.slug),
        (ListKind.TAG, article.tags.all()[0].slug),
        (ListKind.AUTHOR, article.author.slug),
        (ListKind.SERIES, article.series.slug),
    ]
