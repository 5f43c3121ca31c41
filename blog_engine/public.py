"""What a host's own code may call (decisions.md 1)."""

from datetime import datetime
from typing import NotRequired, TypedDict

from django.core.exceptions import ImproperlyConfigured
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from blog_engine.addresses import Addresses
from blog_engine.conf import get_settings
from blog_engine.conf.types import checked_origin
from blog_engine.images.signed import sign_stored_file
from blog_engine.queries import policies, sitemap
from blog_engine.queries.rendering import render_body
from blog_engine.vocabulary import BodyFormat, PolicyKind

__all__ = ["SitemapEntry", "policy_url", "render_markdown", "sign_stored_file", "sitemap_entries"]


class SitemapEntry(TypedDict):
    """A page for search engines: its absolute address and, where it is known, when it last changed."""

    loc: str
    lastmod: NotRequired[datetime]


def policy_url(kind: str) -> str | None:
    """The address of a policy: the configured one, else the published page's path, else ``None``.

    ``kind`` is ``responsible_party``, ``corrections``, ``editorial`` or ``ai_use``; another word gives ``None``.
    """
    return policies.policy_url(PolicyKind(kind)) if kind in set(PolicyKind) else None


def render_markdown(text: str) -> SafeString:
    """Markdown as safe HTML, by the renderer of the articles; wrap it in ``class="blog-prose"`` to have their looks.

    Renders on every call: keep the result where the text changes seldom.
    """
    rendered = render_body(text, BodyFormat.MARKDOWN, footnote_prefix="fn-")
    return mark_safe(rendered.html)  # noqa: S308 - the renderer's output went through its allow list


def sitemap_entries(base_url: str | None = None) -> list[SitemapEntry]:
    """What the blog's own sitemap lists, in its order, for a sitemap of the host (service.md 4.3).

    ``base_url`` is the origin of the addresses, ``public_base_url`` unless given; whether the blog serves a sitemap
    makes no difference. Raises ``ImproperlyConfigured`` without an origin, and for one with a path, query, fragment
    or user.
    """
    here = Addresses.on(_origin(get_settings().public_base_url if base_url is None else base_url))
    return [_with_address(entry, here=here) for entry in sitemap.sitemap_entries(here, now=timezone.now())]


def _origin(base_url: object) -> str:
    try:
        if isinstance(base_url, str):
            return checked_origin(base_url)
    except ValueError:
        pass
    raise ImproperlyConfigured(
        f"The sitemap needs an origin such as https://example.com, not {base_url!r}: give sitemap_entries a base_url, "
        "or set BLOG_ENGINE['public_base_url']."
    )


def _with_address(entry: sitemap.SitemapEntry, *, here: Addresses) -> SitemapEntry:
    found = SitemapEntry(loc=here.absolute(entry.path))
    if entry.changed_at:
        found["lastmod"] = entry.changed_at
    return found
