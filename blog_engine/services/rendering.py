"""Values derived from content: rendered HTML, facts, index words and the revision identifier."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from itertools import chain
from operator import or_
from typing import Final, TypeVar

from django.db.models import Q, QuerySet

from blog_engine.content.faq import FaqPair
from blog_engine.content.plain_text import count_words, reading_time_minutes
from blog_engine.content.search_text import (
    LONGEST_TITLE,
    SEARCH_VERSION,
    folded_words,
)
from blog_engine.models import Faq, PolicyPage, Post
from blog_engine.queries.audit import wrongly_listed_posts
from blog_engine.queries.compiled import among
from blog_engine.queries.rendering import body_image_entries, body_source_digest, footnote_prefix, rendering_key
from blog_engine.rules.content_fields import CONTENT_FIELDS, REVISION_COLUMNS
from blog_engine.rules.revision import content_of, revision_identifier
from blog_engine.services._edit import Edit, columns_of
from blog_engine.services._prepared import LONGEST_SNIPPET_SOURCE, Prepared, PreparedBody, renders_first
from blog_engine.services._search_index import index_words, list_words
from blog_engine.services._transaction import write_transaction
from blog_engine.services.pages import set_page_rendering

R = TypeVar("R", Post, PolicyPage)

SEARCHED_COLUMNS: Final = frozenset(f"indexed_{one.name}" for one in CONTENT_FIELDS if one.is_searched)


def derive(edit: Edit) -> None:
    """Bring every derived column in line with the content; what did not change is not worked out again.

    Raises ``NotPrepared`` for a body that has to be rendered and was not.
    """
    post = edit.post
    source = body_source_digest(post.body, post.body_format)
    is_other_body = post.body_image_source_digest != source
    is_outdated = (post.rendered_with, post.indexed_with) != (rendering_key(post.language), SEARCH_VERSION)
    if is_other_body or is_outdated or edit.faq_in_texts != post.faq:
        body = edit.prepared.body(post.body, post.body_format, post.language)
        _set_rendering(post, body, prepared=edit.prepared)
        _set_texts(post, body)
        edit.faq_in_texts = list(post.faq)
        if is_other_body:
            entries = body_image_entries(body.rendered, digests=edit.images.body_digests)
            post.body_image_manifest = [dict(entry) for entry in entries]
            post.body_image_source_digest = source
    _set_description_key(post)
    _set_short_words(post)
    _identify(edit)


def _set_description_key(post: Post) -> None:
    shown = post.shown_description
    post.description_key = hashlib.sha256(shown.encode()).hexdigest() if shown.strip() else ""


def _set_rendering(post: Post, body: PreparedBody, *, prepared: Prepared) -> None:
    """Set every column of the post that follows from its body alone."""
    html = body.rendered.html
    post.body_html = html.replace(prepared.footnote_prefix, footnote_prefix(post.pk)) if post.pk else html
    post.outline = body.outline
    post.body_facts = body.facts
    post.excerpt = body.excerpt
    # Out of date without the plugins, so that it is rendered again once they work.
    post.rendered_with = "" if body.rendered.has_failed_plugins else body.key


def _set_texts(post: Post, body: PreparedBody) -> None:
    asked = _text_of_faq(post.faq)
    post.word_count = body.words + count_words(asked)
    post.reading_time_minutes = reading_time_minutes(post.word_count)
    _set_long_words(post, body, asked=asked)


def _text_of_faq(pairs: Iterable[FaqPair]) -> str:
    """Return the questions and answers of a post as one text."""
    return "\n".join(f"{pair.question}\n{pair.answer}" for pair in pairs)


def _set_short_words(post: Post) -> None:
    """Set the columns for the search of title and description."""
    post.indexed_title = folded_words(post.title, longest=LONGEST_TITLE)
    post.indexed_description = folded_words(post.description)


def _set_long_words(post: Post, body: PreparedBody, *, asked: str) -> None:
    """Set the columns for the search of body and FAQ; ``asked`` is the FAQ as plain text."""
    post.indexed_faq = folded_words(asked)
    post.indexed_body = body.indexed
    post.indexed_with = SEARCH_VERSION
    post.search_text = " ".join(f"{body.snippet_source}\n{asked}"[:LONGEST_SNIPPET_SOURCE].split())


def _identify(edit: Edit) -> None:
    post = edit.post
    if not edit.is_new and edit.faq == post.faq and not _has_other_content(edit):
        post.current_revision_identifier = edit.stored["current_revision_identifier"]
        post.images_verified = edit.stored["images_verified"]
        return
    post.current_revision_identifier = revision_identifier(edit.payload)
    post.images_verified = all(image.sha256 for image in content_of(post, faq=post.faq).images)


def _has_other_content(edit: Edit) -> bool:
    columns = {column.name: column.attname for column in edit.post._meta.concrete_fields}
    return any(getattr(edit.post, columns[name]) != edit.stored[name] for name in REVISION_COLUMNS)


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


def index_posts() -> int:
    """Index the posts that another version of the search indexed, or that it lists wrongly; return their number.

    Content, history and dates stay as they are.
    """
    indexed = _refresh(Post.objects.exclude(indexed_with=SEARCH_VERSION), index_post)
    return indexed + _refresh(Post.objects.filter(among("pk", wrongly_listed_posts())), _list_post)


def derive_restored() -> Iterator[int]:
    """Derive what readers see from the restored bodies, instead of trusting an export; yield how many are done.

    It covers HTML, outline, excerpt, word counts and search of every post and policy page.
    """
    refreshed = chain(_refreshed(PolicyPage.objects.all(), _render_page), _refreshed(Post.objects.all(), _derive_post))
    for done, _ in enumerate(refreshed, start=1):
        yield done


def _refresh(stale: QuerySet[R], refresh: Callable[[R, Prepared], object]) -> int:
    return sum(_refreshed(stale, refresh))


def _refreshed(rows: QuerySet[R], refresh: Callable[[R, Prepared], object]) -> Iterator[bool]:
    """Refresh each row in a transaction of its own; yield for each whether it is still there."""
    for row_id in list(rows.order_by("pk").values_list("pk", flat=True)):
        yield _refresh_row(rows.model, row_id, refresh)


@renders_first
def _refresh_row(prepared: Prepared, model: type[R], row_id: int, refresh: Callable[[R, Prepared], object]) -> bool:
    with write_transaction():
        row = model._default_manager.select_for_update(of=("self",), no_key=True).filter(pk=row_id).first()
        if row is not None:
            refresh(row, prepared)
    return row is not None


def _render_post(post: Post, prepared: Prepared) -> None:
    stored, body = columns_of(post), prepared.body(post.body, post.body_format, post.language)
    if body.rendered.has_failed_plugins and post.rendered_with:
        # What is stored was rendered with plugins.
        return
    _set_rendering(post, body, prepared=prepared)
    post.store(update_fields=[name for name, value in columns_of(post).items() if stored[name] != value])


def _render_page(page: PolicyPage, prepared: Prepared) -> None:
    set_page_rendering(page, prepared=prepared)
    page.save(update_fields=["body_html", "rendered_with"])


def _derive_post(post: Post, prepared: Prepared) -> None:
    stored, body = columns_of(post), prepared.body(post.body, post.body_format, post.language)
    _set_rendering(post, body, prepared=prepared)
    post.faq = _faq_of(post)
    _set_texts(post, body)
    _set_short_words(post)
    _set_description_key(post)
    post.store(update_fields=[name for name, value in columns_of(post).items() if stored[name] != value])


def _faq_of(post: Post) -> list[FaqPair]:
    return [FaqPair(row.question, row.answer) for row in Faq.objects.filter(post=post)]


def _list_post(post: Post, prepared: Prepared) -> None:
    list_words(post)


def index_post(post: Post, prepared: Prepared) -> bool:
    """Index a locked post by its content; return whether its words changed."""
    body = prepared.body(post.body, post.body_format, post.language)
    asked = _text_of_faq(_faq_of(post))
    _set_short_words(post)
    _set_long_words(post, body, asked=asked)
    post.store(update_fields=[*SEARCHED_COLUMNS, "indexed_with", "search_text"])
    _list_post(post, prepared)
    return index_words(post)
