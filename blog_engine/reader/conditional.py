"""Answers that are kept but asked about again (reader.md 1.5, decisions.md 3.17)."""

import hashlib
from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import http_date

from blog_engine.conf import get_settings

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
