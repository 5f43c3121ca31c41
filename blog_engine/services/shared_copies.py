"""The copies of images for networks and feeds, and the pictures of posts without an image, drawn before readers ask."""

import logging
from typing import Any, Final

from blog_engine.enums import PostStatus
from blog_engine.images.inspect import SharedCopy
from blog_engine.images.shared import drawn_shared_copy
from blog_engine.images.social import picture_of_post, stored_social_picture
from blog_engine.models import Image, Post
from blog_engine.models.image import set_shared_copy
from blog_engine.queries.image_uses import newest_without_image

logger = logging.getLogger("blog_engine")

_NONE: Final = "none"
"""The type of the copy of an image that is too large to draw."""
MOST_PICTURES: Final = 500
"""The pictures of posts that are drawn again at once, those of the newest ones."""


def shared_columns(shared: SharedCopy) -> dict[str, Any]:
    """Return the columns of an image with this copy."""
    return {
        "shared_type": shared.suffix or _NONE,
        "shared_width": shared.width,
        "shared_height": shared.height,
        "shared_bytes": len(shared.data),
    }


def draw_shared_copies() -> int:
    """Draw the copies of the images that an earlier version stored, and return how many were drawn.

    One that cannot be drawn is left for the next time.
    """
    undrawn = list(Image.objects.filter(shared_type="").order_by("pk").values_list("pk", flat=True))
    return sum(map(_draw, undrawn))


def _draw(image_id: int) -> bool:
    image = Image.objects.filter(pk=image_id).first()
    if image is None:
        return False
    try:
        shared = drawn_shared_copy(image)
    except Exception as fault:
        # Exceptions differ by storage, and the other images can still be drawn.
        logger.warning("The copy for shared links of the image %s was not drawn: %r", image.sha256, fault)
        return False
    set_shared_copy(image_id, **shared_columns(shared))
    return True


def keep_social_picture(post: Post) -> bool:
    """Draw the picture of a public post without an image, unless the storage has it; return whether it has one.

    A fault never reaches the writer: readers ask for the picture again.
    """
    if post.status != PostStatus.PUBLISHED or post.cover_image_id or post.social_image_id:
        return False
    try:
        picture = picture_of_post(post)
        return picture is not None and stored_social_picture(picture, post_id=post.pk) is not None
    except Exception as fault:
        # Exceptions differ by storage, and the write is committed.
        logger.warning("The picture of the post %s was not drawn: %r", post.pk, fault)
        return False


def draw_social_pictures() -> int:
    """Draw the pictures of the newest public posts without an image that the storage lacks; return how many it has."""
    return sum(map(keep_social_picture, newest_without_image(MOST_PICTURES)))
