"""The 503 page for readers while the database is unavailable."""

from django.db import Error
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from blog_engine.blog_urls import BlogURLs
from blog_engine.errors import Refusal
from blog_engine.http.requests import origin_of
from blog_engine.http.responses import logged_refusal_of, never_stored, refuse
from blog_engine.reader.blog import describe_blog_offline
from blog_engine.reader.http import mark_noindex
from blog_engine.reader.page import full_title


def unavailable_response(request: HttpRequest, fault: Error) -> HttpResponseBase | None:
    """Return the 503 response to a database fault, or ``None`` for a bug.

    The page needs no database, so it uses neither the host's layout and context processors nor its
    ``parent_controller``. Search suggestions get the error envelope.
    """
    refusal = logged_refusal_of(fault)
    if refusal is None:
        return None
    return mark_noindex(refuse(refusal) if _is_for_suggestions(request) else _page(request, refusal))


def _page(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    blog = describe_blog_offline(BlogURLs.on(origin_of(request)), now=timezone.now())
    title = _("Back in a moment")
    context = {"blog": blog, "heading": title, "title": full_title(title)}
    html = render_to_string("blog_engine/out_of_reach.html", context)
    headers = {"Content-Language": get_language() or "", "Retry-After": str(refusal.retry_after)}
    return never_stored(HttpResponse(html, status=refusal.status, headers=headers))


def _is_for_suggestions(request: HttpRequest) -> bool:
    return request.path_info.endswith("/search.json") or "json" in request.GET.getlist("format")
