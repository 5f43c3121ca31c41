"""Addresses that lead somewhere else (reader.md 4.1, decisions.md 7.5)."""

from django.http import HttpRequest, HttpResponsePermanentRedirect
from django.utils.encoding import escape_uri_path, iri_to_uri

from blog_engine.addresses import mount
from blog_engine.content.text import is_slug
from blog_engine.queries.articles import is_published
from blog_engine.reader.conditional import MUST_ASK_AGAIN


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
