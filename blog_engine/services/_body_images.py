"""Noting which images of the blog the body of a post shows."""

from typing import Any, Final

from blog_engine.models import EmbeddedImage, Image, Post

MANIFEST: Final = "body_image_manifest"


def note_body_images(post: Post, *, before: list[dict[str, Any]] | None) -> None:
    """Write the images of a stored post whose manifest changed; ``before`` is the earlier one.

    A post without images, before and now, costs no query.
    """
    if before:
        EmbeddedImage.objects.filter(post=post).delete()
    digests = {entry["sha256"] for entry in post.body_image_manifest if entry["sha256"]}
    if digests:
        ids = Image.objects.filter(sha256__in=digests).order_by("pk").values_list("pk", flat=True)
        EmbeddedImage.objects.bulk_create([EmbeddedImage(post=post, image_id=pk) for pk in ids])
