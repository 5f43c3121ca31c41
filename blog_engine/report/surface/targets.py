"""Where links lead."""

from urllib.parse import urljoin, urlsplit

from blog_engine.report.surface.site import Page


def target_of(page: Page, href: str) -> str | None:
    """The absolute URL that a link on a page leads to; ``None`` when no browser would ask for it over HTTP."""
    try:
        url = urljoin(urljoin(page.url, _base_of(page)), href.strip())
        parts = urlsplit(url)
    except ValueError:
        return None
    return url if parts.scheme in {"http", "https"} and parts.hostname else None


def _base_of(page: Page) -> str:
    # In the head alone: this is asked for every link, and hardly any page has one.
    head = next(page.html.root.all("head"), None)
    bases = (base.attrs["href"].strip() for base in head.all("base") if "href" in base.attrs) if head else iter(())
    return next(bases, "")
