"""T5, T6 and T21: how sitemap, feeds and list pages lead to the articles."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Final, NamedTuple

from blog_engine.enums import FeedFormat
from blog_engine.models import Post
from blog_engine.queries.articles import canonical_url
from blog_engine.queries.listings import public_posts, sitemap_list_pages
from blog_engine.queries.sitemap import is_on_site
from blog_engine.surface_report.documents import FeedContent, SitemapURLs, read_atom, read_json_feed, sitemap_urls
from blog_engine.surface_report.html import HtmlPage
from blog_engine.surface_report.observation import Observation, cut, folded, judged_by, not_verified, quote
from blog_engine.surface_report.page_facts import day_of, read_date
from blog_engine.surface_report.robots import (
    CRAWLERS,
    NOT_FOLLOWED,
    NOT_INDEXED,
    RobotsDirective,
    RobotsTxt,
    directives_of,
    robots_txt,
)
from blog_engine.surface_report.site import FetchedPage, Inspection, Site

_FORMATS: Final[Mapping[FeedFormat, tuple[str, str, Callable[[bytes], FeedContent]]]] = {
    FeedFormat.ATOM: ("Atom feed", "application/atom+xml", read_atom),
    FeedFormat.JSON: ("JSON Feed", "application/feed+json", read_json_feed),
}


def judge_sitemap(inspection: Inspection) -> Observation:
    """T5: the sitemap lists the selected articles as it should (surface-report.t5)."""
    listed = sitemap_urls(inspection.site)
    if isinstance(listed, Observation):
        return listed
    posts = [record.post for record in inspection.posts]
    return judged_by(
        [fault for post in posts for fault in _faults_in_sitemap(post, listed, site=inspection.site)],
        well="The sitemap says of each article what it should.",
        details={"articles": len(posts), "listed": len(listed)},
    )


def judge_feeds(inspection: Inspection) -> Observation:
    """T6: index and selected articles link to an Atom feed and a JSON Feed, both valid and with the newest post.

    Of several feeds of one format, such as a layout may add, the blog's own is meant, else the first.
    """
    site = inspection.site
    pages = [(site.open(site.urls.index_path()), "The index page")]
    pages += [(site.open_post(record), f"The page of {record.post.slug}") for record in inspection.posts]
    feeds: dict[str, FeedFormat] = {}
    faults: list[str] = []
    closed = [(page, what) for page, what in pages if not page.is_open]
    for page, what in pages:
        for format, (name, media_type, _) in _FORMATS.items() if page.is_open else ():
            if url := _announced(page, format, media_type, site=site):
                feeds.setdefault(url, format)
            else:
                faults.append(f"{what} announces no {name}.")
    newest = public_posts().first()
    for url, format in feeds.items():
        name, _, read = _FORMATS[format]
        feed, what = site.open(url), f"The {name} at {cut(url)}"
        if feed.is_open:
            faults += _faults_of_feed(read(feed.body), what, newest, site=site)
        else:
            closed.append((feed, what))
    return judged_by(
        [*(page.unavailable(what).reason for page, what in closed if page.status is not None), *faults],
        [page.unavailable(what).reason for page, what in closed],
        well="Both feeds are announced and valid" + (", and have the newest article." if newest else "."),
        details={"feeds": [cut(url) for url in feeds]},
    )


def judge_list_pages(inspection: Inspection) -> Observation:
    """T21: pages of the index and of lists may be indexed and crawled as they should (surface-report.t21)."""
    site = inspection.site
    if "primary_list_type" not in site.settings.model_fields_set:
        return not_verified('No list type is configured: set primary_list_type to "categories" or "tags".')
    if not site.is_reachable:
        return not_verified("The list pages could not be fetched: public_base_url is not set.")
    # Before the pages, which may well use up the bounds of the report.
    rules = robots_txt(site)
    pages = list(sitemap_list_pages(site.urls))
    opened = ((one, site.open(one.path)) for one in pages)
    seen = [_ListHead.of(one.path, page, is_primary=one.is_primary) for one, page in opened if page.status is not None]
    return judged_by(
        chain(
            (f"{one.path} answered {one.status}." for one in seen if one.status != 200),
            _misdirected(seen),
            _shared_texts(seen),
            _forbidden(seen, rules),
        ),
        [
            *([f"Only {len(seen)} of {len(pages)} list pages could be fetched."] if len(seen) < len(pages) else []),
            *(["The rules of robots.txt are unknown: it could not be fetched."] if rules is None else []),
        ],
        well=f"All {len(pages)} pages of the index and of lists say to search engines what they should.",
        details={"pages": len(pages), "looked_at": len(seen)},
    )


def _faults_in_sitemap(post: Post, listed: SitemapURLs, *, site: Site) -> Iterator[str]:
    url = site.urls.post_url(post.slug)
    if post.canonical_url is not None and not is_on_site(post.canonical_url, urls=site.urls):
        if url in listed:
            yield f"{url} is listed although its canonical URL is on another site."
    elif url not in listed:
        yield f"{url} is not listed."
    elif written := listed[url]:
        changed = read_date(written)
        if changed is None:
            yield f"The date {quote(written)} of {url} is not a date."
        elif post.modified_at is None:
            yield f"{url} is listed with the date {written}, but no date of change is recorded."
        elif day_of(changed) != day_of(post.modified_at):
            yield f"{url} is listed with the date {written}; recorded is {day_of(post.modified_at).isoformat()}."


def _announced(page: FetchedPage, format: FeedFormat, media_type: str, *, site: Site) -> str | None:
    links = (one.attrs for one in page.html.links("alternate"))
    of_format = (one for one in links if one.get("type", "").partition(";")[0].strip().lower() == media_type)
    urls = [url for one in of_format if (url := page.target_of(one.get("href", "")))]
    own = site.urls.absolute(site.urls.feed_path(format))
    return own if own in urls else next(iter(urls), None)


def _faults_of_feed(feed: FeedContent, what: str, newest: Post | None, *, site: Site) -> Iterator[str]:
    if feed.faults:
        yield f"{what} is not valid: {'; '.join(feed.faults[:3])}."
    elif newest and feed.links.isdisjoint({site.urls.post_url(newest.slug), canonical_url(newest, urls=site.urls)}):
        yield f"{what} does not have the newest article, {newest.slug}."


class _ListHead(NamedTuple):
    """The head of a list page. The page itself is not kept: hundreds of them would fill the memory."""

    path: str
    url: str
    is_primary: bool
    status: int
    directives: tuple[RobotsDirective, ...]
    title: str
    description: str

    @classmethod
    def of(cls, path: str, page: FetchedPage, *, is_primary: bool) -> "_ListHead":
        html = HtmlPage(page.text if page.is_open else "")
        directives = directives_of(html, page.headers) if page.is_open else ()
        return cls(path, page.url, is_primary, page.status or 0, directives, html.title, html.description)

    def directive(self, words: frozenset[str]) -> RobotsDirective | None:
        """Return the first directive with one of these words."""
        return next((one for one in self.directives if one.word in words), None)


def _misdirected(seen: Iterable[_ListHead]) -> Iterator[str]:
    for one in seen:
        hidden = one.directive(NOT_INDEXED)
        if hidden and one.is_primary:
            yield f"{one.path} belongs to the primary lists and should be indexed, but {hidden}."
        elif hidden and (dead_end := one.directive(NOT_FOLLOWED)):
            yield f"{one.path} is not indexed and should still lead on, but {dead_end}."


def _shared_texts(seen: Iterable[_ListHead]) -> Iterator[str]:
    indexed = [one for one in seen if one.status == 200 and one.directive(NOT_INDEXED) is None]
    for what in ("title", "description"):
        by_text: defaultdict[str, list[_ListHead]] = defaultdict(list)
        for one in indexed:
            by_text[folded(getattr(one, what))].append(one)
        for text, sharing in by_text.items():
            primary = [one.path for one in sharing if one.is_primary]
            if not text:
                yield from (f"{path} has no {what}." for path in primary)
            elif primary and len(sharing) > 1:
                first, second, *others = dict.fromkeys([*primary, *(one.path for one in sharing)])
                more = f" and {len(others)} more" if others else ""
                yield f"The {what} {quote(text)} is that of {first}, {second}{more}."


def _forbidden(seen: Iterable[_ListHead], rules: RobotsTxt | None) -> Iterator[str]:
    if rules:
        for one in seen:
            crawlers = [name for name in CRAWLERS if one.is_primary and not rules.allows(name, one.url)]
            yield from (f"robots.txt forbids {name} to crawl {one.path}." for name in crawlers)
