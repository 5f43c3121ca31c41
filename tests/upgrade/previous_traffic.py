"""Requests of readers and writers, sent to whatever release is imported; writes what they were answered as JSON.

Not a test: ``previous_release.py`` runs it with the code of the previous release. ``python previous_traffic.py NAME
WORDS…``; ``NAME`` begins the slugs. ``python previous_traffic.py fill NUMBER`` publishes that many posts, and writes
the secret of a token.
"""

import io
import json
import sys
from typing import Any

import django

django.setup()

from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402
from PIL import Image  # noqa: E402

from blog_engine.services.tokens import create_token  # noqa: E402

API = "/blog/api/v1"
BODY = """A quay.

## Tools

- [x] a spade
- [ ] a rake

Digging in the garden, ÉTÉ, 日本語. It costs $x^2$.
"""


class Traffic:
    """One client of the API and of the pages, and what it was answered."""

    def __init__(self, name: str) -> None:
        secret = create_token(name, now=timezone.now()).secret
        self.client = Client(headers={"Authorization": f"Bearer {secret}"})
        self.statuses: dict[str, int] = {}
        """The status of each request, and the number of posts that each search found."""

    def send(self, what: str, method: str, path: str, sent: Any = None) -> Any:
        """Send JSON to the API, and return what it answers."""
        body = {} if sent is None else {"data": json.dumps(sent), "content_type": "application/json"}
        answer = self.client.generic(method, API + path, **body)
        self.statuses[what] = answer.status_code
        return answer.json() if answer.content else None

    def read(self, path: str, **query: str) -> None:
        """Open a page."""
        answer = self.client.get(path, query)
        self.statuses[" ".join([path, *query.values()])] = answer.status_code
        if path.endswith("search.json"):
            self.statuses[" ".join(["found", *query.values()])] = len(answer.json())


def main(name: str, words: list[str]) -> dict[str, int]:
    """Write and read, and return what was answered."""
    traffic = Traffic(name)
    picture = upload(traffic, name)
    slug = write(traffic, name, picture)
    for path in ("/", "/feed.xml", "/feed.json", "/sitemap.xml", "/category/gardening", f"/{slug}", f"/{slug}.md"):
        traffic.read(f"/blog{path}")
    for query in words:
        traffic.read("/blog/search", q=query)
        traffic.read("/blog/search.json", q=query)
        traffic.read(f"{API}/posts", q=query)
    return traffic.statuses


def fill(number: int) -> str:
    """Publish posts with a category, a series, tags and corrections, and return the secret of a token."""
    traffic = Traffic("fill")
    for place in range(number):
        fields = {"title": f"Day {place} in the garden", "slug": f"day-{place}", "body": f"{BODY}\n\n{place} " * 8}
        fields |= {"category": f"Month {place % 12}", "tags": [f"tag {place % 17}", "été"], "publish": True}
        made = traffic.send("publish", "POST", "/posts", fields)["post"]
        if place % 3 == 0:
            change = {"change": "correction", "note": "It rained.", "body": f"{BODY}\n\nRain."}
            traffic.send("correct", "PATCH", f"/posts/{made['id']}", change)
    return create_token("roll", now=timezone.now()).secret


def upload(traffic: Traffic, name: str) -> str:
    """Store a picture of its own, and return its Markdown."""
    file = io.BytesIO()
    Image.new("RGB", (40, 30), (sum(name.encode()) % 256, 9, 9)).save(file, "PNG")
    file.seek(0)
    file.name = f"{name}.png"
    answer = traffic.client.post(f"{API}/images", {"file": file})
    traffic.statuses["upload"] = answer.status_code
    return f"![A quay]({answer.json()['url']})"


def write(traffic: Traffic, name: str, picture: str) -> str:
    """Write every kind of record, and return the slug of a public post."""
    fields = {"title": f"{name} garden", "slug": name, "body": f"{BODY}\n{picture}\n", "tags": ["été", name]}
    fields |= {"category": "Gardening", "series": "The year", "author": {"name": "Mina Hölt"}}
    fields |= {"provenance": "ai_assisted", "provenance_evidence": "A ticket"}
    fields |= {"faq": [{"question": "Why?", "answer": "Joy."}]}
    made = traffic.send("publish", "POST", "/posts", {**fields, "publish": True})["post"]
    post = f"/posts/{made['id']}"
    change = {"change": "correction", "note": "It was a quay.", "body": f"A harbour.\n{BODY}\n{picture}\n"}
    changed = traffic.send("correct", "PATCH", post, change)["post"]
    review = {"revision_identifier": changed["revision_identifier"], "name": "Rosa", "facts_checked": True}
    traffic.send("approve", "POST", f"{post}/approvals", review)
    declaration = {"connections": [], "third_party_paid": False, "declared_by": "Rosa"}
    traffic.send("declare", "POST", f"{post}/connections", declaration)
    traffic.send("move", "PATCH", post, {"slug": f"{name}-moved"})
    traffic.send("records", "GET", f"{post}/records")
    draft = traffic.send("draft", "POST", "/posts", {"title": f"{name} draft", "body": "Not yet.", "made_by_ai": True})
    traffic.send("delete", "DELETE", f"/posts/{draft['post']['id']}")
    waiting = traffic.send("by ai", "POST", "/posts", {"title": f"{name} by AI", "body": "Beep.", "made_by_ai": True})
    time = {"publish_at": "2999-01-01T08:00:00Z"}
    traffic.send("schedule", "POST", f"/posts/{waiting['post']['id']}/publish", time)
    oops = {"title": f"{name} taken", "body": "Oops.", "publish": True}
    taken = traffic.send("second", "POST", "/posts", oops)
    traffic.send("withdraw", "POST", f"/posts/{taken['post']['id']}/unpublish")
    traffic.send("list", "GET", "/posts")
    return f"{name}-moved"


if __name__ == "__main__":
    first, *rest = sys.argv[1:]
    sys.stdout.write(json.dumps(fill(int(rest[0])) if first == "fill" else main(first, rest)))
