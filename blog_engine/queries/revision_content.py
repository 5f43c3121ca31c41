"""The part of a post that its revision records (records.md section 6)."""

from collections.abc import Iterable

from blog_engine.content.faq import FaqPair
from blog_engine.content.revision import ImageEntry, RevisionContent
from blog_engine.models import Post
from blog_engine.queries.body_images import BodyImageEntry, stored_image_entry


def content_of(post: Post, *, faq: Iterable[FaqPair]) -> RevisionContent:
    """What the revision of a post with these questions holds; reads the two images if they are not loaded."""
    return RevisionContent(
        title=post.title,
        description=post.description,
        search_title=post.search_title,
        search_description=post.search_description,
        author=post.author_name,
        body=post.body,
        faq=tuple(faq),
        images=tuple(_image_entries(post)),
    )


def _image_entries(post: Post) -> list[ImageEntry]:
    entries: list[ImageEntry] = []
    if post.cover_image:
        entries.append(stored_image_entry(post.cover_image, role="cover", alt=post.cover_alt))
    manifest: list[BodyImageEntry] = post.body_image_manifest
    entries += [ImageEntry(role="body", url=one["url"], sha256=one["sha256"], alt=one["alt"]) for one in manifest]
    if post.social_image:
        entries.append(stored_image_entry(post.social_image, role="social", alt=""))
    return entries
