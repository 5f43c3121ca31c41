"""Derived columns of stored posts and pages, brought up to date as the next write would."""

from collections.abc import Callable, Iterator
from functools import partial, reduce
from itertools import accumulate, chain
from operator import or_
from typing import Final, TypeVar

from django.db.models import Q, QuerySet
from django.db.models.functions import Length
from django.utils import timezone

from blog_engine.conf import get_settings
from blog_engine.content.faq import FaqPair
from blog_engine.content.search_text import SEARCH_VERSION
from blog_engine.findings import keep_findings
from blog_engine.models import Baseline, Faq, Image, PolicyPage, Post, when_public
from blog_engine.queries.audit import wrongly_listed_posts
from blog_engine.queries.compiled import among
from blog_engine.queries.earlier_versions import (
    posts_changed_before_published,
    posts_of_earlier_version,
    posts_without_body_images,
    posts_without_feed_id,
)
from blog_engine.queries.feeds import free_feed_id
from blog_engine.queries.reviews import posts_to_settle
from blog_engine.rendering.options import rendering_key
from blog_engine.rules.dates import dates_of
from blog_engine.services._derive import (
    SEARCHED_COLUMNS,
    set_description_key,
    set_long_words,
    set_rendering,
    set_short_words,
    set_texts,
    text_of_faq,
)
from blog_engine.services._edit import changed_columns, columns_of
from blog_engine.services._history import settle_review
from blog_engine.services._prepared import Prepared, until_prepared
from blog_engine.services._search_index import index_words, list_words
from blog_engine.services._store import note_body_images
from blog_engine.services._transaction import write_transaction
from blog_engine.services.finding_codes import check_posts
from blog_engine.services.pages import set_page_rendering

MOST_AT_ONCE: Final = 20
"""The posts that are rendered within a request."""
MOST_CHARACTERS: Final = 200_000
"""The characters of their bodies after which no further one is rendered."""

R = TypeVar("R", Post, PolicyPage)


def render_posts(*, all_posts: bool = False) -> int:
    """Render again the posts whose rendering is out of date, or all, and return their number.

    Content, history and dates stay as they are. Until then, readers get a fresh rendering that is not stored.
    """
    if all_posts:
        return _refresh(Post.objects.all(), _render_post)
    languages = Post.objects.order_by().values_list("language", flat=True).distinct()
    current = (Q(language=language, rendered_with=rendering_key(language)) for language in languages)
    return _refresh(Post.objects.exclude(reduce(or_, current, Q(pk__in=[]))), _render_post)


def render_pages(*, all_pages: bool = False) -> int:
    """Render again the policy pages whose rendering is out of date, or all, and return their number."""
    outdated = PolicyPage.objects.exclude(rendered_with=rendering_key())
    return _refresh(PolicyPage.objects.all() if all_pages else outdated, _render_page)


def render_showing(image: Image) -> int:
    """Render again what is outdated of that which shows an image, and return the number of posts and policy pages.

    Public posts come first, the newest before the others, at most ``MOST_AT_ONCE`` of them and none after
    ``MOST_CHARACTERS`` of their bodies; what is left is for ``render_posts``.
    """
    showing = Post.objects.filter(when_public(), rendered_with="", body_images__image=image).order_by("-pk")
    sizes = showing.values_list("pk", Length("body"))[:MOST_AT_ONCE]
    totals = accumulate((size for _, size in sizes), initial=0)
    posts = [pk for (pk, _), before in zip(sizes, totals, strict=False) if before < MOST_CHARACTERS]
    pages = PolicyPage.objects.filter(rendered_with="", body__contains=image.sha256)
    return _refresh(Post.objects.filter(pk__in=posts), _render_post) + _refresh(pages, _render_page)


def index_posts() -> int:
    """Index the posts that another version of the search indexed, or that it lists wrongly; return their number.

    Content, history and dates stay as they are.
    """
    indexed = _refresh(Post.objects.exclude(indexed_with=SEARCH_VERSION), _index_post)
    return indexed + _refresh(Post.objects.filter(among("pk", wrongly_listed_posts())), _list_post)


def derive_restored() -> Iterator[int]:
    """Derive what readers see from the restored bodies, instead of trusting an export; yield how many are done.

    It covers HTML, outline, excerpt, word counts, search and findings of every post and policy page.
    """
    refreshed = chain(_refreshed(PolicyPage.objects.all(), _render_page), _refreshed(Post.objects.all(), _derive_post))
    for done, _ in enumerate(refreshed, start=1):
        yield done
    check_posts(now=timezone.now())


def complete_posts() -> int:
    """Complete what a process of an earlier version left out of posts during an upgrade; return the number of posts.

    That is their permanent feed id, the images in their bodies, why they wait for a review, their search words, and the
    rule that no post changed before it was published. Content and history stay as they are.
    """
    of_earlier_version = set(posts_of_earlier_version())
    without_images = set(posts_without_body_images())
    others = {*posts_without_feed_id(), *posts_changed_before_published()}
    posts = sorted(of_earlier_version | without_images | others)
    return sum(
        until_prepared(
            partial(_complete, post, is_earlier=post in of_earlier_version, has_other_images=post in without_images)
        )
        for post in posts
    )


def settle_reviews() -> int:
    """Set again why posts wait for a review after another setting of the approvals that count; return the number set.

    Content and history stay as they are.
    """
    return sum(map(_settle, posts_to_settle()))


def _settle(post_id: int) -> bool:
    with write_transaction():
        post = _locked(Post, post_id)
        if post is None:
            return False
        stored = columns_of(post)
        settle_review(post)
        changed = changed_columns(post, stored)
        post.store(update_fields=changed)
        return bool(changed)


def _refresh(stale: QuerySet[R], refresh: Callable[[R, Prepared], object]) -> int:
    return sum(_refreshed(stale, refresh))


def _refreshed(rows: QuerySet[R], refresh: Callable[[R, Prepared], object]) -> Iterator[bool]:
    """Refresh each row in a transaction of its own; yield for each whether it is still there."""
    for row_id in list(rows.order_by("pk").values_list("pk", flat=True)):
        yield until_prepared(partial(_refresh_row, rows.model, row_id, refresh))


def _refresh_row(model: type[R], row_id: int, refresh: Callable[[R, Prepared], object], prepared: Prepared) -> bool:
    with write_transaction():
        row = _locked(model, row_id)
        if row is not None:
            refresh(row, prepared)
    return row is not None


def _locked(model: type[R], row_id: int) -> R | None:
    return model._default_manager.select_for_update(of=("self",), no_key=True).filter(pk=row_id).first()


def _render_post(post: Post, prepared: Prepared) -> None:
    stored, body = columns_of(post), prepared.body(post.body, post.body_format, post.language)
    if body.has_failed_plugins and post.rendered_with:
        # What is stored was rendered with plugins.
        return
    set_rendering(post, body, prepared=prepared)
    keep_findings(post, _faq_of(post), now=timezone.now())
    post.store(update_fields=changed_columns(post, stored))


def _render_page(page: PolicyPage, prepared: Prepared) -> None:
    set_page_rendering(page, prepared=prepared)
    page.save(update_fields=["body_html", "rendered_with"])


def _derive_post(post: Post, prepared: Prepared) -> None:
    stored, body = columns_of(post), prepared.body(post.body, post.body_format, post.language)
    set_rendering(post, body, prepared=prepared)
    set_texts(post, body, _faq_of(post))
    set_short_words(post)
    set_description_key(post)
    post.store(update_fields=changed_columns(post, stored))


def _faq_of(post: Post) -> list[FaqPair]:
    return [FaqPair(row.question, row.answer) for row in Faq.objects.filter(post=post)]


def _list_post(post: Post, prepared: Prepared) -> None:
    list_words(post)


def _index_post(post: Post, prepared: Prepared) -> bool:
    """Index a locked post by its content; return whether its words changed."""
    body = prepared.body(post.body, post.body_format, post.language)
    set_short_words(post)
    set_long_words(post, body, text_of_faq(_faq_of(post)))
    post.store(update_fields=[*SEARCHED_COLUMNS, "indexed_with", "search_text"])
    list_words(post)
    return index_words(post)


def _complete(post_id: int, prepared: Prepared, *, is_earlier: bool, has_other_images: bool) -> bool:
    """Complete one post in a transaction of its own; return whether it lacked something."""
    with write_transaction():
        post = _locked(Post, post_id)
        if post is None:
            return False
        stored = columns_of(post)
        is_reindexed = is_earlier and _index_post(post, prepared)
        if is_earlier:
            settle_review(post)
        if post.modified_at and post.published_at and post.modified_at < post.published_at:
            baseline = Baseline.objects.filter(post=post).first()
            post.modified_at = dates_of(post.publications.order_by("pk"), baseline).modified_at
        origin, first = get_settings().public_base_url, post.publications.order_by("occurred_at", "pk").first()
        if post.feed_id is None and origin and first is not None:
            post.feed_id = free_feed_id(origin, published=first.occurred_at, post_id=post.pk)
        changed = changed_columns(post, stored)
        post.store(update_fields=changed)
        if has_other_images:
            note_body_images(post, had_some=True)
        return is_reindexed or has_other_images or bool(changed)
