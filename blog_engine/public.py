"""The public Python API for hosts, which the template tags share."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final, NotRequired, TypedDict

from django.core.exceptions import ImproperlyConfigured
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.conf.types import checked_origin
from blog_engine.content.options import PictureSource
from blog_engine.deferred import preload
from blog_engine.enums import BodyFormat, Label, PolicyKind
from blog_engine.images.links import sign_stored_file
from blog_engine.models import Image, Post, before_end
from blog_engine.queries import policies, sitemap
from blog_engine.queries.listings import on_cards, public_posts
from blog_engine.rendering.bodies import render_body
from blog_engine.rendering.images import image_origin, picture_of
from blog_engine.rules.dates import known_dates
from blog_engine.rules.label import Mark, image_note, label_of, marks_of
from blog_engine.rules.rights import usage_fields

__all__ = [
    "LatestPost",
    "PostCover",
    "SitemapEntry",
    "latest_posts",
    "policy_url",
    "preload",
    "render_markdown",
    "robots_lines",
    "sign_stored_file",
    "sitemap_entries",
]

MOST_LATEST_POSTS: Final = 100


@dataclass(frozen=True, slots=True)
class PostCover:
    """The cover of a post: path, size in pixels, and variants for a ``picture``."""

    path: str
    alt: str
    width: int
    height: int
    sources: tuple[PictureSource, ...]
    note: str
    """Whom to credit, and what part AI has in it, to show beside it; empty if there is nothing to say."""


@dataclass(frozen=True, slots=True)
class LatestPost:
    """A public post, for pages of the host."""

    title: str
    language: str
    """The language tag of the post, or that of the blog."""
    path: str
    """The path of the article, with the mount path and ``SCRIPT_NAME``."""
    url: str
    """The absolute URL of the article; without ``public_base_url``, the path."""
    description: str
    """The description, or the first 60 words of the body, as plain text."""
    author: str
    category: str | None
    published: datetime | None
    """``None`` if the date is unknown."""
    updated: datetime | None
    """The time of the last change, if it is later than the publication."""
    reading_time_minutes: int
    label: Label
    """Whether AI is said to have helped."""
    is_paid: bool
    """Whether a third party paid."""
    cover: PostCover | None
    coauthors: tuple[str, ...] = ()
    """The names of the further authors."""

    @property
    def authors(self) -> tuple[str, ...]:
        """The names of all authors, in the order of the byline."""
        return (self.author, *self.coauthors)

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The marks of the post in lists: ``kind``, ``word`` and ``sentence`` of each, in the active language."""
        return marks_of(self.label, is_paid=self.is_paid)


class SitemapEntry(TypedDict):
    """A page for search engines: its absolute URL and, if known, its last change."""

    loc: str
    lastmod: NotRequired[datetime]


def latest_posts(count: int = 5, *, category: str = "", tag: str = "") -> tuple[LatestPost, ...]:
    """Return up to ``count`` (1 to 100) public posts in the order of the index.

    ``category`` and ``tag`` are slugs that narrow the selection; an unknown slug selects nothing. Takes one query.
    Raises ``ValueError`` for a count out of range.
    """
    if type(count) is not int or not 1 <= count <= MOST_LATEST_POSTS:
        raise ValueError(f"count must be a whole number from 1 to {MOST_LATEST_POSTS}, not {count!r}.")
    posts = public_posts()
    if category:
        posts = posts.filter(category__slug=category)
    if tag:
        posts = posts.filter(taggings__tag__slug=tag)
    urls, now = BlogURLs.on(get_settings().public_base_url or ""), timezone.now()
    found = on_cards(posts.filter(before_end(now))).annotate(has_responsible_party=policies.names_responsible_party())  # type: ignore[no-redef]  # Post declares it for readers
    return tuple(_latest(post, urls=urls, now=now) for post in found[:count])


def policy_url(kind: str) -> str | None:
    """Return the URL of a policy in the settings or the path of its page, or ``None``.

    ``kind`` is ``responsible_party``, ``corrections``, ``editorial`` or ``ai_use``; any other value gives ``None``.
    """
    return policies.find_policy_url(PolicyKind(kind)) if kind in set(PolicyKind) else None


def render_markdown(text: str) -> SafeString:
    """Render Markdown to safe HTML like the body of an article.

    Wrap the result in an element with ``class="blog-prose"`` for the style of articles. A page with content of other
    sites (setting ``embeds``) loads ``blog_engine/embeds.js`` as a module: without it, the buttons stay hidden. Each
    call renders: cache the result of a text that rarely changes.
    """
    rendered = render_body(text, BodyFormat.MARKDOWN, footnote_prefix="fn-")
    return mark_safe(rendered.html)  # noqa: S308 - the output of the renderer is sanitised


def robots_lines() -> tuple[str, ...]:
    """Return the lines about the blog for the site's ``robots.txt``: the setting ``rights``, and the sitemap.

    The wishes belong below ``User-agent: *``. The sitemap needs ``public_base_url``.
    """
    settings, lines = get_settings(), dict(usage_fields())
    if settings.serve_sitemap and settings.public_base_url:
        urls = BlogURLs.on(settings.public_base_url)
        lines["Sitemap"] = urls.absolute(urls.sitemap_path())
    return tuple(f"{name}: {value}" for name, value in lines.items())


def sitemap_entries(base_url: str | None = None) -> list[SitemapEntry]:
    """Return the entries of the blog's sitemap, for a sitemap of the host.

    ``base_url`` is the origin of the URLs; default: ``public_base_url``. The setting ``serve_sitemap`` makes no
    difference. Raises ``ImproperlyConfigured`` without an origin, and for one with a path, query, fragment or user.
    """
    urls = BlogURLs.on(_origin(get_settings().public_base_url if base_url is None else base_url))
    return [_sitemap_entry(entry, urls=urls) for entry in sitemap.Sitemap(urls, now=timezone.now()).entries()]


def _latest(post: Post, *, urls: BlogURLs, now: datetime) -> LatestPost:
    dates = known_dates(post, now=now)
    return LatestPost(
        title=post.title,
        language=post.language or get_settings().language,
        path=urls.post_path(post.slug),
        url=urls.post_url(post.slug),
        description=post.summary,
        author=post.author_name,
        coauthors=post.byline[1:],
        category=post.category.name if post.category else None,
        published=dates.published,
        updated=dates.updated,
        reading_time_minutes=post.reading_time_minutes,
        label=label_of(post, has_responsible_party=post.has_responsible_party),
        is_paid=bool(post.is_paid),
        cover=_cover(post.cover_image, alt=post.cover_alt, urls=urls) if post.cover_image else None,
    )


def _cover(image: Image, *, alt: str, urls: BlogURLs) -> PostCover:
    picture = picture_of(image, urls=urls)
    note = image_note(image_origin(image))
    return PostCover(picture.path, alt, picture.width, picture.height, picture.sources, note)


def _origin(base_url: object) -> str:
    try:
        if isinstance(base_url, str):
            return checked_origin(base_url)
    except ValueError:
        pass
    raise ImproperlyConfigured(
        f"The sitemap needs an origin such as https://example.com, not {base_url!r}: pass base_url to sitemap_entries, "
        "or set BLOG_ENGINE['public_base_url']."
    )


def _sitemap_entry(entry: sitemap.SitemapPage, *, urls: BlogURLs) -> SitemapEntry:
    found = SitemapEntry(loc=urls.absolute(entry.path))
    if entry.changed_at:
        found["lastmod"] = entry.changed_at
    return found
