"""A blog whose every text field holds every payload."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote, urlencode

from blog_engine import services
from blog_engine.blog_urls import BlogURLs
from blog_engine.enums import ListKind, PolicyKind
from blog_engine.errors import Refusal
from blog_engine.inputs.base import parse
from blog_engine.inputs.images import ImageBytes, UploadImage
from blog_engine.inputs.records import CreateAuthor, CreateCategory, CreateSeries, SavePage
from blog_engine.models import Category, Image, PolicyPage, Post, Series
from blog_engine.queries.previews import preview_token
from tests.browser.payloads import PAYLOADS
from tests.support.factories import EDITOR, save, update
from tests.support.images import png

_SHORT = 250
"""Characters that a title, a name or a party may have, with a little room."""

_WORDS = 100
"""Characters that may be searched for."""


def make() -> dict[str, Any]:
    """Make the blog and return its paths and the number of payloads accepted as URLs."""
    now = datetime.now(tz=UTC)
    upload = UploadImage(file=ImageBytes(data=png(), filename=f"{PAYLOADS[0]}.png", content_type="image/png"))
    image = services.store_image(upload, actor=EDITOR, now=now)
    accepted = [url for url in _urls() if _is_accepted(url)]
    posts = []
    for number, batch in enumerate(_batches(_SHORT)):
        _make_author(batch, profile_urls=accepted if number == 0 else [], image=image, now=now)
        posts.append(_make_post(batch, image=image, number=number, canonical=accepted[number % len(accepted)], now=now))
    _make_policies(now=now)
    draft = save(title=_fitting(PAYLOADS), body=_listed(PAYLOADS), now=now).post
    token = preview_token(draft, now=now)
    assert token
    paths = list(_paths(posts, token=token.token))
    return {"index": paths[0], "paths": paths, "accepted": accepted}


def _batches(length: int) -> Iterator[list[str]]:
    """Yield the payloads in order, in batches whose text is at most this long."""
    batch: list[str] = []
    for payload in PAYLOADS:
        if batch and len(" ".join([*batch, payload])) > length:
            yield batch
            batch = []
        batch.append(payload)
    yield batch


def _fitting(batch: list[str]) -> str:
    return " ".join(batch)[:_SHORT]


def _listed(batch: list[str]) -> str:
    """Return the payloads as a Markdown list, so that none is inside another."""
    return "\n".join("- " + payload.replace("\n", "\n  ") for payload in batch)


def _faq(batch: list[str]) -> list[dict[str, str]]:
    return [{"question": payload, "answer": f"{payload} http://x.example/{payload}"} for payload in batch]


def _make_post(batch: list[str], *, image: Image, number: int, canonical: str, now: datetime) -> Post:
    """Publish a post with the batch in every text, and as category, series and author."""
    short = _fitting(batch)
    post = save(
        slug=f"payloads-{number}",
        title=short,
        description=" ".join(batch),
        search_title=short,
        search_description=" ".join(batch),
        body="\n\n".join([_listed(batch), *batch]),
        faq=_faq(batch),
        tags=[f"{payload} {PAYLOADS.index(payload)}" for payload in batch],  # some differ in punctuation only
        category=_new_category(short, now=now).slug,
        series=_new_series(short, now=now).slug,
        author={"name": short},
        cover_image={"image_id": image.pk},
        cover_alt=short,
        connections={
            "connections": [{"party": short, "relation": " ".join(batch)}],
            "third_party_paid": True,
            "declared_by": short,
        },
        provenance="ai_assisted",
        made_by_ai=True,
        featured=number == 0,
        canonical_url=canonical,
        publish=True,
        now=now - timedelta(hours=number + 2),
    ).post
    return update(post, change="correction", note=" ".join(batch), now=now - timedelta(minutes=number + 1)).post


def _new_category(name: str, *, now: datetime) -> Category:
    return services.create_category(parse(CreateCategory, {"name": name, "description": name}), actor=EDITOR, now=now)


def _new_series(name: str, *, now: datetime) -> Series:
    return services.create_series(parse(CreateSeries, {"name": name, "description": name}), actor=EDITOR, now=now)


def _make_author(batch: list[str], *, profile_urls: list[str], image: Image, now: datetime) -> None:
    fields = {
        "name": _fitting(batch),
        "bio": " ".join(batch),
        "avatar": {"image_id": image.pk},
        "profile_urls": profile_urls,
    }
    services.create_author(parse(CreateAuthor, fields), actor=EDITOR, now=now)


def _urls() -> Iterator[str]:
    """Return every payload as a URL and as the end of one."""
    for payload in PAYLOADS:
        yield payload
        yield f"https://x.example/{payload}"


def _is_accepted(url: str) -> bool:
    try:
        parse(CreateAuthor, {"name": "A", "profile_urls": [url]})
    except Refusal:
        return False
    return True


def _make_policies(*, now: datetime) -> None:
    """Publish four policy pages with all payloads in the text and some in the title."""
    for kind, batch in zip(PolicyKind, _batches(_SHORT), strict=False):
        fields = {"kind": kind.value, "title": _fitting(batch), "body": _listed(PAYLOADS), "status": "published"}
        services.save_page(parse(SavePage, fields), actor=EDITOR, now=now)


def _paths(posts: list[Post], *, token: str) -> Iterator[str]:
    """Return the paths of all pages, with one tag per post."""
    urls = BlogURLs.on("")
    yield urls.index_path()
    yield f"{urls.index_path()}?page=2"
    for words in _batches(_SHORT):
        yield f"{urls.prefix}/{quote(_fitting(words), safe='')}"
    yield f"{urls.prefix}/preview/{token}"
    yield f"{urls.prefix}/preview/nothing"
    for page in PolicyPage.objects.order_by("pk"):
        yield urls.policy_path(page.slug)
    for post in posts:
        yield urls.post_path(post.slug)
        assert post.category and post.series
        yield urls.list_path(ListKind.CATEGORY, post.category.slug)
        yield urls.list_path(ListKind.SERIES, post.series.slug)
        yield urls.list_path(ListKind.AUTHOR, post.author.slug)
        yield urls.list_path(ListKind.TAG, post.tags.all()[0].slug)
    for words in _batches(_WORDS):
        yield f"{urls.search_path()}?{urlencode({'q': ' '.join(words)[:_WORDS]})}"
