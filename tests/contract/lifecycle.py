"""A simple model of the contract of a blog.

The tests send the same random calls to the API and to this, and compare every answer.
"""

from copy import deepcopy
from dataclasses import replace
from typing import Any, TypeAlias

from tests.contract.life_addresses import Addresses, plain, without_format
from tests.contract.life_adoptions import adopt
from tests.contract.life_pages import Pages
from tests.contract.life_records import FUTURE, PAST, Answer, Life, Refused, path_of, records

Told: TypeAlias = tuple[Answer, dict[str, Any] | None, Life | None]
"""Answer, records, and the post, where there are such."""


class Blog:
    """All posts, their redirects, and the policy pages."""

    def __init__(self) -> None:
        self.posts: list[Life] = []
        self.addresses = Addresses()
        self.pages = Pages()
        self.moved = False
        """Return whether the last write moved a public URL."""

    def save(self, sent: dict[str, Any]) -> Told:
        """``POST /posts``."""
        post, other = self.where(external_id=sent.get("external_id")), self.where(slug=sent.get("slug"))
        if post and other and post is not other:
            raise Refused(409, "identity_conflict", ["slug", "external_id"])
        post = post or other
        if post is not None and not sent.get("publish") and post.status == "published":
            raise Refused(409, "post_is_public")
        created = post is None
        if post is None and not sent.get("title"):
            raise Refused(422, "validation_failed", ["title"])
        post = post or Life("")
        told = self._write(post, sent, created=created, releases=bool(sent.get("publish")))
        post.external_id = sent.get("external_id", post.external_id)
        if created:
            self.posts.append(post)
        status = 202 if post.status == "scheduled" else 201 if created else 200
        return (status, None, []), told, post

    def edit(self, post: Life, sent: dict[str, Any]) -> Told:
        """``PATCH /posts/:id``."""
        return (200, None, []), self._write(post, sent, created=False, releases=False), post

    def publish(self, post: Life, sent: dict[str, Any]) -> Told:
        """``POST /posts/:id/publish``."""
        told = self._write(post, sent, created=False, releases=True)
        return (202 if post.status == "scheduled" else 200, None, []), told, post

    def unpublish(self, post: Life) -> Told:
        """``POST /posts/:id/unpublish``."""
        self.moved = False
        if post.status == "published":
            self.addresses.withdraw(post, None, "unpublish")
        post.status, post.publish_at = "draft", None
        return (200, None, []), records(), post

    def remove(self, post: Life, redirect_to: str | None) -> Told:
        """``DELETE /posts/:id``; without records when the row is deleted."""
        self.moved = False
        owns = bool(self.addresses.of(post))
        retained = post.public or post.revisions or post.publications or post.declarations or owns
        if post.status in {"draft", "scheduled"} and not retained:
            self.posts.remove(post)
            return (204, None, []), {}, post
        if post.status != "archived" or redirect_to is not None:
            end = self.addresses.end
            target = end(redirect_to, start=post.path, field="redirect_to") if redirect_to else None
            self.addresses.withdraw(post, target, "removal")
            post.status, post.publish_at = "archived", None
        return (200, None, []), records(), post

    def approve(self, post: Life, reviewed: Any, *, checked: bool) -> Told:
        """``POST /posts/:id/approvals``."""
        self.moved = False
        if reviewed is None or reviewed != (post.public if post.status == "published" else post.content):
            raise Refused(409, "revision_mismatch")
        made = post.revise(reviewed)
        post.approvals.append((reviewed, "sent", checked))
        return (200, None, []), records(revision=made, approval="sent"), post

    def declare(self, post: Life, by: str) -> Told:
        """``POST /posts/:id/connections``."""
        self.moved = False
        post.declarations.append(by)
        return (200, None, []), records(), post

    def adopt(self, sent: dict[str, Any]) -> Told:
        """``POST /adoptions``; a dry run uses a copy."""
        if sent.get("dry_run"):
            copy = deepcopy(self)
            told = copy.adopt(sent | {"dry_run": False})
            self.moved = copy.moved
            return told
        answer, told, post, self.moved = adopt(sent, posts=self.posts, addresses=self.addresses)
        return answer, told, post

    def redirect(self, sent: dict[str, Any]) -> Told:
        """``POST /redirects``."""
        owner = None
        if sent.get("post_id") is not None:
            owner = self.where(number=sent["post_id"])
            if owner is None:
                raise Refused(404, "not_found")
        is_new = self.addresses.add(sent, stored=self.posts, owner=owner)
        return (201 if is_new else 200, None, []), None, None

    def forget(self, old_path: str) -> Told:
        """``DELETE /redirects/:id``."""
        del self.addresses.rows[plain(old_path)]
        return (204, None, []), None, None

    def write_page(self, kind: str, sent: dict[str, Any], *, may_publish: bool) -> Told:
        """``PUT /pages/:kind``."""
        return self.pages.put(kind, sent, may_publish=may_publish), None, None

    def where(self, **identity: Any) -> Life | None:
        """Return the post with this slug, id or external id, if there is one."""
        ((name, value),) = identity.items()
        return next((post for post in self.posts if value and getattr(post, name) == value), None)

    def read(self, path: str) -> tuple[int, str | None]:
        """Return what a reader gets at a path: the status and the target of a redirect."""
        here = plain(path)
        page = without_format(here)
        post = self.where(slug=page.removeprefix("/blog/"))
        if (post and post.status == "published") or self.pages.serves(here):
            return 200, None
        row = self.addresses.rows.get(here) or self.addresses.rows.get(page)
        if row is None:
            return 404, None
        return (410, None) if row.target is None else (301, row.target)

    def label(self, post: Life) -> str:
        """Return the AI label."""
        if post.provenance == "human_written":
            return "none"
        notice = "ai_assisted" if post.provenance == "ai_assisted" else "ai_unknown"
        relevant = post.public if post.status == "published" else post.content
        is_covered = relevant == post.content and post.is_checked(relevant)
        return "none" if is_covered and self.pages.is_published("responsible_party") else notice

    def findings(self, post: Life) -> set[str]:
        """Return the findings that this model knows, except those of a single write."""
        others = [other for other in self.posts if other is not post and other.status == "published"]
        relevant = post.content if post.status == "scheduled" else post.public
        is_out = post.provenance != "human_written" and post.status in {"published", "scheduled"}
        facts = {
            "title_duplicate": any(other.title == post.title for other in others),
            "provenance_unknown": post.provenance == "unknown",
            "approval_absent": is_out and not post.is_checked(relevant),
            "connections_not_declared": not post.declarations,
            "responsible_party_absent": not self.pages.is_published("responsible_party"),
            "social_image_absent": post.cover is None,
            "image_alt_absent": post.cover is not None and not post.cover_alt,
        }
        return {code for code, holds in facts.items() if holds}

    def _write(self, post: Life, sent: dict[str, Any], *, created: bool, releases: bool) -> dict[str, Any]:
        self.moved = False
        slug = sent.get("slug") or (sent["title"].lower() if created else post.slug)
        self._refuse_taken(post, slug, created=created)
        new = _with_content(post, sent)
        status, publish_at = _settle(post, sent, releases=releases)
        if sent.get("change") == "correction" and not sent.get("note"):
            raise Refused(422, "correction_note_required")
        if sent.get("approval", {}).get("revision_identifier") is not None:
            raise Refused(409, "revision_mismatch")
        differs = post.public is not None and post.public != new.content
        if status == "published" and differs and not sent.get("change"):
            raise Refused(422, "change_type_required")

        old, was_public = post.slug, post.status == "published"
        post.slug, post.status, post.publish_at = slug, status, publish_at
        post.title, post.body, post.cover, post.cover_alt = new.title, new.body, new.cover, new.cover_alt
        _describe(post, sent)
        told = records()
        if status == "published":
            told = self._release(post, sent, was_public=was_public)
        if "approval" in sent:
            made = post.revise(post.content)
            post.approvals.append((post.content, "sent", sent["approval"]["facts_checked"]))
            told = {**told, "revision": told["revision"] or made, "approval": "sent"}
        if status == "published":
            self.moved = was_public and old != post.slug
            if self.moved:
                self.addresses.move(post, old)
            self.addresses.come_back(post)
        return told

    def _release(self, post: Life, sent: dict[str, Any], *, was_public: bool) -> dict[str, Any]:
        made = post.revise(post.content)
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
        post.public = post.content
        return records(revision=made, publication=entry)

    def _refuse_taken(self, post: Life, slug: str, *, created: bool) -> None:
        if slug == post.slug:
            return
        row = self.addresses.rows.get(path_of(slug))
        if row and (created or row.owner is not post):
            raise Refused(409, "slug_reserved")
        if self.where(slug=slug):
            raise Refused(409, "identity_conflict", ["slug"])


def _with_content(post: Life, sent: dict[str, Any]) -> Life:
    cover = post.cover
    if "cover_image" in sent:
        cover = sent["cover_image"]["image_id"] if sent["cover_image"] else None
    texts = {name: sent.get(name, getattr(post, name)) for name in ("title", "body", "cover_alt")}
    return replace(post, cover=cover, **texts)


def _describe(post: Life, sent: dict[str, Any]) -> None:
    provenance = sent.get("provenance", post.provenance)
    if provenance != post.provenance:
        post.evidence = "stated by the actor"
    post.provenance = provenance
    post.tags = sorted(sent.get("tags", post.tags))
    post.featured = sent.get("featured", post.featured)


def _settle(post: Life, sent: dict[str, Any], *, releases: bool) -> tuple[str, str | None]:
    """Return the status after a write, and its time."""
    is_sent, time = "publish_at" in sent, sent.get("publish_at")
    if time == FUTURE and (post.status == "published" or not (releases or post.status == "scheduled")):
        raise Refused(422, "validation_failed", ["publish_at"])
    if post.status == "scheduled" and is_sent and time is None:
        return "draft", None
    if releases or time == PAST:
        return ("scheduled", time) if time == FUTURE else ("published", None)
    if post.status == "published":
        return "published", None
    return post.status, time if is_sent else post.publish_at
