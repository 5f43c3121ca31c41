"""Conditional requests, redirects and links."""

import hashlib
from datetime import datetime

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.encoding import escape_uri_path, iri_to_uri
from django.utils.http import http_date

from blog_engine.blog_urls import mount
from blog_engine.conf import get_settings
from blog_engine.content.text import is_slug
from blog_engine.queries.articles import is_published

MUST_ASK_AGAIN = "max-age=0, private, must-revalidate"
_FOR_AN_HOUR = "max-age=3600, public"


def conditional_response(request: HttpRequest, response: HttpResponse) -> HttpResponseBase:
    """Return the page with its ``ETag``, or 304 when the browser has this very page.

    The tag is a digest of the whole page, so that nothing visible can change without it. Only a response with status
    200 gets one.
    """
    response.headers["Cache-Control"] = MUST_ASK_AGAIN
    # A host's parent_controller, layout or context processors may show who is signed in.
    patch_vary_headers(response, ["Cookie"])
    if response.status_code != 200:
        return response
    tag = response.headers["ETag"] = _tag_of(response)
    return get_conditional_response(request, etag=tag, response=response) or response


def cacheable_response(request: HttpRequest, response: HttpResponse, *, modified: datetime | None) -> HttpResponseBase:
    """Return a document for shared caches, kept for an hour, or 304.

    Without ``public_base_url`` the document names the host of the request, which anyone can forge, so no shared cache
    may keep it (``pages.forged-host``). The tag is a digest of the whole document. ``modified`` becomes
    ``Last-Modified``, and must be no earlier than the last change of anything in the document.
    """
    response.headers["Cache-Control"] = _FOR_AN_HOUR if get_settings().public_base_url else MUST_ASK_AGAIN
    # A host's parent_controller may ask who calls. What it allows one caller must not reach others through a cache.
    patch_vary_headers(response, ["Cookie", "Authorization"])
    tag = response.headers["ETag"] = _tag_of(response)
    since = None if modified is None else int(modified.timestamp())
    if since is not None:
        response.headers["Last-Modified"] = http_date(since)
    return get_conditional_response(request, etag=tag, last_modified=since, response=response) or response


def _tag_of(response: HttpResponse) -> str:
    return f'W/"{hashlib.sha256(response.content).hexdigest()[:32]}"'


def permanent_redirect(url: str) -> HttpResponsePermanentRedirect:
    """Return a permanent redirect, revalidated because it can be deleted."""
    response = HttpResponsePermanentRedirect(url)
    response.headers["Cache-Control"] = MUST_ASK_AGAIN
    return response


def with_suffix(stored_path: str, *, suffix: str) -> str:
    """Return the path with the suffix if it is that of a published article."""
    slug = stored_path.removeprefix(f"{mount()}/")
    is_article = bool(suffix) and slug != stored_path and is_slug(slug) and is_published(slug)
    return stored_path + suffix if is_article else stored_path


def without_slash(request: HttpRequest) -> str:
    """Return the path and query of the request, without a trailing slash."""
    query = request.META.get("QUERY_STRING", "")
    return escape_uri_path(request.path.removesuffix("/")) + (f"?{iri_to_uri(query)}" if query else "")


def mark_noindex(response: HttpResponseBase) -> HttpResponseBase:
    """Tell search engines not to index the response, and return it."""
    response.headers["X-Robots-Tag"] = "noindex"
    return response
