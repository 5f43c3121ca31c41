"""A second description of what the contract promises of a blog, and random lives to compare it with.

The model keeps posts, redirects, policy pages and adoptions, and answers each call as the blog must.
"""

import json
from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias
from urllib.parse import unquote

from django.test import Client

from tests.contract.random_requests import Chance
from tests.support.clients import client_with
from tests.support.tables import stored_beside_tokens

PAST = "2001-01-01T00:00:00Z"
FUTURE = "2999-01-01T00:00:00Z"

Content: TypeAlias = tuple[str, str, tuple[int, str] | None]
"""Title, body, and the cover with its text."""

Answer: TypeAlias = tuple[int, str | None, list[str]]
"""Status, code of a refusal, its details."""


class Refused(Exception):
    """The model refuses the call."""

    def __init__(self, status: int, code: str, details: list[str] | None = None) -> None:
        self.answer: Answer = (status, code, details or [])


@dataclass
class Baseline:
    """What is known of an adopted article, and its earlier approval."""

    source: tuple[str, str]
    first: str | None = None
    declared_first: str | None = None
    last: str | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    """The rest, as it was sent."""


@dataclass
class Life:
    """A post: its status and all its records."""

    slug: str
    external_id: str | None = None
    status: str = "draft"
    title: str = ""
    body: str = ""
    cover: int | None = None
    cover_alt: str = ""
    publish_at: str | None = None
    provenance: str = "unknown"
    evidence: str | None = None
    tags: list[str] = field(default_factory=list)
    featured: bool = False
    public: Content | None = None
    revisions: list[Content] = field(default_factory=list)
    publications: list[tuple[str, Content, str | None]] = field(default_factory=list)
    approvals: list[tuple[Content, str, bool]] = field(default_factory=list)
    """Content, kind, and whether the facts were checked."""
    declarations: list[str] = field(default_factory=list)
    """The names of those who declared."""
    baseline: Baseline | None = None
    number: int | None = None
    """The id, once known."""

    @property
    def content(self) -> Content:
        return self.title, self.body, (self.cover, self.cover_alt) if self.cover else None

    @property
    def path(self) -> str:
        return path_of(self.slug)

    def is_checked(self, content: Content | None) -> bool:
        """Return whether this content is approved with its facts checked."""
        return any(checked and approved == content for approved, _, checked in self.approvals)

    def revise(self, content: Content) -> str:
        """Record a revision; return whether it is new."""
        if content in self.revisions:
            return "same"
        self.revisions.append(content)
        return "new"


def path_of(slug: str) -> str:
    """Return the path of a post."""
    return f"/blog/{slug}"


def records(**made: Any) -> dict[str, Any]:
    """Return the records of an answer."""
    return {"revision": None, "publication": None, "approval": None} | made


PAGE_SLUGS = {"responsible_party": "responsible-party", "ai_use": "ai-use"}


@dataclass(frozen=True)
class Page:
    """A policy page."""

    slug: str
    title: str = ""
    body: str = ""
    status: str = "draft"
    approved_by: str | None = None


class Pages:
    """The pages by kind."""

    def __init__(self) -> None:
        self.pages: dict[str, Page] = {}

    def put(self, kind: str, sent: dict[str, Any], *, may_publish: bool) -> Answer:
        """``PUT /pages/:kind``."""
        stored = self.pages.get(kind)
        page = stored or Page(PAGE_SLUGS[kind])
        if "published" in (page.status, sent.get("status")) and not may_publish:
            raise Refused(403, "scope_required", ["publish"])
        page = replace(page, **{name: value for name, value in sent.items() if name != "slug" or value})
        others = {other.slug for name, other in self.pages.items() if name != kind}
        faults = {
            "title": not page.title,
            "body": page.status == "published" and not page.body.strip(),
            "slug": page.slug in others,
        }
        if any(faults.values()):
            raise Refused(422, "validation_failed", [name for name, is_fault in faults.items() if is_fault])
        self.pages[kind] = page
        return (200 if stored else 201), None, []

    def is_published(self, kind: str) -> bool:
        """Return whether readers can see the page."""
        return kind in self.pages and self.pages[kind].status == "published"

    def serves(self, path: str) -> bool:
        """Return whether readers find a page at this path."""
        return any(page.status == "published" and path == f"/blog/policies/{page.slug}" for page in self.pages.values())


FOLLOWING = {"slug_change", "unpublish", "removal", "adoption"}
ORIGIN = "https://example.com"


@dataclass
class Redirect:
    """A redirect: its path as written, its target, what created it, and its post."""

    written: str
    target: str | None
    source: str
    owner: Life | None
    day: str | None = None
    """Only when the test knows it."""
    by_adoption: bool = False
    """Whether an adoption moved the article."""


class Redirects:
    """The redirects by decoded path."""

    def __init__(self) -> None:
        self.rows: dict[str, Redirect] = {}

    def of(self, post: Life) -> list[Redirect]:
        """Return the redirects of a post."""
        return [row for row in self.rows.values() if row.owner is post]

    def add(self, sent: dict[str, Any], *, stored: Iterable[Life], owner: Life | None) -> bool:
        """``POST /redirects``; return whether the redirect is new."""
        here = plain(sent["old_path"])
        if without_format(here) in {post.path for post in stored}:
            raise Refused(409, "slug_reserved")
        target, row = sent.get("new_path"), self.rows.get(here)
        if target is not None:
            target = self.end(target, start=here, field="new_path")
        if row is not None:
            if (row.target, row.owner) != (target, owner) or sent.get("occurred_on") not in {None, row.day}:
                raise Refused(422, "validation_failed", ["old_path"])
            return False
        self.retarget(here, target)
        self.rows[here] = Redirect(sent["old_path"], target, "manual", owner, sent.get("occurred_on"))
        return True

    def end(self, sent: str, *, start: str, field: str) -> str | None:
        """Return where a target finally leads."""
        current = path_of(sent) if "/" not in sent else sent.removeprefix(ORIGIN)
        seen = {without_format(start)}
        while True:
            here = plain(without_query(current))
            if without_format(here) in seen:
                raise Refused(422, "validation_failed", [field])
            seen.add(without_format(here))
            row = self.rows.get(here) or self.rows.get(without_format(here))
            if row is None or row.target is None:
                return None if row else current
            current = row.target

    def withdraw(self, post: Life, target: str | None, source: str) -> None:
        """Remove the post from its path."""
        self.lead(post.path, target, source, post)

    def move(self, post: Life, old: str, *, by_adoption: bool = False) -> None:
        """Move a public post to a new slug."""
        self.lead(path_of(old), post.path, "slug_change", post, by_adoption=by_adoption)

    def restore(self, post: Life) -> None:
        """Publish the post at its slug: its other paths redirect there."""
        if (row := self.rows.get(post.path)) and row.owner is post:
            del self.rows[post.path]
        for row in self.of(post):
            if row.source in FOLLOWING:
                row.target = post.path

    def lead(self, old: str, new: str | None, source: str, owner: Life, **more: Any) -> None:
        """Redirect a path, and everything that led to it."""
        self.retarget(old, new)
        if old in self.rows:
            self.rows[old].target = new
        else:
            self.rows[old] = Redirect(old, new, source, owner, **more)

    def retarget(self, target: str, new: str | None) -> None:
        for row in self.rows.values():
            if row.target is not None and plain(without_query(row.target)) == target:
                row.target = new


def plain(path: str) -> str:
    """Return the decoded path."""
    return unquote(path).rstrip("/") or "/"


def without_format(path: str) -> str:
    """Return the path of the page without the suffix of a format."""
    return path.removesuffix(".md").removesuffix(".html") if path.startswith("/blog/") else path


def without_query(target: str) -> str:
    return target.split("#")[0].split("?")[0]


_BASELINE_FACTS = ("first_published_evidence", "last_modified_evidence", "source_body_sha256")
NOTHING = {"revision": "same", "publication": None, "approval": None, "baseline": None, "redirects": 0}


def adopt(
    sent: dict[str, Any], *, posts: list[Life], redirects: Redirects
) -> tuple[Answer, dict[str, Any], Life, bool]:
    """``POST /adoptions``: return answer, records, the post, and whether its public URL moved."""
    _refuse_what_does_not_fit(sent)
    post = _selected(sent, posts)
    created = post is None
    post = post or Life(sent["slug"])
    _refuse_taken(post, sent, posts=posts, redirects=redirects, created=created)
    days = {_slug_of(one): None if isinstance(one, str) else one.get("moved_on") for one in sent.get("old_slugs", [])}
    _refuse_old_slugs(post, days, posts=posts, redirects=redirects)

    was_public, old, before = post.status == "published", post.slug, _compared(post)
    replaced, declared_before = post.baseline is not None, len(post.declarations)
    kept = {row.written: row.day for row in redirects.of(post)}
    _take_over(post, sent)
    wanted = {path_of(slug): day or kept.get(path_of(slug)) for slug, day in days.items()}
    adopted_rows = {row.written: row.day for row in redirects.of(post) if row.source == "adoption"}
    is_same = replaced and before == _compared(post) and adopted_rows == wanted
    if is_same and len(post.declarations) == declared_before:
        return (200, None, []), NOTHING, post, False

    made = _approval_of(sent)
    post.revisions, post.publications = [post.content], [("adopted", post.content, None)]
    post.approvals = [(post.content, *made)] if made else []
    post.public, post.status, post.publish_at = post.content, "published", None
    _redirect_to_post(post, wanted, redirects)
    moved = was_public and old != post.slug
    if moved:
        redirects.move(post, old, by_adoption=True)
    if moved or not was_public:
        redirects.restore(post)
    if created:
        posts.append(post)
    answered = records(revision="new", publication="adopted", approval=made[0] if made else None)
    answered |= {"baseline": "replaced" if replaced else "new", "redirects": len(days)}
    return (201 if created else 200, None, []), answered, post, moved


def _refuse_what_does_not_fit(sent: dict[str, Any]) -> None:
    declaration = sent.get("declaration")
    is_known = sent.get("provenance", "unknown") == "unknown" or declaration or sent.get("provenance_evidence")
    is_double = bool(declaration and "imported_approval" in sent)
    is_dated_twice = bool(sent.get("first_published_at") and (declaration or {}).get("declared_first_published_at"))
    faults = {
        "provenance_evidence": not is_known,
        "old_slugs.slug": sent["slug"] in map(_slug_of, sent.get("old_slugs", [])),
        "declaration": is_double,
        "declaration.declared_first_published_at": is_dated_twice,
        "imported_approval": is_double,
    }
    if any(faults.values()):
        raise Refused(422, "validation_failed", [name for name, is_fault in faults.items() if is_fault])


def _selected(sent: dict[str, Any], posts: list[Life]) -> Life | None:
    source = (sent["source_system"], sent["source_id"])
    own = [post for post in posts if post.baseline and post.baseline.source == source]
    external_id = sent.get("external_id")
    by_id = [post for post in posts if external_id and post.external_id == external_id]
    by_slug = [post for post in posts if post.slug == sent["slug"]]
    if not own and by_id and by_slug and by_id != by_slug:
        raise Refused(409, "identity_conflict", ["slug", "external_id"])
    found = own or by_id or by_slug
    if not found:
        return None
    post, field = found[0], "external_id" if by_id else "slug"
    if post.baseline is None:
        has_records = post.public or post.revisions or post.publications or post.approvals or post.declarations
        if has_records or post.status not in {"draft", "scheduled"}:
            raise Refused(409, "identity_conflict", [field])
    elif post.baseline.source != source:
        raise Refused(409, "identity_conflict", [field])
    return post


def _refuse_changed(post: Life, redirects: Redirects) -> None:
    if post.baseline is None:
        return
    others = [row for row in redirects.of(post) if row.source != "adoption" and not row.by_adoption]
    followed = [kind for kind, _, _ in post.publications if kind != "adopted"]
    sent = [kind for _, kind, _ in post.approvals if kind == "sent"]
    if post.status != "published" or followed or sent or others:
        raise Refused(409, "already_changed_in_gem")


def _refuse_taken(post: Life, sent: dict[str, Any], *, posts: list[Life], redirects: Redirects, created: bool) -> None:
    _refuse_changed(post, redirects)
    others = [other for other in posts if other is not post]
    external_id = sent.get("external_id")
    if external_id and external_id in {other.external_id for other in others}:
        raise Refused(409, "identity_conflict", ["external_id"])
    if not created and sent["slug"] == post.slug:
        return
    row = redirects.rows.get(path_of(sent["slug"]))
    if row and (created or row.owner is not post):
        raise Refused(409, "slug_reserved")
    if sent["slug"] in {other.slug for other in others}:
        raise Refused(409, "identity_conflict", ["slug"])


def _refuse_old_slugs(post: Life, days: dict[str, str | None], *, posts: list[Life], redirects: Redirects) -> None:
    for slug in days:
        row = redirects.rows.get(path_of(slug))
        is_own = row is None or (row.owner is post and (row.source == "adoption" or row.by_adoption))
        if not is_own or any(other.slug == slug for other in posts if other is not post):
            raise Refused(409, "slug_reserved")


def _take_over(post: Life, sent: dict[str, Any]) -> None:
    """Return the content, in which omitted fields are empty."""
    cover = sent.get("cover_image")
    post.slug, post.external_id = sent["slug"], sent.get("external_id")
    post.title, post.body = sent["title"], sent["body"]
    post.cover, post.cover_alt = cover["image_id"] if cover else None, sent.get("cover_alt", "")
    post.tags, post.featured = sorted(sent.get("tags", [])), sent.get("featured", False)
    post.provenance, post.evidence = sent.get("provenance", "unknown"), sent.get("provenance_evidence")
    declaration = sent.get("declaration")
    if declaration and post.evidence is None:
        post.evidence = f"declared by {declaration['declared_by']}"
    post.baseline = Baseline(
        source=(sent["source_system"], sent["source_id"]),
        first=sent.get("first_published_at") if sent.get("first_published_evidence") else None,
        declared_first=declaration.get("declared_first_published_at") if declaration else None,
        last=sent.get("last_modified_at") if sent.get("last_modified_evidence") else None,
        facts={name: sent.get(name) or None for name in (*_BASELINE_FACTS, "declaration", "imported_approval")},
    )
    connections = sent.get("connections")
    if connections and post.declarations[-1:] != [connections["declared_by"]]:
        post.declarations.append(connections["declared_by"])


def _compared(post: Life) -> tuple[Any, ...]:
    """Return what a repeated adoption is compared with."""
    meta = (post.slug, post.external_id, post.tags, post.featured, post.provenance, post.evidence)
    return post.content, post.baseline, meta


def _redirect_to_post(post: Life, wanted: dict[str, str | None], redirects: Redirects) -> None:
    for path, row in list(redirects.rows.items()):
        if row.owner is post and (row.source == "adoption" or path in wanted):
            del redirects.rows[path]
    for path, day in wanted.items():
        redirects.retarget(path, post.path)
        redirects.rows[path] = Redirect(path, post.path, "adoption", post, day)


def _approval_of(sent: dict[str, Any]) -> tuple[str, bool] | None:
    for name, kind in (("declaration", "declared"), ("imported_approval", "imported")):
        if name in sent:
            return kind, sent[name]["facts_checked"]
    return None


def _slug_of(one: Any) -> str:
    slug: str = one if isinstance(one, str) else one["slug"]
    return slug


Outcome: TypeAlias = tuple[Answer, dict[str, Any] | None, Life | None]
"""Answer, records, and the post, where there are such."""


class Blog:
    """All posts, their redirects, and the policy pages."""

    def __init__(self) -> None:
        self.posts: list[Life] = []
        self.redirects = Redirects()
        self.pages = Pages()
        self.moved = False
        """Return whether the last write moved a public URL."""

    def save(self, sent: dict[str, Any]) -> Outcome:
        """``POST /posts``."""
        post, other = self.where(external_id=sent.get("external_id")), self.where(slug=sent.get("slug"))
        if post and other and post is not other:
            raise Refused(409, "identity_conflict", ["slug", "external_id"])
        post = post or other
        if post is not None and not sent.get("publish") and post.status == "published":
            raise Refused(409, "post_is_public")
        created = post is None
        # Before anything is fetched or rendered.
        if sent.get("publish_at") == PAST:
            raise Refused(422, "validation_failed", ["publish_at"])
        if post is None and not sent.get("title"):
            raise Refused(422, "validation_failed", ["title"])
        post = post or Life("")
        answered = self._write(post, sent, created=created, releases=bool(sent.get("publish")))
        post.external_id = sent.get("external_id", post.external_id)
        if created:
            self.posts.append(post)
        status = 202 if post.status == "scheduled" else 201 if created else 200
        return (status, None, []), answered, post

    def edit(self, post: Life, sent: dict[str, Any]) -> Outcome:
        """``PATCH /posts/:id``."""
        return (200, None, []), self._write(post, sent, created=False, releases=False), post

    def publish(self, post: Life, sent: dict[str, Any]) -> Outcome:
        """``POST /posts/:id/publish``."""
        answered = self._write(post, sent, created=False, releases=True)
        return (202 if post.status == "scheduled" else 200, None, []), answered, post

    def unpublish(self, post: Life) -> Outcome:
        """``POST /posts/:id/unpublish``."""
        self.moved = False
        if post.status == "published":
            self.redirects.withdraw(post, None, "unpublish")
        post.status, post.publish_at = "draft", None
        return (200, None, []), records(), post

    def remove(self, post: Life, redirect_to: str | None) -> Outcome:
        """``DELETE /posts/:id``; without records when the row is deleted."""
        self.moved = False
        owns = bool(self.redirects.of(post))
        retained = post.public or post.revisions or post.publications or post.declarations or owns
        if post.status in {"draft", "scheduled"} and not retained:
            self.posts.remove(post)
            return (204, None, []), {}, post
        if post.status != "archived" or redirect_to is not None:
            end = self.redirects.end
            target = end(redirect_to, start=post.path, field="redirect_to") if redirect_to else None
            self.redirects.withdraw(post, target, "removal")
            post.status, post.publish_at = "archived", None
        return (200, None, []), records(), post

    def approve(self, post: Life, reviewed: Any, *, checked: bool) -> Outcome:
        """``POST /posts/:id/approvals``."""
        self.moved = False
        if reviewed is None or reviewed != (post.public if post.status == "published" else post.content):
            raise Refused(409, "revision_mismatch")
        made = post.revise(reviewed)
        post.approvals.append((reviewed, "sent", checked))
        return (200, None, []), records(revision=made, approval="sent"), post

    def declare(self, post: Life, by: str) -> Outcome:
        """``POST /posts/:id/connections``."""
        self.moved = False
        post.declarations.append(by)
        return (200, None, []), records(), post

    def adopt(self, sent: dict[str, Any]) -> Outcome:
        """``POST /adoptions``; a dry run uses a copy."""
        if sent.get("dry_run"):
            copy = deepcopy(self)
            outcome = copy.adopt(sent | {"dry_run": False})
            self.moved = copy.moved
            return outcome
        answer, answered, post, self.moved = adopt(sent, posts=self.posts, redirects=self.redirects)
        return answer, answered, post

    def redirect(self, sent: dict[str, Any]) -> Outcome:
        """``POST /redirects``."""
        owner = None
        if sent.get("post_id") is not None:
            owner = self.where(number=sent["post_id"])
            if owner is None:
                raise Refused(404, "not_found")
        is_new = self.redirects.add(sent, stored=self.posts, owner=owner)
        return (201 if is_new else 200, None, []), None, None

    def forget(self, old_path: str) -> Outcome:
        """``DELETE /redirects/:id``."""
        del self.redirects.rows[plain(old_path)]
        return (204, None, []), None, None

    def write_page(self, kind: str, sent: dict[str, Any], *, may_publish: bool) -> Outcome:
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
        row = self.redirects.rows.get(here) or self.redirects.rows.get(page)
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
        if post.status == "archived":
            return set()
        others = [other for other in self.posts if other is not post and other.status == "published"]
        relevant = post.content if post.status == "scheduled" else post.public
        is_out = post.provenance != "human_written" and post.status in {"published", "scheduled"}
        facts = {
            "title_duplicate": any(other.title == post.title for other in others),
            "body_absent": not post.body,
            "provenance_unknown": post.provenance == "unknown",
            "approval_absent": is_out and not post.is_checked(relevant),
            "connections_not_declared": not post.declarations,
            "responsible_party_absent": not self.pages.is_published("responsible_party"),
            "social_image_absent": False,  # the engine draws a picture
            "image_alt_absent": post.cover is not None and not post.cover_alt,
        }
        return {code for code, holds in facts.items() if holds}

    def _write(self, post: Life, sent: dict[str, Any], *, created: bool, releases: bool) -> dict[str, Any]:
        self.moved = False
        if sent.get("publish_at") == PAST:
            raise Refused(422, "validation_failed", ["publish_at"])
        slug = sent.get("slug") or (sent["title"].lower() if created else post.slug)
        self._refuse_taken(post, slug, created=created)
        new = _with_content(post, sent)
        status, publish_at = _settle(post, sent, releases=releases)
        if post.status in ("scheduled", "published") and post.body and not new.body:
            raise Refused(422, "validation_failed", ["body"])
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
        answered = records()
        if status == "published":
            answered = self._release(post, sent, was_public=was_public)
        if "approval" in sent:
            made = post.revise(post.content)
            post.approvals.append((post.content, "sent", sent["approval"]["facts_checked"]))
            answered = {**answered, "revision": answered["revision"] or made, "approval": "sent"}
        if status == "published":
            self.moved = was_public and old != post.slug
            if self.moved:
                self.redirects.move(post, old)
            self.redirects.restore(post)
        return answered

    def _release(self, post: Life, sent: dict[str, Any], *, was_public: bool) -> dict[str, Any]:
        made = post.revise(post.content)
        differs = post.public != post.content
        description = sent.get("change_description")
        if not post.publications:
            entry: str | None = "first"
        elif sent.get("change") and (differs or not was_public or sent["change"] == "correction"):
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
        row = self.redirects.rows.get(path_of(slug))
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
    if releases:
        return ("scheduled", time) if time == FUTURE else ("published", None)
    if post.status == "published":
        return "published", None
    return post.status, time if is_sent else post.publish_at


API = "/blog/api/v1"
_DATES = ("first_published_at", "declared_first_published_at", "last_modified_at")
_APPROVALS = ("approval", "declaration", "imported_approval")
_KNOWN_FINDINGS = {
    *("title_duplicate", "provenance_unknown", "approval_absent", "connections_not_declared", "slug_changed"),
    *("responsible_party_absent", "social_image_absent", "image_alt_absent", "approval_incomplete"),
    "body_absent",
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
        expect: Callable[[], Outcome],
        *,
        as_writer: bool = False,
    ) -> bool:
        """Make one call to both; status, refusal, records, findings and all redirects must agree.

        Return whether it was accepted.
        """
        self.story.append(f"{method} {path} {json.dumps(sent)}")
        before = stored_beside_tokens()
        body = "" if sent is None else json.dumps(sent)
        client = self.writer if as_writer else self.client
        response: Any = client.generic(method, API + path, body, content_type="application/json")
        answered = response.json() if response.content else {}
        try:
            (status, _, _), records, post = expect()
        except Refused as refused:
            error = answered.get("error", {"code": None, "details": answered})
            assert (response.status_code, error["code"], error["details"]) == refused.answer, self.transcript()
            assert stored_beside_tokens() == before, self.transcript()
            return False
        assert response.status_code == status, f"{self.transcript()}\n{answered}"
        if post is not None and status != 204:
            assert answered["records"] == records, self.transcript()
            if answered.get("dry_run") or records == NOTHING:
                assert stored_beside_tokens() == before, self.transcript()
            if not answered.get("dry_run"):
                post.number = answered["post"]["id"]
                self._look_at(post)
                self._look_at_findings(post, answered["findings"], sent or {})
        self.look_at_redirects()
        return True

    def look(self) -> None:
        """Compare all posts, their history, the pages, and what readers get."""
        assert self.client.get(f"{API}/posts").json()["total"] == len(self.blog.posts), self.transcript()
        for post in self.blog.posts:
            self._look_at(post)
        for path in PATHS_TO_LOOK_AT:
            response = Client().get(path)
            status, target = self.blog.read(path)
            wanted = (status, self._twin_of(target) if path.endswith(".md") else target)
            assert (response.status_code, response.headers.get("Location")) == wanted, f"{self.transcript()}\n{path}"
        pages = {page["kind"]: page for page in self.client.get(f"{API}/pages").json()["pages"]}
        assert {kind: (page["slug"], page["status"], page["title"], page["body"]) for kind, page in pages.items()} == {
            kind: (page.slug, page.status, page.title, page.body) for kind, page in self.blog.pages.pages.items()
        }, self.transcript()

    def look_at_redirects(self) -> list[dict[str, Any]]:
        """Compare the redirects."""
        listed: list[dict[str, Any]] = self.client.get(f"{API}/redirects?per_page=100").json()["redirects"]
        known = {row.written: row for row in self.blog.redirects.rows.values()}
        assert {row["old_path"]: (row["new_path"], row["source"], row["post_id"]) for row in listed} == {
            path: (row.target, row.source, row.owner.number if row.owner else None) for path, row in known.items()
        }, self.transcript()
        days = {row["old_path"]: row["occurred_on"] for row in listed}
        assert [path for path, row in known.items() if row.day not in (None, days[path])] == [], self.transcript()
        return listed

    def transcript(self) -> str:
        """Return the calls so far, to repeat them by hand."""
        return "\n".join(self.story)

    def _twin_of(self, target: str | None) -> str | None:
        """Return where ``.md`` of a moved post redirects: to the target's own ``.md`` if it is public."""
        post = self.blog.where(slug=target.removeprefix("/blog/")) if target else None
        return f"{target}.md" if post and post.status == "published" else target

    def _look_at(self, post: Life) -> None:
        here = f"{API}/posts/{post.number}"
        answered, history = self.client.get(here).json(), self.client.get(f"{here}/records").json()
        digest = {made: row["identifier"] for made, row in zip(post.revisions, history["revisions"], strict=True)}
        as_sent = ("slug", "external_id", "status", "title", "body", "publish_at", "featured", "provenance")
        assert {name: answered[name] for name in as_sent} | {
            "label": answered["label"],
            "cover": answered["cover_image"] and answered["cover_image"]["image_id"],
            "tags": sorted(answered["tags"]),
            "public": answered["public_revision_identifier"],
            "approved": answered["approved"],
            "has_preview": answered["preview_url"] is not None,
            "shows_public": answered["revision_identifier"] == answered["public_revision_identifier"],
        } == {name: getattr(post, name) for name in as_sent} | {
            "label": self.blog.label(post),
            "cover": post.cover,
            "tags": post.tags,
            "public": digest.get(post.public) if post.public else None,
            "approved": post.public is not None and post.is_checked(post.public),
            "has_preview": post.status in {"draft", "scheduled"},
            "shows_public": post.public == post.content,
        }, self.transcript()
        assert [(p["entry_type"], p["revision_identifier"], p["description"]) for p in history["publications"]] == [
            (entry, digest[content], description) for entry, content, description in post.publications
        ], self.transcript()
        assert [(a["revision_identifier"], a["kind"], a["facts_checked"]) for a in history["approvals"]] == [
            (digest[content], kind, checked) for content, kind, checked in post.approvals
        ], self.transcript()
        assert [row["declared_by"] for row in history["connections"]] == post.declarations, self.transcript()
        assert _known_of(history["baseline"]) == _remembered_of(post), self.transcript()
        assert (answered["published_at"], answered["modified_at"]) == _dates_of(post, history["publications"]), (
            self.transcript()
        )

    def _look_at_findings(self, post: Life, answered: list[dict[str, Any]], sent: dict[str, Any]) -> None:
        approvals = (sent, *(sent.get(name, {}) for name in _APPROVALS))
        once = {"slug_changed"} if self.blog.moved else set()
        once |= {"approval_incomplete"} if any(part.get("facts_checked") is False for part in approvals) else set()
        found = {finding["code"] for finding in answered}
        assert found & _KNOWN_FINDINGS == self.blog.findings(post) | once, self.transcript()


def _known_of(answered: dict[str, Any] | None) -> tuple[Any, ...] | None:
    if answered is None:
        return None
    return (
        answered["source_system"],
        answered["source_id"],
        *(answered[name] and answered[name][:19] for name in _DATES),
    )


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


IDS = ["one", "two", "three"]
POST_SLUGS = ["a", "b", "c", "d", "e"]
FORMER = ["old", "older", "oldest", *POST_SLUGS]
WRONG = "0" * 64
OLD_PATHS = [
    *("/blog/a", "/blog/b/", "/blog/%63", "/blog/d.md", "/blog/m1", "/blog/m1/", "/blog/%6D2", "/blog/deep/x", "/x1"),
    *("/x1/", "/x2", "/x3", "/blog/m3", "/blog/m4", "/blog/policies/who", "/blog/policies/how", "/blog/old", "/blog/e"),
]
NEW_PATHS = [
    *(
        *POST_SLUGS,
        "m1",
        "/blog/a",
        "/blog/b?x=1",
        "/blog/c.md",
        "/blog/m2",
        "/x2",
        "https://example.com/blog/d",
        "/blog/old",
    ),
    *("https://e.example/z", "/blog/policies/who", None, None),
]
REDIRECT_TO = [None, None, *POST_SLUGS, "/blog/m1", "/x1", "https://e.example/z"]
VERBS = ["edit", "edit", "edit", "publish", "publish", "unpublish", "remove", "approve", "connect"]
PATHS_TO_LOOK_AT = [
    *(f"/blog/{slug}.md" for slug in [*POST_SLUGS, *("t" + name for name in IDS), "t1", "t2", "m1", "m2", *FORMER]),
    *("/x1", "/x2", "/blog/deep/x", "/blog/policies/who", "/blog/policies/how", "/blog/policies/ai-use"),
]


def some(chance: Chance, offers: dict[str, tuple[float, list[Any]]]) -> dict[str, Any]:
    """Return some of these fields, each with its probability."""
    return {name: chance.choice(values) for name, (often, values) in offers.items() if chance.random() < often}


def post_fields(chance: Chance, images: list[int]) -> dict[str, Any]:
    """Return random fields of a write to a post."""
    sent = some(
        chance,
        {
            "title": (0.3, ["T1", "T2"]),
            "body": (0.4, ["", "Text.", "Other *text*."]),
            "cover_image": (0.15, [None, *({"image_id": number} for number in images)]),
            "cover_alt": (0.15, ["", "The quay"]),
            "slug": (0.3, POST_SLUGS),
            "change": (0.4, ["substantive", "correction", "maintenance"]),
            "note": (0.5, ["It was wrong."]),
            "change_description": (0.1, ["Said more."]),
            "publish_at": (0.25, [None, PAST, FUTURE]),
            "approval": (0.2, [{"name": "Rosa", "facts_checked": checked} for checked in (True, True, False)]),
            "provenance": (0.2, ["ai_assisted", "human_written", "unknown"]),
            "tags": (0.2, [[], ["x"], ["y", "x"]]),
            "featured": (0.1, [True, False]),
        },
    )
    if "approval" in sent and chance.random() < 0.1:
        sent["approval"] = sent["approval"] | {"revision_identifier": WRONG}
    return sent


def adoption(chance: Chance, images: list[int]) -> dict[str, Any]:
    """Return an article of another system."""
    sent = {
        "source_system": "oldpress",
        "source_id": chance.choice(["1", "2", "3", "4"]),
        "slug": chance.choice(POST_SLUGS),
        "title": chance.choice(["T1", "T2"]),
        "body": chance.choice(["Text.", "Old text."]),
        "body_format": "markdown",
    } | some(chance, _past(chance, images))
    if sent.get("first_published_at") is None and "declaration" in sent and chance.random() < 0.5:
        sent["declaration"] = sent["declaration"] | {"declared_first_published_at": "2018-01-01T00:00:00Z"}
    if "declaration" in sent or "provenance_evidence" in sent:
        sent["provenance"] = chance.choice(["ai_assisted", "human_written", "unknown"])
    return sent


def changed_adoption(chance: Chance, images: list[int], sent: dict[str, Any]) -> dict[str, Any]:
    """Return the article with one field changed, added or left out."""
    offers = _past(chance, images) | {
        "slug": (0, POST_SLUGS),
        "title": (0, ["T1", "T2"]),
        "body": (0, ["Text.", "Old text."]),
    }
    name = chance.choice(list(offers))
    if name in sent and offers[name][0] and chance.random() < 0.5:
        return {kept: value for kept, value in sent.items() if kept != name}
    return sent | {name: chance.choice(offers[name][1])}


def _past(chance: Chance, images: list[int]) -> dict[str, tuple[float, list[Any]]]:
    """Return random optional fields of an adoption."""
    review = {"reviewer_name": "Rosa", "facts_checked": chance.choice([True, False]), "approved_at": PAST}
    former = chance.sample(FORMER, k=chance.choice([0, 1, 1, 2]))
    dated = [{"slug": slug, "moved_on": chance.choice([None, "2019-12-31"])} for slug in former]
    return {
        "external_id": (0.2, IDS),
        "cover_image": (0.1, [None, *({"image_id": number} for number in images)]),
        "cover_alt": (0.1, ["", "The quay"]),
        "tags": (0.1, [[], ["x"], ["y", "x"]]),
        "featured": (0.1, [True, False]),
        "old_slugs": (0.6, [former, dated]),
        "first_published_at": (0.3, ["2019-05-06T07:08:09.123456Z", None]),
        "first_published_evidence": (0.5, ["Dump", ""]),
        "last_modified_at": (0.3, ["2020-06-07T08:09:10Z"]),
        "last_modified_evidence": (0.5, ["Dump"]),
        "source_body_sha256": (0.1, ["a" * 64]),
        "provenance_evidence": (0.2, ["Asked."]),
        "connections": (0.15, [{"connections": [], "third_party_paid": False, "declared_by": "Mina"}]),
        "declaration": (0.15, [review | {"declared_by": "Mina", "declared_on": "2026-11-20"}]),
        "imported_approval": (0.1, [review | {"evidence": "Entry 4", "confirmed_by": "Mina"}]),
        "dry_run": (0.2, [True, True, False]),
    }


def redirect(chance: Chance, numbers: list[int]) -> dict[str, Any]:
    """Return a redirect made by hand."""
    sent = {"old_path": chance.choice(OLD_PATHS), "new_path": chance.choice(NEW_PATHS)}
    return sent | some(chance, {"post_id": (0.3, [*numbers, 999_999]), "occurred_on": (0.3, ["2019-12-31"])})


def page_fields(chance: Chance) -> dict[str, Any]:
    """Return random fields of a policy page."""
    return some(
        chance,
        {
            "title": (0.8, ["Who", "How"]),
            "body": (0.7, ["We do.", " "]),
            "status": (0.7, ["published", "published", "draft"]),
            "slug": (0.4, ["who", "how", ""]),
            "approved_by": (0.2, ["Rosa", None]),
        },
    )
