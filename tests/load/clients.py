"""Clients that write and read a served site at once, and what must be true afterwards."""

import hashlib
import json
import random
import re
import socket
import sys
import time
from base64 import b64encode
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path
from statistics import quantiles
from typing import Any, Protocol
from urllib.parse import urlsplit

import boto3
import httpx
from django.utils import timezone

from blog_engine.images.files import file_name
from blog_engine.images.social import SOCIAL_FOLDER
from blog_engine.models import Image, PageView, Post, Publication
from blog_engine.queries.audit import audit_public_posts
from tests.concurrency.races import SLUGS, Crowd, picture_of_the_moment
from tests.concurrency.test_crowd import ANSWERS
from tests.support.clients import make_secret
from tests.support.images import encoded, halves
from tests.support.programs import Environment, run
from tests.support.web import Server, answer, serving

BUCKET = "journal"
KEYS = {"aws_access_key_id": "key", "aws_secret_access_key": "secret", "region_name": "us-east-1"}


@dataclass(frozen=True, slots=True)
class Told:
    """One answer: kind of request, status, code of the refusal, and seconds."""

    kind: str
    status: int
    code: str
    seconds: float


class Ledger:
    """The answers of a run; safe for threads."""

    def __init__(self) -> None:
        self.told: list[Told] = []

    def note(self, kind: str, status: int, seconds: float, *, code: str = "") -> None:
        """Keep an answer."""
        self.told.append(Told(kind, status, code, seconds))

    def failures(self) -> Counter[tuple[str, int, str]]:
        """Return the answers with a server error or ``busy``, including those of tools with status 200."""
        return Counter((one.kind, one.status, one.code) for one in self.told if _failed(one))

    def unexpected(self, allowed: dict[str, set[int]], *, otherwise: set[int]) -> Counter[tuple[str, int, str]]:
        """Return the answers with a status that their kind must not have; ``otherwise`` is for other kinds."""
        return Counter(
            (one.kind, one.status, one.code)
            for one in self.told
            if one.status not in allowed.get(one.kind, otherwise) and not _failed(one)
        )

    def figures(self, *, seconds: float) -> dict[str, Any]:
        """Return requests per second, and by kind their number, statuses and milliseconds."""
        kinds: defaultdict[str, list[Told]] = defaultdict(list)
        for one in self.told:
            kinds[one.kind].append(one)
        return {
            "seconds": round(seconds, 1),
            "requests": len(self.told),
            "requests_per_second": round(len(self.told) / seconds, 1),
            "kinds": {kind: _figures_of(told) for kind, told in sorted(kinds.items())},
        }


def write_figures(figures: dict[str, Any], *, to: Path) -> None:
    """Write the figures to a file; no test asserts them."""
    to.parent.mkdir(exist_ok=True)
    to.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")


def as_table(figures: dict[str, Any]) -> str:
    """Return the figures as text."""
    lines = [f"{figures['requests']} requests in {figures['seconds']} s: {figures['requests_per_second']} a second"]
    for kind, of in figures["kinds"].items():
        statuses = " ".join(f"{status}:{count}" for status, count in of["statuses"].items())
        lines.append(f"{kind:<28} {of['requests']:>6}  p50 {of['p50']:>5} ms  p95 {of['p95']:>5} ms  {statuses}")
    return "\n".join(lines)


def _failed(one: Told) -> bool:
    return one.status >= 500 or one.code in {"busy", "unavailable"}


def _figures_of(told: list[Told]) -> dict[str, Any]:
    times = sorted(1000 * one.seconds for one in told)
    cuts = quantiles(times, n=20) if len(times) > 1 else times * 19
    statuses = Counter(f"{one.status} {one.code}".strip() for one in told)
    return {
        "requests": len(told),
        "statuses": dict(sorted(statuses.items())),
        "p50": round(cuts[9]),
        "p95": round(cuts[18]),
    }


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
        self._chance.choice(_VISITS)(self)

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
        if answer.headers.get("Location", "").startswith("/"):
            # Until a variant is drawn, the original takes its place.
            answer = self._get("media", answer.headers["Location"])
        assert answer.status_code == 302, (path, answer)
        start = time.monotonic()
        file = httpx.get(answer.headers["Location"], timeout=_PATIENCE)
        self._ledger.note("object storage", file.status_code, time.monotonic() - start)
        digest = urlsplit(path).path.split("/")[3]
        if not re.search(r"/w[0-9]+\.(avif|webp|jpg|png)$", path):
            assert hashlib.sha256(file.content).hexdigest() == digest


_Visit = Callable[[Reader], None]
_VISITS: list[_Visit] = [*[Reader._article] * 6, Reader._not_counted, Reader._index, Reader._list, Reader._search]
_VISITS += [Reader._feed, Reader._sitemap, *[Reader._picture] * 2]


_ROUTES = {
    "save_draft": ("POST", "/posts"),
    "publish_post": ("POST", "/posts/{id}/publish"),
    "update_post": ("PATCH", "/posts/{id}"),
    "correct_post": ("PATCH", "/posts/{id}"),
    "approve_revision": ("POST", "/posts/{id}/approvals"),
    "declare_connections": ("POST", "/posts/{id}/connections"),
    "unpublish_post": ("POST", "/posts/{id}/unpublish"),
    "remove_post": ("DELETE", "/posts/{id}"),
    "get_post": ("GET", "/posts/{id}"),
    "get_post_records": ("GET", "/posts/{id}/records"),
}


class Face(Protocol):
    """Runs the operation of a tool; returns the answer, with ``error`` after a refusal."""

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]: ...

    def upload(self, data: bytes, *, filename: str) -> dict[str, Any]: ...


class Api:
    """The JSON API."""

    def __init__(self, http: httpx.Client, ledger: Ledger) -> None:
        self._http = http
        self._ledger = ledger

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        method, path = _ROUTES[tool]
        if tool == "correct_post":
            arguments["change"] = "correction"
        id = arguments.pop("id", "")
        return self._send(method, path, id=id, **({"json": arguments} if arguments else {}))

    def upload(self, data: bytes, *, filename: str) -> dict[str, Any]:
        return self._send("POST", "/images", files={"file": (filename, data, "image/png")})

    def _send(self, method: str, path: str, *, id: str = "", **sent: Any) -> dict[str, Any]:
        start = time.monotonic()
        answer = self._http.request(method, f"/blog/api/v1{path.format(id=id)}", **sent)
        found: dict[str, Any] = answer.json() if answer.content else {}
        kind = f"{method} {path}"
        self._ledger.note(kind, answer.status_code, time.monotonic() - start, code=_code_in(found))
        return found


class Agent:
    """The agent endpoint, with a handshake version, which works without ``initialize``."""

    def __init__(self, http: httpx.Client, ledger: Ledger) -> None:
        self._http = http
        self._ledger = ledger

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        start = time.monotonic()
        params = {"name": f"blog_{tool}", "arguments": arguments}
        answer = self._http.post(
            "/blog/mcp",
            json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params},
            headers={"MCP-Protocol-Version": "2025-11-25", "Accept": "application/json, text/event-stream"},
        )
        found: dict[str, Any] = answer.json()
        told: dict[str, Any] = found["result"]["structuredContent"] if "result" in found else found
        self._ledger.note(f"tool {tool}", answer.status_code, time.monotonic() - start, code=_code_in(told))
        return told

    def upload(self, data: bytes, *, filename: str) -> dict[str, Any]:
        return self.call("upload_image", base64=b64encode(data).decode(), filename=filename, content_type="image/png")


def client_of(origin: str, secret: str, *, address: str) -> httpx.Client:
    """Return a client with a token, behind one proxy that sends its IP address."""
    headers = {"Authorization": f"Bearer {secret}", "X-Forwarded-For": address}
    return httpx.Client(base_url=origin, headers=headers, timeout=_PATIENCE)


def _code_in(found: dict[str, Any]) -> str:
    error = found.get("error")
    return str(error["code"]) if error else ""


_CATEGORIES = ["Harbours", "Ropes", "Ice"]
_MOST_POSTS = 12


@dataclass
class Memory:
    """What the answers said about one post: its last state, and the records of its writes in order."""

    post: dict[str, Any]
    entries: list[str] = field(default_factory=list)
    approvals: int = 0
    declarations: int = 0
    was_deleted: bool = False
    has_history: bool = False

    def take(self, told: dict[str, Any]) -> None:
        """Remember the envelope of a write."""
        records = told["records"]
        self.post = told["post"]
        self.entries += [records["publication"]] if records["publication"] else []
        self.approvals += 1 if records["approval"] else 0
        self.has_history |= any(records.values())


class Refused(Exception):
    """A refusal that the only writer of a post must not get."""


class Owner:
    """Writes to its posts in random steps."""

    def __init__(self, name: str, face: Face, reader: Reader, *, chance: random.Random) -> None:
        self.name = name
        self.face = face
        self.reader = reader
        self.chance = chance
        self.posts: list[Memory] = []
        self._number = 0

    def step(self) -> None:
        """Make one random step that is possible now."""
        alive = [one for one in self.posts if not one.was_deleted]
        if len(alive) < 2 or (len(alive) < _MOST_POSTS and self.chance.random() < 0.15):
            self._begin()
            return
        memory = self.chance.choice(alive)
        self.chance.choice(_STEPS[memory.post["status"]])(self, memory)

    def look_back(self) -> None:
        """Check that exactly what the answers said is stored."""
        for memory in self.posts:
            found = self.face.call("get_post", id=str(memory.post["id"]))
            if memory.was_deleted:
                assert found["error"]["code"] == "not_found", memory
                continue
            assert without_signed(found) == without_signed(memory.post)
            records = self.face.call("get_post_records", id=str(memory.post["id"]))
            assert [entry["entry_type"] for entry in records["publications"]] == memory.entries
            assert (len(records["approvals"]), len(records["connections"])) == (memory.approvals, memory.declarations)

    def write(self, memory: Memory, tool: str, **arguments: Any) -> bool:
        """Call a tool about a post and keep its answer; return whether it succeeded, not whether it was busy."""
        told = self.face.call(tool, id=str(memory.post["id"]), **arguments)
        if _is_busy(told, of=f"{self.name}: {tool} of {memory.post['slug']}"):
            return False
        memory.take(told)
        return True

    def _begin(self) -> None:
        self._number += 1
        slug = f"{self.name}-{self._number}"
        sent: dict[str, Any] = {
            "title": f"Log {self._number} of {self.name}",
            "slug": slug,
            "external_id": slug,
            "body": self._body(),
            "tags": self.chance.sample(["x", "y", "z", "ice"], k=2),
            "category": self.chance.choice(_CATEGORIES),
            "author": self.chance.choice(["Mina", "Rosa", f"Author {self._number}"]),
            "faq": [{"question": "When?", "answer": f"At {self._number}."}],
        }
        if self.chance.random() < 0.3:
            colour = f"rgb({self._number * 3 % 256},{self.chance.randrange(256)},9)"
            image = self.face.upload(encoded(halves(colour), "PNG"), filename=f"{slug}.png")
            if not _is_busy(image, of="upload"):
                sent |= {"cover_image": {"image_id": image["image_id"]}, "cover_alt": "A quay"}
        told = self.face.call("save_draft", **sent)
        if not _is_busy(told, of=slug):
            assert told["created"] is True
            self.posts.append(Memory(told["post"]))

    def _body(self) -> str:
        return f"Low tide at {self.chance.randrange(10**9)}.\n\n## Rope\n\n" + "The quay was *empty*. " * 40

    def _edit(self, memory: Memory) -> None:
        change = self.chance.choice(["substantive", "maintenance"])
        self.write(memory, "update_post", body=self._body(), change=change, change_description="Another tide.")

    def _file(self, memory: Memory) -> None:
        self.write(memory, "update_post", tags=self.chance.sample(["x", "y", "z"], k=2), featured=False)

    def _correct(self, memory: Memory) -> None:
        self.write(memory, "correct_post", body=self._body(), note="The tide was wrong.")

    def _approve(self, memory: Memory) -> None:
        of = memory.post["revision_identifier"]
        public = memory.post["public_revision_identifier"]
        if memory.post["status"] == "published":
            assert of == public
        self.write(memory, "approve_revision", revision_identifier=of, name="Rosa Reviewer", facts_checked=True)

    def _declare(self, memory: Memory) -> None:
        sent = {"connections": [], "third_party_paid": False, "declared_by": self.name}
        if self.write(memory, "declare_connections", declared_on=date(2026, 1, 1).isoformat(), **sent):
            memory.declarations += 1
            memory.has_history = True

    def _publish(self, memory: Memory) -> None:
        if self.write(memory, "publish_post", change="maintenance"):
            assert memory.post["status"] == "published"
            page = self.reader.open_article(memory.post["slug"], fresh=True)
            # Every worker shows at once what another one stored.
            assert page.status_code == 200, page
            assert memory.post["title"] in page.text

    def _withdraw(self, memory: Memory) -> None:
        if self.write(memory, "unpublish_post"):
            assert self.reader.open_article(memory.post["slug"]).status_code == 410

    def _remove(self, memory: Memory) -> None:
        told = self.face.call("remove_post", id=str(memory.post["id"]))
        if _is_busy(told, of=f"removal of {memory.post['slug']}"):
            return
        if memory.has_history:
            memory.take(told)
            assert memory.post["status"] == "archived"
        else:
            assert told == {}, told
            memory.was_deleted = True

    def _read(self, memory: Memory) -> None:
        found = self.face.call("get_post", id=memory.post["slug"])
        if not _is_busy(found, of="reading"):
            assert without_signed(found) == without_signed(memory.post)


_Step = Callable[[Owner, Memory], None]
_STEPS: dict[str, list[_Step]] = {
    "draft": [Owner._edit, Owner._approve, *[Owner._publish] * 3, Owner._declare, Owner._remove, Owner._read],
    "published": [*[Owner._edit] * 3, Owner._file, Owner._correct, Owner._approve, Owner._declare, Owner._read],
    "archived": [Owner._edit, Owner._file, Owner._publish, Owner._read],
}
_STEPS["published"] += [Owner._withdraw, Owner._remove, Owner._publish]


def without_signed(post: dict[str, Any]) -> dict[str, Any]:
    """Return a full post without the preview link, which is signed each time."""
    return {name: value for name, value in post.items() if name != "preview_url"}


def _is_busy(told: dict[str, Any], *, of: str) -> bool:
    code = told.get("error", {}).get("code")
    if code is not None and code not in {"busy", "unavailable"}:
        raise Refused(f"{of}: {told['error']}")
    return code is not None


_WAITING = 3
"""The longest delay of a scheduled post in seconds; two schedulers run every second."""


class Planner:
    """``released`` has the slugs of posts that must be published, ``called_off`` those that must not."""

    def __init__(self, face: Face, *, chance: random.Random) -> None:
        self._face = face
        self._chance = chance
        self._number = 0
        self.released: set[str] = set()
        self.called_off: set[str] = set()

    def step(self) -> None:
        """Schedule a post; cancel or move one in four around its time."""
        self._number += 1
        slug = f"planned-{self._number}"
        due = timezone.now() + timedelta(seconds=self._chance.uniform(1, _WAITING))
        draft = self._face.call("save_draft", title=f"Planned {self._number}", slug=slug, body="Soon.")
        if "error" in draft:
            return
        told = self._face.call("publish_post", id=str(draft["post"]["id"]), publish_at=_written(due))
        if "error" in told or told["post"]["status"] == "published":
            # The request came too late, and published the post itself.
            return
        self.released.add(slug)
        if self._chance.random() < 0.25:
            self._reconsider(told["post"])

    def _reconsider(self, post: dict[str, Any]) -> None:
        """Wait until about the moment at which the schedulers publish the post."""
        moment = datetime.fromisoformat(post["publish_at"])
        while timezone.now() < moment + timedelta(seconds=self._chance.uniform(-0.2, 0.8)):
            # A request, so that waiting also causes load.
            self._face.call("get_post", id=str(post["id"]))
        told = self._face.call("update_post", id=str(post["id"]), publish_at=None)
        if "error" not in told and told["post"]["status"] == "draft":
            self.released.discard(post["slug"])
            self.called_off.add(post["slug"])


def _written(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


class Rivals:
    """Two publish a draft while a third one edits it: all succeed, one after the other."""

    def __init__(self, faces: Sequence[Face]) -> None:
        self._one, self._other, self._third = faces
        self._number = 0

    def step(self) -> None:
        """Run one race, and check the result."""
        self._number += 1
        title = f"Wanted {self._number}"
        draft = self._one.call("save_draft", title=title, slug=f"wanted-{self._number}", body="Mine.")["post"]
        id = str(draft["id"])
        with ThreadPoolExecutor(max_workers=3) as pool:
            race = [
                pool.submit(self._one.call, "publish_post", id=id, category="Ropes"),
                pool.submit(self._other.call, "publish_post", id=id, tags=["ice"]),
                pool.submit(self._third.call, "update_post", id=id, body="Yours.", change="maintenance"),
            ]
        told = [one.result() for one in race]
        self._look_back(id, [answer["records"] for answer in told])

    def _look_back(self, id: str, told: list[dict[str, Any]]) -> None:
        records = self._one.call("get_post_records", id=id)
        entries = [entry["entry_type"] for entry in records["publications"]]

        assert (entries[0], entries.count("first")) == ("first", 1)
        assert Counter(entries) == Counter(one["publication"] for one in told if one["publication"])
        assert len(records["revisions"]) == [one["revision"] for one in told].count("new")
        post = self._other.call("get_post", id=id)
        assert (post["status"], post["body"], post["tags"]) == ("published", "Yours.", ["ice"])
        assert post["category"]["name"] == "Ropes"
        assert post["public_revision_identifier"] == post["revision_identifier"]


class RemoteClient:
    """Responses are those of ``httpx``: the crowd uses only status and JSON."""

    def __init__(self, http: httpx.Client, ledger: Ledger) -> None:
        self._http = http
        self._ledger = ledger

    def generic(self, method: str, path: str, body: str = "", *, content_type: str = "") -> httpx.Response:
        return self._send(method, path, content=body, headers={"Content-Type": content_type})

    def post(self, path: str, data: dict[str, Any]) -> httpx.Response:
        file = data["file"]
        return self._send("POST", path, files={"file": (file.name, file.read(), file.content_type)})

    def get(self, path: str) -> httpx.Response:
        return self._send("GET", path)

    def _send(self, method: str, path: str, **sent: Any) -> httpx.Response:
        start = time.monotonic()
        answer = self._http.request(method, path, **sent)
        code = answer.json()["error"]["code"] if answer.status_code >= 400 else ""
        noun = path.removeprefix("/blog/api/v1/").partition("?")[0].split("/")[0]
        self._ledger.note(f"crowd {method} {noun}", answer.status_code, time.monotonic() - start, code=code)
        return answer


_OWNERS = 4
_READERS = 4
_CROWD = 4


@dataclass
class Town:
    """Two owners at each interface, readers, a planner, rivals, and a crowd about the same few posts."""

    ledger: Ledger
    owners: list[Owner]
    readers: list[Reader]
    planner: Planner
    rivals: Rivals
    crowd: Crowd
    seed: int

    def live(self) -> None:
        """Let all clients call until the time of the crowd is over."""
        end = time.monotonic() + self.crowd.seconds
        steps = [one.step for one in [*self.owners, *self.readers, self.planner, self.rivals]]
        with ThreadPoolExecutor(max_workers=len(steps)) as pool:
            lives = [pool.submit(_until, end, step) for step in steps]
            self.crowd.run(_CROWD, seed=self.seed)
            for life in lives:
                life.result()

    def everyone_who_reads(self) -> list[Reader]:
        """The readers, and the owners, who read their own posts."""
        return [*self.readers, *(owner.reader for owner in self.owners)]


def _until(end: float, step: Callable[[], None]) -> None:
    while time.monotonic() < end:
        step()


@contextmanager
def town_at(origin: str, *, seconds: float, seed: int) -> Iterator[Town]:
    """Return all clients, each with its own token and connections, ready to call the site for some seconds."""
    ledger = Ledger()
    with ExitStack() as stack:

        def lots(name: str) -> random.Random:
            return random.Random(f"{seed}-{name}")  # noqa: S311 - no secrets

        def caller(number: int) -> httpx.Client:
            secret = make_secret(name=f"Caller {number}")
            return stack.enter_context(client_of(origin, secret, address=f"203.0.113.{number}"))

        def reader(number: int) -> Reader:
            made = Reader(origin, ledger, address=f"198.51.100.{number}", chance=lots(f"reader-{number}"))
            stack.callback(made.close)
            return made

        def owner(number: int, face: Face) -> Owner:
            return Owner(f"owner-{number}", face, reader(100 + number), chance=lots(f"owner-{number}"))

        gallery = stack.enter_context(serving(_give_a_picture))
        crowd_secret = make_secret(name="Crowd")

        def one_of_the_crowd() -> RemoteClient:
            return RemoteClient(stack.enter_context(client_of(origin, crowd_secret, address="203.0.113.99")), ledger)

        yield Town(
            ledger=ledger,
            owners=[owner(n, (Api if n % 2 else Agent)(caller(n), ledger)) for n in range(_OWNERS)],
            readers=[reader(n) for n in range(_READERS)],
            planner=Planner(Api(caller(_OWNERS), ledger), chance=lots("planner")),
            rivals=Rivals([face(caller(_OWNERS + 1 + n), ledger) for n, face in enumerate([Api, Agent, Api])]),
            crowd=Crowd(one_of_the_crowd, f"http://127.0.0.1:{gallery.port}", seconds),
            seed=seed,
        )


def _give_a_picture(server: Server, connection: socket.socket, path: str) -> None:
    connection.sendall(answer(picture_of_the_moment(int(path.strip("/").removesuffix(".png")))))


_OF_READERS = {
    "article": {200, 301, 304, 404, 410},
    "article, by a crawler": {200, 301, 404, 410},
    "article, beforehand": {200, 301, 404, 410},
    "article, HEAD": {200, 301, 404, 410},
    "Markdown": {200, 301, 304, 404, 410},
    "index": {200, 304},
    "list": {200, 304, 404},
    "search": {200, 304},
    "feed": {200, 304, 404},
    "sitemap": {200},
    "media": {302},
    "object storage": {200},
}
_LOCATION = "media/blog_engine/images"


def assert_nothing_went_wrong(ledger: Ledger) -> None:
    """Check that no client got a server error or ``busy``: PostgreSQL makes them wait."""
    assert ledger.failures() == Counter()
    assert ledger.unexpected(_OF_READERS, otherwise=ANSWERS) == Counter()


def assert_plans_came_true(planner: Planner, logs: Sequence[Path]) -> None:
    """Check that each due post was published once, by one of the schedulers, and no cancelled one."""
    by_a_scheduler: list[tuple[str, str | None]] = [("first", None)]
    expected = dict.fromkeys(planner.released, by_a_scheduler) | {slug: [] for slug in planner.called_off}

    assert {slug: _publications_of(slug) for slug in expected} == expected
    said = [line.removeprefix("Published ") for log in logs for line in log.read_text("utf-8").splitlines()]
    assert Counter(said) == Counter(planner.released)


def assert_published_posts_agree() -> None:
    """Check identifiers and dates of public posts, as the doctor does, and that each was first published once."""
    audit = audit_public_posts()

    assert audit.differing == {}
    assert audit.checked == audit.public > 0
    first = Counter(Publication.objects.filter(entry_type="first").values_list("post_id", flat=True))
    published = Post.objects.filter(public_revision__isnull=False, baseline__isnull=True)
    assert first == Counter(published.values_list("pk", flat=True))


def assert_files_are_those_of_the_rows(address: str) -> None:
    """Check that every image has its original with its bytes, and that no file of another image is stored."""
    client = boto3.client("s3", endpoint_url=address, **KEYS)
    pages = client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET)
    keys = {entry["Key"] for page in pages for entry in page.get("Contents", [])}
    images = {image.sha256: image for image in Image.objects.all()}
    originals = {f"media/{file_name(image.sha256, image.content_type)}" for image in images.values()}

    assert originals <= keys
    # The pictures of posts without an image are drawn after the write, and named for the post.
    of_images = {key for key in keys if not key.startswith(f"media/{SOCIAL_FOLDER}/")}
    assert {key for key in of_images - originals if _digest_in(key) not in images} == set()
    for image in images.values():
        key = f"media/{file_name(image.sha256, image.content_type)}"
        data = client.get_object(Bucket=BUCKET, Key=key)["Body"].read()
        assert hashlib.sha256(data).hexdigest() == image.sha256
    for key in [key for key in keys if key.endswith(".txt")]:
        noted = client.get_object(Bucket=BUCKET, Key=key)["Body"].read().decode()
        assert f"media/{noted}" in keys, key
    client.close()


def assert_views_are_those_of_the_readers(readers: Iterable[Reader]) -> None:
    """Check that as many views were counted as articles were shown.

    Article by article for the posts that keep their URL; those of the crowd take each other's.
    """
    shown = sum((reader.views for reader in readers), Counter[str]())
    counted: Counter[str] = Counter()
    for view in PageView.objects.select_related("post"):
        counted[view.post.slug] += view.views

    assert _settled(counted) == _settled(shown)
    assert counted.total() == shown.total()


def errors_in(log: Path) -> list[str]:
    """Return the lines of a server's log that report a problem."""
    lines = log.read_text("utf-8").splitlines()
    return [line for line in lines if re.search(r"ERROR|CRITICAL|Traceback|Exception|WORKER TIMEOUT", line)]


def doctor_says(environment: Environment) -> dict[str, str]:
    """Return the warnings and errors of the doctor: status and message by name of the check."""
    command = [sys.executable, "example_site/manage.py", "blog_doctor", "JSON=true"]
    # It exits with 1 for an error, which the report also has.
    done = run(command, env=environment, timeout=60)
    report: dict[str, Any] = json.loads(done.stdout)
    return {
        check["name"]: f"{check['status']}: {check['message']}" for check in report["checks"] if check["status"] != "ok"
    }


def _publications_of(slug: str) -> list[tuple[str, str | None]]:
    entries = Publication.objects.filter(post__slug=slug).order_by("id")
    return list(entries.values_list("entry_type", "released_by"))


def _digest_in(key: str) -> str | None:
    found = re.match(rf"{_LOCATION}/[0-9a-f]{{2}}/([0-9a-f]{{64}})-w[0-9]+-", key)
    return found[1] if found else None


def _settled(views: Counter[str]) -> Counter[str]:
    return Counter({slug: count for slug, count in views.items() if slug.startswith(("owner-", "planned-", "wanted-"))})
