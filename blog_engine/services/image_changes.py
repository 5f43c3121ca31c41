"""Changes of what is said of a stored image, with the renderings that show it."""

import logging
from datetime import datetime

from blog_engine.actor import Actor, Scope
from blog_engine.errors import NotFound
from blog_engine.inputs.images import UpdateImage
from blog_engine.models import Image
from blog_engine.services._held_images import held_image
from blog_engine.services._transaction import write_transaction
from blog_engine.services.image_origin import set_sent_origin
from blog_engine.services.refresh import render_showing

logger = logging.getLogger("blog_engine")


def update_image(data: UpdateImage, *, actor: Actor, now: datetime) -> Image:
    """Change what is said of where an image comes from; its bytes stay. Raises ``NotFound``.

    Posts and policy pages that show it are rendered again at once, as far as ``render_showing`` does.
    """
    actor.require(Scope.WRITE)
    with write_transaction():
        image = held_image(column="id", value=data.id)
        if image is None:
            raise NotFound(hint="No image has that id: it was removed, or never was.")
        is_other = set_sent_origin(image, data.sent_origin)
    if is_other:
        try:
            render_showing(image)
        except Exception:
            # The change is committed, and readers get new renderings that are not stored.
            logger.exception("What shows the image %s was not rendered again: run render_posts.", image.pk)
    return image
