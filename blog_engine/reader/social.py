"""The picture that shared links to a page show."""

from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response

from blog_engine.blog_urls import BlogURLs
from blog_engine.errors import Unavailable
from blog_engine.images.files import unavailable_on_fault
from blog_engine.images.social import SOCIAL_SIZE, SocialPicture, social_picture, stored_social_picture
from blog_engine.models import Post
from blog_engine.queries.social import post_without_image
from blog_engine.reader.page import default_social_image
from blog_engine.reader.view import ReaderView

_IMMUTABLE: Final = {"Cache-Control": "max-age=31536000, public, immutable"}
_HARMLESS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "sandbox; default-src 'none'",
}
# Without the encoding, Django's GZipMiddleware would compress it once more.
_PNG: Final = {"Content-Type": "image/png", "Content-Encoding": "identity"}
_RETRY_AFTER_SECONDS: Final = 5


@dataclass(frozen=True, slots=True)
class SharedImage:
    """The image of shared links to a page."""

    url: str
    """Absolute."""
    alt: str = ""
    """What it shows; empty if that is not known."""
    size: tuple[int, int] | None = None
    """Width and height in pixels."""


def shared_image(post: Post, *, urls: BlogURLs, is_public: bool) -> SharedImage | None:
    """Return the social image of a post, else its cover, else the picture that is drawn for it.

    A post that is not public, or that nothing can be drawn for, has the default image, if there is one.
    """
    image = post.social_image or post.cover_image
    if image:
        url = urls.absolute(urls.media_path(image.sha256, image.filename))
        return SharedImage(url, "" if post.social_image else post.cover_alt, (image.width, image.height))
    drawn = _picture_of(post) if is_public else None
    if drawn:
        url = urls.absolute(urls.social_picture_path(post.slug, drawn.digest))
        alt = " — ".join(text for text in (drawn.title, drawn.author, drawn.site) if text)
        return SharedImage(url, alt, SOCIAL_SIZE)
    default = default_social_image(urls)
    return SharedImage(default) if default else None


def _picture_of(post: Post) -> SocialPicture | None:
    return social_picture(title=post.title, author=post.author_name, language=post.language)


class SocialPictureView(ReaderView):
    """The picture that is drawn for a public post without an image.

    The digest in its URL is that of what it shows now; any other is not found, so that callers cannot make pictures.
    """

    def get(self, request: HttpRequest, *, slug: str, digest: str, **kwargs: Any) -> HttpResponseBase:
        post = post_without_image(slug)
        picture = _picture_of(post) if post else None
        if post is None or picture is None or picture.digest != digest:
            return self.not_found()
        headers = _IMMUTABLE | {"ETag": f'"{digest}"'}
        known = get_conditional_response(request, etag=headers["ETag"], response=HttpResponse(headers=headers))
        if known is not None and known.status_code != 200:
            # Browsers take over the headers of a 304, and a policy that the host adds would be weaker.
            for name, value in _HARMLESS.items():
                known.headers[name] = value
            return known
        try:
            with unavailable_on_fault(f"The picture of the post {post.pk} could not be delivered."):
                data = stored_social_picture(picture, post_id=post.pk)
        except Unavailable:
            text = "The image is temporarily unavailable."
            later = {"Cache-Control": "no-store", "Retry-After": str(_RETRY_AFTER_SECONDS)}
            return HttpResponse(text, status=503, content_type="text/plain", headers=later)
        return HttpResponse(data, headers=headers | _HARMLESS | _PNG | {"Content-Length": str(len(data))})
