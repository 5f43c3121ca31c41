"""Columns of a post that follow from its content: HTML, facts, search texts and the revision identifier."""

import hashlib
from collections.abc import Iterable
from typing import Final

from blog_engine.content.faq import FaqPair
from blog_engine.content.scripts import text_length
from blog_engine.content.search_text import LONGEST_TITLE, SEARCH_VERSION, folded_words
from blog_engine.models import Post
from blog_engine.rendering.bodies import LONGEST_SNIPPET_SOURCE, DerivedBody, body_source_digest, footnote_prefix
from blog_engine.rendering.options import rendering_key
from blog_engine.rules.content_fields import CONTENT_FIELDS, REVISION_COLUMNS
from blog_engine.rules.revision import content_of, revision_identifier
from blog_engine.services._edit import Edit
from blog_engine.services._prepared import Prepared

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
        set_rendering(post, body, prepared=edit.prepared)
        set_texts(post, body, post.faq)
        edit.faq_in_texts = list(post.faq)
        if is_other_body:
            digests = edit.images.body_digests
            post.body_image_manifest = [
                {**entry, "sha256": entry["sha256"] or digests.get(entry["url"], "")} for entry in body.images
            ]
            post.body_image_source_digest = source
    set_description_key(post)
    set_short_words(post)
    _identify(edit)


def set_rendering(post: Post, body: DerivedBody, *, prepared: Prepared) -> None:
    """Set every column of the post that follows from its body alone."""
    prefix = footnote_prefix(post.pk) if post.pk else prepared.footnote_prefix
    post.body_html = body.html.replace(prepared.footnote_prefix, prefix)
    post.outline = body.outline
    post.body_facts = body.facts
    post.excerpt = body.excerpt
    # Out of date without the plugins, so that it is rendered again once they work.
    post.rendered_with = "" if body.has_failed_plugins else body.key


def set_texts(post: Post, body: DerivedBody, faq: Iterable[FaqPair]) -> None:
    """Set what follows from body and FAQ together: the number of words, and the columns for their search."""
    asked = text_of_faq(faq)
    length = body.length + text_length(asked)
    post.word_count, post.reading_time_minutes = length.word_count, length.reading_time_minutes
    set_long_words(post, body, asked)


def set_long_words(post: Post, body: DerivedBody, asked: str) -> None:
    """Set the columns for the search of body and FAQ; ``asked`` is the FAQ as plain text."""
    post.indexed_faq = folded_words(asked)
    post.indexed_body = body.indexed
    post.indexed_with = SEARCH_VERSION
    post.search_text = " ".join(f"{body.snippet_source}\n{asked}"[:LONGEST_SNIPPET_SOURCE].split())


def text_of_faq(pairs: Iterable[FaqPair]) -> str:
    """Return the questions and answers of a post as one text."""
    return "\n".join(f"{pair.question}\n{pair.answer}" for pair in pairs)


def set_short_words(post: Post) -> None:
    """Set the columns for the search of title and description."""
    post.indexed_title = folded_words(post.title, longest=LONGEST_TITLE)
    post.indexed_description = folded_words(post.description)


def set_description_key(post: Post) -> None:
    """Set the digest of the shown description, by which duplicates are found."""
    shown = post.shown_description
    post.description_key = hashlib.sha256(shown.encode()).hexdigest() if shown.strip() else ""


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
