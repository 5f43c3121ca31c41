"""Readers that count the articles that they got."""

import hashlib
import random
import re
import time
from collections import Counter
from collections.abc import Callable
from urllib.parse import urlsplit

import httpx

from tests.load.ledger import Ledger
from tests.support.races import SLUGS

BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
CRAWLER = "Mozilla/5.0 (compatible; Quaybot/1.0)"
_MEDIA = re.compile(r"/blog/media/[0-9a-f]{64}/[^\"\s,]+")
_ARTICLE = re.compile(r"<loc>[^<]*/blog/([a-z0-9_-]+)</loc>")
_PATIENCE = 60


class Reader:
    """A browser with a cache; ``views`` counts how often it was shown each article."""

    def __init__(self, origin: str, ledger: Ledger, *, address: str, chance: random.Random) -> None:
        headers = {"User-Agent": BROWSER, "X-Forwarded-For": address}
        self._http = httpx.Client(base_url=origin, headers=headers, timeout=_PATIENCE)
        self._ledger = ledger
        self._chance = chance
        self._tags: dict[str, str] = {}
        self._slugs = list(SLUGS)
        self._media: list[str] = []
        self.views: Counter[str] = Counter()

    def close(self) -> None:
        """Close its connections."""
        self._http.close()

    def step(self) -> None:
        """Read something."""
        self._chance.choice(_STEPS)(self)

    def open_article(self, slug: str, *, fresh: bool = False) -> httpx.Response:
        """Read an article, with a conditional request if it is in the cache, unless ``fresh``."""
        answer = self._get("article", f"/blog/{slug}", fresh=fresh)
        if answer.status_code in {200, 304}:
            self.views[slug] += 1
        self._media += _MEDIA.findall(answer.text)[:3]
        return answer

    def _get(self, kind: str, path: str, *, fresh: bool = False, **headers: str) -> httpx.Response:
        tag = None if fresh else self._tags.get(path)
        start = time.monotonic()
        answer = self._http.get(path, headers=headers | ({"If-None-Match": tag} if tag else {}))
        self._ledger.note(kind, answer.status_code, time.monotonic() - start)
        if "ETag" in answer.headers:
            self._tags[path] = answer.headers["ETag"]
        return answer

    def _article(self) -> None:
        self.open_article(self._chance.choice(self._slugs))

    def _not_counted(self) -> None:
        """Make requests that show an article and do not count as views."""
        slug = self._chance.choice(self._slugs)
        self._get("article, by a crawler", f"/blog/{slug}", fresh=True, **{"User-Agent": CRAWLER})
        self._get("article, beforehand", f"/blog/{slug}", fresh=True, **{"Sec-Purpose": "prefetch"})
        self._get("Markdown", f"/blog/{slug}.md")
        start = time.monotonic()
        self._ledger.note("article, HEAD", self._http.head(f"/blog/{slug}").status_code, time.monotonic() - start)

    def _index(self) -> None:
        self._get("index", "/blog/")

    def _list(self) -> None:
        kind, slug = self._chance.choice([("tag", "x"), ("tag", "ice"), ("author", "mina"), ("category", "ropes")])
        self._get("list", f"/blog/{kind}/{slug}")

    def _search(self) -> None:
        path = self._chance.choice(["/blog/search", "/blog/search.json"])
        self._get("search", f"{path}?q={self._chance.choice(['quay', 'tide', 'text', 'rope empty'])}")

    def _feed(self) -> None:
        self._get("feed", f"/blog/{self._chance.choice(['feed.xml', 'feed.json', 'tag/x/feed.xml'])}")

    def _sitemap(self) -> None:
        answer = self._get("sitemap", "/blog/sitemap.xml", fresh=True)
        self._slugs = _ARTICLE.findall(answer.text) or self._slugs

    def _picture(self) -> None:
        if not self._media:
            return
        path = self._chance.choice(self._media[-30:])
        answer = self._get("media", path)
        assert answer.status_code == 302, (path, answer)
        start = time.monotonic()
        file = httpx.get(answer.headers["Location"], timeout=_PATIENCE)
        self._ledger.note("object storage", file.status_code, time.monotonic() - start)
        digest = urlsplit(path).path.split("/")[3]
        if not re.search(r"/w[0-9]+\.(avif|webp)$", path):
            assert hashlib.sha256(file.content).hexdigest() == digest


_Step = Callable[[Reader], None]
_STEPS: list[_Step] = [*[Reader._article] * 6, Reader._not_counted, Reader._index, Reader._list, Reader._search]
_STEPS += [Reader._feed, Reader._sitemap, *[Reader._picture] * 2]
