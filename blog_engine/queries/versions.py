"""The versions of a post's content: its revisions, those of its draft, what is public and what is stored now."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Self

from django.db.models import Case, CharField, F, IntegerField, QuerySet, Value, When

from blog_engine.content.faq import FaqPair
from blog_engine.enums import NamedVersion
from blog_engine.errors import NotFound, ValidationFailed
from blog_engine.models import DraftVersion, Post, Revision, when_public
from blog_engine.queries.posts import read_post
from blog_engine.rules.revision import content_of, revision_payload

_MOST_NAMED: Final = 3
"""Revisions that a refusal names."""


@dataclass(frozen=True, slots=True)
class PostVersion:
    """The content of a post at one time."""

    identifier: str
    payload: str
    actor: str | None
    made_by_ai: bool | None
    created_at: datetime | None
    """When it was recorded or saved; ``None`` for present content that no revision records."""
    body_format: str | None = None
    """``None`` where it was not recorded, as of revisions."""
    is_revision: bool = True
    """Whether the history has it."""

    @classmethod
    def of_revision(cls, row: Revision) -> Self:
        """Return the version that a revision records."""
        return cls(row.identifier, row.payload, row.actor, row.made_by_ai, row.created_at)

    @classmethod
    def of_draft(cls, row: DraftVersion) -> Self:
        """Return a version of a draft."""
        made = (row.actor, row.made_by_ai, row.saved_at)
        return cls(row.identifier, row.payload, *made, body_format=row.body_format, is_revision=False)


def present_payload(post: Post) -> str:
    """Return the revision payload of the stored content of a post read by ``read_post``."""
    faq = [FaqPair(question=row.question, answer=row.answer) for row in post.faqs.all()]
    return revision_payload(content_of(post, faq=faq))


def version_named(post_id: int, name: str, *, field: str) -> PostVersion:
    """Return the version with this identifier, or a prefix of it, or named ``public`` or ``draft``.

    ``draft`` is the stored content, recorded or not, and ``public`` what readers see. At most seven queries. Raises
    ``NotFound``, and ``ValidationFailed`` of the field for a prefix of several identifiers.
    """
    if name == NamedVersion.DRAFT:
        return _stored_now(read_post(post_id))
    if name == NamedVersion.PUBLIC:
        shown = Post.objects.filter(when_public(), pk=post_id).order_by().values("public_revision")
        revision = Revision.objects.filter(pk__in=shown).first()
        if revision is None:
            raise NotFound(hint=f"The post is not public: its content is the version named draft. {_named(post_id)}")
        return PostVersion.of_revision(revision)
    found = _kept_version(post_id, name, field=field)
    if found is not None:
        return found
    post = read_post(post_id)
    if post.current_revision_identifier.startswith(name):
        return _stored_now(post)
    raise NotFound(hint=f"No version of the post has the identifier {name}. {_named(post_id)}")


def version_to_restore(post_id: int, name: str) -> PostVersion:
    """Return the revision or version of a draft with this identifier, or a prefix of it; at most three queries.

    Raises ``ValidationFailed(["restore"])``.
    """
    found = _kept_version(post_id, name, field="restore")
    if found is None:
        raise ValidationFailed(["restore"], hint=f"No version of the post has that identifier. {_named(post_id)}")
    return found


def is_named(sent: str | None, identifier: str | None, *, post: Post) -> bool:
    """Return whether a text is the identifier of a version of a post, or begins it and no other one (posts.expected).

    At most two queries, and none for a whole identifier.
    """
    if not sent or not identifier or sent == identifier:
        return sent is not None and sent == identifier
    if not _BEGINNING.fullmatch(sent) or not identifier.startswith(sent):
        return False
    noted = {note["revision"] for note in post.recent_writes}
    if any(one.startswith(sent) for one in noted - {identifier}):
        return False
    # Content can be made so that its identifier begins as that of a version which a person read.
    of_post = {"post": post.pk, "identifier__startswith": sent}
    return not any(rows.filter(**of_post).exclude(identifier=identifier).exists() for rows in _kept())


_BEGINNING: Final = re.compile("[0-9a-f]{8,63}")


def _kept() -> tuple[QuerySet[Revision], QuerySet[DraftVersion]]:
    return Revision.objects.order_by(), DraftVersion.objects.order_by()


def version_with(post: Post, identifier: str) -> PostVersion | None:
    """Return the revision, or else the newest version of a draft, with this whole identifier; one query."""
    of_name = {"post": post.pk, "identifier": identifier}
    recorded = Revision.objects.filter(**of_name).annotate(
        version_rank=Case(When(is_proposed=True, then=1), default=0, output_field=IntegerField()),
        version_place=F("id"),
        version_format=Value(None, CharField()),
        version_time=F("created_at"),
    )
    saved = DraftVersion.objects.filter(**of_name).annotate(
        version_rank=Value(_OF_DRAFT, IntegerField()),
        version_place=Value(0, IntegerField()),
        version_format=F("body_format"),
        version_time=F("saved_at"),
    )
    first, second = (rows.order_by().values_list(*_VERSION) for rows in (recorded, saved))
    row = first.union(second, all=True).order_by("version_rank", "version_place", "-version_time").first()
    if row is None:
        return None
    identifier, payload, actor, made_by_ai, time, body_format, rank, _place = row
    return PostVersion(identifier, payload, actor, made_by_ai, time, body_format, is_revision=rank != _OF_DRAFT)


_OF_DRAFT: Final = 2
_VERSION: Final = (
    *("identifier", "payload", "actor", "made_by_ai", "version_time", "version_format"),
    *("version_rank", "version_place"),
)


def draft_with(post: Post, identifier: str) -> PostVersion | None:
    """Return the newest version of a draft with this whole identifier, which no revision records; one query."""
    draft = DraftVersion.objects.filter(post=post.pk, identifier=identifier).order_by("-saved_at", "-id").first()
    return None if draft is None else PostVersion.of_draft(draft)


def versions_of(post_id: int) -> list[DraftVersion]:
    """Return the listed versions of a draft without their content, the newest first; one query.

    Of versions with the same content one after the other, only the newest is there.
    """
    rows = DraftVersion.objects.filter(post=post_id, is_listed=True).defer("payload").order_by("-saved_at", "-id")
    found = list[DraftVersion]()
    for row in rows:
        if not found or found[-1].identifier != row.identifier:
            found.append(row)
    return found


def _kept_version(post_id: int, name: str, *, field: str) -> PostVersion | None:
    """Return the revision, or else the newest version of a draft, whose identifier begins with a name."""
    # A proposal may have recorded the same content.
    of_name = {"post": post_id, "identifier__startswith": name}
    revisions = list(Revision.objects.filter(**of_name).order_by("is_proposed", "id")[:3])
    drafts = DraftVersion.objects.filter(**of_name).order_by("-saved_at", "-id")
    identifiers = {row.identifier for row in revisions} | set(drafts.values_list("identifier", flat=True))
    if len(identifiers) > 1:
        raise ValidationFailed([field], hint=f"Several versions of the post start with {name}: send all 64 digits.")
    if revisions:
        return PostVersion.of_revision(revisions[0])
    return PostVersion.of_draft(drafts[0]) if identifiers else None


def _stored_now(post: Post) -> PostVersion:
    identifier = post.current_revision_identifier
    recorded = Revision.objects.filter(post=post.pk, identifier=identifier, is_proposed=False).first()
    if recorded is not None:
        return PostVersion.of_revision(recorded)
    actor, made_by_ai = post.unrecorded_actor, post.unrecorded_made_by_ai
    return PostVersion(identifier, present_payload(post), actor, made_by_ai, created_at=None)


def _named(post_id: int) -> str:
    """Return the sentence of a refusal that names some versions."""
    newest = Revision.objects.filter(post=post_id).order_by("-id").values_list("identifier", flat=True)[:_MOST_NAMED]
    if newest:
        return f"Its newest revisions are {', '.join(newest)}."
    saved = [row.identifier for row in versions_of(post_id)[:_MOST_NAMED]]
    if saved:
        return f"It has no revision yet; the newest versions of the draft are {', '.join(saved)}."
    return "It has no revision yet, only draft, its present content."
