"""Send the same calls to a blog and to its model, and compare the two."""

import json
from collections.abc import Callable
from typing import Any

from django.test import Client

from tests.contract.life_adoptions import NOTHING
from tests.contract.life_records import Life, Refused
from tests.contract.lifecycle import Blog, Told
from tests.contract.lives_at_random import PATHS_TO_LOOK_AT
from tests.support.assertions import everything_stored
from tests.support.clients import client_with

API = "/blog/api/v1"
_DATES = ("first_published_at", "declared_first_published_at", "last_modified_at")
_APPROVALS = ("approval", "declaration", "imported_approval")
_KNOWN_FINDINGS = {
    *("title_duplicate", "provenance_unknown", "approval_absent", "connections_not_declared", "slug_changed"),
    *("responsible_party_absent", "social_image_absent", "image_alt_absent", "approval_incomplete"),
}


class Compared:
    """The API, the model, and the calls so far."""

    def __init__(self) -> None:
        self.blog = Blog()
        self.client = client_with("read", "write", "publish")
        self.writer = client_with("write")
        self.story: list[str] = []

    def call(
        self,
        method: str,
        path: str,
        sent: dict[str, Any] | None,
        expect: Callable[[], Told],
        *,
        as_writer: bool = False,
    ) -> bool:
        """Make one call to both; status, refusal, records, findings and all redirects must agree.

        Return whether it was accepted.
        """
        self.story.append(f"{method} {path} {json.dumps(sent)}")
        before = _stored()
        body = "" if sent is None else json.dumps(sent)
        client = self.writer if as_writer else self.client
        response: Any = client.generic(method, API + path, body, content_type="application/json")
        told = response.json() if response.content else {}
        try:
            (status, _, _), records, post = expect()
        except Refused as refused:
            error = told.get("error", {"code": None, "details": told})
            assert (response.status_code, error["code"], error["details"]) == refused.answer, self.told()
            assert _stored() == before, self.told()
            return False
        assert response.status_code == status, f"{self.told()}\n{told}"
        if post is not None and status != 204:
            assert told["records"] == records, self.told()
            if told.get("dry_run") or records == NOTHING:
                assert _stored() == before, self.told()
            if not told.get("dry_run"):
                post.number = told["post"]["id"]
                self._look_at(post)
                self._look_at_findings(post, told["findings"], sent or {})
        self.look_at_redirects()
        return True

    def look(self) -> None:
        """Compare all posts, their history, the pages, and what readers get."""
        assert self.client.get(f"{API}/posts").json()["total"] == len(self.blog.posts), self.told()
        for post in self.blog.posts:
            self._look_at(post)
        for path in PATHS_TO_LOOK_AT:
            response = Client().get(path)
            status, target = self.blog.read(path)
            wanted = (status, self._twin_of(target) if path.endswith(".md") else target)
            assert (response.status_code, response.headers.get("Location")) == wanted, f"{self.told()}\n{path}"
        pages = {page["kind"]: page for page in self.client.get(f"{API}/pages").json()["pages"]}
        assert {kind: (page["slug"], page["status"], page["title"], page["body"]) for kind, page in pages.items()} == {
            kind: (page.slug, page.status, page.title, page.body) for kind, page in self.blog.pages.pages.items()
        }, self.told()

    def look_at_redirects(self) -> list[dict[str, Any]]:
        """Compare the redirects."""
        listed: list[dict[str, Any]] = self.client.get(f"{API}/redirects?per_page=100").json()["redirects"]
        known = {row.spelled: row for row in self.blog.addresses.rows.values()}
        assert {row["old_path"]: (row["new_path"], row["source"], row["post_id"]) for row in listed} == {
            path: (row.target, row.source, row.owner.number if row.owner else None) for path, row in known.items()
        }, self.told()
        days = {row["old_path"]: row["occurred_on"] for row in listed}
        assert [path for path, row in known.items() if row.day not in (None, days[path])] == [], self.told()
        return listed

    def told(self) -> str:
        """Return the calls so far, to repeat them by hand."""
        return "\n".join(self.story)

    def _twin_of(self, target: str | None) -> str | None:
        """Return where ``.md`` of a moved post redirects: to the target's own ``.md`` if it is public."""
        post = self.blog.where(slug=target.removeprefix("/blog/")) if target else None
        return f"{target}.md" if post and post.status == "published" else target

    def _look_at(self, post: Life) -> None:
        here = f"{API}/posts/{post.number}"
        told, history = self.client.get(here).json(), self.client.get(f"{here}/records").json()
        digest = {made: row["identifier"] for made, row in zip(post.revisions, history["revisions"], strict=True)}
        as_told = ("slug", "external_id", "status", "title", "body", "publish_at", "featured", "provenance")
        assert {name: told[name] for name in as_told} | {
            "label": told["label"],
            "cover": told["cover_image"] and told["cover_image"]["image_id"],
            "tags": sorted(told["tags"]),
            "public": told["public_revision_identifier"],
            "approved": told["approved"],
            "has_preview": told["preview_url"] is not None,
            "shows_public": told["revision_identifier"] == told["public_revision_identifier"],
        } == {name: getattr(post, name) for name in as_told} | {
            "label": self.blog.label(post),
            "cover": post.cover,
            "tags": post.tags,
            "public": digest.get(post.public) if post.public else None,
            "approved": post.public is not None and post.is_checked(post.public),
            "has_preview": post.status in {"draft", "scheduled"},
            "shows_public": post.public == post.content,
        }, self.told()
        assert [(p["entry_type"], p["revision_identifier"], p["description"]) for p in history["publications"]] == [
            (entry, digest[content], description) for entry, content, description in post.publications
        ], self.told()
        assert [(a["revision_identifier"], a["kind"], a["facts_checked"]) for a in history["approvals"]] == [
            (digest[content], kind, checked) for content, kind, checked in post.approvals
        ], self.told()
        assert [row["declared_by"] for row in history["connections"]] == post.declarations, self.told()
        assert _known_of(history["baseline"]) == _remembered_of(post), self.told()
        assert (told["published_at"], told["modified_at"]) == _dates_of(post, history["publications"]), self.told()

    def _look_at_findings(self, post: Life, told: list[dict[str, Any]], sent: dict[str, Any]) -> None:
        approvals = (sent, *(sent.get(name, {}) for name in _APPROVALS))
        once = {"slug_changed"} if self.blog.moved else set()
        once |= {"approval_incomplete"} if any(part.get("facts_checked") is False for part in approvals) else set()
        found = {finding["code"] for finding in told}
        assert found & _KNOWN_FINDINGS == self.blog.findings(post) | once, self.told()


def _stored() -> dict[str, Any]:
    """Return all rows and files except the tokens, which record when they were used."""
    return everything_stored() | {"ApiToken": None}


def _known_of(told: dict[str, Any] | None) -> tuple[Any, ...] | None:
    if told is None:
        return None
    return told["source_system"], told["source_id"], *(told[name] and told[name][:19] for name in _DATES)


def _remembered_of(post: Life) -> tuple[Any, ...] | None:
    known = post.baseline
    if known is None:
        return None
    return *known.source, *(time and time[:19] for time in (known.first, known.declared_first, known.last))


def _dates_of(post: Life, publications: list[dict[str, Any]]) -> tuple[str | None, str | None]:
    """Return the public dates that follow from the history."""
    known = post.baseline
    first = [p["occurred_at"] for p in publications if p["entry_type"] == "first"]
    first += [time for time in ((known.first, known.declared_first) if known else ()) if time]
    moved = [p["occurred_at"] for p in publications if p["entry_type"] in {"substantive", "correction"}]
    last = moved[-1:] or ([known.last] if known and known.last else first)
    published, modified = [*first, None][0], [*last, None][0]
    return published and published[:19] + "Z", modified and modified[:19] + "Z"
