"""A site for predicates of the surface report, whose pages are real, staged or spoilt by a test."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final, TypeAlias

import pytest
import time_machine
from django.test import Client, override_settings
from django.utils import timezone

from blog_engine.blog_urls import BlogURLs, script_name
from blog_engine.conf import get_settings
from blog_engine.enums import ReportScope
from blog_engine.fetching import Fetched
from blog_engine.models import Image, Post
from blog_engine.queries.policies import policy_urls
from blog_engine.queries.posts import reported_post
from blog_engine.surface_report.content import judge_content
from blog_engine.surface_report.observation import Observation
from blog_engine.surface_report.site import ArticlePredicate, FetchedPage, InspectedArticle, Inspection, Site
from blog_engine.surface_report.web import USER_AGENT, Web
from tests.support import factories
from tests.support.databases import content_key, replayed
from tests.support.factories import LATER, approve, store_image
from tests.support.hosts import blog_settings
from tests.support.images import encoded, halves

BASE: Final = "https://example.com"
TODAY: Final = LATER + timedelta(days=1)
PARTS: Final = "ABCDEFG"
SOUND: Final = dict.fromkeys(PARTS, "pass")

Staged: TypeAlias = Mapping[str, "Fetched | str | None"]
"""Answers by path or URL: a text is a page of that text, ``None`` no answer at all."""

_ONLY_MICROFORMATS = re.compile(r' class="(?:p|u|e|dt|h)-[a-z]+(?: (?:p|u|e|dt|h)-[a-z]+)*"')
_MICROFORMATS = re.compile(r"(?<=[a-z]) (?:p|u|e|dt|h)-[a-z]+(?=\")")


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    """Stop the clock, also that of the pages, so that a slow machine reaches no bound of a report.

    It is a fixed moment after everything that the factories date.
    """
    with time_machine.travel(TODAY, tick=False) as traveller:
        yield traveller


class StagedWeb(Web):
    """Fetches without the network: staged answers first, then Django's own for the origin."""

    def __init__(self, staged: Staged, *, origin: str) -> None:
        super().__init__(origin)
        self.origin = origin
        self.asked: list[str] = []
        """Every URL that was requested, in order."""
        self.staged = {(origin + key if key.startswith("/") else key): answer for key, answer in staged.items()}

    def _fetch(self, url: str) -> Fetched | None:
        self.asked.append(url)
        if url in self.staged:
            found = self.staged[url]
            return answer(found, url=url) if isinstance(found, str) else found
        if not url.startswith(f"{self.origin}/"):
            return None
        path = url.removeprefix(self.origin).removeprefix(script_name())
        content = content_key()
        if content is None or "/media/" in path:
            return _answer_of_django(url, path)
        key = (url, script_name(), timezone.now(), content)
        if key not in _answers:
            _answers[key] = _answer_of_django(url, path)
        return _answers[key]


_answers: dict[object, Fetched] = {}
"""Answers by all that they depend on; those under ``/media/`` depend on the files in the storage too."""


def _answer_of_django(url: str, path: str) -> Fetched:
    response = Client(SCRIPT_NAME=script_name()).get(
        path, headers={"user-agent": USER_AGENT, "host": "example.com"}, secure=url.startswith("https:")
    )
    headers = {name.lower(): value for name, value in response.headers.items()}
    return Fetched(url, response.status_code, headers, response.getvalue())


def answer(body: str | bytes = "", *, url: str = BASE, status: int = 200, **headers: str) -> Fetched:
    """Return the answer of a URL; underscores in names of headers are hyphens."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    content = body.encode() if isinstance(body, str) else body
    return Fetched(url, status, {"content-type": "text/html; charset=utf-8"} | named, content)


def page(
    body: str | bytes = "", *, url: str = f"{BASE}/blog/soil", status: int | None = 200, **headers: str
) -> FetchedPage:
    """Return a page as a predicate is given it."""
    given = answer(body, url=url, status=status or 0, **headers)
    return FetchedPage(url, status, given.headers, given.body)


def site(staged: Staged | None = None, *, now: datetime = TODAY) -> Site:
    """Return the site by the settings in force, with these answers in the place of its own."""
    settings = get_settings()
    origin = settings.public_base_url
    web = StagedWeb(staged or {}, origin=origin) if origin else Web(None)
    return Site(settings=settings, now=now, urls=BlogURLs.on(origin or ""), web=web)


def asked(site: Site) -> list[str]:
    """Return the URLs that were requested so far, each once."""
    return site.web.asked if isinstance(site.web, StagedWeb) else []


def inspect(
    *posts: Post, on: Site | None = None, scope: ReportScope = ReportScope.ALL, reach: bool = False
) -> Inspection:
    """Return the inspection of these public posts on a site, without articles in the scope ``site``."""
    found = on or site()
    records = tuple(record for post in posts for record in reported_post(str(post.pk)).posts)
    pages = () if scope is ReportScope.SITE else records
    articles = tuple(InspectedArticle(record, found.open_post(record)) for record in pages)
    return Inspection(site=found, scope=scope, posts=records, articles=articles, reach=reach, policies=policy_urls())


def look(
    judge: ArticlePredicate, post: Post, *changes: tuple[str, str], staged: Staged | None = None, now: datetime = TODAY
) -> Observation:
    """Judge the page of a post after these texts of it were replaced, of which each must occur."""
    inspection = inspect(post, on=site(staged, now=now))
    article = inspection.articles[0]
    if changes:
        found = article.page
        text = _replaced(found.text, *changes)
        article = InspectedArticle(article.record, FetchedPage(found.url, found.status, found.headers, text.encode()))
    return judge(article, inspection)


def look_at_page(judge: ArticlePredicate, post: Post, html: str, *, staged: Staged | None = None) -> Observation:
    """Judge a page that consists of this text."""
    inspection = inspect(post, on=site(staged), scope=ReportScope.SITE)
    found = FetchedPage(inspection.site.urls.post_url(post.slug), 200, {}, html.encode("utf-8", "surrogatepass"))
    article = InspectedArticle(inspection.posts[0], found)
    return judge(article, replace(inspection, scope=ReportScope.ALL, articles=(article,), reach=False))


def look_at_status(judge: ArticlePredicate, post: Post, status: int | None) -> Observation:
    """Judge a page that answers this status, or nothing."""
    return look(judge, post, staged={f"/blog/{post.slug}": None if status is None else answer("Sorry.", status=status)})


def spoilt(path: str, *changes: tuple[str, str], **headers: str) -> Fetched:
    """Return what the path answers after these texts were replaced, of which each must occur."""
    found = site().open(path)
    return answer(_replaced(found.text, *changes), url=BASE + path, status=found.status or 0, **headers)


def _replaced(text: str, *changes: tuple[str, str]) -> str:
    # The report does not read the classes of microformats.
    text = _ONLY_MICROFORMATS.sub("", _MICROFORMATS.sub("", text))
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


@replayed
def article(**fields: Any) -> Post:
    """Save a public post, by default without a text."""
    return factories.save(**{"title": "Soil", "publish": True} | fields).post


save, adopt = replayed(factories.save), replayed(factories.adopt)


@replayed
def approved(**fields: Any) -> Post:
    """Save a public post made with AI, whose facts somebody checked."""
    sent: dict[str, Any] = {"title": "Soil", "provenance": "ai_assisted", "publish": True} | fields
    post = factories.save(**sent).post
    approve(post)
    return Post.objects.get(pk=post.pk)


@replayed
def picture(name: str = "quay.png", *, left: str = "red") -> Image:
    """Store an image that is large enough to be shown in several sizes."""
    return store_image(encoded(halves(left, size=(600, 300)), "PNG"), filename=name)


def original(image: Image) -> str:
    """Return the path of the original, at the mount in force."""
    return BlogURLs.on("").media_path(image.sha256, image.filename)


def parts(found: Observation) -> dict[str, str]:
    """Return the results of E19 by part."""
    return dict(found.details or {})


def wrong(found: Observation) -> str:
    """Return the parts of E19 that do not pass."""
    return "".join(name for name, result in sorted(parts(found).items()) if result != "pass")


def looked(post: Post, *changes: tuple[str, str], staged: Any = None, **settings: Any) -> Observation:
    """Return E19 of a post on its page; images are delivered by the blog itself by default."""
    with override_settings(BLOG_ENGINE=blog_settings(**{"image_delivery": "proxy"} | settings)):
        return look(judge_content, post, *changes, staged=staged)
