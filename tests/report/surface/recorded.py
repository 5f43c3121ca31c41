"""Articles that were approved as they are, and what E19 says of their parts."""

from typing import Any, Final

from django.test import override_settings

from blog_engine.blog_urls import BlogURLs
from blog_engine.models import Image, Post
from blog_engine.report.surface.checks.content import check_content
from blog_engine.report.surface.observation import Observation
from tests.reader.changes import blog_settings
from tests.report.surface.altering import look
from tests.support.factories import approve, save, store_image
from tests.support.images import encoded, halves

PARTS: Final = "ABCDEFG"
SOUND: Final = dict.fromkeys(PARTS, "pass")


def approved(**fields: Any) -> Post:
    """A public post made with AI, whose facts somebody checked."""
    sent: dict[str, Any] = {"title": "Soil", "provenance": "ai_assisted", "publish": True} | fields
    post = save(**sent).post
    approve(post)
    return Post.objects.get(pk=post.pk)


def picture(name: str = "quay.png", *, left: str = "red") -> Image:
    """A stored image that is large enough to be shown in several sizes."""
    return store_image(encoded(halves(left, size=(600, 300)), "PNG"), filename=name)


def original(image: Image) -> str:
    """The path of the original, at the mount in force."""
    return BlogURLs.on("").media_path(image.sha256, image.filename)


def parts(found: Observation) -> dict[str, str]:
    """The results by part."""
    return dict(found.details or {})


def wrong(found: Observation) -> str:
    """The parts that do not pass."""
    return "".join(name for name, result in sorted(parts(found).items()) if result != "pass")


def looked(post: Post, *changes: tuple[str, str], staged: Any = None, **settings: Any) -> Observation:
    """E19 of a post on its page, spoilt or not; images are delivered by the blog itself unless told otherwise."""
    with override_settings(BLOG_ENGINE=blog_settings(**{"image_delivery": "proxy"} | settings)):
        return look(check_content, post, *changes, staged=staged)
