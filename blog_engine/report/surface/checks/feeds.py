"""Feed readers find both feeds, and the newest article in them (records.md 16: T6)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from blog_engine.enums import FeedFormat
from blog_engine.models import Post
from blog_engine.queries.articles import canonical_url
from blog_engine.queries.listings import public_posts
from blog_engine.report.surface.feed_documents import FeedDocument, read_atom, read_json_feed
from blog_engine.report.surface.html import Element
from blog_engine.report.surface.inspection import Inspection
from blog_engine.report.surface.observation import Observation, judged_by
from blog_engine.report.surface.quoting import cut
from blog_engine.report.surface.site import Page, Site
from blog_engine.report.surface.targets import target_of


class _Format(NamedTuple):
    name: str
    media_type: str
    read: Callable[[bytes], FeedDocument]


_FORMATS: Final[Mapping[FeedFormat, _Format]] = {
    FeedFormat.ATOM: _Format("Atom feed", "application/atom+xml", read_atom),
    FeedFormat.JSON: _Format("JSON Feed", "application/feed+json", read_json_feed),
}


class _Seen:
    """What was seen so far: a feed that many pages announce is judged once."""

    def __init__(self) -> None:
        self.feeds: dict[str, _Format] = {}
        self.faults: list[str] = []
        self.doubts: list[str] = []

    def note_closed(self, page: Page, what: str) -> None:
        """A page that is not open is a fault when it answered at all."""
        (self.doubts if page.status is None else self.faults).append(page.unavailable(what).reason)


def check_feeds(inspection: Inspection) -> Observation:
    """Index and selected articles announce an Atom feed and a JSON Feed, which are valid and have the newest post.

    Of several feeds of one format, such as a layout may add, the blog's own is meant, else the first.
    """
    site, seen = inspection.site, _Seen()
    for page, what in _pages(inspection):
        if page.is_open:
            _note_announced(page, what, seen, site=site)
        else:
            seen.note_closed(page, what)
    newest = public_posts().first()
    for url, format in seen.feeds.items():
        _note_feed(url, format, seen, newest=newest, site=site)
    return judged_by(
        seen.faults,
        seen.doubts,
        well="Both feeds are announced and valid" + (", and have the newest article." if newest else "."),
        details={"feeds": [cut(url) for url in seen.feeds]},
    )


def _pages(inspection: Inspection) -> Iterator[tuple[Page, str]]:
    site = inspection.site
    yield site.open(site.urls.index_path()), "The index page"
    for record in inspection.posts:
        slug = record.post.slug
        yield site.open(site.urls.post_url(slug)), f"The page of {slug}"


def _note_announced(page: Page, what: str, seen: _Seen, *, site: Site) -> None:
    links = page.html.links("alternate")
    for suffix, format in _FORMATS.items():
        of_format = [link for link in links if _type_of(link) == format.media_type]
        urls = [url for one in of_format if (url := target_of(page, one.attrs.get("href", "")))]
        if not urls:
            seen.faults.append(f"{what} announces no {format.name}.")
            continue
        own = site.urls.absolute(site.urls.feed_path(suffix))
        seen.feeds.setdefault(own if own in urls else urls[0], format)


def _type_of(link: Element) -> str:
    return link.attrs.get("type", "").partition(";")[0].strip().lower()


def _note_feed(url: str, format: _Format, seen: _Seen, *, newest: Post | None, site: Site) -> None:
    page, what = site.open(url), f"The {format.name} at {cut(url)}"
    if not page.is_open:
        seen.note_closed(page, what)
        return
    feed = format.read(page.body)
    if feed.faults:
        seen.faults.append(f"{what} is not valid: {'; '.join(feed.faults[:3])}.")
    elif newest and feed.addresses.isdisjoint({site.urls.post_url(newest.slug), canonical_url(newest, urls=site.urls)}):
        seen.faults.append(f"{what} does not have the newest article, {newest.slug}.")
