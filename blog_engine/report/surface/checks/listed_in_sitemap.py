"""Search engines find the articles in the sitemap (records.md 16: T5)."""

from collections.abc import Iterator

from blog_engine.models import Post
from blog_engine.queries.sitemap import is_on_site
from blog_engine.report.surface.dates import day_of, read_date
from blog_engine.report.surface.inspection import Inspection
from blog_engine.report.surface.observation import Observation, judged_by
from blog_engine.report.surface.quoting import quote
from blog_engine.report.surface.site import Site
from blog_engine.report.surface.sitemap import Listed, listed_pages


def check_sitemap(inspection: Inspection) -> Observation:
    """The selected articles are listed, without a date or with the day of their last change.

    Those whose canonical address is on another site are not listed.
    """
    listed = listed_pages(inspection.site)
    if isinstance(listed, Observation):
        return listed
    posts = [record.post for record in inspection.posts]
    faults = [fault for post in posts for fault in _faults(post, listed, site=inspection.site)]
    return judged_by(
        faults,
        well="The sitemap tells of each article what it should.",
        details={"articles": len(posts), "listed": len(listed)},
    )


def _faults(post: Post, listed: Listed, *, site: Site) -> Iterator[str]:
    url = site.urls.post_url(post.slug)
    belongs_there = post.canonical_url is None or is_on_site(post.canonical_url, urls=site.urls)
    if not belongs_there:
        if url in listed:
            yield f"{url} is listed although its canonical address is on another site."
    elif url not in listed:
        yield f"{url} is not listed."
    elif written := listed[url]:
        yield from _faults_of_date(written, post, url=url)


def _faults_of_date(written: str, post: Post, *, url: str) -> Iterator[str]:
    changed = read_date(written)
    if changed is None:
        yield f"The date {quote(written)} of {url} is not a date."
    elif post.modified_at is None:
        yield f"{url} is listed with the date {written}, but no date of change is recorded."
    elif day_of(changed) != day_of(post.modified_at):
        yield f"{url} is listed with the date {written}; recorded is {day_of(post.modified_at).isoformat()}."
