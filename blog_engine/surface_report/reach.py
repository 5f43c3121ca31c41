"""T1, T2, T4 and T14: how crawlers and readers get to a page, from the URLs it had before, and on from it."""

import re
from collections.abc import Iterator
from typing import Final, Literal
from urllib.parse import urldefrag, urljoin, urlsplit

from django.conf import settings as django_settings
from django.db.models import Min
from django.shortcuts import resolve_url
from django.urls import NoReverseMatch

from blog_engine.blog_urls import origin_parts, public_path
from blog_engine.enums import ReportScope
from blog_engine.models import Baseline, Redirect
from blog_engine.queries.redirects import redirects
from blog_engine.rules.dates import iso_date
from blog_engine.surface_report.html import HtmlPage
from blog_engine.surface_report.observation import (
    Observation,
    Row,
    cut,
    failed,
    judged_by,
    not_applicable,
    not_verified,
    passed,
)
from blog_engine.surface_report.robots import CRAWLERS, NOT_INDEXED, RobotsTxt, directives_of, robots_txt
from blog_engine.surface_report.site import FetchedPage, Inspection, Site, same_url
from blog_engine.surface_report.web import MOST_URLS

_NOT_REQUESTED: Final = not_verified("Not requested: ask for it with reach=true.")
_LinkEnd = Literal["page", "sign-in", "forbidden", "nowhere", "unknown"]
_PASSWORD: Final = re.compile(r"type\s*=\s*[\"']?\s*password", re.IGNORECASE)
"""In every password field; it spares most pages from being parsed."""

_MOVED: Final = (301, 308)
_GONE: Final = (404, 410)


def reach_rows(inspection: Inspection) -> Iterator[Row]:
    """Yield three rows for each article, or for the index page in the scope ``site`` (surface-report.reach)."""
    site, is_about_site = inspection.site, inspection.scope is ReportScope.SITE
    if not inspection.reach:
        yield from () if is_about_site else (Row(predicate, _NOT_REQUESTED) for predicate in ("T1", "T2", "T14"))
        return
    rules = robots_txt(site)
    pages: list[tuple[FetchedPage, str, int | None]]
    pages = [(article.page, "The article page", article.id) for article in inspection.articles]
    if is_about_site:
        pages = [(site.open(site.urls.index_path()), "The index page", None)]
    for page, what, post_id in pages:
        yield Row("T1", _judge_crawling(page, what, rules, is_article=not is_about_site), post_id)
        yield Row("T2", _judge_https(page, site=site), post_id)
        yield Row("T14", judge_links(page, site=site) if page.is_open else page.unavailable(what), post_id)


def _judge_crawling(page: FetchedPage, what: str, rules: RobotsTxt | None, *, is_article: bool) -> Observation:
    """T1: the page opens, has text, may be indexed, and ``robots.txt`` lets both crawlers fetch it."""
    if not page.is_open:
        return page.unavailable(what)
    html = page.html
    regions = list(html.with_attr("data-blog-content")) if is_article else list(html.all("main")) or [html]
    has_text = any(region.visible_text() for region in regions)
    faults = [] if has_text else [f"{what} has no visible text in its content."]
    directives = directives_of(html, page.headers)
    faults += [f"{what} is kept from search results: {one}." for one in directives if one.word in NOT_INDEXED]
    forbidden = [one for one in CRAWLERS if rules and not rules.allows(one, page.url)]
    faults += [f"robots.txt forbids {one} to crawl {cut(page.url)}." for one in forbidden]
    doubts = [] if rules else ["The rules of robots.txt are unknown: it could not be fetched."]
    return judged_by(faults, doubts, well=f"{what} opens, has text, and keeps no crawler out.")


def _judge_https(page: FetchedPage, *, site: Site) -> Observation:
    """T2: the page opens over https, and its http URL redirects there.

    Of the two one is the site's own; the other, on the usual port, must be on a public IP address to be fetched.
    """
    secure, plain = (site.open(url) if url else None for url in _both(page.url))
    faults: list[str] = []
    if secure and secure.status is not None and not secure.is_open:
        faults.append(secure.unavailable("The https URL").reason)
    if plain and plain.status is not None:
        target = plain.redirect_target
        if target is None:
            faults.append(f"The http URL answers {plain.status} and should redirect to https.")
        elif urlsplit(target).scheme != "https":
            faults.append(f"The http URL redirects to {cut(target)} and should redirect to https.")
    doubts = []
    for scheme, found in (("https", secure), ("http", plain)):
        if found is None:
            doubts.append(f"The site uses a non-default port, so its {scheme} URL cannot be derived.")
        elif found.status is None:
            private = "" if found.url == page.url else ": its IP address must be public"
            doubts.append(f"The {scheme} URL could not be fetched{private}.")
    return judged_by(faults, doubts, well="The page opens over https, and its http URL redirects there.")


def _both(url: str) -> tuple[str | None, str | None]:
    """Return the https and the http URL of a page; of an unusual port only the one that is known."""
    parts = urlsplit(url)
    is_usual = origin_parts(url) == (parts.scheme, parts.hostname, {"http": 80, "https": 443}.get(parts.scheme))
    if not is_usual:
        return (url, None) if parts.scheme == "https" else (None, url)
    host = parts.netloc.rpartition("@")[2].removesuffix(":80").removesuffix(":443")
    secure, plain = (parts._replace(scheme=scheme, netloc=host).geturl() for scheme in ("https", "http"))
    return (url, plain) if parts.scheme == "https" else (secure, url)


def judge_links(page: FetchedPage, *, site: Site) -> Observation:
    """T14: each link to the same origin opens, and only declared ones lead to a sign-in page (surface-report.t14)."""
    links = list(dict.fromkeys(_own_links(page, site=site)))
    # A password field that the page with the link also has belongs to the layout.
    sign_in, fields_count = _sign_in_url(page), not _asks_for_password(page)
    faults: dict[str, str] = {}
    doubts: dict[str, str] = {}
    for url in links:
        end, reason = _end_of(url, site=site, sign_in=sign_in, fields_count=fields_count)
        if end == "page" or (end in ("sign-in", "forbidden") and _is_declared(url, site=site)):
            continue
        if end == "unknown":
            doubts[url] = reason
        elif end == "sign-in" and site.settings.sign_in_destinations is None:
            doubts[url] = f"{reason}; sign_in_destinations is not set"
        else:
            faults[url] = reason
    return judged_by(
        [f"{cut(url)} {reason}." for url, reason in faults.items()],
        [f"{cut(url)} {reason}." for url, reason in doubts.items()],
        well=f"Each of the {len(links)} links to the same site opens.",
        details={"links": [*faults, *doubts]} if faults or doubts else None,
    )


def _end_of(url: str, *, site: Site, sign_in: str | None, fields_count: bool) -> tuple[_LinkEnd, str]:
    """Return where a link ends for readers who are not signed in, and what is wrong with it as an end of a sentence."""
    page = site.open(url)
    for is_last in (False, True):
        target = page.redirect_target
        if target is None:
            break
        if sign_in in (_without_query(target), _without_query(page.url)):
            return "sign-in", "leads to a sign-in page"
        if is_last:
            return "nowhere", "is redirected more than once"
        if not _is_own(target, site=site):
            return "unknown", "leads to another site, which is not looked at"
        page = site.open(target)
    if page.status is None:
        return "unknown", "could not be fetched"
    if not page.is_open:
        return "forbidden" if page.status in (401, 403) else "nowhere", f"answers {page.status}"
    if _without_query(page.url) == sign_in or (fields_count and _asks_for_password(page)):
        return "sign-in", "leads to a sign-in page"
    return "page", ""


def _own_links(page: FetchedPage, *, site: Site) -> Iterator[str]:
    for link in page.html.all("a", "area"):
        if "href" in link.attrs and not link.is_inside("template"):
            url = page.target_of(link.attrs["href"])
            if url and _is_own(url, site=site):
                yield urldefrag(url).url


def _is_own(url: str, *, site: Site) -> bool:
    try:
        return origin_parts(url) == origin_parts(site.urls.origin)
    except ValueError:
        # The port is not a number.
        return False


def _is_declared(url: str, *, site: Site) -> bool:
    path = urlsplit(url).path
    prefixes = (public_path(prefix).rstrip("/") for prefix in site.settings.sign_in_destinations or ())
    return any(f"{path}/".startswith(f"{prefix}/") for prefix in prefixes)


def _sign_in_url(page: FetchedPage) -> str | None:
    try:
        return _without_query(urljoin(page.url, resolve_url(django_settings.LOGIN_URL)))
    except NoReverseMatch:
        return None


def _asks_for_password(page: FetchedPage) -> bool:
    if not _PASSWORD.search(page.text):
        return False
    # Not the cached tree of the page: hundreds of them would be kept.
    fields = HtmlPage(page.text).all("input")
    return any(one.attrs.get("type", "").strip().lower() == "password" and not one.is_hidden() for one in fields)


def _without_query(url: str) -> str:
    return urldefrag(url).url.partition("?")[0]


def redirect_rows(inspection: Inspection) -> Iterator[Row]:
    """Yield T4 for each stored redirect, the oldest first (surface-report.t4)."""
    site, total = inspection.site, redirects().count()
    if not total:
        first = Baseline.objects.aggregate(first=Min("adopted_at"))["first"]
        imports = f"The import of articles started on {iso_date(first)}" if first else "No article was imported"
        reason = f"No redirect is stored. {imports}; old_slugs of POST /adoptions become redirects."
        yield Row("T4", not_applicable(reason))
    # No more can be requested, and the one after them says so.
    for position, row in enumerate(redirects()[: MOST_URLS + 1]):
        page = _requested(public_path(row.old_path), site=site)
        if page.status is None and (site.web.limitations or not site.is_reachable):
            yield Row("T4", _not_requested(total - position, site=site))
            return
        yield Row("T4", _judge_redirect(row, page, site=site))


def _requested(path: str, *, site: Site) -> FetchedPage:
    """Return the answer of a path; the blog removes a trailing slash before it looks for the page."""
    page = site.open(path)
    target = page.redirect_target
    is_slash = path.endswith("/") and target is not None and same_url(target, page.url.removesuffix("/"))
    return site.open(str(target)) if is_slash and page.status in _MOVED else page


def _judge_redirect(row: Redirect, page: FetchedPage, *, site: Site) -> Observation:
    path, details = cut(row.old_path), {"path": row.old_path}
    if page.status is None:
        return not_verified(f"{path} could not be fetched.", details=details)
    if row.new_path is None:
        if page.status in _GONE:
            return passed(f"{path} was removed and answers {page.status}.", details=details)
        return failed(f"{path} was removed, but answers {page.status}.", details=details)
    expected = site.urls.absolute(public_path(row.new_path))
    found = page.redirect_target
    if page.status not in _MOVED or found is None:
        return failed(f"{path} answers {page.status} and should lead to {cut(expected)} permanently.", details=details)
    # The Markdown text of an article redirects to that of the other one.
    is_markdown = row.old_path.endswith(".md") and same_url(found, f"{expected}.md")
    if not is_markdown and not same_url(found, expected):
        return failed(f"{path} leads to {cut(found)} and should lead to {cut(expected)}.", details=details)
    return passed(f"{path} leads to {cut(expected)}.", details=details)


def _not_requested(count: int, *, site: Site) -> Observation:
    why = site.web.limitations[0] if site.web.limitations else "public_base_url is not set."
    which = "1 redirect was" if count == 1 else f"{count} redirects were"
    return not_verified(f"{which} not requested: {why}", details={"redirects": count})
