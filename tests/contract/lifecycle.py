"""What records.md sections 4 and 5 promise of a post's life, written down a second time and much more simply.

The tests send the same random calls to the API and to this, and compare every answer.
"""

from dataclasses import dataclass, field
from typing import Any

MOUNT = "/blog"
FOLLOWING = {"slug_change", "unpublish", "removal", "adoption"}

PAST = "2001-01-01T00:00:00Z"
FUTURE = "2999-01-01T00:00:00Z"

Content = tuple[str, str]
Answer = tuple[int, str | None, list[str]]
"""Status, code of a refusal, its details."""


class Refused(Exception):
    """The call is declined."""

    def __init__(self, status: int, code: str, details: list[str] | None = None) -> None:
        self.answer: Answer = (status, code, details or [])


@dataclass
class Redirect:
    """A row of the redirects: where it leads, what made it, whose it is."""

    target: str | None
    source: str
    owner: "Life"


@dataclass
class Life:
    """A post: where it stands, and all that was ever recorded of it."""

    external_id: str
    slug: str
    status: str = "draft"
    title: str = ""
    body: str = ""
    publish_at: str | None = None
    public: Content | None = None
    revisions: list[Content] = field(default_factory=list)
    publications: list[tuple[str, Content, str | None]] = field(default_factory=list)
    approvals: list[Content] = field(default_factory=list)
    declarations: int = 0
    changed: bool = False
    """Whether a substantive change or a correction moved the date of modification."""

    @property
    def content(self) -> Content:
        return self.title, self.body


@dataclass
class Blog:
    """All posts by external id, and the redirects by path."""

    posts: dict[str, Life] = field(default_factory=dict)
    redirects: dict[str, Redirect] = field(default_factory=dict)

    def save(self, sent: dict[str, Any]) -> tuple[Answer, dict[str, Any]]:
        """``POST /posts``, with an external id."""
        post, other = self.posts.get(sent["external_id"]), self._at_slug(sent.get("slug"))
        if post and other and post is not other:
            raise Refused(409, "identity_conflict", ["slug", "external_id"])
        post = post or other
        if post is not None and not sent.get("publish") and post.status == "published":
            raise Refused(409, "post_is_public")
        created = post is None
        if post is None and not sent.get("title"):
            raise Refused(422, "validation_failed", ["title"])
        post = post or Life(sent["external_id"], "")
        records = self._write(post, sent, created=created, releases=bool(sent.get("publish")))
        self.posts.pop(post.external_id, None)
        post.external_id = sent["external_id"]
        self.posts[post.external_id] = post
        status = 202 if post.status == "scheduled" else 201 if created else 200
        return (status, None, []), records

    def edit(self, post: Life, sent: dict[str, Any]) -> tuple[Answer, dict[str, Any]]:
        """``PATCH /posts/:id``."""
        return (200, None, []), self._write(post, sent, created=False, releases=False)

    def publish(self, post: Life, sent: dict[str, Any]) -> tuple[Answer, dict[str, Any]]:
        """``POST /posts/:id/publish``."""
        records = self._write(post, sent, created=False, releases=True)
        return (202 if post.status == "scheduled" else 200, None, []), records

    def unpublish(self, post: Life) -> tuple[Answer, dict[str, Any]]:
        """``POST /posts/:id/unpublish``."""
        if post.status == "published":
            self._withdraw(post, None, "unpublish")
        post.status, post.publish_at = "draft", None
        return (200, None, []), _records()

    def remove(self, post: Life, redirect_to: str | None) -> tuple[Answer, dict[str, Any]]:
        """``DELETE /posts/:id``; without records when the row is gone."""
        owns = any(row.owner is post for row in self.redirects.values())
        retained = post.public or post.revisions or post.publications or post.declarations or owns
        if post.status in {"draft", "scheduled"} and not retained:
            del self.posts[post.external_id]
            return (204, None, []), {}
        if post.status != "archived" or redirect_to is not None:
            target = self._end(redirect_to, start=path_of(post.slug)) if redirect_to else None
            self._withdraw(post, target, "removal")
            post.status, post.publish_at = "archived", None
        return (200, None, []), _records()

    def approve(self, post: Life, reviewed: Content) -> tuple[Answer, dict[str, Any]]:
        """``POST /posts/:id/approvals``."""
        if reviewed != (post.public if post.status == "published" else post.content):
            raise Refused(409, "revision_mismatch")
        made = self._revision(post)
        post.approvals.append(reviewed)
        return (200, None, []), _records(revision=made, approval="sent")

    def declare(self, post: Life) -> tuple[Answer, dict[str, Any]]:
        """``POST /posts/:id/connections``."""
        post.declarations += 1
        return (200, None, []), _records()

    def read(self, slug: str) -> tuple[int, str | None]:
        """What a reader gets at a slug: the status, and where a redirect leads."""
        post = self._at_slug(slug)
        if post and post.status == "published":
            return 200, None
        row = self.redirects.get(path_of(slug))
        if row is None:
            return 404, None
        return (410, None) if row.target is None else (301, row.target)

    def _write(self, post: Life, sent: dict[str, Any], *, created: bool, releases: bool) -> dict[str, Any]:
        slug = sent.get("slug") or (sent["title"].lower() if created else post.slug)
        self._refuse_taken(post, slug, created=created)
        content = sent.get("title", post.title), sent.get("body", post.body)
        status, publish_at = _settle(post, sent, releases=releases)
        if sent.get("change") == "correction" and not sent.get("note"):
            raise Refused(422, "correction_note_required")
        wrong = sent.get("approval", {}).get("revision_identifier")
        if wrong is not None:
            raise Refused(409, "revision_mismatch")
        differs = post.public is not None and post.public != content
        if status == "published" and differs and not sent.get("change"):
            raise Refused(422, "change_type_required")

        old = post.slug
        was_public = post.status == "published"
        post.slug, post.status, post.publish_at = slug, status, publish_at
        post.title, post.body = content
        records = _records()
        if status == "published":
            records = self._release(post, sent, was_public=was_public)
        if "approval" in sent:
            made = self._revision(post)
            post.approvals.append(content)
            records = {**records, "revision": records["revision"] or made, "approval": "sent"}
        if status == "published":
            self._follow(post, old, was_public=was_public)
        return records

    def _release(self, post: Life, sent: dict[str, Any], *, was_public: bool) -> dict[str, Any]:
        made = self._revision(post)
        differs = post.public != post.content
        description = sent.get("change_description")
        if not post.publications:
            entry: str | None = "first"
        elif sent.get("change"):
            entry = sent["change"]
        else:
            entry = None if was_public else "maintenance"
        if not was_public and post.public is not None and not differs:
            description = description or "republished"
        if entry:
            post.publications.append((entry, post.content, description))
        post.changed = post.changed or entry in {"substantive", "correction"}
        post.public = post.content
        return _records(revision=made, publication=entry)

    def _revision(self, post: Life) -> str:
        if post.content in post.revisions:
            return "same"
        post.revisions.append(post.content)
        return "new"

    def _at_slug(self, slug: str | None) -> Life | None:
        return next((post for post in self.posts.values() if post.slug == slug), None) if slug else None

    def _refuse_taken(self, post: Life, slug: str, *, created: bool) -> None:
        if slug == post.slug:
            return
        row = self.redirects.get(path_of(slug))
        if row and (created or row.owner is not post):
            raise Refused(409, "slug_reserved")
        if self._at_slug(slug):
            raise Refused(409, "identity_conflict", ["slug"])

    def _withdraw(self, post: Life, target: str | None, source: str) -> None:
        here = path_of(post.slug)
        self._retarget(here, target)
        self._lead(here, target, source, post)

    def _follow(self, post: Life, old: str, *, was_public: bool) -> None:
        here = path_of(post.slug)
        if was_public and old != post.slug:
            self._retarget(path_of(old), here)
            self._lead(path_of(old), here, "slug_change", post)
        own = {path: row for path, row in self.redirects.items() if row.owner is post}
        if here in own:
            del self.redirects[here]
        for row in own.values():
            if row.source in FOLLOWING:
                row.target = here

    def _retarget(self, target: str, new: str | None) -> None:
        for row in self.redirects.values():
            if row.target == target:
                row.target = new

    def _lead(self, old: str, new: str | None, source: str, owner: Life) -> None:
        if old in self.redirects:
            self.redirects[old].target = new
        else:
            self.redirects[old] = Redirect(new, source, owner)

    def _end(self, slug: str, *, start: str) -> str | None:
        seen, current = {start}, path_of(slug)
        while True:
            if current in seen:
                raise Refused(422, "validation_failed", ["redirect_to"])
            seen.add(current)
            row = self.redirects.get(current)
            if row is None or row.target is None:
                return None if row else current
            current = row.target


def path_of(slug: str) -> str:
    """The path of a post."""
    return f"{MOUNT}/{slug}"


def _records(**made: str | None) -> dict[str, Any]:
    return {"revision": None, "publication": None, "approval": None} | made


def _settle(post: Life, sent: dict[str, Any], *, releases: bool) -> tuple[str, str | None]:
    """The status after a write, and the time that is kept with it."""
    is_sent, time = "publish_at" in sent, sent.get("publish_at")
    if time == FUTURE and (post.status == "published" or not (releases or post.status == "scheduled")):
        raise Refused(422, "validation_failed", ["publish_at"])
    if post.status == "scheduled" and is_sent and time is None:
        return "draft", None
    if releases:
        return ("scheduled", time) if time == FUTURE else ("published", None)
    if post.status == "published":
        return "published", None
    return post.status, time if is_sent else post.publish_at
