"""The content of a revision: what its identifier covers."""

from collections.abc import Iterable
from typing import TypedDict

from blog_engine.blog_urls import stored_media_path
from blog_engine.content.faq import FaqPair
from blog_engine.content.revision import ImageEntry, RevisionContent
from blog_engine.models import Image, Post


class BodyImageEntry(TypedDict):
    """An image of a body; ``sha256`` is ``""`` while its bytes are not known."""

    url: str
    sha256: str
    alt: str


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
        entries.append(_stored_image_entry(post.cover_image, role="cover", alt=post.cover_alt))
    manifest: list[BodyImageEntry] = post.body_image_manifest
    entries += [ImageEntry(role="body", url=one["url"], sha256=one["sha256"], alt=one["alt"]) for one in manifest]
    if post.social_image:
        entries.append(_stored_image_entry(post.social_image, role="social", alt=""))
    return entries


def _stored_image_entry(image: Image, *, role: str, alt: str) -> ImageEntry:
    """Return the entry of a stored image; its path does not depend on the mount."""
    path = stored_media_path(image.sha256, image.filename)
    return ImageEntry(role=role, url=path, sha256=image.sha256, alt=alt)
