"""Everything about a post that follows from its content, worked out when it is written (design.md 3)."""

import hashlib

from blog_engine.content.plain_text import count_words, first_words, plain_text, reading_time_minutes
from blog_engine.content.rendering import Rendered
from blog_engine.content.revision import revision_identifier, revision_payload
from blog_engine.models import Post
from blog_engine.queries.body_images import body_image_entries, body_source_digest
from blog_engine.queries.findings.facts import facts_of
from blog_engine.queries.rendering import outline_of, render_body, rendering_key
from blog_engine.queries.revision_content import content_of
from blog_engine.services._edit import Edit
from blog_engine.services._search_index import take_search_texts, text_of_faq
from blog_engine.vocabulary import BodyFormat


def derive(edit: Edit) -> None:
    """Bring every derived column and the revision payload in line with the content.

    The body is rendered only when it changed, or when the renderer or its settings did.
    """
    post = edit.post
    source = body_source_digest(post.body, post.body_format)
    if post.body_image_source_digest != source or post.rendered_with != rendering_key():
        rendered = render_body(post.body, post.body_format, footnote_prefix=edit.footnote_prefix)
        take_rendering(post, rendered)
        if post.body_image_source_digest != source:
            entries = body_image_entries(rendered, digests=edit.images.body_digests)
            post.body_image_manifest = [dict(entry) for entry in entries]
            post.body_image_source_digest = source
    _take_texts(post)
    content = content_of(post, faq=post.faq)
    edit.payload = revision_payload(content)
    post.current_revision_identifier = revision_identifier(edit.payload)
    post.images_verified = all(image.sha256 for image in content.images)


def take_rendering(post: Post, rendered: Rendered) -> None:
    """Set every column of the post that follows from the rendering of its body."""
    post.body_html = rendered.html
    post.outline = outline_of(rendered)
    post.body_facts = facts_of(rendered, post.body, post.body_format)
    post.rendered_with = rendering_key()


def _take_texts(post: Post) -> None:
    plain = plain_text(post.body, body_format=BodyFormat(post.body_format))
    asked = text_of_faq(post.faq)
    shown = post.shown_description
    post.description_key = hashlib.sha256(shown.encode()).hexdigest() if shown.strip() else ""
    post.excerpt = first_words(plain)
    post.word_count = count_words(plain) + count_words(asked)
    post.reading_time_minutes = reading_time_minutes(post.word_count)
    take_search_texts(post, plain=plain, asked=asked)
