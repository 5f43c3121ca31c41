"""Where links and redirects lead."""

from urllib.parse import urljoin, urlsplit

from django.utils.encoding import iri_to_uri

from blog_engine.fetching import REDIRECTS
from blog_engine.report.surface.site import Page


def target_of(page: Page, href: str) -> str | None:
    """The absolute URL that a link on a page leads to; ``None`` when no browser would ask for it over HTTP."""
    try:
        return _of_the_web(urljoin(urljoin(page.url, page.html.base), href.strip()))
    except ValueError:
        return None


def redirect_target(page: Page) -> str | None:
    """The absolute URL that a redirect leads to; ``None`` for any other answer, and for one that leads nowhere."""
    if page.status not in REDIRECTS:
        return None
    try:
        return _of_the_web(urljoin(page.url, page.headers["location"].strip()))
    except (KeyError, ValueError):
        return None


def same_url(one: str, other: str) -> bool:
    """Whether two URLs are the same once what a URL cannot hold is encoded, as servers do in ``Location``."""
    return iri_to_uri(one) == iri_to_uri(other)


def _of_the_web(url: str) -> str | None:
    parts = urlsplit(url)
    return url if parts.scheme in {"http", "https"} and parts.hostname else None
