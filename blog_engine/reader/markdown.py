"""The Markdown text of an article as a page (reader.md 5)."""

from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.encoding import iri_to_uri

from blog_engine.addresses import Addresses
from blog_engine.models import Post
from blog_engine.queries.articles import article_markdown, canonical_url
from blog_engine.reader.conditional import revalidated


def markdown_response(request: HttpRequest, post: Post, *, here: Addresses, now: datetime) -> HttpResponseBase:
    """The Markdown text with its headers, or 304; it points search engines to the page."""
    response = HttpResponse(article_markdown(post, here=here, now=now), content_type="text/markdown; charset=utf-8")
    response.headers["X-Robots-Tag"] = "noindex"
    # A header takes ASCII only: an address with other letters is sent as the URI that it stands for.
    response.headers["Link"] = f'<{iri_to_uri(canonical_url(post, here=here))}>; rel="canonical"'
    return revalidated(request, response)
