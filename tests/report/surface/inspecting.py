"""A site for checks of the surface report: pages of this app, or whatever a test puts in their place."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from django.test import Client

from blog_engine.blog_urls import BlogURLs, script_name
from blog_engine.conf import get_settings
from blog_engine.enums import ReportScope
from blog_engine.fetching import Fetched
from blog_engine.models import Post
from blog_engine.queries.policies import policy_urls
from blog_engine.queries.posts import reported_post
from blog_engine.report.surface.inspection import Article, Inspection
from blog_engine.report.surface.site import Page, Site
from blog_engine.report.surface.web import USER_AGENT, Web
from tests.support.factories import LATER

BASE: Final = "https://example.com"
TODAY: Final = LATER + timedelta(days=1)

Staged: TypeAlias = Mapping[str, "Fetched | str | None"]
"""Answers by path or URL: a text is a page of that text, ``None`` no answer at all."""


class StagedWeb(Web):
    """The way of a report to a site without the network: staged answers first, then Django's own for the origin."""

    def __init__(self, staged: Staged, *, origin: str) -> None:
        super().__init__(origin)
        self.origin = origin
        self.asked: list[str] = []
        """Every URL that was asked for, in order."""
        self.staged = {(origin + key if key.startswith("/") else key): answer for key, answer in staged.items()}

    def _fetch(self, url: str) -> Fetched | None:
        self.asked.append(url)
        if url in self.staged:
            found = self.staged[url]
            return answer(found, url=url) if isinstance(found, str) else found
        if not url.startswith(f"{self.origin}/"):
            return None
        path = url.removeprefix(self.origin).removeprefix(script_name())
        response = Client(SCRIPT_NAME=script_name()).get(
            path, headers={"user-agent": USER_AGENT, "host": "example.com"}, secure=url.startswith("https:")
        )
        headers = {name.lower(): value for name, value in response.headers.items()}
        return Fetched(url, response.status_code, headers, response.getvalue())


def answer(body: str | bytes = "", *, url: str = BASE, status: int = 200, **headers: str) -> Fetched:
    """What an address answers; underscores in names of headers are hyphens."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    content = body.encode() if isinstance(body, str) else body
    return Fetched(url, status, {"content-type": "text/html; charset=utf-8"} | named, content)


def page(body: str | bytes = "", *, url: str = f"{BASE}/blog/soil", status: int | None = 200, **headers: str) -> Page:
    """A page as a check is given it."""
    given = answer(body, url=url, status=status or 0, **headers)
    return Page(url, status, given.headers, given.body)


def site(staged: Staged | None = None, *, now: datetime = TODAY) -> Site:
    """The site by the settings in force, as it stands with these answers in the place of its own."""
    settings = get_settings()
    origin = settings.public_base_url
    web = StagedWeb(staged or {}, origin=origin) if origin else Web(None)
    return Site(settings=settings, now=now, urls=BlogURLs.on(origin or ""), web=web)


def asked(site: Site) -> list[str]:
    """The URLs that were asked for so far, each once."""
    return site.web.asked if isinstance(site.web, StagedWeb) else []


def inspect(
    *posts: Post, on: Site | None = None, scope: ReportScope = ReportScope.ALL, reach: bool = False
) -> Inspection:
    """The inspection of these public posts on a site; ``articles`` are open but in the scope ``site``."""
    found = on or site()
    records = tuple(record for post in posts for record in reported_post(str(post.pk)).posts)
    pages = () if scope is ReportScope.SITE else records
    articles = tuple(Article(record, found.open(found.urls.post_url(record.post.slug))) for record in pages)
    return Inspection(site=found, scope=scope, posts=records, articles=articles, reach=reach, policies=policy_urls())
