"""Bodies as HTML, whether a stored rendering is current, and the images of a body."""

import hashlib
import json
import random
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.utils.translation import gettext as _
from django.utils.translation import override

from blog_engine.blog_urls import BlogURLs, blog_location, mount, script_name, stored_media_path
from blog_engine.conf import get_settings, markdown_plugins
from blog_engine.conf.languages import catalogue_of
from blog_engine.content.figures import is_wide, own_media_path, stored_image_digest, variant_formats
from blog_engine.content.languages import direction_of_language
from blog_engine.content.options import KnownImage, RenderLabels, RenderOptions
from blog_engine.content.rendering import RENDERER_VERSION, Rendered, render, render_new
from blog_engine.enums import BodyFormat
from blog_engine.models import Image, Post, when_public
from blog_engine.queries.images import original_path, picture_of
from blog_engine.rules.revision import BodyImageEntry

_SIZES = "(min-width: 44rem) 40rem, 100vw"
"""How wide a body is: the theme's ``--blog-content-width``."""
_WIDE_SIZES = "(min-width: 60rem) 56rem, 100vw"
"""How wide a wide figure is: the theme's ``--blog-wide-width``."""

_BATCH = 20
"""Posts of up to several megabytes that are loaded at a time."""

_DIGEST_IN_PATH = re.compile(r"/media/([0-9a-f]{64})/")


@dataclass(frozen=True, slots=True)
class RenderedBody:
    """The HTML of a body and the headings of its table of contents."""

    html: str
    outline: list[dict[str, Any]]


def rendering_key(language: str = "") -> str:
    """Return a digest of everything that a rendering depends on, except the body.

    ``language`` is that of the post; empty for the language of the blog.
    """
    settings = get_settings()
    return _rendering_key(
        (_catalogue(language), _direction(language)),
        variant_formats(),
        (settings.markdown_hardbreaks, settings.public_base_url),
        (*map(_name_of, settings.markdown_plugins), "|", *sorted(settings.diagrams), "|", *sorted(settings.embeds)),
        script_name(),
        mount(),
    )


@lru_cache(maxsize=64)
def _rendering_key(
    words: tuple[str, str],
    formats: tuple[str, ...],
    written: tuple[bool, str | None],
    extras: tuple[str, ...],
    script_name: str,
    mount: str,
) -> str:
    catalogue, direction = words
    parts = [
        RENDERER_VERSION,
        formats,
        *written,
        extras,
        repr(_labels(catalogue)),
        direction,
        script_name,
        mount,
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _name_of(plugin: object) -> str:
    """Return what tells a plugin from others; a callable whose code changes is the same one."""
    if isinstance(plugin, str):
        return plugin
    return f"{getattr(plugin, '__module__', '')}.{getattr(plugin, '__qualname__', type(plugin).__qualname__)}"


def render_body(body: str, body_format: str, *, footnote_prefix: str, language: str = "") -> Rendered:
    """Render a body with the blog's settings, in a language; one query when it has stored images."""
    return render(body, body_format=BodyFormat(body_format), options=_options(body, footnote_prefix, language))


def render_new_body(body: str, body_format: str, *, footnote_prefix: str, language: str = "") -> Rendered:
    """Render a body as ``render_body`` does; raise ``TooMuchMarkup`` for one that ``check_markup`` refuses."""
    return render_new(body, body_format=BodyFormat(body_format), options=_options(body, footnote_prefix, language))


def render_for_elsewhere(body: str, body_format: str, *, footnote_prefix: str, language: str = "") -> Rendered:
    """Render a body as ``render_body`` does, but with the original images only; no query."""
    return render(body, body_format=BodyFormat(body_format), options=_options("", footnote_prefix, language))


def _options(body: str, footnote_prefix: str, language: str) -> RenderOptions:
    settings = get_settings()
    return RenderOptions(
        hard_breaks=settings.markdown_hardbreaks,
        **blog_location(),
        footnote_prefix=footnote_prefix,
        images=_known_images(set(_DIGEST_IN_PATH.findall(body))),
        labels=_labels(_catalogue(language)),
        direction=_direction(language),
        plugins=markdown_plugins(),
        diagrams=frozenset(settings.diagrams),
        embeds=frozenset(settings.embeds),
    )


def stored_images_of(body: str) -> frozenset[str]:
    """Return the digests of the stored images in a body."""
    wanted = set(_DIGEST_IN_PATH.findall(body))
    if not wanted:
        return frozenset()
    return frozenset(Image.objects.filter(sha256__in=wanted).values_list("sha256", flat=True))


def rendered_body(post: Post) -> RenderedBody:
    """Return the stored rendering, or a new one if it is outdated; stores nothing.

    While a plugin of the host fails, it is the stored one as far as there is one.
    """
    stored = RenderedBody(html=post.body_html, outline=post.outline)
    if post.rendered_with == rendering_key(post.language):
        return stored
    rendered = _render(post.pk, post.body, post.body_format, post.language)
    if rendered.has_failed_plugins and post.rendered_with:
        return stored
    return RenderedBody(html=rendered.html, outline=outline_of(rendered))


def rendered_bodies(posts: Iterable[Post]) -> dict[int, str]:
    """Return the HTML of the bodies of posts by id, as ``rendered_body`` does; one query if some are outdated."""
    found = {post.pk: post.body_html if post.rendered_with == rendering_key(post.language) else None for post in posts}
    if outdated := [pk for pk, html in found.items() if html is None]:
        columns = ("body_html", "rendered_with", "pk", "body", "body_format", "language")
        for html, key, pk, *written in Post.objects.filter(pk__in=outdated).order_by().values_list(*columns):
            rendered = _render(pk, *written)
            found[pk] = html if rendered.has_failed_plugins and key else rendered.html
    return {pk: html or "" for pk, html in found.items()}


def renderings_that_differ(*, most: int, most_characters: int | None = None) -> list[int]:
    """Return the ids of public posts whose stored HTML or outline is not what their body renders to.

    At most ``most`` posts are compared, and no further one after ``most_characters`` of their bodies. They follow a
    place at random, so that others are compared at each call. What is out of date is not: readers get a new rendering.
    """
    found: list[int] = []
    for post in islice(_public_posts_from_anywhere(), most):
        if post.rendered_with == rendering_key(post.language) and _differs(post):
            found.append(post.pk)
        if most_characters is not None and (most_characters := most_characters - len(post.body)) <= 0:
            break
    return sorted(found)


def _public_posts_from_anywhere() -> Iterator[Post]:
    public = Post.objects.filter(when_public()).order_by("pk")
    last = public.values_list("pk", flat=True).last()
    start = random.randint(1, last) if last else 0  # noqa: S311  any place will do
    compared = public.only("body", "body_format", "body_html", "outline", "rendered_with", "language")
    for part in (compared.filter(pk__gte=start), compared.filter(pk__lt=start)):
        yield from part.iterator(_BATCH)


def _differs(post: Post) -> bool:
    rendered = _render(post.pk, post.body, post.body_format, post.language)
    if rendered.has_failed_plugins:
        return False
    # Loading a dump in XML takes white space off the ends.
    return (rendered.html.strip(), outline_of(rendered)) != (post.body_html.strip(), post.outline)


def _render(post_id: int, body: str, body_format: str, language: str) -> Rendered:
    return render_body(body, body_format, footnote_prefix=footnote_prefix(post_id), language=language)


def outline_of(rendered: Rendered) -> list[dict[str, Any]]:
    """Return the headings of a rendering, as stored with the post."""
    return [{"level": heading.level, "id": heading.id, "text": heading.text} for heading in rendered.headings]


def footnote_prefix(post_id: int) -> str:
    """Return the prefix of footnote ids, which allows several posts on one page."""
    return f"fn-{post_id}-"


def body_source_digest(body: str, body_format: str) -> str:
    """Return the digest that shows whether an image manifest belongs to a body."""
    return hashlib.sha256(f"{body_format}\0{body}".encode()).hexdigest()


def body_image_entries(rendered: Rendered, *, digests: Mapping[str, str]) -> list[BodyImageEntry]:
    """Return the entries of a body's images, stored ones by path, others by URL.

    ``digests`` has the known digests of the others, by their URL in the body.
    """
    urls = blog_location()
    distinct = dict.fromkeys(image.src for image in rendered.images)
    own = {src: digest for src in distinct if (digest := stored_image_digest(src, **urls))}
    stored = {image.sha256: image for image in Image.objects.filter(sha256__in=own.values())} if own else {}
    return [
        _stored_entry(image, one.alt)
        if (image := stored.get(own.get(one.src, "")))
        else BodyImageEntry(url=one.src, sha256=digests.get(one.src, ""), alt=one.alt)
        for one in rendered.images
    ]


def split_image_url(src: str) -> SplitResult:
    """Return the parts of an image URL; a backslash is a slash, as in browsers."""
    return urlsplit(src.replace("\\", "/"))


def external_images(rendered: Rendered) -> list[str]:
    """Return the URLs of the images on other hosts, as they are in the body."""
    urls = blog_location()
    hosted = (src for src in dict.fromkeys(image.src for image in rendered.images) if split_image_url(src).hostname)
    return [src for src in hosted if own_media_path(src, **urls) is None]


def _stored_entry(image: Image, alt: str) -> BodyImageEntry:
    return BodyImageEntry(url=stored_media_path(image.sha256, image.filename), sha256=image.sha256, alt=alt)


def _catalogue(language: str) -> str:
    """Return Django's language for the words in a body: that of the post as far as Django knows it, or the blog's."""
    return catalogue_of(language) or get_settings().catalogue


def _direction(language: str) -> str:
    return direction_of_language(language) if language else get_settings().direction


def _labels(language: str) -> RenderLabels:
    with override(language):
        return RenderLabels(
            copy=_("Copy"),
            copy_code=_("Copy code"),
            code=_("Code"),
            code_in=_("Code: %(language)s"),
            table=_("Table"),
            formula=_("Formula"),
            load_video=_("Load video from %(provider)s"),
            load_content=_("Load content from %(provider)s"),
            full_size=_("Image in full size"),
            full_size_of=_("Image in full size: %(text)s"),
            link_to=_("Link to %(heading)s"),
            footnotes=_("Footnotes"),
            back_to_reference=_("Back to reference %(number)s"),
            alerts={
                "note": _("Note"),
                "tip": _("Tip"),
                "important": _("Important"),
                "warning": _("Warning"),
                "caution": _("Caution"),
            },
        )


def _known_images(digests: Iterable[str]) -> dict[str, KnownImage]:
    wanted = list(digests)
    if not wanted:
        return {}
    return {image.sha256: _known_image(image) for image in Image.objects.filter(sha256__in=wanted)}


def _known_image(image: Image) -> KnownImage:
    urls = BlogURLs.on("")
    sizes = _WIDE_SIZES if is_wide(image.width, image.height) else _SIZES
    return replace(picture_of(image, urls=urls, sizes=sizes), original=original_path(image, urls=urls))
