"""Outputs of stored images in lists, and of upload tickets."""

from typing import Literal

from blog_engine.blog_urls import BlogURLs
from blog_engine.enums import ImageUseKind, PostStatus
from blog_engine.models import Image
from blog_engine.outputs.base import Output, UTCSeconds
from blog_engine.outputs.posts import ImageObject
from blog_engine.queries.image_uses import uses_of_images
from blog_engine.queries.records import Listed
from blog_engine.services import NewUploadTicket


class ImageUseObject(Output):
    """A use of an image by a post, or as the avatar of an author, whose name is the title."""

    kind: ImageUseKind
    post_id: int | None
    author_id: int | None
    slug: str
    title: str
    status: PostStatus | None


class ListedImage(ImageObject):
    """A stored image with its newest uses, and how many there are; ``uploaded_by`` is null if it was not recorded."""

    created_at: UTCSeconds
    uploaded_by: str | None
    uses: list[ImageUseObject]
    uses_count: int


class StoredImageList(Output):
    """One page of images, newest first."""

    images: list[ListedImage]
    page: int
    per_page: int
    total: int
    next_cursor: str | None

    @classmethod
    def of(cls, listed: Listed[Image]) -> "StoredImageList":
        """Return a page of images; four queries."""
        found = uses_of_images(listed.rows)
        images = [
            ListedImage.from_attributes(image, uses=found[image.pk].newest, uses_count=found[image.pk].count)
            for image in listed.rows
        ]
        return cls(images=images, **listed.place)


class UploadTicketObject(Output):
    """The request that sends an announced image: ``method`` and ``headers`` are its own, its body is the file."""

    upload_url: str
    method: Literal["PUT"]
    headers: dict[str, str]
    expires_at: UTCSeconds

    @classmethod
    def of(cls, new: NewUploadTicket, urls: BlogURLs) -> "UploadTicketObject":
        """Return a ticket that ``services`` opened."""
        return cls(
            upload_url=urls.upload_url(new.ticket.pk, new.secret),
            method="PUT",
            headers={"Content-Type": new.ticket.content_type},
            expires_at=new.ticket.expires_at,
        )
