"""What is derived from a body: rendered HTML, facts and index words, made when writing or again."""

import hashlib

from blog_engine.content.faq import FaqPair
from blog_engine.content.plain_text import count_words, reading_time_minutes
from blog_engine.content.revision import revision_identifier
from blog_engine.content.search_text import SEARCH_VERSION
from blog_engine.models import Faq, PolicyPage, Post
from blog_engine.queries.history import content_of
from blog_engine.queries.images import body_image_entries, body_source_digest
from blog_engine.queries.rendering import footnote_prefix, rendering_key
from blog_engine.services._bodies import Bodies, PreparedBody
from blog_engine.services._edit import Edit, columns_of
from blog_engine.services._search_index import (
    SEARCHED_COLUMNS,
    index_words,
    take_long_words,
    take_short_words,
    text_of_faq,
)
from blog_engine.services._transaction import locked_post, write_transaction
from blog_engine.services.pages import take_page_rendering

COLUMNS_OF_CONTENT = (
    *("title", "description", "search_title", "search_description", "author_name", "body"),
    *("cover_image", "cover_alt", "social_image", "body_image_manifest"),
)


def derive(edit: Edit) -> None:
    """Bring every derived column in line with the content; what did not change is not worked out again.

    Raises ``NotPrepared`` for a body or FAQ whose texts have to be, and were not prepared.
    """
    post = edit.post
    source = body_source_digest(post.body, post.body_format)
    is_other_body = post.body_image_source_digest != source
    is_outdated = (post.rendered_with, post.indexed_with) != (rendering_key(), SEARCH_VERSION)
    if is_other_body or is_outdated or edit.faq_in_texts != post.faq:
        body = edit.bodies.of(post.body, post.body_format)
        take_rendering(post, body, bodies=edit.bodies)
        _take_texts(post, body)
        edit.faq_in_texts = list(post.faq)
        if is_other_body:
            entries = body_image_entries(body.rendered, digests=edit.images.body_digests)
            post.body_image_manifest = [dict(entry) for entry in entries]
            post.body_image_source_digest = source
    shown = post.shown_description
    post.description_key = hashlib.sha256(shown.encode()).hexdigest() if shown.strip() else ""
    take_short_words(post)
    _identify(edit)


def take_rendering(post: Post, body: PreparedBody, *, bodies: Bodies) -> None:
    """Set every column of the post that follows from its body alone."""
    html = body.rendered.html
    post.body_html = html.replace(bodies.footnote_prefix, footnote_prefix(post.pk)) if post.pk else html
    post.outline = body.outline
    post.body_facts = body.facts
    post.excerpt = body.excerpt
    post.rendered_with = body.key


def _take_texts(post: Post, body: PreparedBody) -> None:
    asked = text_of_faq(post.faq)
    post.word_count = body.words + count_words(asked)
    post.reading_time_minutes = reading_time_minutes(post.word_count)
    take_long_words(post, body=body.searched, asked=asked)


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
    return any(getattr(edit.post, columns[name]) != edit.stored[name] for name in COLUMNS_OF_CONTENT)


def render_posts() -> int:
    """Render again the posts whose rendering is out of date, each in its own transaction; gives their number.

    Content, history and dates stay as they are. Until it runs, readers get a fresh rendering that is not stored.
    """
    stale = Post.objects.exclude(rendered_with=rendering_key()).order_by("pk").values_list("pk", flat=True)
    return sum(_render_post(post_id) for post_id in list(stale))


def _render_post(post_id: int) -> bool:
    """Render one post, unless it was deleted in between."""
    bodies = Bodies()

    def write() -> bool:
        with write_transaction():
            post = locked_post(post_id)
            if post is None:
                return False
            stored = columns_of(post)
            take_rendering(post, bodies.of(post.body, post.body_format), bodies=bodies)
            post.store(update_fields=[name for name, value in columns_of(post).items() if stored[name] != value])
            return True

    return bodies.around(write)


def render_pages() -> int:
    """Render again the policy pages whose rendering is out of date, each in its own transaction; gives their number."""
    stale = PolicyPage.objects.exclude(rendered_with=rendering_key()).order_by("pk").values_list("pk", flat=True)
    return sum(_render_page(page_id) for page_id in list(stale))


def _render_page(page_id: int) -> bool:
    """Render one page, unless it was deleted in between."""
    bodies = Bodies()

    def write() -> bool:
        with write_transaction():
            page = PolicyPage.objects.select_for_update(no_key=True).filter(pk=page_id).first()
            if page is None:
                return False
            take_page_rendering(page, bodies=bodies)
            page.save(update_fields=["body_html", "rendered_with"])
            return True

    return bodies.around(write)


def index_posts() -> int:
    """Index the posts that another version of the search indexed, each in its own transaction; return their number.

    Content, history and dates stay as they are.
    """
    stale = Post.objects.exclude(indexed_with=SEARCH_VERSION).order_by("pk").values_list("pk", flat=True)
    return sum(_index(post_id) for post_id in list(stale))


def _index(post_id: int) -> bool:
    """Index one post, unless it was deleted in between."""
    bodies = Bodies()

    def write() -> bool:
        with write_transaction():
            post = locked_post(post_id)
            if post is None:
                return False
            body = bodies.of(post.body, post.body_format).searched
            asked = text_of_faq(FaqPair(row.question, row.answer) for row in Faq.objects.filter(post=post))
            take_short_words(post)
            take_long_words(post, body=body, asked=asked)
            post.store(update_fields=[*SEARCHED_COLUMNS, "indexed_with", "search_text"])
            index_words(post)
            return True

    return bodies.around(write)
