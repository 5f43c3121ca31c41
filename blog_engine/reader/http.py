"""Conditional requests, redirects and links."""

import hashlib
import re
from datetime import datetime
from urllib.parse import urlsplit

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
FOR_AN_HOUR = "max-age=3600, public"


def revalidated(request: HttpRequest, response: HttpResponse) -> HttpResponseBase:
    """The page with its validator, or 304 when the browser has this very page.

    The tag is a digest of the whole page, so that nothing visible can change without it. Other answers than 200
    get no tag.
    """
    response.headers["Cache-Control"] = MUST_ASK_AGAIN
    # A host's parent_controller, layout or context processors may show who is signed in.
    patch_vary_headers(response, ["Cookie"])
    if response.status_code != 200:
        return response
    tag = response.headers["ETag"] = _tag_of(response)
    return get_conditional_response(request, etag=tag, response=response) or response


def public_for_an_hour(request: HttpRequest, response: HttpResponse, *, modified: datetime | None) -> HttpResponseBase:
    """The document, which shared caches may keep for an hour, with its validators; or 304 when the reader has it.

    Without ``public_base_url`` the document names the host of the request, which anyone can forge, so no shared cache
    may keep it. The tag is a digest of the whole document. ``modified`` is no earlier than the last change of anything
    that the document shows; without it there is no ``Last-Modified``. Only a client that sends no tag is answered by
    date.
    """
    response.headers["Cache-Control"] = FOR_AN_HOUR if get_settings().public_base_url else MUST_ASK_AGAIN
    # A host's parent_controller may ask who calls: what one caller may read, a shared cache must not hand to others.
    patch_vary_headers(response, ["Cookie", "Authorization"])
    tag = response.headers["ETag"] = _tag_of(response)
    since = None if modified is None else int(modified.timestamp())
    if since is not None:
        response.headers["Last-Modified"] = http_date(since)
    return get_conditional_response(request, etag=tag, last_modified=since, response=response) or response


def _tag_of(response: HttpResponse) -> str:
    return f'W/"{hashlib.sha256(response.content).hexdigest()[:32]}"'


def moved_to(address: str) -> HttpResponsePermanentRedirect:
    """A permanent redirect that browsers must ask about again, because an address can be taken back."""
    response = HttpResponsePermanentRedirect(address)
    response.headers["Cache-Control"] = MUST_ASK_AGAIN
    return response


def with_suffix(stored_path: str, *, suffix: str) -> str:
    """The stored path of a published article with ``.md``; any other target as it is."""
    slug = stored_path.removeprefix(f"{mount()}/")
    has_twin = bool(suffix) and slug != stored_path and is_slug(slug) and is_published(slug)
    return stored_path + suffix if has_twin else stored_path


def without_slash(request: HttpRequest) -> str:
    """The address that was asked for, without the slash at its end."""
    query = request.META.get("QUERY_STRING", "")
    return escape_uri_path(request.path.removesuffix("/")) + (f"?{iri_to_uri(query)}" if query else "")


_NOT_IN_ADDRESSES = re.compile(r"[\s\x00-\x20\x7f-\xa0\"<>\\^`{|}]")


def origin_of(request: HttpRequest) -> str:
    """Scheme, host and port of absolute addresses, without a trailing slash."""
    return get_settings().public_base_url or f"{request.scheme}://{request.get_host()}"


def is_safe_link(address: str) -> bool:
    """Whether the address is a path on this site or an http(s) URL with a host and without user info."""
    if _NOT_IN_ADDRESSES.search(address):
        return False
    if address.startswith("/"):
        return not address.startswith("//")
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and "@" not in parts.netloc


def without_index(response: HttpResponseBase) -> HttpResponseBase:
    """Mark the response so that no search engine lists it, and return it."""
    response.headers["X-Robots-Tag"] = "noindex"
    return response
