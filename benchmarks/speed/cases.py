"""The measured requests."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import count, cycle
from math import ceil
from random import Random
from typing import Any, Final
from urllib.parse import urlencode

from django.core.management import call_command

from benchmarks.speed.desk import Desk
from benchmarks.speed.requests import Ask
from benchmarks.speed.seed import CATEGORIES, TAGS, make_picture
from benchmarks.speed.texts import own_words, post_text, vocabulary
from blog_engine.conf import get_settings
from blog_engine.models import Image, Post

API: Final = "/blog/api/v1"
_MOST: Final = 500
"""Different pages of a case."""
_BOUNDARY: Final = "part-of-the-form"
_FIRST_PAGES: Final = 200
_FIRST_DRAFT: Final = 20_000_000
"""The number of the first draft that saves itself; the other posts have lower ones."""


@dataclass(frozen=True)
class Case:
    """A kind of request."""

    name: str
    asks: Callable[["Blog"], Iterator[Ask]]
    is_page: bool = False
    """Whether the page cache may keep the answers."""
    is_write: bool = False
    is_new_each_time: bool = False
    """Whether a repeated request would cost less than the next one."""


class Blog:
    """The seeded blog as its clients know it."""

    def __init__(self) -> None:
        secret = StringIO()
        call_command("create_blog_token", "NAME=speed", stdout=secret, stderr=StringIO())
        self.headers = {"Authorization": f"Bearer {secret.getvalue().strip()}"}
        self.size = Post.objects.filter(status="published").count()
        newest = Post.objects.order_by("-listed_at").values_list("slug", flat=True)
        self.slugs = Random("slugs").sample(list(newest), min(_MOST, self.size))
        self.pages = ceil(self.size / get_settings().posts_per_page)
        self._numbers = count(10_000_000)

    def next_number(self) -> int:
        """Return the number of a post that does not exist."""
        return next(self._numbers)


def pages(paths: Callable[[Blog], Sequence[str]], *, status: int = 200) -> Callable[[Blog], Iterator[Ask]]:
    """Return requests for one path after the other, again from the start at the end."""
    return lambda blog: (Ask(path, status=status) for path in cycle(paths(blog)))


def _articles(blog: Blog) -> list[str]:
    return [f"/blog/{slug}" for slug in blog.slugs]


def _markdown(blog: Blog) -> list[str]:
    return [f"/blog/{slug}.md" for slug in blog.slugs]


def _index(blog: Blog) -> list[str]:
    return ["/blog/", *(f"/blog/?page={page}" for page in range(2, min(blog.pages, _FIRST_PAGES) + 1))]


def _deep_index(blog: Blog) -> list[str]:
    """Pages of the second half, in which both directions of counting are long."""
    half = range(max(blog.pages // 2, 2), blog.pages)
    chosen = half if len(half) <= _FIRST_PAGES else Random("deep").sample(half, _FIRST_PAGES)
    return [f"/blog/?page={page}" for page in chosen]


def _categories(blog: Blog) -> list[str]:
    first = [f"/blog/category/subject-{number + 1}" for number in range(CATEGORIES)]
    # Each category has at least this many pages.
    least = min(5, blog.pages // 20)
    return [*first, *(f"{path}?page={page}" for page in range(2, least + 1) for path in first)]


def _feeds(name: str) -> Callable[[Blog], list[str]]:
    tags = [f"/blog/tag/topic-{number + 1}/{name}" for number in range(TAGS)]
    return lambda _: [f"/blog/{name}", *tags]


def _searches(blog: Blog) -> list[str]:
    chance = Random("searches")
    kinds: tuple[Callable[[int], list[str]], ...] = (
        lambda number: own_words(number % blog.size)[:2],
        lambda _: [chance.choice(vocabulary()[chance.randint(5, 9)])],
        lambda number: [own_words(number % blog.size)[9], own_words(number % blog.size)[21]],
    )
    asked = [" ".join(kinds[number % len(kinds)](number)) for number in range(150)]
    return [f"/blog/search?{urlencode({'q': words})}" for words in asked]


def _missing(blog: Blog) -> list[str]:
    return [f"/blog/missing-{number}" for number in range(_MOST)]


def _api(paths: Callable[[Blog], Sequence[str]]) -> Callable[[Blog], Iterator[Ask]]:
    return lambda blog: (Ask(f"{API}{path}", headers=blog.headers) for path in cycle(paths(blog)))


def _lists(blog: Blog) -> list[str]:
    return [f"/posts?per_page=25&page={page}" for page in range(1, min(blog.size // 25, _FIRST_PAGES) + 1)]


def _tools(blog: Blog) -> Iterator[Ask]:
    return cycle([_message(blog, "tools/list", {})])


def _posts_for_agents(blog: Blog) -> Iterator[Ask]:
    return (_call(blog, "blog_get_post", id=slug) for slug in cycle(blog.slugs))


def _edits_by_agents(blog: Blog) -> Iterator[Ask]:
    """One edit after the other of a post that the first request makes."""
    publication = next(_publications(blog))
    sent = json.loads(publication.body)
    yield _json("POST", f"{API}/posts", sent | {"body": f"{sent['body']}\nEdit 0.\n"}, blog.headers, status=201)
    for number in count():
        edits = [{"old": f"Edit {number}.", "new": f"Edit {number + 1}."}]
        yield _call(blog, "blog_update_post", id=sent["slug"], edits=edits, change="maintenance")


def _call(blog: Blog, tool: str, **arguments: Any) -> Ask:
    return _message(blog, "tools/call", {"name": tool, "arguments": arguments})


def _message(blog: Blog, method: str, params: dict[str, Any]) -> Ask:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    headers = blog.headers | {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
    return _json("POST", "/blog/mcp", message, headers)


def _publications(blog: Blog) -> Iterator[Ask]:
    while True:
        fields = post_text(blog.next_number()).fields() | {"author": "Mina Holt", "category": "subject-1"}
        fields |= {"tags": ["Topic 1", "Topic 5", "Topic 9"], "publish": True}
        yield _json("POST", f"{API}/posts", fields, blog.headers, status=201)


def _publications_with_images(blog: Blog) -> Iterator[Ask]:
    """Articles that show the blog's own images, up to 20."""
    images = Image.objects.order_by("pk")[:20]
    shown = "\n\n".join(f"![A grey slope](/blog/media/{image.sha256}/{image.filename})" for image in images)
    for publication in _publications(blog):
        sent = json.loads(publication.body)
        fields = sent | {"body": f"{sent['body']}\n{shown}\n"}
        yield _json("POST", f"{API}/posts", fields, blog.headers, status=201)


def _updates(blog: Blog) -> Iterator[Ask]:
    """Other texts for a post that the first request makes."""
    publication = next(_publications(blog))
    slug = json.loads(publication.body)["slug"]
    yield publication
    while True:
        changed = {"body": post_text(blog.next_number()).body, "change": "substantive"}
        yield _json("PATCH", f"{API}/posts/{slug}", changed, blog.headers)


def _uploads(blog: Blog) -> Iterator[Ask]:
    headers = blog.headers | {"Content-Type": f"multipart/form-data; boundary={_BOUNDARY}"}
    while True:
        picture = make_picture(blog.next_number() % 700_000 + 1_000)
        head = 'Content-Disposition: form-data; name="file"; filename="new.png"\r\nContent-Type: image/png\r\n\r\n'
        body = f"--{_BOUNDARY}\r\n{head}".encode() + picture + f"\r\n--{_BOUNDARY}--\r\n".encode()
        yield Ask(f"{API}/images", "POST", body, headers, status=201)


def _json(method: str, path: str, data: Any, headers: dict[str, str], *, status: int = 200) -> Ask:
    return Ask(path, method, json.dumps(data).encode(), headers | {"Content-Type": "application/json"}, status)


CASES: Final = (
    Case("article", pages(_articles), is_page=True),
    Case("index", pages(_index), is_page=True),
    Case("deep index", pages(_deep_index), is_page=True),
    Case("category", pages(_categories), is_page=True),
    Case("feed", pages(lambda _: ["/blog/feed.xml"]), is_page=True),
    Case("JSON feed", pages(lambda _: ["/blog/feed.json"]), is_page=True),
    Case("Markdown", pages(_markdown), is_page=True),
    Case("sitemap", pages(lambda _: ["/blog/sitemap.xml"]), is_page=True),
    Case("search", pages(_searches), is_new_each_time=True),
    Case("404", pages(_missing, status=404), is_new_each_time=True),
    Case("API list", _api(_lists)),
    Case("API post", _api(lambda blog: [f"/posts/{slug}" for slug in blog.slugs])),
    Case("tools/list", _tools),
    Case("blog_get_post", _posts_for_agents),
    Case("desk list", lambda _: Desk().lists()),
    Case("desk form", lambda _: Desk().forms()),
    Case("desk preview", lambda blog: Desk().previews(blog.next_number())),
    Case("publish", _publications, is_write=True, is_new_each_time=True),
    Case("publish with images", _publications_with_images, is_write=True, is_new_each_time=True),
    Case("blog_update_post", _edits_by_agents, is_write=True, is_new_each_time=True),
    Case("desk autosave", lambda _: Desk().autosaves(_FIRST_DRAFT), is_write=True, is_new_each_time=True),
    Case("update", _updates, is_write=True, is_new_each_time=True),
    Case("upload", _uploads, is_write=True, is_new_each_time=True),
)
