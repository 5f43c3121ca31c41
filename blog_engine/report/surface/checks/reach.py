"""How crawlers and readers get to a page, and on from it (records.md 16: T1, T2, T14; decisions.md 3.24)."""

from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from blog_engine.blog_urls import origin_parts
from blog_engine.enums import ReportScope
from blog_engine.report.surface.checks._onward import onward_links
from blog_engine.report.surface.inspection import Inspection
from blog_engine.report.surface.observation import Observation, Row, judged_by, not_verified
from blog_engine.report.surface.quoting import cut
from blog_engine.report.surface.robots import CRAWLERS, NOT_LISTED, directives_of, robots_txt
from blog_engine.report.surface.robots_txt import RobotsTxt
from blog_engine.report.surface.site import Page, Site
from blog_engine.report.surface.targets import redirect_target

_NOT_REQUESTED: Final = not_verified("Not requested: ask for it with reach=true.")


def reach_rows(inspection: Inspection) -> Iterator[Row]:
    """Three rows for each article, or for the index page in the scope ``site``.

    Unless reach is requested nothing is fetched: three rows say so where articles are looked at, and none elsewhere.
    """
    is_about_site = inspection.scope is ReportScope.SITE
    if not inspection.reach:
        yield from () if is_about_site else (Row(predicate, _NOT_REQUESTED) for predicate in ("T1", "T2", "T14"))
        return
    site = inspection.site
    rules = robots_txt(site)
    if is_about_site:
        yield from _rows(site.open(site.urls.index_path()), "The index page", None, rules=rules, site=site)
    for article in inspection.articles:
        yield from _rows(article.page, "The article page", article.id, rules=rules, site=site)


def _rows(page: Page, what: str, post_id: int | None, *, rules: RobotsTxt | None, site: Site) -> Iterator[Row]:
    yield Row("T1", _open_to_crawlers(page, what, rules, is_article=post_id is not None), post_id)
    yield Row("T2", _secured(page, site=site), post_id)
    yield Row("T14", onward_links(page, site=site) if page.is_open else page.unavailable(what), post_id)


def _open_to_crawlers(page: Page, what: str, rules: RobotsTxt | None, *, is_article: bool) -> Observation:
    """The page opens, has text, may be listed, and ``robots.txt`` lets both crawlers look at it."""
    if not page.is_open:
        return page.unavailable(what)
    faults = [] if _has_text(page, is_article=is_article) else [f"{what} has no visible text in its content."]
    told = directives_of(page.html, page.headers)
    faults += [f"{what} may not be listed: {one}." for one in told if one.word in NOT_LISTED]
    forbidden = [one for one in CRAWLERS if rules and not rules.allows(one, page.url)]
    faults += [f"robots.txt forbids {one} to look at {cut(page.url)}." for one in forbidden]
    doubts = [] if rules else ["Nobody can tell what robots.txt allows: it could not be fetched."]
    return judged_by(faults, doubts, well=f"{what} opens, has text, and keeps no crawler out.")


def _has_text(page: Page, *, is_article: bool) -> bool:
    root = page.html.root
    regions = list(root.with_attr("data-blog-content")) if is_article else list(root.all("main")) or [root]
    return any(region.visible_text() for region in regions)


def _secured(page: Page, *, site: Site) -> Observation:
    """The page opens over https, and its http address leads there.

    Of the two the own one is the site's; the other, on the usual port, must have a public address to be fetched.
    """
    secure, plain = (site.open(url) if url else None for url in _both(page.url))
    faults: list[str] = []
    if secure and secure.status is not None and not secure.is_open:
        faults.append(secure.unavailable("The https address").reason)
    if plain and plain.status is not None:
        faults += _faults_of_plain(plain)
    doubts = [
        doubt for scheme, found in (("https", secure), ("http", plain)) if (doubt := _doubt_about(found, scheme, page))
    ]
    return judged_by(faults, doubts, well="The page opens over https, and its http address leads there.")


def _doubt_about(found: Page | None, scheme: str, page: Page) -> str | None:
    if found is None:
        return f"The site has a port of its own, so that nobody can tell its {scheme} address."
    if found.status is None:
        private = "" if found.url == page.url else ": its network address must be a public one"
        return f"The {scheme} address could not be fetched{private}."
    return None


def _both(url: str) -> tuple[str | None, str | None]:
    """The https and the http address of a page; of a port of its own only the one that is known."""
    parts = urlsplit(url)
    is_usual = origin_parts(url) == (parts.scheme, parts.hostname, {"http": 80, "https": 443}.get(parts.scheme))
    if not is_usual:
        return (url, None) if parts.scheme == "https" else (None, url)
    host = parts.netloc.rpartition("@")[2].removesuffix(":80").removesuffix(":443")
    secure, plain = (parts._replace(scheme=scheme, netloc=host).geturl() for scheme in ("https", "http"))
    return (url, plain) if parts.scheme == "https" else (secure, url)


def _faults_of_plain(page: Page) -> list[str]:
    target = redirect_target(page)
    if target is None:
        return [f"The http address answers {page.status} and should lead to https."]
    if urlsplit(target).scheme != "https":
        return [f"The http address leads to {cut(target)} and should lead to https."]
    return []
