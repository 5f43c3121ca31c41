"""Looking at one article, on its real page or on one that somebody has spoilt."""

from dataclasses import replace
from datetime import datetime

from blog_engine.enums import ReportScope
from blog_engine.models import Post
from blog_engine.report.surface.inspection import Article, ArticleCheck
from blog_engine.report.surface.observation import Observation
from blog_engine.report.surface.site import Page
from tests.report.surface.inspecting import TODAY, Staged, answer, inspect, site


def look(
    check: ArticleCheck, post: Post, *changes: tuple[str, str], staged: Staged | None = None, now: datetime = TODAY
) -> Observation:
    """What a check finds on the page of a post after these texts of it were replaced, of which each must occur."""
    inspection = inspect(post, on=site(staged, now=now))
    article = inspection.articles[0]
    if changes:
        article = Article(article.record, spoilt(article.page, *changes))
    return check(article, inspection)


def look_at_page(check: ArticleCheck, post: Post, html: str, *, staged: Staged | None = None) -> Observation:
    """What a check finds on a page that consists of this text."""
    inspection = inspect(post, on=site(staged), scope=ReportScope.SITE)
    found = Page(inspection.site.urls.post_url(post.slug), 200, {}, html.encode("utf-8", "surrogatepass"))
    article = Article(inspection.posts[0], found)
    return check(article, replace(inspection, scope=ReportScope.ALL, articles=(article,), reach=False))


def look_at_status(check: ArticleCheck, post: Post, status: int | None) -> Observation:
    """What a check finds when the page answers another status than 200, or nothing."""
    path = f"/blog/{post.slug}"
    return look(check, post, staged={path: None if status is None else answer("Sorry.", status=status)})


def spoilt(page: Page, *changes: tuple[str, str]) -> Page:
    """The same page with other text."""
    text = page.text
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return Page(page.url, page.status, page.headers, text.encode())
